import { resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import type { FlowCheck } from '../check-types.ts'
import { COPY, type FlowFunction, type RouteFunction } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { keyedBy, type KeyedWrites } from './keyed-functions.ts'
import { addFrameworkFunction } from './objects.ts'
import { lastPlaceOf } from './rest.ts'
import { routerMadeBy } from './routers.ts'
import { tupleNode } from './tuples.ts'

export function withFilled(
  own: FlowFunction | undefined,
  filled: ReadonlyMap<number, number> | undefined,
  route: RouteFunction | undefined,
): FlowFunction[] {
  if (own === undefined) return []
  if (filled === undefined && route === undefined) return [own]
  const known = { ...(filled !== undefined && { filled: [...filled] }), ...(route !== undefined && { route }) }
  return [Object.assign({}, own, known)]
}

export function toFunction(
  fact: FunctionFact,
  parameters: readonly number[],
  checks: readonly FlowCheck[],
  draft: FlowDraft,
  writes: KeyedWrites,
): FlowFunction {
  const { graph, use, selfOf } = draft
  const result = graph.of(fact).node
  for (const value of fact.returns)
    graph.connect(draft.realm === 'browser' && isTuple(value) ? tupleNode(value, draft) : use(value), result, COPY)
  const defaults = draft.realm === 'browser' ? defaultsOf(fact, draft) : []
  const { name, start, end } = fact
  const rest = lastPlaceOf(fact)
  const self = fact.kind === 'arrow' ? undefined : selfOf(fact)
  const keyed = draft.realm === 'browser' ? keyedBy(fact, writes, draft) : undefined
  const router = draft.realm === 'server' ? routerMadeBy(fact, draft) : undefined
  return {
    name,
    parameters,
    result,
    start,
    end,
    ...(checks.length > 0 && { checks }),
    ...(defaults.length > 0 && { defaults }),
    ...(draft.realm === 'browser' && isMaker(fact) && { isMaker: true }),
    ...(rest !== undefined && { rest }),
    ...(self !== undefined && { self }),
    ...(router !== undefined && { router }),
    ...(keyed !== undefined && { keyed }),
  }
}

/** `return [text, count]`: values of several kinds, no rows. */
function isTuple(value: Value): value is Value & { readonly kind: 'array' } {
  return value.kind === 'array' && value.items.every(({ kind }) => kind !== 'array' && kind !== 'object')
}

/** What parameters are where a call leaves them out, if they may be functions. */
function defaultsOf({ parameters }: FunctionFact, draft: FlowDraft): readonly (readonly [parameter: number, node: number])[] {
  return parameters.flatMap((binding, index) => {
    const given = binding?.definitions[0]?.fallback
    if (given === undefined || (given.kind !== 'function' && given.kind !== 'reference')) return []
    addFrameworkFunction(given, draft)
    return [[index, draft.use(given)] as const]
  })
}

/** `(fn) => { const kept = new Map(); return (key) => … }`, also of an object with such functions. */
function isMaker(fact: FunctionFact): boolean {
  if (fact.kind === 'file' || fact.owner !== undefined) return false
  const isInside = (value: Value): boolean => value.kind === 'function' && fact.start < value.start && value.end <= fact.end
  return fact.returns.some((value) => {
    const made = resolveValue(value)
    return isInside(made) || (made.kind === 'object' && made.fields.some((field) => isInside(resolveValue(field.value))))
  })
}
