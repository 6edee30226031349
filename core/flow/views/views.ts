import {
  createHtmlControls,
  createModuleFinder,
  manifestModelsOf,
  type ControlProperty,
  type Ui5App,
  type Ui5Control,
  type Ui5View,
} from '../../model/ui5/index.ts'
import { argumentNodes, fieldsOf, hasFormatter, writtenBy, type BindingScope, addressSink } from './bindings.ts'
import { createGraphBuilder } from '../graph/builder.ts'
import { ANY_EVENT, eventStore } from '../pages/custom-events.ts'
import { isConstantModel } from './app-models.ts'
import { addShown, isShownStore, readAsked, type AskedControls, contextOf, shownNode } from './view-contexts.ts'
import { FILE, type LinkedFile } from '../app/links.ts'
import { compositeOf, derivedFrom, type AppControl, controlObjects } from './control-classes.ts'
import { DOCUMENT_VIEWER, HTML_TYPE, inputsOf, markupRowsOf, VIEW_ADDRESSES } from '../tables/controls.ts'
import { OF_ADDRESSES } from '../tables/web.ts'
import {
  ANY_FIELD,
  CLEAN,
  SETTING,
  type FileFlow,
  type FlowCall,
  type FlowPort,
  type FlowSink,
  type FlowSource,
  NO_FLOW,
} from '../types.ts'
import { formatNamed, functionNamed, resolveName } from './view-functions.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { lastName } from '../../paths.ts'

/** The graphs of the views of an app that take part in its data flow. `scripts`: its scripts that have a graph. */
export function viewFlows(app: Ui5App, scripts: readonly LinkedFile[], controls: ReadonlyMap<string, AppControl>): LinkedFile[] {
  const declared = manifestModelsOf(app)
  const context: AppContext = {
    scripts,
    controls,
    findModule: createModuleFinder({
      ...app,
      scriptFiles: [...new Set([...app.scriptFiles, ...scripts.map(({ path }) => path)])],
    }),
    isConstantModel: (model) => isConstantModel(model, declared),
    oneWay: new Set([
      ...declared.flatMap(({ name, bindingMode }) => (/One(?:Way|Time)$/.test(bindingMode ?? '') ? name : [])),
      ...scripts.flatMap(({ flow }) => flow.page?.oneWay ?? []),
    ]),
    asked: readAsked(
      new Set(scripts.flatMap(({ flow }) => flow.ports.flatMap(({ store }) => (isShownStore(store) ? store : [])))),
      app.views,
    ),
    unsanitized: new Set(
      createHtmlControls(app, derivedFrom(HTML_TYPE, controls))
        .inViews()
        .map(({ control }) => control),
    ),
  }
  return app.views.flatMap((view) => {
    const flow = view.test ? undefined : toViewFlow(view, context)
    return flow === undefined ? [] : [{ path: view.file, flow }]
  })
}

interface AppContext {
  readonly controls: ReadonlyMap<string, AppControl>
  readonly scripts: readonly LinkedFile[]
  readonly findModule: (module: string) => string | undefined
  readonly isConstantModel: (model: string) => boolean
  /** Models to which controls do not write back. */
  readonly oneWay: ReadonlySet<string>
  /** What scripts ask controls for: stores of what is shown. */
  readonly asked: AskedControls
  /** HTML controls that show their content as it is. */
  readonly unsanitized: ReadonlySet<Ui5Control>
}

/** A view while its graph is made. */
interface ViewDraft extends Omit<BindingScope, 'contextOf'> {
  readonly view: Ui5View
  readonly context: AppContext
  readonly sinks: FlowSink[]
  readonly sources: FlowSource[]
}

function toViewFlow(view: Ui5View, context: AppContext): FileFlow | undefined {
  const graph = createGraphBuilder()
  const ports: FlowPort[] = []
  const calls: FlowCall[] = []
  const unresolved: number[] = []
  const shown = new Map<number, string>()
  const sinks: FlowSink[] = []
  const sources: FlowSource[] = []
  const composite = compositeOf(view.file, context.controls)
  const draft: ViewDraft = {
    view,
    context,
    graph,
    ports,
    calls,
    unresolved,
    sinks,
    sources,
    show: (node, text) => void shown.set(node, text),
    functionOf: (written) => functionNamed(written, view, context),
    typeOf: (written) => resolveName(written, view).name,
    formatOf: (written) => formatNamed(written, view, context),
    isConstantModel: (model) => model === view.textModel || context.isConstantModel(model),
    storeOf: (model) => (model === COMPOSITE_MODEL && composite !== undefined ? `property ${composite}` : undefined),
  }
  // what a script makes, the graph of the script tells, but for what its controls enter and show
  const isScript = view.language === 'script'
  for (const control of view.controls) (isScript ? addMadeControl : addControl)(control, draft)
  const objects = isScript ? [] : controlObjects(view.controls, context.controls, draft)
  if (sinks.length + sources.length + ports.length + calls.length === 0) return undefined
  return { ...NO_FLOW, ...graph.finish(), ports, calls, unresolved, shown, sinks, sources, objects }
}

/** The model of the markup of a composite control holds its own properties. Fact: API of sap.ui.core.XMLComposite. */
const COMPOSITE_MODEL = '$this'

function addMadeControl(control: Ui5Control, draft: ViewDraft): void {
  const { context } = draft
  const inputs = new Set(inputsOf(context.controls.get(control.type)?.base ?? control.type))
  for (const [name, property] of control.properties) {
    if (context.asked.stores.size > 0) addShown(control, name, property, { scope: draft, asked: context.asked })
    if (inputs.has(name) && property.binding.kind === 'bound') addInput(control, name, property, draft)
  }
}

function addControl(control: Ui5Control, draft: ViewDraft): void {
  const { context } = draft
  const own = context.controls.get(control.type)
  // a control of the app has the properties of the one that it derives from
  const type = own?.base ?? control.type
  const inputs = new Set(inputsOf(type))
  for (const [name, property] of control.properties) {
    if (own !== undefined && (!own.plain.has(name) || own.addresses.has(name)))
      addOwnProperty(own, control, name, property, draft)
    addHandler(control, property, draft)
    if (context.asked.stores.size > 0) addShown(control, name, property, { scope: draft, asked: context.asked })
    addFactory(control, property, draft)
    if (own !== undefined) addOwnEvent(name, property, draft)
    if (inputs.has(name)) addInput(control, name, property, draft)
    addAddress(control, type, name, property, draft)
    if (name === 'isTrustedSource' && type === DOCUMENT_VIEWER) addDocument(control, property, draft)
    for (const { fault } of markupRowsOf(type, name, control.properties)) {
      if (property.binding.kind === 'constant') continue
      const isRaw = fault !== undefined && context.unsanitized.has(control)
      addFormatted(control, name, property, isRaw, draft)
      if (isRaw) addSink(fault, control, name, property, draft)
    }
  }
}

/** The address of a link, unless the control checks it, or may do so by settings that nobody can tell; the name of code that a control loads. */
function addAddress(control: Ui5Control, of: string, name: string, { at, binding }: ControlProperty, draft: ViewDraft): void {
  const row = VIEW_ADDRESSES.find(({ type, property }) => type === of && property === name)
  if (row === undefined) return
  const validated = control.properties.get(row.validated ?? '')
  if (validated === undefined ? !control.isWhole : validated.value.trim() !== 'false') return
  const scope = { ...draft, contextOf: (model: string): readonly string[] | undefined => contextOf(control, model) }
  const sink = addressSink(binding, at, `${lastName(control.type)}.${name}`, scope)
  if (sink !== undefined) draft.sinks.push({ ...sink, fault: row.fault ?? sink.fault })
}

/** The document of a viewer that trusts it, which scripts may set as well. */
function addDocument(control: Ui5Control, { value, at }: ControlProperty, draft: ViewDraft): void {
  if (value.trim() !== 'true') return
  const source = control.properties.get('source')
  if (control.id !== undefined) {
    const viewer = draft.graph.add(at)
    draft.sources.push({ node: viewer, origin: 'trusting-viewer', weak: false })
    draft.ports.push({ node: viewer, access: 'write', store: `control #${control.id}`, path: [] })
  }
  if (source !== undefined && source.binding.kind !== 'constant')
    addSink(FOUND_SINKS.viewerSource.fault, control, 'source', { ...source, at }, draft)
}

/** What a formatter of the app puts between tags for a control that shows it. */
function addFormatted(
  control: Ui5Control,
  name: string,
  { at, binding }: ControlProperty,
  isRaw: boolean,
  draft: ViewDraft,
): void {
  if (!hasFormatter(binding)) return
  draft.sinks.push({
    node: shownNode(control, binding, at, draft),
    ...FOUND_SINKS.formattedMarkup,
    name: `${lastName(control.type)}.${name}`,
    ...(!isRaw && { detail: 'sanitized' }),
    start: at.start,
    end: at.end,
  })
}

function addSink(fault: string, control: Ui5Control, name: string, { at, binding }: ControlProperty, draft: ViewDraft): void {
  const node = shownNode(control, binding, at, draft)
  draft.sinks.push({ node, fault, name: `${lastName(control.type)}.${name}`, isOpen: true, start: at.start, end: at.end })
}

/** What a view binds to a property of a control of the app, for that control and those that it derives from. */
function addOwnProperty(
  own: AppControl,
  control: Ui5Control,
  name: string,
  { at, binding }: ControlProperty,
  draft: ViewDraft,
): void {
  if (binding.kind !== 'bound') return
  const node = shownNode(control, binding, at, draft)
  const set = own.addresses.has(name) ? draft.graph.add(at) : node
  if (set !== node) draft.graph.connect(node, set, CLEAN, OF_ADDRESSES.join(' '))
  for (const type of [own.name, ...own.ancestors])
    draft.ports.push({
      node: set,
      access: 'write',
      store: `property ${type}`,
      path: [own.kept.has(name) ? `${SETTING}${name}` : name],
    })
}

/** What the user enters goes into the model that the property is bound to, and to scripts that ask the control. */
function addInput(control: Ui5Control, name: string, { at, binding }: ControlProperty, draft: ViewDraft): void {
  const { graph, ports, sources, show } = draft
  const node = graph.add(at)
  const scope = { contextOf: (model: string): readonly string[] | undefined => contextOf(control, model) }
  for (const { model, path } of writtenBy(binding, draft))
    if (!draft.isConstantModel(model) && !draft.context.oneWay.has(model))
      for (const fields of fieldsOf({ model, path }, scope))
        ports.push({ node, access: 'write', store: `model ${model}`, path: fields })
  if (control.id !== undefined) ports.push({ node, access: 'write', store: `control #${control.id}`, path: [name] })
  sources.push({ node, origin: 'input', weak: false })
  show(node, `${lastName(control.type)}.${name}`)
}

/** `.onOpen(${text}, $event)` */
const HANDLER = /^\.?([A-Za-z_$][\w$]{0,100})\((.{1,2000})\)$/s

/** What a view hands to a method of its controller. */
function addHandler(control: Ui5Control, { value, at }: ControlProperty, draft: ViewDraft): void {
  const { view, calls, graph } = draft
  const [, method, given] = HANDLER.exec(value.trim()) ?? []
  if (method === undefined || given === undefined || !given.includes('${') || view.controller === undefined) return
  const args = argumentNodes(given, at, { ...draft, contextOf: (model) => contextOf(control, model) })
  calls.push({ result: graph.add(at), args, targets: [], module: { source: `${FILE}${view.controller}`, name: method } })
}

const FACTORY = /(?:^|[\s,{])['"]?factory['"]?\s{0,20}:\s{0,20}['"]([\w.$]{1,200})['"]/

/** `{ path: '/items', factory: '.createItem' }`: the function gets the context of each item. */
function addFactory(control: Ui5Control, { value, at, binding }: ControlProperty, draft: ViewDraft): void {
  const [, factory] = FACTORY.exec(value) ?? []
  const [part] = factory !== undefined && binding.kind === 'bound' ? binding.parts : []
  if (factory === undefined || part === undefined || part.kind === 'expression') return
  const { graph, calls, ports } = draft
  const called = draft.functionOf(factory)
  if (called.kind !== 'own') return
  const context = graph.add(at)
  const scope = { contextOf: (model: string): readonly string[] | undefined => contextOf(control, model) }
  for (const path of part.kind === 'path' ? [part] : part.paths)
    for (const fields of fieldsOf(path, scope))
      ports.push({ node: context, access: 'read', store: `model ${path.model}`, path: [...fields, ANY_FIELD] })
  for (const call of called.calls) calls.push({ ...call, result: graph.add(at), args: [graph.add(at), context] })
}

/** `pasted=".onPasted"`: a method of the controller gets the events that a control of the app's own fires. */
function addOwnEvent(name: string, { value, at }: ControlProperty, draft: ViewDraft): void {
  const [, method] = /^\s{0,20}\.?([A-Za-z_$][\w$]{0,100})\s{0,20}(?:\(\s{0,20}\$event\s{0,20}\)\s{0,20})?$/.exec(value) ?? []
  const { view, calls, graph, ports } = draft
  if (method === undefined || view.controller === undefined) return
  const event = graph.add(at)
  ports.push({ node: event, access: 'read', store: eventStore('control', name), path: [] })
  ports.push({ node: event, access: 'read', store: eventStore('control', ANY_EVENT), path: [] })
  calls.push({ result: graph.add(at), args: [event], targets: [], module: { source: `${FILE}${view.controller}`, name: method } })
}
