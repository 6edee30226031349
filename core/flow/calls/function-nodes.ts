import { isConditional, type FunctionFact, type Value } from '../../facts/index.ts'
import type { FlowCheck } from '../check-types.ts'
import { COPY, WRITE, type FlowFunction, type RouteFunction } from '../types.ts'
import type { FieldsDraft, FlowDraft } from '../graph/draft.ts'
import { layerNode } from '../fields/settled-fields.ts'
import { lastPlaceOf } from '../values/arguments.ts'
import { tupleNode } from '../values/lists.ts'

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
  describe: (fact: FunctionFact) => Partial<FlowFunction>,
): FlowFunction {
  const {
    graph,
    owners,
    use,
    parameters: { selfOf },
  } = draft
  const result = graph.of(fact).node
  for (const value of fact.returns) {
    const given =
      value.kind === 'this' ? rewrittenNode(value, fact, draft) : isTuple(value) ? tupleNode(value, draft) : use(value)
    graph.connect(given, result, COPY)
  }
  const { name, start, end } = fact
  const rest = lastPlaceOf(fact)
  const self = fact.kind === 'arrow' && owners.holderOf(fact) === undefined ? undefined : selfOf(fact)
  return {
    name,
    parameters,
    result,
    start,
    end,
    ...(checks.length > 0 && { checks }),
    ...(rest !== undefined && { rest }),
    ...(self !== undefined && { self }),
    ...describe(fact),
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

/** `return [text, count]`: values of several kinds, no rows. */
function isTuple(value: Value): value is Value & { readonly kind: 'array' } {
  return value.kind === 'array' && value.items.every(({ kind }) => kind !== 'array' && kind !== 'object')
}
