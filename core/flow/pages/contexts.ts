import { lastNameOf } from '../../facts/literals.ts'
import { PATH_READS } from '../tables/web.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { spanOf } from '../sources/requests.ts'
import { stringConstantOf, fieldOf, type Binding, type FunctionFact, type Value } from '../../facts/index.ts'
import { ANY_FIELD } from '../types.ts'
import { invoke } from '../values/objects.ts'
import { segmentsOf } from './stores.ts'
import { lastName } from '../../paths.ts'

/** Parameters that get contexts of the model, as UI5 and Fiori elements name them in their documentation: handlers of actions, extensions of pages. */
const CONTEXT = /^(?:[oa]\w{0,40}Contexts?|(?:selected|binding)Contexts?)$/
/** A name that says less: something is read from it as from a context. */
const PERHAPS_CONTEXT = /^(?:\w{0,40}[cC]ontexts?|ctx)$/

/** Hooks of pages of Fiori elements that get the context of the page first, whoever calls them as well. Fact: API of sap.fe.core.controllerextensions.Routing. */
const HOOKS = /(?:^|\.)on(?:After|Before)Binding$/

/** Facts: API of sap.ui.model.ListBinding, sap.ui.model.odata.v4.ODataListBinding. */
const LISTED: ReadonlySet<string> = new Set(['getContexts', 'getCurrentContexts', 'getAllCurrentContexts', 'requestContexts'])

/** Methods of promises and lists: their callbacks get what is in them. */
const HANDING: ReadonlySet<string> = new Set('then map flatMap forEach filter find some every reduce'.split(' '))

/** Adds what frameworks hand to functions that nobody calls: a context of a row is data of the backend. Facts: documentation of sap.fe, "Extension Points". */
export function addContexts({ facts, ends: { sources }, show, parameters }: FlowDraft): void {
  const read = new Set<Binding>()
  // bindings of lists: no other object has these methods
  const listed = new Set<Binding>()
  // what the file calls itself gets what it hands over
  const called = new Set<string | undefined>()
  const handed = new Set<FunctionFact>()
  for (const { callee, args } of facts.calls) {
    called.add(lastNameOf(callee))
    if (callee.kind !== 'member' || callee.name === undefined) continue
    const { name, object } = callee
    // the item of a list, too
    const from = PATH_READS.has(name) && object.kind === 'member' ? object.object : object
    const binding = from.kind === 'reference' ? from.binding : undefined
    if (binding !== undefined && PATH_READS.has(name)) read.add(binding)
    if (binding?.kind === 'parameter' && from === object && LISTED.has(name)) listed.add(binding)
    if (HANDING.has(name)) for (const given of args) if (given.kind === 'function') handed.add(given.function)
  }
  for (const fact of facts.functions) {
    const isHook = HOOKS.test(fact.name)
    if (handed.has(fact) || (!isHook && called.has(lastName(fact.name)))) continue
    for (const [index, binding] of fact.parameters.entries()) {
      const isContext =
        (isHook && index === 0) ||
        (binding !== undefined &&
          (listed.has(binding) || CONTEXT.test(binding.name) || (read.has(binding) && PERHAPS_CONTEXT.test(binding.name))))
      const node = isContext ? parameters.nodeOf(fact, index) : undefined
      if (node === undefined) continue
      sources.push({ node, origin: 'backend', weak: true })
      show(node, { kind: 'unknown', ...spanOf(fact, index) })
    }
  }
}

/** `{ path: "orders>/items", factory: (id, context) => … }`: the function gets the context of each item. */
export function addFactory(value: Value & { readonly kind: 'object' }, draft: FlowDraft): void {
  const factory = fieldOf(value, 'factory')?.value
  const path = fieldOf(value, 'path')?.value
  const text = stringConstantOf(path)
  if (factory === undefined || text === undefined) return
  const { graph, ends } = draft
  const model = fieldOf(value, 'model')?.value
  const named = stringConstantOf(model)
  const name = named ?? (text.includes('>') ? text.slice(0, text.indexOf('>')) : '')
  const context = graph.add(value)
  ends.ports.push({ node: context, access: 'read', store: `model ${name}`, path: [...segmentsOf(path), ANY_FIELD] })
  invoke(factory, [graph.add(value), context], draft)
}
