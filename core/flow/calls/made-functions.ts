import { resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import { COPY, READ, WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { invoke, addMade } from '../values/objects.ts'
import { bindingNode } from '../values/named-values.ts'

/** Adds functions that the language or React makes: `resolve` of a promise, setters of states. They are handed on like any other one. */
export function addMadeFunctions(draft: FlowDraft): void {
  for (const [body, promise] of draft.calling.promiseOf) {
    const [resolve] = body.parameters
    const node = draft.parameters.nodeOf(body, 0)
    if (resolve !== undefined && node !== undefined) addFunction(node, resolve.name, resolve, draft, draft.use(promise), COPY)
  }
  for (const binding of draft.facts.bindings) {
    const [definition, other] = binding.definitions
    const state = definition?.value
    if (definition === undefined || other !== undefined || state?.kind !== 'call') continue
    const name = lastNameOf(state.callee)
    const [field] = definition.path
    if (field === '1' && name === 'useState')
      addFunction(bindingNode(binding, draft), binding.name, binding, draft, draft.use(state), WRITE, '0')
    if (field === '1' && name === 'useReducer') addReducer(bindingNode(binding, draft), binding.name, state, draft)
    if (field === 'resolve' && name === 'withResolvers')
      addFunction(bindingNode(binding, draft), binding.name, binding, draft, draft.use(state), WRITE, 'promise')
  }
}

/** `deferred.resolve` as a value: `success: deferred.resolve`. */
export function addResolver(value: Value & { readonly kind: 'member' }, node: number, draft: FlowDraft): void {
  if (value.name !== 'resolve') return
  const deferred = resolveValue(value.object)
  if (deferred.kind === 'call' && /^(?:Deferred|defer|withResolvers)$/.test(lastNameOf(deferred.callee) ?? ''))
    addFunction(node, 'resolve', value, draft, draft.use(deferred), COPY)
}

/** What the function gets goes on to a node. */
function addFunction(
  node: number,
  name: string,
  at: Span,
  draft: FlowDraft,
  to: number,
  operation: number,
  field?: string,
): void {
  const { graph } = draft
  const parameter = graph.add(at)
  graph.connect(parameter, to, operation, field)
  addMade(node, at, { name, parameters: [parameter], result: graph.add(at) }, draft)
}

/** `const [state, dispatch] = useReducer(reducer, initial)`: the reducer gets the state and what is dispatched, and gives the next state. */
function addReducer(node: number, name: string, state: CallValue, draft: FlowDraft): void {
  const { graph, use } = draft
  const [reducer, initial] = state.args
  if (reducer === undefined) return
  const result = use(state)
  if (initial !== undefined) graph.connect(use(initial), result, WRITE, '0')
  const [before, action] = [graph.add(state), graph.add(state)]
  graph.connect(result, before, READ, '0')
  graph.connect(invoke(reducer, [before, action], draft), result, WRITE, '0')
  addFunction(node, name, state, draft, action, COPY)
}
