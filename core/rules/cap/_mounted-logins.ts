import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, constantOf, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'

const ROUTES = /^(?:get|post|put|patch|delete|all)$/

/** All routes of a script are behind CAP's login, and this is what its app uses in front of that. */
interface MountedLogin {
  readonly earlier: readonly Span[]
}

/** One item for a script whose routes are all below a path with `app.use('/api', cds.middlewares.auth())`. */
export const mountedLogins: Extract<MountedLogin> = defineExtract({
  name: 'cap-mounted-logins',
  keywords: ['middlewares.auth', 'middlewares.before'],
  collect: ({ facts }) => findMountedLogin(facts),
})

/**
 * Facts: capire, "cds.middlewares" (`auth`, `before`); @sap/cds 9.9.3, lib/srv/middlewares/auth/jwt-auth.js (401 for a token that does not verify): what is decoded behind it is the
 * token that CAP has verified.
 */
function findMountedLogin({ calls }: ScriptFacts): readonly MountedLogin[] {
  const mounts = calls.filter((call) => lastNameOf(call.callee) === 'use' && call.args.some(isLogin))
  const [first] = mounts
  if (first === undefined) return []
  const routes = calls.filter((call) => ROUTES.test(lastNameOf(call.callee) ?? '') && pathOf(call) !== undefined)
  const isBehind = (route: CallValue): boolean =>
    mounts.some(
      (mount) =>
        mount.start < route.start && `${pathOf(route) ?? ''}/`.startsWith(`${(pathOf(mount) ?? '').replace(/\/$/, '')}/`),
    )
  if (routes.length === 0 || !routes.every(isBehind)) return []
  const earlier = calls.filter((call) => call.start < first.start && lastNameOf(call.callee) === 'use')
  return [{ earlier: earlier.map(({ start, end }) => ({ start, end })) }]
}

/** Whether a place of the script runs behind the login. */
export function isBehindLogin(place: Span, found: readonly MountedLogin[]): boolean {
  return found.some(({ earlier }) => !earlier.some(({ start, end }) => start <= place.start && place.end <= end))
}

/** Tells it while the script is open. */
export function createMountedReader(facts: ScriptFacts): (place: Span) => boolean {
  const found = findMountedLogin(facts)
  return (place) => isBehindLogin(place, found)
}

/** `cds.middlewares.auth()`, `cds.middlewares.before` */
function isLogin(value: Value): boolean {
  return accessesOf(value.kind === 'call' ? value.callee : value).some(
    ({ root, steps }) => /^(?:global:cds|module:@sap\/cds)$/.test(root) && /^middlewares (?:auth|before)$/.test(steps.join(' ')),
  )
}

/** The path of a route, or of what is used below one. */
function pathOf({ args: [path] }: CallValue): string | undefined {
  const text = path && constantOf(path)
  return typeof text === 'string' && text.startsWith('/') ? text : undefined
}
