import { FILE_NAME, REFUSED } from '../tables/own-changes.ts'
import {
  accessesOf,
  constantOf,
  resolveValue,
  type Access,
  type CallValue,
  type Value,
  type FunctionFact,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { addBrowserTarget, withFilled } from '../calls/browser-targets.ts'
import { calleesBehind, methodsOfGiven } from '../calls/called.ts'
import { writtenPath } from '../calls/callees.ts'
import { addFactory } from './contexts.ts'
import { isOnFound } from '../calls/jquery-plugins.ts'
import { addResolver, addMadeFunctions } from '../calls/made-functions.ts'
import { addDecoded, addEncoded, DECODED } from '../checks/decoding.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { CallNodes, Environment, EnvironmentCalls, EnvironmentValues, ScriptSteps } from '../graph/environment.ts'
import { MAP_READS } from '../models/collections.ts'
import { LISTED_ENTRIES, LISTED_KEYS } from '../places.ts'
import { addFieldSinks, addMergedSinks } from '../sinks/sink-parts.ts'
import { connectParts } from '../sinks/text-parts.ts'
import { addCredentials, encodesText, writesModel, addReturnedCredentials } from '../sources/credentials.ts'
import { isOfRefused } from '../sources/refused-answers.ts'
import { isChosenFile, addGlobalMember, isResponseState, addValueSource } from '../sources/web-sources.ts'
import { QUERY_MODULE } from '../tables/jquery.ts'
import { OWN_FIELDS } from '../tables/markup.ts'
import { COMPOSING_IN_PAGES, ITEM_METHODS, MOVING_METHODS, PASSING_METHODS } from '../tables/propagators.ts'
import { CLEAN, ANY_FIELD, COPY, FIELD, MOVE, READ, WRITE, type FlowControl, type FlowFunction, type PageFlow } from '../types.ts'
import { addFieldsOf } from '../values/collections.ts'
import { addFrameworkFunction, addFrameworkFunctions, addObject, aloneBehind } from '../values/objects.ts'
import { addNamedPairs, tupleNode } from '../values/lists.ts'
import { addBrowserCall, addPairs, cleanedInBrowser, addSelectionItems, addBrowserParts } from './browser.ts'
import { addCall } from '../calls/calls.ts'
import { connectLineage } from '../calls/lineage.ts'
import { browserModuleOf, exportedValues } from '../calls/modules.ts'
import { connectObjects } from '../fields/members.ts'
import { unresolvedIn } from '../graph/builder.ts'
import { addAssignedSinks, addElementSinks } from '../sinks/sinks.ts'
import { additionsIn } from '../values/named-values.ts'
import { writeInto } from '../values/writes.ts'
import { addControlSinks, addAddresses } from './controls.ts'
import { addCustomEvent, addMadeHandlers, addSocketHandlers } from './custom-events.ts'
import { addControls } from './renderers.ts'
import { firstModels } from './first-models.ts'
import { isModelData, oneWayModels } from './stores.ts'
import { testedPlaces } from './tested-places.ts'
import { addBasicAuth } from '../sinks/basic-auth.ts'
import { addCustomElements, mayUseElements } from './custom-elements.ts'
import { addDocuments } from '../sinks/documents.ts'
import { addOpenedPages } from '../sinks/opened-pages.ts'
import { addReact } from './react.ts'
import { addWorkers } from './workers.ts'
import { keyedBy, keyedWrites } from '../calls/keyed-functions.ts'
import { addStepInPage } from '../values/compositions.ts'

const VALUES: EnvironmentValues = {
  addValue(value, to, draft) {
    addValueSource(value, to, draft)
    addObject(value, to, draft)
  },
  connectText: connectParts,
  connectItems,
  addFields(value, draft) {
    addFieldSinks(value, draft)
    addFactory(value, draft)
    for (const { value: field } of value.fields) addFrameworkFunction(field, draft)
  },
  addMember: () => {},
  connectMember,
  connectOwnField: () => {},
  // what a module gives comes from its file, not from a call of the function around
  addImport: ({ module }) => module !== undefined,
  addDefinition: () => {},
}

const CALLS: EnvironmentCalls = {
  pathsOf,
  addMoved,
  composing: COMPOSING_IN_PAGES,
  addStep: addStepInPage,
  addCall: addPageCall,
  addForeign({ callee, paths, call, args }, open, draft) {
    if (call !== undefined) addBrowserTarget(call, callee, paths, withFilled(args, open, draft), draft)
  },
  receiverOf: madeHere,
  addNamedCallback: ({ args: [given] }) => functionOf(given) === undefined || given?.kind === 'reference',
  addFunction(node, index, { objects }) {
    objects.all.push({ node, methods: [['', index]] })
  },
  addImplicitCall(object, name, result, { calling: { calls }, use }) {
    calls.push({ result, args: [], targets: [], dispatch: { node: use(object), name } })
  },
  cleanedBy: cleanedInBrowser,
  believedOf: () => undefined,
  describeFunctions: describePageFunctions,
}

function addPageCall(call: CallValue, paths: readonly string[], { result, runsOwn }: CallNodes, draft: FlowDraft): void {
  if (runsOwn) addFrameworkFunctions(call, draft)
  if (runsOwn || writesModel(call) || encodesText(call)) addCredentials(call, draft)
  if (call.kind === 'tagged') return
  addMergedSinks(call, paths, draft)
  addBrowserCall(call, paths, result, draft)
}

/** Access paths of what is called; of what a field of `this` holds also its own. */
function pathsOf({ callee, kind }: CallValue, draft: FlowDraft): readonly string[] {
  const paths: string[] = []
  const add = (access: Access): void => {
    const path = writtenPath(access)
    // what `new` has given is no constructor where it is called
    if (kind === 'new') addPath(`${path} new`, paths)
    else if (!path.endsWith(' new')) addPath(path, paths)
  }
  if (callee.kind === 'member') {
    calleesBehind(callee, draft).forEach(add)
    methodsOfGiven(callee, draft).forEach(add)
  } else accessesOf(callee).forEach(add)
  if (draft.classes.plugins.size === 0 || !isOnFound(callee, draft.classes.plugins)) return paths
  return paths.map((path) => (path.startsWith('this ') ? `global:jQuery () ${path.slice('this '.length)}` : path))
}

/** jQuery is one thing, whichever module gives it: what the tables say of the global counts for all. Facts: API reference of SAPUI5, jquery.sap.global and sap/ui/thirdparty/jquery. */
function addPath(path: string, paths: string[]): void {
  paths.push(path)
  const [module] = path.startsWith('module:') ? (QUERY_MODULE.exec(path) ?? []) : []
  if (module !== undefined) paths.push(`global:jQuery${path.slice(module.length)}`)
}

/** The object whose method is called, where the file makes it of a class of its own: `lines.add(row)`. */
function madeHere(called: Value, draft: FlowDraft): number | undefined {
  const object = called.kind === 'member' ? resolveValue(called.object) : undefined
  return object?.kind === 'new' && aloneBehind(object, draft) !== undefined ? draft.use(object) : undefined
}

/** The items of a list: models and controls read them without places. */
function connectItems({ items }: Value & { readonly kind: 'array' }, to: number, draft: FlowDraft): void {
  const { graph, use } = draft
  for (const item of items)
    if (item.kind === 'spread') graph.connect(use(item.value), to, COPY)
    else graph.connect(item.kind === 'array' ? tupleNode(item, draft) : use(item), to, WRITE, ANY_FIELD)
}

function connectMember(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): boolean {
  const { object, name } = value
  // of an object of UI5; one of the app's own has it by its class
  if (OWN_FIELDS.has(name ?? '')) return true
  addResolver(value, to, draft)
  addGlobalMember(value, to, draft)
  if (isResponseState(name, object, draft)) return true
  if (name !== undefined && DECODED.has(name)) addDecoded(object, to, draft)
  if (name === 'innerHTML') addEncoded(object, to, draft)
  if (name === 'name' && isChosenFile(object)) {
    const read = draft.graph.derive(draft.use(object), value, READ, name)
    draft.graph.connect(read, to, CLEAN, FILE_NAME)
    return true
  }
  // the properties of a control as UI5 keeps them
  if (name !== 'mProperties' && !isModelData(value)) return false
  draft.graph.connect(draft.use(object), to, COPY)
  return true
}

function addMoved(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: () => readonly number[],
  draft: FlowDraft,
): boolean {
  const { graph, use } = draft
  const method = call.callee.kind === 'member' ? call.callee : undefined
  const [first] = call.args
  if (first !== undefined && paths.some((path) => SETTLING.test(path))) {
    // Promise.race([fetch(address), timeout()])
    const isOne = paths.some((path) => /(?:race|any)$/.test(path))
    if (isOne) graph.connect(use(first), result, READ, ANY_FIELD)
    else if (first.kind === 'array') graph.connect(tupleNode(first, draft), result, COPY)
    if (isOne || first.kind === 'array') return true
  }
  if (method !== undefined && isOfRefused(call, draft)) {
    graph.connect(use(method.object), result, CLEAN, REFUSED)
    return true
  }
  const isMap = paths.includes('global:Map new')
  if (isMap || method?.name === 'fromEntries') {
    if (addNamedPairs(first, result, draft)) return true
    addPairs(call, result, draft)
    return isMap
  }
  if (method !== undefined && isListed(call, draft)) {
    graph.connect(use(method.object), result, MOVE, method.name === 'keys' ? LISTED_KEYS : LISTED_ENTRIES)
    return true
  }
  if (method !== undefined && PASSING_METHODS.has(method.name ?? '')) addItems(call, use(method.object), result, draft)
  // what else has a method of that name may give a field of its own
  if (paths.some((path) => MAP_READS.test(path))) return true
  return addFieldsOf(paths, result, args, draft)
}

const SETTLING = /^global:Promise (?:all|allSettled|race|any)$/

/** `rows.entries()`, `rows.keys()` in a file without maps, whose keys are texts; a constructor may have made a form or an address. */
function isListed({ callee, args }: CallValue, { facts }: FlowDraft): boolean {
  if (callee.kind !== 'member' || args.length > 0 || (callee.name !== 'entries' && callee.name !== 'keys')) return false
  return !facts.globals.has('Map') && resolveValue(callee.object).kind !== 'new'
}

/** Items that a method gives, or gives at other places than they had. */
function addItems(call: CallValue, list: number, result: number, { graph, use }: FlowDraft): void {
  const { callee, args } = call
  const [given] = args
  const name = callee.kind === 'member' ? (callee.name ?? '') : ''
  const key = name === 'get' && given !== undefined ? constantOf(given) : undefined
  if (ITEM_METHODS.has(name))
    graph.connect(list, result, name === 'get' ? FIELD : READ, typeof key === 'string' ? key : ANY_FIELD)
  // [first].concat(others.map(…)): the items of the others
  for (const other of name === 'concat' ? args : []) {
    const item = graph.derive(use(other), other, READ, ANY_FIELD)
    graph.connect(item, result, WRITE, ANY_FIELD)
  }
  if (!MOVING_METHODS.has(name)) return
  const item = graph.derive(list, call, FIELD, ANY_FIELD)
  graph.connect(item, result, WRITE, ANY_FIELD)
}

/** Of a page: controls and their renderers, models, events, modules of `sap.ui.define`. */
const PAGE_STEPS: ScriptSteps = {
  addRequests: () => new Map(),
  addCalls(draft) {
    const selects = draft.text.includes('.data(')
    for (const call of draft.facts.calls) {
      addCall(call, draft)
      addControlSinks(call, draft)
      addCustomEvent(call, draft)
      if (selects) addSelectionItems(call, draft)
      addMadeHandlers(call, draft)
    }
  },
  addAssignment(assignment, draft) {
    addAssignedSinks(assignment, draft)
    if (!draft.page.lastWrites.isGone(assignment)) writeInto(assignment.target, draft.use(assignment.value), draft)
  },
  addParts(draft, part) {
    const exportable = exportedValues(draft.facts)
    let controls: readonly FlowControl[] = []
    part(() => addPageParts(exportable, draft))
    part(() => (controls = addControls(draft)))
    part(() => addPageSinks(draft))
    return () => {
      const additions = additionsIn(draft)
      part(() => connectObjects(draft))
      part(() => connectLineage(draft))
      const exports = browserModuleOf(exportable, draft)
      const [oneWay, first] = [oneWayModels(draft), firstModels(draft)]
      draft.ends.unresolved.push(...unresolvedIn(draft.graph, draft.ends.ports))
      let tested: NonNullable<PageFlow['tested']> = []
      part(() => (tested = testedPlaces(draft)))
      return { exports, page: { additions, oneWay, first, controls, ...(tested.length > 0 && { tested }) } }
    }
  },
  // views do
  isCalledByName: ({ functions }) => functions.length > 1,
}

/** UI5, jQuery and the DOM. */
export const PAGE: Environment = { values: VALUES, calls: CALLS, steps: PAGE_STEPS }

/** What only scripts of pages have, beside calls and assignments. */
function addPageParts(exportable: Parameters<typeof addBrowserParts>[0], draft: FlowDraft): void {
  addElementSinks(draft)
  addReact(draft)
  addMadeFunctions(draft)
  addSocketHandlers(draft)
  addWorkers(draft)
  addBrowserParts(exportable, draft)
}

/** Where data of others must not arrive in a page, beside the arguments of calls. */
function addPageSinks(draft: FlowDraft): void {
  addAddresses(draft)
  addBasicAuth(draft)
  addReturnedCredentials(draft)
  if (draft.facts.types.size > 0 || mayUseElements(draft.text)) addCustomElements(draft)
  addDocuments(draft)
  addOpenedPages(draft)
}

/** What calls in a page have to know of a function: defaults that may be functions, whether it makes functions, what it keeps by a key. */
function describePageFunctions(draft: FlowDraft): (fact: FunctionFact) => Partial<FlowFunction> {
  const writes = keyedWrites(draft.facts)
  return (fact) => {
    const defaults = defaultsOf(fact, draft)
    const keyed = keyedBy(fact, writes, draft)
    return {
      ...(defaults.length > 0 && { defaults }),
      ...((isMaker(fact) || runsGiven(fact, draft)) && { isMaker: true }),
      ...(keyed !== undefined && { keyed }),
    }
  }
}

/** What parameters are where a call leaves them out, if they may be functions. */
function defaultsOf({ parameters }: FunctionFact, draft: FlowDraft): readonly (readonly [parameter: number, node: number])[] {
  return parameters.flatMap((binding, index) => {
    const given = binding?.definitions[0]?.fallback
    if (given === undefined || (given.kind !== 'function' && given.kind !== 'reference')) return []
    addFrameworkFunction(given, draft)
    return [[index, draft.use(given)] as const]
  })
}

/** `(rows, ...columns) => rows.map((row) => columns.map((column) => column(row)))`: each call gives other functions to run. */
function runsGiven({ rest, start, end }: FunctionFact, { facts, step }: FlowDraft): boolean {
  if (rest === undefined) return false
  step(facts.calls.length)
  return facts.calls.some(({ callee, start: at }) => {
    const given = at > start && at < end && callee.kind === 'reference' ? callee.binding : undefined
    return given?.kind === 'parameter' && given.function.start > start
  })
}

/** `(fn) => { const kept = new Map(); return (key) => … }`, also of an object with such functions. */
function isMaker(fact: FunctionFact): boolean {
  if (fact.kind === 'file' || fact.owner !== undefined) return false
  const isInside = (value: Value): boolean => value.kind === 'function' && fact.start < value.start && value.end <= fact.end
  return fact.returns.some((value) => {
    const made = resolveValue(value)
    return isInside(made) || (made.kind === 'object' && made.fields.some((field) => isInside(resolveValue(field.value))))
  })
}
