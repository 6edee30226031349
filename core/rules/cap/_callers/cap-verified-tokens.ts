import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  stringConstantOf,
  findPart,
  valuesOf,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isConditional } from '../../../facts/guards.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContextRoot, isOfUi5App } from '../../../model/script/index.ts'

/** One item for a script whose tokens CAP has verified before any of its routes runs. */
export const capVerifiedTokens: Extract<true> = defineExtract({
  name: 'cap-verified-tokens',
  keywords: ['middlewares'],
  prefilter: (text) => /\bauthorization\b/i.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, step }) => (isVerifiedByCap(facts, step) ? [true] : []),
})

/**
 * Whether CAP has verified the tokens that a file decodes: its middleware stands in front of all routes of the file, and the token is that of the header `Authorization`.
 * Where another header is read where that one is missing, the caller is nobody for CAP, and a role that the file asks of the user refuses it.
 * Fact: @sap/cds 8.9.10 and 9.9.3, lib/srv/middlewares/auth/jwt-auth.js and ias-auth.js: the middleware verifies `Authorization` alone, and answers 401 where that fails.
 */
export function isVerifiedByCap(facts: ScriptFacts, step: (count?: number) => void): boolean {
  step(facts.calls.length)
  const fronts = facts.calls.flatMap((call) => frontOf(call) ?? [])
  if (fronts.length === 0) return false
  step(fronts.length * (facts.calls.length + facts.guards.length))
  const sure = fronts.filter(({ call }) => isSure(call, facts))
  const routes = facts.calls.flatMap((call) => routeOf(call) ?? [])
  step(routes.length * sure.length + facts.values.length)
  const isCovered = (route: Registered): boolean =>
    sure.some(({ path, call }) => call.end <= route.call.start && `${route.path}/`.startsWith(path === '/' ? path : `${path}/`))
  if (routes.length === 0 || !routes.every(isCovered)) return false
  const tokens = sentTokens(facts)
  if (!tokens.has('authorization')) return false
  return tokens.size === 1 || facts.guards.some(({ exits, test }) => exits && findPart(test, asksForRole) !== undefined)
}

interface Registered {
  readonly call: CallValue
  readonly path: string
}

/** `app.use('/api', cds.middlewares.auth())`, `app.use(...cds.middlewares.before)`; a path that is not written is none. */
function frontOf(call: CallValue): Registered | undefined {
  if (call.callee.kind !== 'member' || call.callee.name !== 'use') return undefined
  return call.args.some(isOfCap) ? { call, path: pathIn(call) ?? '/' } : undefined
}

const OF_CAP = /^(?:global:cds|module:@sap\/cds)(?: default)? middlewares (?:auth|before)(?: |$)/

function isOfCap(given: Value): boolean {
  const value = given.kind === 'spread' ? given.value : given
  const callee = value.kind === 'call' ? value.callee : value
  return accessesOf(callee).some(({ root, steps }) => OF_CAP.test([root, ...steps].join(' ')))
}

function pathIn({ args: [path] }: CallValue): string | undefined {
  const written = stringConstantOf(path)
  return written !== undefined && written.startsWith('/') ? written : undefined
}

const VERBS = /^(?:get|post|put|patch|delete|all)$/

/** A handler that a file registers for a path. */
function routeOf(call: CallValue): Registered | undefined {
  if (call.callee.kind !== 'member' || !VERBS.test(call.callee.name ?? '') || call.args.length < 2) return undefined
  const path = pathIn(call)
  return path === undefined ? undefined : { call, path }
}

/** It is registered whatever a condition says, or on the other way all requests for its path are answered. */
function isSure(call: CallValue, { guards, calls }: ScriptFacts): boolean {
  if (!isConditional(guards, call.start)) return true
  const path = pathIn(call)
  const own = guards.filter(({ inside }) => isWithin(call, inside))
  const other = guards.filter((guard) => own.every((one) => isOpposite(guard, one)))
  return calls.some(
    (one) =>
      lastNameOf(one.callee) === 'use' &&
      other.some(({ inside }) => isWithin(one, inside)) &&
      pathIn(one) === path &&
      (functionOf(one.args.at(-1))?.parameters.length ?? 3) < 3,
  )
}

/** `if` and `else` of one statement. */
function isOpposite({ test: a }: Guard, { test: b }: Guard): boolean {
  return (a.kind === 'operation' && a.operands[0] === b) || (b.kind === 'operation' && b.operands[0] === a)
}

const TOKEN = /^(?:authorization|[\w-]{0,60}(?:token|jwt|bearer|assertion)[\w-]{0,60})$/
/** Those of forms, devices and pages tell nobody who calls. */
const OTHER_TOKEN = /csrf|xsrf|push|device|fcm|page|skip|next|delta|continu/

/** What of requests holds tokens, as the file reads it: `req.headers.authorization`, `req.get('x-token')`, `req.cookies.token`. */
function sentTokens(facts: ScriptFacts): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { value } of valuesOf(facts)) {
    const header = headerOf(value)?.toLowerCase()
    if (header !== undefined && isToken(header)) found.add(header)
    const field = value.kind === 'member' ? value.name?.toLowerCase() : undefined
    if (field !== undefined && isToken(field) && value.kind === 'member' && isSent(value.object)) found.add(`field ${field}`)
    const [given] = value.kind === 'call' && DECODES.test(lastNameOf(value.callee) ?? '') ? value.args : []
    if (given?.kind === 'member' && isSent(given.object)) found.add(`field ${given.name ?? ''}`)
  }
  return found
}

function isToken(name: string): boolean {
  return TOKEN.test(name) && !OTHER_TOKEN.test(name)
}

const DECODES = /^(?:decode|jwt_?decode|decode_?jwt)$/i
const PLACES = /^(?:query|body|params|cookies|signedCookies)$/

/** `req.query`, also where its fields are taken apart. */
function isSent(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => isContextRoot(root) && steps.length === 1 && PLACES.test(steps[0] ?? ''))
}

function headerOf(value: Value): string | undefined {
  if (value.kind === 'member') return isHeaders(value.object) ? value.name : undefined
  const [name, ...more] = value.kind === 'call' ? value.args : []
  if (value.kind !== 'call' || value.callee.kind !== 'member' || name === undefined || more.length > 0) return undefined
  const written = stringConstantOf(name)
  return written !== undefined && /^(?:get|header)$/.test(value.callee.name ?? '') ? written : undefined
}

function isHeaders(value: Value): boolean {
  return value.kind === 'member' ? value.name === 'headers' : value.kind === 'reference' && value.name === 'headers'
}

/** `user.is('Clerk')`, `req.user?.is?.('Clerk')` */
function asksForRole(value: Value): boolean {
  return value.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'is' && value.args.length === 1
}
