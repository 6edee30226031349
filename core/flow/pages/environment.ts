import { accessesOf, constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { addBrowserComposition } from '../calls/browser-compositions.ts'
import { addBrowserTarget, withFilled } from '../calls/browser-targets.ts'
import { calleesBehind, methodsOfGiven } from '../calls/called.ts'
import { writtenPath } from '../calls/callees.ts'
import { addFactory } from '../calls/factories.ts'
import { isOnFound } from '../calls/jquery-plugins.ts'
import { addResolver } from '../calls/made-functions.ts'
import { addDecoded, DECODED } from '../checks/decoding.ts'
import { PAGE_STEPS } from './script-steps.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { CallNodes, Environment, EnvironmentCalls, EnvironmentValues } from '../graph/environment.ts'
import { LISTED_ENTRIES, LISTED_KEYS } from '../places.ts'
import { addFieldSinks } from '../sinks/field-sinks.ts'
import { addMergedSinks } from '../sinks/merged-sinks.ts'
import { connectParts } from '../sinks/text-parts.ts'
import { addCredentials, encodesText, writesModel } from '../sources/credentials.ts'
import { addGlobalMember } from '../sources/global-members.ts'
import { isResponseState } from '../sources/responses.ts'
import { addValueSource } from '../sources/web-sources.ts'
import { QUERY_MODULE } from '../tables/jquery.ts'
import { OWN_FIELDS } from '../tables/markup.ts'
import { COMPOSING_IN_PAGES, ITEM_METHODS, MOVING_METHODS, PASSING_METHODS } from '../tables/propagators.ts'
import { ANY_FIELD, COPY, FIELD, MOVE, READ, WRITE } from '../types.ts'
import { addFieldsOf } from '../values/collections.ts'
import { isComposition } from '../values/compositions.ts'
import { addFrameworkFunction, addFrameworkFunctions, addObject, aloneBehind } from '../values/objects.ts'
import { addNamedPairs, tupleNode } from '../values/tuples.ts'
import { addBrowserCall, addPairs, cleanedInBrowser } from './browser.ts'
import { describePageFunctions } from './page-functions.ts'

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
  addComposition(call, result, draft) {
    if (!isComposition(call, COMPOSING_IN_PAGES)) return false
    addBrowserComposition(call, result, draft)
    return true
  },
  addCall,
  addForeign({ callee, paths, call, args }, open, draft) {
    if (call !== undefined) addBrowserTarget(call, callee, paths, withFilled(args, open, draft), draft)
  },
  receiverOf: madeHere,
  addNamedCallback: ({ args: [given] }) => functionOf(given) === undefined || given?.kind === 'reference',
  addFunction(node, index, { objects }) {
    objects.all.push({ node, methods: [['', index]] })
  },
  addImplicitCall(object, name, result, { calls, use }) {
    calls.push({ result, args: [], targets: [], dispatch: { node: use(object), name } })
  },
  cleanedBy: cleanedInBrowser,
  believedOf: () => undefined,
  describeFunctions: describePageFunctions,
}

/** UI5, jQuery and the DOM. */
export const PAGE: Environment = { values: VALUES, calls: CALLS, steps: PAGE_STEPS }

function addCall(call: CallValue, paths: readonly string[], { result, runsOwn }: CallNodes, draft: FlowDraft): void {
  if (runsOwn) addFrameworkFunctions(call, draft)
  if (runsOwn || writesModel(call) || encodesText(call)) addCredentials(call, draft)
  if (call.kind === 'tagged') return
  addMergedSinks(call, paths, draft)
  addBrowserCall(call, paths, result, draft)
}

/** Access paths of what is called; of what a field of `this` holds also its own. */
function pathsOf({ callee, kind }: CallValue, draft: FlowDraft): readonly string[] {
  const ways = callee.kind === 'member' ? [...calleesBehind(callee, draft), ...methodsOfGiven(callee, draft)] : accessesOf(callee)
  // what `new` has given is no constructor where it is called
  const written = ways.flatMap((access) => {
    const path = writtenPath(access)
    return kind === 'new' ? [`${path} new`] : path.endsWith(' new') ? [] : [path]
  })
  const paths = written.flatMap(asGlobalQuery)
  if (draft.classes.plugins.size === 0 || !isOnFound(callee, draft.classes.plugins)) return paths
  return paths.map((path) => (path.startsWith('this ') ? `global:jQuery () ${path.slice('this '.length)}` : path))
}

/** jQuery is one thing, whichever module gives it: what the tables say of the global counts for all. Facts: API reference of SAPUI5, jquery.sap.global and sap/ui/thirdparty/jquery. */
function asGlobalQuery(path: string): readonly string[] {
  const [module] = path.startsWith('module:') ? (QUERY_MODULE.exec(path) ?? []) : []
  return module === undefined ? [path] : [path, `global:jQuery${path.slice(module.length)}`]
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
  // the properties of a control as UI5 keeps them
  if (name !== 'mProperties') return false
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
    const item = graph.add(other)
    graph.connect(use(other), item, READ, ANY_FIELD)
    graph.connect(item, result, WRITE, ANY_FIELD)
  }
  if (!MOVING_METHODS.has(name)) return
  const item = graph.add(call)
  graph.connect(list, item, FIELD, ANY_FIELD)
  graph.connect(item, result, WRITE, ANY_FIELD)
}
