import { fieldOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CONSTRAINED_COMPONENTS } from '../tables/controls.ts'
import { COPY, READ, WRITE } from '../types.ts'
import type { Span } from '../../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { isFramework, moduleBehind } from '../calls/modules.ts'
import { invoke } from '../values/objects.ts'
import { writeInto } from '../values/writes.ts'
import { lastName } from '../../paths.ts'

/** Adds what React keeps and hands on: state, what elements give to components as properties. */
export function addReact(draft: FlowDraft): void {
  const { graph, use } = draft
  for (const call of draft.facts.calls) {
    addState(call, draft)
    addClassState(call, draft)
    const [component, given] = lastNameOf(call.callee) === 'createElement' ? call.args : []
    if (component !== undefined && given !== undefined) addComponent(component, use(given), call, draft)
  }
  for (const { name: tag, component, attributes, start, end } of draft.facts.elements) {
    if (component === undefined) continue
    const properties = graph.add({ start, end })
    for (const { name, value } of attributes)
      if (value !== undefined) graph.connect(use(value), properties, name === undefined ? COPY : WRITE, name)
    // <Theme.Provider value={theme}>
    const value = attributes.find(({ name }) => name === 'value')?.value
    if (tag.endsWith('.Provider') && component.kind === 'member' && value !== undefined)
      writeInto(component.object, draft.graph.wrap(use(value), [CONTEXT], value), draft)
    else addComponent(component, properties, { start, end }, draft)
  }
}

/** The field of a context of React that holds what a provider gives. */
const CONTEXT = '@context'

/** A component is called with its properties; one that is a class has them in a field of `this`. */
function addComponent(component: Value, properties: number, { start, end }: Span, draft: FlowDraft): void {
  const { graph, owners, calling } = draft
  const targets = owners.functionsBehind(component).flatMap((fact) => calling.functions.get(fact) ?? [])
  const result = graph.add({ start, end })
  const open = { result, args: [properties], targets }
  if (targets.length > 0) {
    calling.calls.push(open)
    return
  }
  const made = resolveValue(component)
  if (made.kind === 'class') graph.connect(properties, graph.ofField(made.class, 'props', made), COPY)
  const module = moduleBehind(component)
  if (module === undefined || isFramework(module.source)) {
    // React.memo(Body), a component that another one gets
    const isHeld = module === undefined && component.kind === 'reference' && component.binding !== undefined
    if (isHeld) calling.calls.push({ ...open, dispatch: { node: draft.use(component), name: '' } })
    return
  }
  const dispatch = { node: draft.use(component), name: '' }
  calling.calls.push({ ...open, module: { source: module.source, name: module.name || 'default' }, dispatch })
  // a class of another file: its properties are a field of what is made
  const instance = graph.derive(properties, { start, end }, WRITE, 'props')
  draft.objects.all.push({ node: instance, methods: [], parent: module, isMade: true })
}

/** `this.setState({ html })`, `this.setState((before) => ({ … }))`. */
function addClassState({ callee, args: [given] }: CallValue, { graph, use, owners }: FlowDraft): void {
  if (callee.kind !== 'member' || callee.name !== 'setState' || given === undefined) return
  const owner = owners.ownerBehind(callee.object)
  if (owner === undefined) return
  const state = graph.ofField(owner, 'state', callee)
  const updaters = owners.functionsBehind(given)
  for (const fact of updaters) graph.connect(graph.of(fact).node, state, COPY)
  if (updaters.length === 0) graph.connect(use(given), state, COPY)
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
    const parameter = draft.parameters.nodeOf(fact, 0)
    if (parameter !== undefined) graph.connect(node, parameter, READ, '0')
  }
  if (updaters.length === 0) graph.connect(use(given), node, WRITE, '0')
}

/** The value that a state begins with, and what `useMemo` calculates. */
export function connectState(call: CallValue, result: number, draft: FlowDraft): void {
  const { graph, use, owners } = draft
  const [given] = call.args
  if (given === undefined) return
  const name = lastNameOf(call.callee)
  if (name === 'useState') {
    graph.connect(use(given), result, WRITE, '0')
    for (const fact of owners.functionsBehind(given)) graph.connect(graph.of(fact).node, result, WRITE, '0')
  }
  if (name === 'useSWR' || name === 'useQuery' || name === 'useSuspenseQuery') connectQuery(call, result, draft)
  if (name === 'useContext') graph.connect(use(given), result, READ, CONTEXT)
  if (name === 'use' || name === 'useDeferredValue') graph.connect(use(given), result, COPY)
  if (name === 'memo' || name === 'forwardRef' || name === 'useCallback' || name === 'lazy')
    graph.connect(use(given), result, COPY)
  if (name === 'useMemo') for (const fact of owners.functionsBehind(given)) graph.connect(graph.of(fact).node, result, COPY)
}

/** What libraries load for components. Facts: documentation of SWR 2, TanStack Query 5. */
function connectQuery({ args }: CallValue, result: number, draft: FlowDraft): void {
  const [first, second] = args
  const options = first && resolveValue(first)
  const isObject = options?.kind === 'object'
  const loader = isObject ? fieldOf(options, 'queryFn')?.value : second
  if (loader === undefined || first === undefined) return
  draft.graph.connect(invoke(loader, isObject ? [] : [draft.use(first)], draft), result, WRITE, 'data')
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
  if (here.name === 'current') return isFree(draft.page.elements.ofRef(here.object))
  if (here.name !== 'target' && here.name !== 'currentTarget') return false
  const event = here.object
  if (event.kind !== 'reference' || event.binding?.kind !== 'parameter') return false
  const names = draft.page.elements.ofHandler(event.binding.function)
  return names.length === 0 || isFree(names)
}

function isFree(names: readonly string[]): boolean {
  return names.some((name) => !CONSTRAINED_COMPONENTS.has(lastName(name)))
}
