import { accessesOf, constantOf, pathOf, stringConstantOf, type Binding, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { groupBy } from '../../lists.ts'
import { handedApps, keyOf, spreadValue } from '../frameworks/registrations.ts'
import { toGate } from '../frameworks/route-records.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { AUTHENTICATES, PROMISES_LOGIN } from '../tables/routes.ts'
import type { FlowGate } from '../types.ts'
import { isParser } from './route-guards.ts'
import { isRouterMade } from './routers.ts'

/** What runs in front of a route or a mounted router, by its registration and path. */
export type FrontFinder = (call: CallValue, path: string | undefined) => readonly FlowGate[]

/** `router.use(signedIn)`, with the path below which it runs; undefined: everywhere. */
interface Used {
  readonly end: number
  readonly path: string | undefined
  readonly gates: readonly FlowGate[]
}

/**
 * What got the app before a route was registered, `setUp(app)`, and the functions of other files that run for each request in front of it, `router.use(signedIn)`: what these do is
 * known once the files are put together, and so their names count only where nobody knows that.
 * Fact: Express 5, "Using middleware" (what is registered first runs first).
 */
export function createFrontFinder(registered: readonly CallValue[], apps: ReadonlySet<Binding>, draft: FlowDraft): FrontFinder {
  const handed = handedApps(draft.facts.calls, apps)
  const uses = groupBy(
    registered.filter(({ callee }) => lastNameOf(callee) === 'use'),
    appOf,
  )
  const known = new Map<Binding | string, readonly Used[]>()
  const usesOf = (app: Binding | string): readonly Used[] => {
    const found = known.get(app) ?? (uses.get(app) ?? []).flatMap((call) => usedBy(call, draft))
    known.set(app, found)
    return found
  }
  return (call, path) => {
    const app = appOf(call)
    if (app === undefined) return []
    const used = usesOf(app)
    draft.step(used.length)
    const given = typeof app === 'string' ? [] : (handed.get(app) ?? [])
    return [
      ...given.flatMap(({ offset, called }) =>
        offset <= call.start ? { node: draft.use(called), given: [], isFront: true as const } : [],
      ),
      ...used.flatMap(({ end, path: prefix, gates }) =>
        end <= call.start && (prefix === undefined || (path !== undefined && isBelow(path, prefix))) ? gates : [],
      ),
    ]
  }
}

function appOf({ callee }: CallValue): Binding | string | undefined {
  return 'object' in callee ? keyOf(callee.object) : undefined
}

function usedBy({ args, end }: CallValue, draft: FlowDraft): readonly Used[] {
  const path = stringConstantOf(args[0])
  const gates = args
    .map(spreadValue)
    .filter(isElsewhere)
    .map((front): FlowGate => ({ ...toGate(front, draft), isFront: true, used: nameTells(front) }))
  return gates.length === 0 ? [] : [{ end, path: path === '/' ? undefined : path, gates }]
}

/** A function of another file, or one that is not known: those of this file are read with it. */
function isElsewhere(front: Value): boolean {
  return (
    ('name' in front || 'callee' in front) &&
    constantOf(front) === undefined &&
    functionOf(front) === undefined &&
    !isParser(front) &&
    !isRouterMade(front)
  )
}

function nameTells(front: Value): NonNullable<FlowGate['used']> {
  const read = 'callee' in front ? front.callee : front
  const names = [lastNameOf(read) ?? '', pathOf(read)?.at(-1) ?? '', ...accessesOf(read).map(({ steps }) => steps.at(-1) ?? '')]
  if (names.some((name) => PROMISES_LOGIN.test(name))) return 'named'
  return AUTHENTICATES.test(pathOf(read)?.[0]?.replace(/^module:/, '') ?? '') ? 'filed' : 'unnamed'
}

/** Express mounts at whole segments: `/search` is none of `/search-terms`. */
export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}
