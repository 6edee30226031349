import type { FunctionFact } from '../../facts/index.ts'
import type { FlowCheck } from '../check-types.ts'
import { COPY, type FlowFunction, type RouteFunction } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { lastPlaceOf } from './rest.ts'
import { routerMadeBy } from './routers.ts'

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
): FlowFunction {
  const { graph, use, selfOf } = draft
  const result = graph.of(fact).node
  for (const value of fact.returns) graph.connect(use(value), result, COPY)
  const { name, start, end } = fact
  const rest = lastPlaceOf(fact)
  const self = fact.kind === 'arrow' ? undefined : selfOf(fact)
  const router = draft.realm === 'server' ? routerMadeBy(fact, draft) : undefined
  return {
    name,
    parameters,
    result,
    start,
    end,
    ...(checks.length > 0 && { checks }),
    ...(rest !== undefined && { rest }),
    ...(self !== undefined && { self }),
    ...(router !== undefined && { router }),
  }
}
