import { functionOfThis } from '../../facts/callbacks.ts'
import { resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { spreadItems } from './rest.ts'

/** The nodes of an argument: of a list that is spread those of its items. */
export function argumentNodes(argument: Value, { graph, use }: FlowDraft): readonly number[] {
  const node = use(argument)
  return argument.kind === 'spread' ? spreadItems(argument, node, graph) : [node]
}

/** Whether a function is called by its methods `call` and `apply`; what else is called so is a method of the app. */
export function isIndirectCall({ callee, args }: CallValue): boolean {
  if (callee.kind !== 'member' || callee.object.kind === 'this') return false
  return callee.name === 'call' || (callee.name === 'apply' && args.length === 2)
}

/** The arguments of `run.apply(this, [a, b])`, of `run.apply(this, list)` and `run.apply(this, arguments)`. */
export function appliedArguments({ args: [, list], function: within }: CallValue, draft: FlowDraft): readonly number[] {
  if (list === undefined) return []
  const here = resolveValue(list)
  if (here.kind === 'array') return here.items.flatMap((item) => argumentNodes(item, draft))
  if (here.kind !== 'reference' || here.name !== 'arguments' || here.binding !== undefined)
    return spreadItems(list, draft.use(list), draft.graph)
  const fact = functionOfThis(within)
  return fact.parameters.flatMap((_, index) => draft.parameters.nodeOf(fact, index) ?? [])
}
