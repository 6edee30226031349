import type { FunctionFact } from '../../facts/index.ts'
import type { findHandlers } from '../../model/cap/index.ts'
import type { RouteFunction } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addEventHandler } from '../servers/events.ts'
import { requestParameters } from '../servers/handlers.ts'
import { addServerParts } from '../servers/server-parts.ts'

/** Where requests enter a script of a server: parameters of handlers and of callbacks, and the functions of routes. */
export function addRequests(
  handlers: ReturnType<typeof findHandlers>,
  draft: FlowDraft,
): ReadonlyMap<FunctionFact, RouteFunction> {
  const { facts, callbacks, sources } = draft
  for (const { parameter, fact, ...source } of requestParameters(facts, callbacks, handlers)) {
    const node = draft.parameters.nodeOf(fact, parameter)
    if (node === undefined) continue
    sources.push({ node, ...source })
    const binding = fact.parameters[parameter]
    if (binding !== undefined && (source.origin === 'request' || source.origin === 'stored')) draft.show(node, binding.name)
  }
  for (const handler of handlers) {
    const node = handler.fact && draft.parameters.nodeOf(handler.fact, handler.parameter)
    if (node !== undefined) addEventHandler(handler, node, draft)
  }
  return addServerParts(handlers, draft)
}
