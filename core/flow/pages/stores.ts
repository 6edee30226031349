import { accessesOf, constantOf, stringConstantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { ANY_FIELD, CLEAN, COPY, LOG, type FlowPort } from '../types.ts'
import { BOUND_CONTEXTS, FIXED_MODELS, PATH_BINDINGS, PATH_READS, WHOLE_READS } from '../tables/web.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addBus } from './event-bus.ts'
import { addCustomData, addDataAttribute, addMadeProperty } from './kept-in-controls.ts'
import { behindFields } from '../fields/members.ts'
import { readBound, readShown } from './shown.ts'
import { isOwnOperation } from '../sources/own-changes.ts'
import { OF_CHANGE } from '../tables/own-changes.ts'
import { addStorage } from '../sources/storage.ts'
import { writeInto } from '../values/writes.ts'
import type { Span } from '../../types.ts'

/** Something that the code of an app shares, and where in it. */
export interface StoreAccess {
  readonly store: string
  readonly path: readonly string[]
}

/** The store that a call gives: a model, the context of a binding, a control by its id. */
export function storeOfCall({ callee, args }: CallValue): StoreAccess | undefined {
  if (callee.kind !== 'member') return undefined
  switch (callee.name) {
    case 'getModel': {
      const name = modelName(args[0])
      return name === undefined ? undefined : { store: `model ${name}`, path: [] }
    }
    case 'getElementBinding':
    case 'getObjectBinding':
    case 'getBindingContext': {
      const name = modelName(args[0])
      return name === undefined ? undefined : { store: `model ${name}`, path: [ANY_FIELD] }
    }
    case 'byId': {
      const id = args.at(-1) && constantOf(args.at(-1) ?? callee)
      return typeof id === 'string' ? { store: `control #${id}`, path: [] } : undefined
    }
    // of lists and tables, and of pages of Fiori elements
    case 'getSelectedContexts':
    case 'getContextByIndex':
      return { store: 'model ', path: [ANY_FIELD] }
    case 'getOwnerComponent':
    // of extensions of Fiori elements
    case 'getAppComponent':
    case 'getOwnerComponentFor':
      return { store: COMPONENT_STORE, path: [] }
    default: {
      // what base controllers have beside it: this.model("app"), this.getLocalModel("app")
      const first = args[0]
      if (args.length > 1 || callee.name?.endsWith('odel') !== true || !MODEL_GIVERS.test(callee.name)) return undefined
      if (first === undefined) return /^_?model$/.test(callee.name) ? { store: 'model ', path: [] } : undefined
      const name = typeof constantOf(first) === 'string' ? modelName(first) : undefined
      return name === undefined ? undefined : { store: `model ${name}`, path: [] }
    }
  }
}

/** `model.oData`: what a model of the app keeps, as `getData()` gives it. Fact: sap.ui.model.ClientModel and sap.ui.model.odata.v2.ODataModel, `oData`. */
export function isModelData({ name, object }: Value & { readonly kind: 'member' }): boolean {
  if (name !== 'oData') return false
  const model = resolveValue(object)
  if (!('callee' in model)) return false
  return lastNameOf(model.callee)?.endsWith('Model') === true || storeOfCall(model)?.store.startsWith('model ') === true
}

const MODEL_GIVERS = /^_?(?:model|get[A-Z]\w{0,20}Model|[a-z]{1,10}Model)$/

/** The one object of the class that an app's component is. */
export const COMPONENT_STORE = 'component'

/** Undefined: nobody can tell, or its content is fixed. */
export function modelName(given: Value | undefined): string | undefined {
  if (given === undefined) return ''
  const name = stringConstantOf(given)
  return name === undefined || FIXED_MODELS.test(name) ? undefined : name
}

/** `/items/0/name` as fields; what is no constant, and numbers, are any field. */
export function segmentsOf(path: Value | undefined): readonly string[] {
  if (path === undefined) return []
  const text = stringConstantOf(path)
  if (text === undefined) return [ANY_FIELD]
  const own = text.slice(text.indexOf('>') + 1)
  return own
    .split('/')
    .filter((part) => part !== '')
    .slice(0, MAX_SEGMENTS)
    .map((part) => (/^\d+$|[()$]/.test(part) ? ANY_FIELD : part))
}

const MAX_SEGMENTS = 4
/** Of what no code writes. */
const NOWHERE: Span = { start: 0, end: 0 }

/** Adds what a call reads from or writes to what the app shares. */
export function addStores(call: CallValue, result: number, draft: FlowDraft): void {
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === undefined) return
  const { name, object } = callee
  const { use, ends } = draft
  const own = storeOfCall(call)
  if (own !== undefined) ends.ports.push({ node: result, access: 'read', ...own })
  // a row lies in the data itself, or in a list that is a field of it: `new JSONModel({ items: rows })`
  if (own !== undefined && name === 'getBindingContext')
    ends.ports.push({ node: result, access: 'read', store: own.store, path: [...own.path, ANY_FIELD] })
  if (PATH_READS.has(name) || WHOLE_READS.has(name)) {
    const settled = draft.page.lastWrites.read(call)
    if (settled !== undefined) return draft.graph.connect(use(settled), result, COPY)
    draft.graph.readInto(use(object), WHOLE_READS.has(name) && args.length === 0 ? [] : segmentsOf(args[0]), result, NOWHERE)
    draft.show(result, call)
    return
  }
  const [first, second] = args
  if (name === 'bindContext' && isOwnOperation(first)) {
    const answer = draft.graph.add(call)
    draft.graph.readInto(use(object), segmentsOf(first), answer, NOWHERE)
    return draft.graph.connect(answer, result, CLEAN, OF_CHANGE)
  }
  if (PATH_BINDINGS.has(name)) return draft.graph.readInto(use(object), segmentsOf(first), result, NOWHERE)
  if (name === 'bindProperty' && isPropertyBinding(call))
    return draft.graph.readInto(use(object), segmentsOf(first), result, NOWHERE)
  if (BOUND_VALUES.has(name)) readBoundValue(object, result, draft)
  if (BOUND_CONTEXTS.has(name)) return draft.graph.readInto(use(object), [], result, NOWHERE)
  switch (name) {
    case 'setModel':
      if (first !== undefined) addSetModel(first, second, isOwnView(object) ? 'own-view' : 'elsewhere', draft)
      return
    case 'setProperty':
      if (first !== undefined && second !== undefined && !draft.page.lastWrites.isGone(call))
        writeInto(object, draft.graph.wrap(use(second), segmentsOf(first), call), draft)
      return
    case 'setData':
    case 'setJSON':
    case 'setXML':
      if (first !== undefined && !draft.page.lastWrites.isGone(call)) writeInto(object, use(first), draft)
      return
    case 'publish':
    case 'subscribe':
    case 'subscribeOnce':
      return addBus(call, draft)
    case 'setItem':
    case 'getItem':
    case 'put':
    case 'get':
      return addStorage(call, result, draft)
    case 'getBinding':
      return readBound(object, first, result, draft)
    case 'getLogEntries':
    case 'getLog':
      return readLog(result, draft)
    default:
      addControlProperty(call, result, draft)
  }
}

/** `model.bindProperty("/title")`: a control binds a property of its own by that name. */
export function isPropertyBinding(value: Value): boolean {
  const [path] = value.kind === 'call' && lastNameOf(value.callee) === 'bindProperty' ? value.args : []
  const text = stringConstantOf(path)
  return text !== undefined && (text.startsWith('/') || text.includes('>'))
}

/** What a binding of a property gives. Facts: API of sap.ui.model.PropertyBinding and sap.ui.model.odata.v4.ODataPropertyBinding. */
const BOUND_VALUES: ReadonlySet<string> = new Set(['getValue', 'getExternalValue', 'requestValue'])

function readBoundValue(binding: Value, result: number, draft: FlowDraft): void {
  for (const value of behindFields(binding, draft))
    if (isPropertyBinding(value)) draft.graph.connect(draft.use(value), result, COPY)
}

/** A name or a field of `this`. */
function nameOf(value: Value): string | undefined {
  if (value.kind === 'reference') return value.binding && `${value.name} ${value.binding.start}`
  return value.kind === 'member' && value.object.kind === 'this' ? `this ${value.name ?? ''}` : undefined
}

/** Models that a script makes one-way: `model.setDefaultBindingMode("OneWay")`. */
export function oneWayModels({ facts }: FlowDraft): readonly string[] {
  const set = facts.calls.flatMap(({ callee, args: [mode] }) => {
    if (callee.kind !== 'member' || callee.name !== 'setDefaultBindingMode' || mode === undefined) return []
    return /^One(?:Way|Time)$/.test(String(constantOf(mode) ?? lastNameOf(mode))) ? (nameOf(callee.object) ?? []) : []
  })
  if (set.length === 0) return []
  return facts.calls.flatMap(({ callee, args: [model, name] }) => {
    if (callee.kind !== 'member' || callee.name !== 'setModel' || model === undefined) return []
    const key = nameOf(model)
    return key !== undefined && set.includes(key) ? (modelName(name) ?? []) : []
  })
}

/** A model is shared as it is: what is written to it later is there as well. */
function addSetModel(
  model: Value,
  name: Value | undefined,
  set: NonNullable<FlowPort['set']>,
  { ends: { ports }, use }: FlowDraft,
): void {
  const known = modelName(name)
  if (known === undefined) return
  const node = use(model)
  ports.push({ node, access: 'write', store: `model ${known}`, path: [], set })
  ports.push({ node, access: 'read', store: `model ${known}`, path: [], set })
}

/** `this.getView()` of a controller. */
function isOwnView(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => root === 'this' && steps.join(' ') === 'getView ()')
}

/** `byId("x").setText(v)`, `byId("x").getText()`. */
function addControlProperty(call: CallValue, result: number, draft: FlowDraft): void {
  const { callee, args } = call
  if (callee.kind !== 'member') return
  if (/^(?:attr|[gs]etAttribute)$/.test(callee.name ?? '')) return addDataAttribute(call, result, draft)
  const [, verb, property] = /^(get|set)([A-Z]\w{0,60})$/.exec(callee.name ?? '') ?? []
  if (verb === undefined || property === undefined) {
    if (callee.name !== 'data') return
    if (args.length === 1) readShown(callee.object, `data:${String((args[0] && constantOf(args[0])) ?? '')}`, result, draft)
    return addCustomData(call, result, draft)
  }
  const field = property[0]?.toLowerCase() + property.slice(1)
  const [value] = args
  if (verb === 'get' && args.length === 0) {
    readShown(callee.object, field, result, draft)
    addMadeProperty(callee.object, field, result, draft)
  }
  if (!isControl(callee.object)) return
  if (verb === 'get' && args.length === 0) draft.graph.readInto(draft.use(callee.object), [field], result, NOWHERE)
  else if (verb === 'set' && value !== undefined)
    writeInto(callee.object, draft.graph.wrap(draft.use(value), [field], callee), draft)
}

function isControl(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'call' && here.callee.kind === 'member' && here.callee.name === 'byId'
}

/** Adds what listeners of the log are given, whichever file registers them. Fact: API of sap/base/Log, `addLogListener` calls `onLogEntry`. */
export function addLogListeners(draft: FlowDraft): void {
  for (const fact of draft.facts.functions) {
    const parameter = /(?:^|\.)onLogEntry$/.test(fact.name) ? draft.parameters.nodeOf(fact, 0) : undefined
    if (parameter !== undefined) readLog(parameter, draft)
  }
}

const LOG_STORE = 'log'

function readLog(node: number, { ends: { ports } }: FlowDraft): void {
  ports.push({ node, access: 'read', store: LOG_STORE, path: [] })
}

/** What is logged is found in the entries of the log. */
export function addLogged(call: CallValue, { graph, use, ends: { ports } }: FlowDraft): void {
  for (const argument of call.args) {
    if (argument.kind === 'literal') continue
    const entry = graph.derive(use(argument), argument, LOG)
    ports.push({ node: entry, access: 'write', store: LOG_STORE, path: [] })
  }
}
