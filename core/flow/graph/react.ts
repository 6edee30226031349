import { resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CONSTRAINED_COMPONENTS } from '../tables/react.ts'
import { COPY, READ, WRITE } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { moduleBehind } from './modules.ts'

/** Adds what React keeps and hands on: state, what elements give to components as properties. */
export function addReact(draft: FlowDraft): void {
  for (const call of draft.facts.calls) addState(call, draft)
  for (const { component, attributes, start, end } of draft.facts.elements) {
    if (component === undefined) continue
    const { graph, use, owners, functions, calls } = draft
    const targets = owners.functionsBehind(component).flatMap((fact) => functions.get(fact) ?? [])
    const module = targets.length > 0 ? undefined : moduleBehind(component)
    if (targets.length === 0 && module === undefined) continue
    const properties = graph.add({ start, end })
    for (const { name, value } of attributes)
      if (name !== undefined && value !== undefined) graph.connect(use(value), properties, WRITE, name)
    const open = { result: graph.add({ start, end }), args: [properties], targets }
    calls.push(module === undefined ? open : { ...open, module: { source: module.source, name: module.name || 'default' } })
  }
}

/** `const [text, setText] = useState('')`: what the setter gets is the state; an updater gets the one before. */
function addState({ callee, args }: CallValue, draft: FlowDraft): void {
  const { graph, use, owners } = draft
  const [given] = args
  if (given === undefined) return
  if (lastNameOf(callee) === 'useState') return
  const [definition] = callee.kind === 'reference' ? (callee.binding?.definitions ?? []) : []
  const state = definition?.value
  if (state?.kind !== 'call' || definition?.path[0] !== '1' || lastNameOf(state.callee) !== 'useState') return
  const node = use(state)
  const updaters = owners.functionsBehind(given)
  for (const fact of updaters) {
    graph.connect(graph.of(fact).node, node, WRITE, '0')
    const parameter = draft.parameterOf(fact, 0)
    if (parameter !== undefined) graph.connect(node, parameter, READ, '0')
  }
  if (updaters.length === 0) graph.connect(use(given), node, WRITE, '0')
}

/** The value that a state begins with, and what `useMemo` calculates. */
export function connectState(call: CallValue, result: number, { graph, use, owners, realm }: FlowDraft): void {
  const [given] = call.args
  if (realm !== 'browser' || given === undefined) return
  const name = lastNameOf(call.callee)
  if (name === 'useState') graph.connect(use(given), result, WRITE, '0')
  if (name === 'useMemo') for (const fact of owners.functionsBehind(given)) graph.connect(graph.of(fact).node, result, COPY)
}

/** Components of the script by what holds a reference to them, and by the functions that their events call. */
export interface ElementNames {
  /** The tags of a ref. */
  ofRef(value: Value): readonly string[]
  /** The tags whose events a function gets. */
  ofHandler(fact: FunctionFact): readonly string[]
}

export function createElementNames({ facts, owners }: Pick<FlowDraft, 'facts' | 'owners'>): ElementNames {
  const refs = new Map<unknown, string[]>()
  const handlers = new Map<FunctionFact, string[]>()
  for (const { name: written, component, attributes } of facts.elements) {
    const module = component?.kind === 'reference' ? component.binding?.module : undefined
    // whatever the file calls it
    const name = module?.name ?? module?.source.slice(module.source.lastIndexOf('/') + 1) ?? written
    for (const { name: attribute, value } of attributes) {
      if (value === undefined || attribute === undefined) continue
      if (attribute === 'ref' && value.kind === 'reference') refs.set(value.binding, [...(refs.get(value.binding) ?? []), name])
      if (/^on[A-Z]/.test(attribute))
        for (const fact of owners.functionsBehind(value)) handlers.set(fact, [...(handlers.get(fact) ?? []), name])
    }
  }
  return {
    ofRef: (value) => (value.kind === 'reference' ? (refs.get(value.binding) ?? []) : []),
    ofHandler: (fact) => handlers.get(fact) ?? [],
  }
}

/** Whether a member `value` is a text that the user types: `ref.current.value`, `event.target.value`. Components with a choice hold none. */
export function isTypedText(object: Value, draft: FlowDraft): boolean {
  const here = resolveValue(object)
  if (here.kind !== 'member') return false
  if (here.name === 'current') return isFree(draft.elements.ofRef(here.object))
  if (here.name !== 'target' && here.name !== 'currentTarget') return false
  const event = here.object
  if (event.kind !== 'reference' || event.binding?.kind !== 'parameter') return false
  const names = draft.elements.ofHandler(event.binding.function)
  return names.length === 0 || isFree(names)
}

function isFree(names: readonly string[]): boolean {
  return names.some((name) => !CONSTRAINED_COMPONENTS.has(name.slice(name.lastIndexOf('.') + 1)))
}
