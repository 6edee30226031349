import type { FunctionFact, Definition, Value } from '../../facts/index.ts'
import type { findHandlers } from '../../model/cap/index.ts'
import type { Origin, RouteFunction } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addEventHandler } from '../servers/events.ts'
import { requestParameters } from '../servers/handlers.ts'
import { addServerParts } from '../servers/environment.ts'
import { READS } from '../tables/requests.ts'
import { MODEL_WRITTEN, OWN_TOOL } from '../tables/language-models.ts'
import { findUncheckedTools, MAY_HOLD_TOOLS } from '../../model/script/index.ts'

/** Where requests enter a script of a server: parameters of handlers and of callbacks, and the functions of routes. */
export function addRequests(
  handlers: ReturnType<typeof findHandlers>,
  draft: FlowDraft,
): ReadonlyMap<FunctionFact, RouteFunction> {
  const { facts, server, ends } = draft
  for (const { parameter, fact, ...source } of requestParameters(facts, server.callbacks, handlers)) {
    const node = draft.parameters.nodeOf(fact, parameter)
    if (node === undefined || server.isShadowed(fact.start)) continue
    ends.sources.push({ node, ...source })
    const binding = fact.parameters[parameter]
    if (binding !== undefined && (source.origin === 'request' || source.origin === 'stored')) draft.show(node, binding.name)
  }
  for (const handler of handlers) {
    const node = handler.fact && draft.parameters.nodeOf(handler.fact, handler.parameter)
    if (node !== undefined) addEventHandler(handler, node, draft)
  }
  if (MAY_HOLD_TOOLS.test(draft.text)) addModelTools(draft)
  return addServerParts(handlers, draft)
}

/** What a language model writes for the question of a user: arguments of the tools that it has run. */
function addModelTools(draft: FlowDraft): void {
  for (const tool of findUncheckedTools(draft.facts)) addParameter(tool, 0, 'request', draft, [MODEL_WRITTEN, OWN_TOOL])
}

/** Names of fields at which data of a request begins: these places are shown. */
export const SHOWN: ReadonlySet<string> = new Set(Object.values(READS).flatMap((fields) => Object.keys(fields ?? {})))

/** `req.data`, `req.data.name`, `data.name` of `({ data })`: where a reader sees that data comes in. */
export function isShown({ name, object }: Value & { readonly kind: 'member' }): boolean {
  if (name !== undefined && SHOWN.has(name)) return true
  if (object.kind === 'reference') return isTaken(object.binding?.definitions ?? [])
  return object.kind === 'member' && isShown(object)
}

/** Of one pattern alone: names of minified scripts have thousands of definitions. */
function isTaken([definition, other]: readonly Definition[]): boolean {
  return other === undefined && SHOWN.has(definition?.path.at(-1) ?? '')
}

/** What a function is given for one of its parameters begins data of others. */
export function addParameter(
  fact: FunctionFact,
  index: number,
  origin: Origin,
  draft: FlowDraft,
  cleaned?: readonly string[],
): void {
  const node = draft.parameters.nodeOf(fact, index)
  if (node === undefined) return
  draft.ends.sources.push({ node, origin, weak: false, ...(cleaned !== undefined && { cleaned }) })
  draft.show(node, fact.parameters[index] === undefined ? undefined : { kind: 'unknown', ...spanOf(fact, index) })
}

export function spanOf({ parameters, start }: FunctionFact, index: number): { start: number; end: number } {
  return { start: parameters[index]?.start ?? start, end: parameters[index]?.end ?? start }
}
