import type { Binding, CallValue, Value } from '../../facts/index.ts'
import { COPY } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { bindingNode } from '../values/named-values.ts'

/** The object whose method is called. */
export function receiverOf(callee: Value, draft: FlowDraft, call?: CallValue): number | undefined {
  if (callee.kind !== 'member') return undefined
  const { object } = callee
  if (object.kind === 'super' && call !== undefined) return draft.parameters.selfOf(call.function)
  if (object.kind === 'this') return draft.parameters.selfOf(object.function)
  const made = madeObject(object)
  if (made === undefined) return draft.use(object)
  const known = draft.objects.receivers.get(callee)
  if (known !== undefined) return known
  // what the method puts into the object, is in it wherever it is used
  const node = draft.graph.add(object)
  draft.objects.receivers.set(callee, node)
  draft.graph.connect(draft.use(object), node, COPY)
  draft.graph.connect(node, bindingNode(made, draft), COPY)
  return node
}

/** `super.run`. */
export function isOfSuper(callee: Value): boolean {
  return callee.kind === 'member' && callee.object.kind === 'super'
}

/** The name of an object that the function made or was given by another one. */
function madeObject(object: Value): Binding | undefined {
  const binding = object.kind === 'reference' ? object.binding : undefined
  const [only] = binding?.definitions.length === 1 ? binding.definitions : []
  const isMade = only?.path.length === 0 && (only.value?.kind === 'new' || only.value?.kind === 'call')
  return isMade && binding?.module === undefined ? binding : undefined
}
