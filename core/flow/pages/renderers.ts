import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  pathOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ObjectField,
  type Value,
  beginningOf,
} from '../../facts/index.ts'
import { inputsOf } from '../tables/controls.ts'
import {
  ADDRESS_TYPE,
  RENDER_MANAGER,
  TEXT_TYPES,
  ADDRESS_ATTRIBUTE,
  ATTRIBUTE_WRITES,
  CLICKED_ATTRIBUTE,
  RAW_WRITES,
  STYLE_WRITE,
} from '../tables/renderers.ts'
import { ANY_FIELD, COPY, FIELD, KEPT, OWN_CLASS, OWN_RENDERER, READ, SETTING, WRITE, type FlowControl } from '../types.ts'
import type { Span } from '../../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addObjectOf } from '../values/objects.ts'
import { keptBySetters, propertySet } from './kept-in-controls.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { lowerFirst } from './custom-events.ts'

/** A control of the app's own, by `Parent.extend("full.Name", {…})` or as a class. */
interface Definition extends Span {
  readonly name: string
  readonly parent: string | undefined
  /** Whose `this` its methods have. */
  readonly owner: object
  readonly metadata: Value | undefined
  readonly renderer: Value | undefined
}

const COMPONENT = /(?:^|[/.])(?:UI)?Component$/
const RENDERER_FILE = /Renderer\.[jt]sx?$/

/** Adds the controls that a script defines: what their properties hold is chosen by whoever uses them. */
export function addControls(draft: FlowDraft): readonly FlowControl[] {
  const definitions = definitionsIn(draft)
  const setters = definitions.length === 0 ? new Map() : keptBySetters(draft.facts)
  const kept = definitions.map((definition) => keptOf(definition, setters))
  for (const [index, definition] of definitions.entries()) addDefinition(definition, kept[index] ?? new Map(), draft)
  const ownRenderers = definitions.length === 0 ? renderersOfFile(draft) : []
  for (const fact of ownRenderers) addRenderer(fact, OWN_RENDERER, draft)
  const rendered = renderedBy(definitions, draft)
  // parts of renderers may lie in modules of their own
  if (definitions.length > 0 || draft.facts.functions.some(getsManager)) addGetters(definitions, rendered, draft)
  else addGettersOfParameters(draft)
  addRendered(rendered, draft)
  addNamedManagers(draft)
  for (const call of draft.facts.calls) addRenderManagerCall(call, draft)
  return definitions.map(({ name, parent, renderer, metadata }, index) => ({
    name,
    parent,
    renderer: renderer && moduleOf(renderer),
    plain: propertiesOf(metadata).flatMap(({ key, type }) => (TEXT_TYPES.has(type) ? [] : key)),
    addresses: propertiesOf(metadata).flatMap(({ key, type }) => (type === ADDRESS_TYPE ? key : [])),
    kept: [...(kept[index] ?? new Map()).keys()],
  }))
}

/** What its setters keep, by the property. */
function keptOf(
  { owner }: Definition,
  setters: ReadonlyMap<FunctionFact, readonly Value[]>,
): ReadonlyMap<string, readonly Value[]> {
  return new Map(
    [...setters].flatMap(([fact, values]) => {
      const key = fact.owner === owner ? propertySet(fact.name) : undefined
      return key === undefined ? [] : [[key, values] as const]
    }),
  )
}

function definitionsIn({ facts }: FlowDraft): Definition[] {
  const extended = facts.calls.flatMap((call): Definition[] => {
    const [first, second] = call.args
    if (call.callee.kind !== 'member' || call.callee.name !== 'extend' || first === undefined || second === undefined) return []
    const name = stringConstantOf(first)
    const members = resolveValue(second)
    if (name === undefined || members.kind !== 'object') return []
    const [metadata, renderer] = [fieldOf(members, 'metadata')?.value, fieldOf(members, 'renderer')?.value]
    if (metadata === undefined && renderer === undefined) return []
    const parent = pathOf(call.callee.object)?.join('.')
    return [{ name, parent, owner: members, metadata, renderer, start: first.start, end: first.end }]
  })
  const classes = facts.classes.flatMap((own): Definition[] => {
    const given = (name: string): Value | undefined =>
      own.members.find((member) => member.isStatic && member.name === name)?.value
    const [metadata, renderer] = [given('metadata'), given('renderer')]
    if (metadata === undefined && renderer === undefined) return []
    const parent = own.parent && pathOf(own.parent)?.join('.')
    return [{ name: OWN_CLASS, parent, owner: own, metadata, renderer, start: own.start, end: own.start + 'class'.length }]
  })
  return [...extended, ...classes]
}

function addDefinition(definition: Definition, kept: ReadonlyMap<string, readonly Value[]>, draft: FlowDraft): void {
  const { name, metadata, renderer, owner, parent } = definition
  const store = `property ${name}`
  const declared = propertiesOf(metadata)
  const add = (key: string, at: Span, origin: 'property' | 'input'): void => {
    const node = draft.graph.add(at)
    draft.ends.sources.push({ node, origin, weak: false })
    draft.ends.ports.push({ node, access: 'write', store, path: [kept.has(key) ? `${SETTING}${key}` : key] })
    draft.show(node, key)
  }
  for (const [key, values] of kept)
    for (const value of values)
      draft.ends.ports.push({ node: draft.use(value), access: 'write', store: `${KEPT}${name}`, path: [key] })
  const set = new Set(draft.facts.functions.flatMap((fact) => (fact.owner === owner ? (propertySet(fact.name) ?? []) : [])))
  for (const { key, type, start, end } of declared)
    // of a component that does nothing where they are set, nobody sets them
    if (TEXT_TYPES.has(type) && (set.has(key) || !COMPONENT.test(parent ?? ''))) add(key, { start, end }, 'property')
  // every element has a tooltip, which is a text or a control
  if (!declared.some(({ key }) => key === 'tooltip')) add('tooltip', definition, 'property')
  addAggregations(definition, draft)
  for (const key of inputsOf(parent?.replace(/^\w+:/, '').replaceAll('/', '.') ?? '')) add(key, definition, 'input')
  for (const fact of renderer === undefined ? [] : rendersOf(renderer, draft)) addRenderer(fact, name, draft)
  // its renderer is handed it: methods that it calls may be overridden by controls which derive from this one
  const self = draft.graph.add(definition)
  addObjectOf(owner, self, draft)
  draft.ends.ports.push({ node: self, access: 'write', store, path: [] })
  for (const fact of draft.facts.functions) {
    const key = fact.owner === owner ? propertySet(fact.name) : undefined
    const parameter = key === undefined ? undefined : draft.parameters.nodeOf(fact, 0)
    if (key === undefined || parameter === undefined) continue
    draft.ends.ports.push({ node: parameter, access: 'read', store, path: [kept.has(key) ? `${SETTING}${key}` : key] })
  }
}

/** What lies in an aggregation are controls of a type: `control.getPoints()` gives them, each with its own properties. */
function addAggregations({ name, metadata }: Definition, { graph, ends: { ports } }: FlowDraft): void {
  const declared = metadata && fieldOf(resolveValue(metadata), 'aggregations')?.value
  const here = declared && resolveValue(declared)
  for (const { key, value, start, end } of here?.kind === 'object' ? here.fields : []) {
    const settings = resolveValue(value)
    const type = stringConstantOf(fieldOf(settings, 'type')?.value ?? settings)
    if (key === undefined || type === undefined || /^sap\.(?:ui|m|f)\./.test(type)) continue
    const multiple = fieldOf(settings, 'multiple')?.value
    const [item, held] = [graph.add({ start, end }), graph.add({ start, end })]
    ports.push({ node: item, access: 'read', store: `property ${type}`, path: [] })
    if (multiple !== undefined && constantOf(multiple) === false) graph.connect(item, held, COPY)
    else graph.connect(item, held, WRITE, ANY_FIELD)
    ports.push({ node: held, access: 'write', store: `property ${name}`, path: [key] })
  }
}

/** The controls that renderers are handed, by the name that they have there. */
function renderedBy(definitions: readonly Definition[], draft: FlowDraft): ReadonlyMap<unknown, object> {
  const rendered = new Map<unknown, object>()
  for (const { renderer, owner } of definitions)
    for (const fact of renderer === undefined ? [] : rendersOf(renderer, draft))
      if (fact.parameters[1] !== undefined) rendered.set(fact.parameters[1], owner)
  return rendered
}

/** Adds the calls of a renderer to methods of its control: `control.getMarkup()`. */
function addRendered(rendered: ReadonlyMap<unknown, object>, draft: FlowDraft): void {
  const { facts, calling, owners, use } = draft
  if (rendered.size === 0) return
  for (const call of facts.calls) {
    const { callee, args } = call
    if (callee.kind !== 'member' || callee.name === undefined || callee.object.kind !== 'reference') continue
    const owner = rendered.get(callee.object.binding)
    const targets = (owner === undefined ? [] : owners.methodsOf(owner, callee.name)).flatMap(
      (fact) => calling.functions.get(fact) ?? [],
    )
    if (targets.length > 0) calling.calls.push({ result: use(call), args: args.map((argument) => use(argument)), targets })
  }
}

interface PropertyType extends Span {
  readonly key: string
  readonly type: string
}

/** `title: "string"`, `title: { type: "string" }`; without a type it is a string. */
function propertiesOf(metadata: Value | undefined): PropertyType[] {
  const properties = metadata && fieldOf(resolveValue(metadata), 'properties')?.value
  const here = properties && resolveValue(properties)
  if (here?.kind !== 'object') return []
  return here.fields.flatMap((field: ObjectField) => {
    if (field.key === undefined) return []
    const value = resolveValue(field.value)
    const written = value.kind === 'object' ? fieldOf(value, 'type')?.value : value
    const type = stringConstantOf(written)
    return [{ key: field.key, type: type ?? '', start: field.start, end: field.end }]
  })
}

/** The functions of a renderer that is written here: one function, an object with `render`, and the parts that the renderer of a base class calls. */
function rendersOf(renderer: Value, { owners }: FlowDraft): readonly FunctionFact[] {
  const here = resolveValue(renderer)
  if (here.kind === 'function') return [here.function]
  const render = fieldOf(here, 'render')?.value
  const value = render && resolveValue(render)
  const owner = here.kind === 'object' ? here : owners.classBehind(renderer)
  const parts = (owner === undefined ? [] : [...owners.allOf(owner).values()]).flat().filter(isRendering)
  return [...new Set([...(value?.kind === 'function' ? [value.function] : []), ...parts])]
}

/** A function that is handed the render manager and a control. */
function isRendering(fact: FunctionFact): boolean {
  return isManaged(fact) || (fact.parameters.length >= 2 && /(?:^|\.)render$/.test(fact.name))
}

/** The module of a renderer that is written elsewhere: imported, or named. */
function moduleOf(renderer: Value): string | undefined {
  const text = stringConstantOf(renderer)
  if (text !== undefined) return text.replaceAll('.', '/')
  const [access] = accessesOf(renderer)
  return access?.root.startsWith('module:') === true ? access.root.slice('module:'.length) : undefined
}

/** A renderer in a file of its own: `ShopRenderer.render = function (rm, control) {…}`, `{ apiVersion: 2, render(rm, control) {…} }`. */
function renderersOfFile({ facts, path }: FlowDraft): readonly FunctionFact[] {
  const isOfRenderer =
    RENDERER_FILE.test(path) || facts.functions.some((fact) => /(?:^|\.)render$/.test(fact.name) && isManaged(fact))
  return isOfRenderer ? facts.functions.filter(isRendering) : []
}

function getsManager({ name, parameters }: FunctionFact): boolean {
  return /(?:^|\.)render$/.test(name) || parameters.some((parameter) => RENDER_MANAGER.test(parameter?.name ?? ''))
}

function isManaged({ parameters }: FunctionFact): boolean {
  return parameters.length >= 2 && RENDER_MANAGER.test(parameters[0]?.name ?? '')
}

/** Parts of renderers get the manager from methods that controls override, in whichever file: its name tells what it is. */
function addNamedManagers({ facts, ends: { sources }, parameters }: FlowDraft): void {
  for (const fact of facts.functions)
    for (const [index, parameter] of fact.parameters.entries()) {
      const node = RENDER_MANAGER.test(parameter?.name ?? '') ? parameters.nodeOf(fact, index) : undefined
      if (node !== undefined) sources.push({ node, origin: 'render-manager', weak: false })
    }
}

/** The first parameter is the render manager, the second one the control: its properties are fields of it. */
function addRenderer(fact: FunctionFact, control: string, draft: FlowDraft): void {
  const [manager, element] = [draft.parameters.nodeOf(fact, 0), draft.parameters.nodeOf(fact, 1)]
  if (manager !== undefined) draft.ends.sources.push({ node: manager, origin: 'render-manager', weak: false })
  if (element !== undefined) draft.ends.ports.push({ node: element, access: 'read', store: `property ${control}`, path: [] })
}

/** Adds what getters give: `control.getTitle()` is the field title of the control, `this.getTitle()` that of the control around. */
function addGetters(definitions: readonly Definition[], rendered: ReadonlyMap<unknown, object>, draft: FlowDraft): void {
  const owners = new Map(definitions.map(({ owner, name }) => [owner, name]))
  for (const call of draft.facts.calls) {
    const { callee } = call
    const key = propertyGot(call)
    if (key === undefined || callee.kind !== 'member') continue
    const result = draft.use(call)
    const object = resolveValue(callee.object)
    const owner =
      (callee.object.kind === 'reference' ? rendered.get(callee.object.binding) : undefined) ??
      draft.owners.ownerBehind(callee.object)
    // getTitle: function () { return encodeXML(this.getProperty('title')) }
    if (owner !== undefined && callee.name !== undefined && draft.owners.methodsOf(owner, callee.name).length > 0) continue
    const name = owner && owners.get(owner)
    if (name !== undefined) draft.ends.ports.push({ node: result, access: 'read', store: `property ${name}`, path: [key] })
    else if (object.kind !== 'this') draft.graph.connect(draft.use(callee.object), result, READ, key)
    else continue
    draft.show(result, call)
  }
}

/** `popup(point)` of another module: of a control that it is handed the getters give the properties, of anything else nothing. */
function addGettersOfParameters({ facts, graph, use, show }: FlowDraft): void {
  for (const call of facts.calls) {
    const { callee } = call
    if (callee.kind !== 'member' || callee.object.kind !== 'reference' || callee.object.binding?.kind !== 'parameter') continue
    const key = propertyGot(call)
    if (key === undefined || callee.object.binding.module !== undefined) continue
    const result = use(call)
    graph.connect(use(callee.object), result, FIELD, key)
    show(result, call)
  }
}

/** `title` of `getTitle()`, `getProperty("title")`; of `getTooltip_AsString()` the tooltip. */
function propertyGot({ callee, args }: CallValue): string | undefined {
  if (callee.kind !== 'member' || callee.name?.startsWith('get') !== true) return undefined
  const [first, second] = args
  if ((callee.name === 'getProperty' || callee.name === 'getAggregation') && first !== undefined && second === undefined) {
    const name = stringConstantOf(first)
    return name !== undefined && /^\w{1,60}$/.test(name) ? name : undefined
  }
  const [, property] = /^get([A-Z][a-zA-Z0-9]{0,60})(?:_As\w{1,10}|_Text)?$/.exec(callee.name) ?? []
  // sap.m.Text: getText(true)
  const isPlain = args.every((given) => typeof constantOf(given) === 'boolean')
  return property === undefined || !isPlain ? undefined : lowerFirst(property)
}

/** Adds what a render manager writes as it is, and the addresses among the attributes that it writes. */
function addRenderManagerCall(call: CallValue, draft: FlowDraft): void {
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === undefined) return
  if (callee.name === 'createRenderManager')
    draft.ends.sources.push({ node: draft.use(call), origin: 'render-manager', weak: false })
  const raw = RAW_WRITES.get(callee.name)
  const isAddress = ATTRIBUTE_WRITES.has(callee.name) && ADDRESS_ATTRIBUTE.test(String(args[0] && constantOf(args[0])))
  const isStyle = callee.name === STYLE_WRITE && args.length > 1
  if (raw === undefined && !isAddress && !isStyle) return
  // every method of a render manager gives it back
  const receiver = {
    node: draft.use(beginningOf(callee.object, (name) => name !== 'createRenderManager')),
    origin: 'render-manager',
  } as const
  const kind = raw === undefined ? FOUND_SINKS.renderedAttribute : FOUND_SINKS.renderedMarkup
  for (const index of raw ?? [1]) {
    const value = args[index]
    if (value === undefined || constantOf(value) !== undefined) continue
    const { start, end } = value
    const known = { node: draft.use(value), ...kind, name: `RenderManager.${callee.name}`, only: { receiver }, start, end }
    // an address below a fixed beginning runs no code
    if (isAddress && CLICKED_ATTRIBUTE.test(String(args[0] && constantOf(args[0]))))
      draft.ends.sinks.push({ ...known, ...FOUND_SINKS.linkAddress })
    draft.ends.sinks.push(isAddress ? { ...known, detail: 'begin' } : isStyle ? { ...known, detail: 'style' } : known)
  }
}
