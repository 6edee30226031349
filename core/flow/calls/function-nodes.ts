import { isConditional, resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import type { FlowCheck } from '../check-types.ts'
import { COPY, WRITE, type FlowFunction, type RouteFunction } from '../types.ts'
import type { FieldsDraft, FlowDraft } from '../graph/draft.ts'
import { layerNode } from '../fields/layers.ts'
import { keyedBy, type KeyedWrites } from './keyed-functions.ts'
import { addFrameworkFunction } from '../values/objects.ts'
import { lastPlaceOf } from '../values/rest.ts'
import { routerMadeBy } from '../servers/routers.ts'
import { tupleNode } from '../values/tuples.ts'

export function withFilled(
  own: FlowFunction | undefined,
  fact: FunctionFact,
  fields: FieldsDraft,
  route: RouteFunction | undefined,
): FlowFunction[] {
  const filled = fields.filled.get(fact)
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
  const {
    graph,
    use,
    parameters: { selfOf },
  } = draft
  const result = graph.of(fact).node
  for (const value of fact.returns) {
    const isObject = draft.realm === 'server' && value.kind === 'this'
    const given = isObject ? rewrittenNode(value, fact, draft) : isTuple(value, draft) ? tupleNode(value, draft) : use(value)
    graph.connect(given, result, COPY)
  }
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
    ...(draft.realm === 'browser' && (isMaker(fact) || runsGiven(fact, draft)) && { isMaker: true }),
    ...(rest !== undefined && { rest }),
    ...(self !== undefined && { self }),
    ...(router !== undefined && { router }),
    ...(keyed !== undefined && { keyed }),
  }
}

/** `reset() { this.text = ''; return this }`: what it gives holds nothing of what was in the field before. */
function rewrittenNode(value: Value, fact: FunctionFact, draft: FlowDraft): number {
  const { facts, graph, use } = draft
  const written = facts.assignments.filter(
    ({ target, operator, start, function: within }) =>
      within === fact &&
      operator === '=' &&
      target.kind === 'member' &&
      target.object.kind === 'this' &&
      start < value.start &&
      !isConditional(facts.guards, start),
  )
  const names = written.flatMap(({ target }) => (target.kind === 'member' ? (target.name ?? []) : []))
  if (names.length === 0) return use(value)
  const object = layerNode(value, names, draft)
  for (const { target, value: put } of written)
    if (target.kind === 'member' && target.name !== undefined) graph.connect(use(put), object, WRITE, target.name)
  return object
}

/** `return [text, count]` in a browser: values of several kinds, no rows. */
function isTuple(value: Value, { realm }: FlowDraft): value is Value & { readonly kind: 'array' } {
  return realm === 'browser' && value.kind === 'array' && value.items.every(({ kind }) => kind !== 'array' && kind !== 'object')
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

/** `(rows, ...columns) => rows.map((row) => columns.map((column) => column(row)))`: each call gives other functions to run. */
function runsGiven({ rest, start, end }: FunctionFact, { facts, step }: FlowDraft): boolean {
  if (rest === undefined) return false
  step(facts.calls.length)
  return facts.calls.some(({ callee, start: at }) => {
    const given = at > start && at < end && callee.kind === 'reference' ? callee.binding : undefined
    return given?.kind === 'parameter' && given.function.start > start
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
