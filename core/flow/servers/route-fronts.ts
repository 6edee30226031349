import {
  stringConstantOf,
  keyOf,
  keyOfName,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { groupBy } from '../../lists.ts'
import type { FlowCheck } from '../check-types.ts'
import { ROUTES } from '../tables/requests.ts'
import { common } from '../../conditions/constraint.ts'
import { cleansOf } from '../tables/harmless.ts'
import type { FunctionParts } from '../../conditions/parts.ts'
import type { PossibleCheck } from '../checks/asked-values.ts'
import { provedAt } from '../checks/proofs.ts'
import { isWithin } from '../../facts/span-index.ts'

const MAX_FRONTS = 4
const MAX_ENDS = 4

/** A function that answers a route, and what runs in front of it with the same request. */
interface FrontedHandler {
  readonly fact: FunctionFact
  /** The key of its request. */
  readonly request: string
  readonly fronts: readonly Value[]
}

/** Tells which functions in front of a route may have checked a part of its request: `app.post('/hook', signed, handler)`. */
export function createFrontReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (value: Value) => readonly PossibleCheck[] {
  let known: readonly FrontedHandler[] | undefined
  return (value) => {
    const key = value.kind === 'member' || value.kind === 'reference' ? keyOf(value) : undefined
    if (key === undefined) return []
    known ??= frontedHandlers(facts, step)
    step(known.length)
    for (const { fact, request, fronts } of known)
      if (isWithin(value, fact) && key.startsWith(`${request} `)) {
        const path = key.slice(request.length + 1).split(' ')
        return fronts.map((front) => ({ by: { front }, forms: ['refuses'], path, within: [] }))
      }
    return []
  }
}

function frontedHandlers({ calls }: ScriptFacts, step: () => void): readonly FrontedHandler[] {
  const registered = calls.filter(
    ({ callee, args }) => callee.kind === 'member' && ROUTES.has(callee.name ?? '') && args.length > 0,
  )
  const usesOf = groupBy(
    registered.filter(({ callee }) => callee.kind === 'member' && callee.name === 'use'),
    appOf,
  )
  const found = new Map<FunctionFact, FrontedHandler | undefined>()
  for (const call of registered) {
    const handler = handlerOf(call.args.at(-1))
    const [parameter] = handler?.parameters ?? []
    const request = parameter && keyOfName(parameter)
    if (handler === undefined || request === undefined) continue
    const fronts: Value[] = []
    for (const value of frontsOf(call, usesOf.get(appOf(call)) ?? [], step)) {
      fronts.push(...itemsOf(value).slice(0, MAX_FRONTS - fronts.length))
      if (fronts.length === MAX_FRONTS) break
    }
    // what answers several routes is checked only where each of them checks it
    found.set(handler, found.has(handler) || fronts.length === 0 ? undefined : { fact: handler, request, fronts })
  }
  return [...found.values()].filter((one) => one !== undefined)
}

/** The function itself, or the one that a wrapper is given: `asyncHandler(async (req, res) => …)`. */
function handlerOf(value: Value | undefined): FunctionFact | undefined {
  const own = value && functionOf(value)
  if (own !== undefined || value?.kind !== 'call') return own
  return value.args.length === 1 ? functionOf(value.args[0]) : undefined
}

function itemsOf(value: Value): readonly Value[] {
  const here = value.kind === 'spread' ? value.value : value
  const made = resolveValue(here)
  if (made.kind === 'array') return made.items.flatMap(itemsOf)
  return made.kind === 'function' || here.kind === 'reference' || here.kind === 'member' ? [here] : []
}

function appOf({ callee }: CallValue): string | undefined {
  return callee.kind === 'member' ? keyOf(callee.object) : undefined
}

/** `router.use(signed)`, `app.use('/hooks', signed)` above a route of theirs, and what stands before its handler. `uses`: of the same app. */
function* frontsOf(call: CallValue, uses: readonly CallValue[], step: () => void): Generator<Value> {
  const { args, start, function: within } = call
  const route = stringConstantOf(args[0])
  for (const one of appOf(call) === undefined ? [] : uses) {
    step()
    if (one.end > start || one.function !== within) continue
    const [first, ...others] = one.args
    const path = stringConstantOf(first)
    if (path === undefined) yield* one.args
    else if (route !== undefined && (route === path || route.startsWith(`${path.replace(/\/$/, '')}/`))) yield* others
  }
  yield* args.slice(0, -1)
}

/** What a function has checked of its request where it lets the next one run: `if (!timingSafeEqual(mac, given)) return res.sendStatus(401); next()`. */
export function letOnBy(
  { parameters: [, , next] }: FunctionFact,
  asked: readonly { readonly parameter: number; readonly path: readonly string[]; readonly value: Value }[],
  { calls, guards }: { readonly calls: readonly CallValue[]; readonly guards: readonly Guard[] },
  parts: FunctionParts,
): readonly FlowCheck[] {
  // an argument of it is an error
  const ends = calls.filter(
    ({ callee, args }) => args.length === 0 && next !== undefined && callee.kind === 'reference' && callee.binding === next,
  )
  if (ends.length === 0 || ends.length > MAX_ENDS) return []
  return asked.flatMap(({ parameter, path, value }): readonly FlowCheck[] => {
    if (parameter !== 0 || path.length === 0) return []
    const proofs = common(ends.map(({ start, end }) => provedAt({ ...value, start, end }, guards, parts)))
    return cleansOf(proofs) === undefined ? [] : [{ parameter, form: 'refuses', path, proofs }]
  })
}
