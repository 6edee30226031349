import { accessesOf, constantOf, resolveValue, type CallValue, type Value, directCall } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { PLAIN_VALUE } from '../field-marks.ts'
import { LISTED_ENTRIES, LISTED_KEYS } from '../places.ts'
import {
  CALLING_METHODS,
  DECODED_UNCLEANS,
  ITEM_METHODS,
  MOVING_METHODS,
  PASSING,
  PASSING_METHODS,
} from '../tables/propagators.ts'
import { READ_METHODS } from '../tables/requests.ts'
import { FORMATTED, HTML_FAULTS } from '../tables/web.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, DECODE, FIELD, MOVE, READ, WRITE } from '../types.ts'
import { addProjectRows } from '../sources/project-rows.ts'
import { addHandedFunction } from './callables.ts'
import { addBrowserCall, addPairs, cleanedInBrowser } from '../pages/browser.ts'
import { bytesDecodedBy, decodedBy, encodesBytes, putsTagBack } from '../checks/decoding.ts'
import { connectGiven } from './callback-results.ts'
import { pathsInFields, pathsOfCallee, writtenPath } from './callees.ts'
import { isComposition } from '../values/compositions.ts'
import { addBrowserComposition } from './browser-compositions.ts'
import { addCredentials, writesModel } from '../sources/credentials.ts'
import { addFieldsOf, addMoved } from '../values/collections.ts'
import { addCalled, calleesBehind, methodsOfGiven } from './called.ts'
import { cleanedBy, isEscapeOfProject, isMerging, isSanitizerOfProject } from '../checks/cleaning.ts'
import { addReduce } from '../values/reduce.ts'
import { argumentNodes } from '../values/arguments.ts'
import { connectFiltered } from '../values/filtered.ts'
import { countPassed } from '../values/passed-arguments.ts'
import { isOnFound } from './jquery-plugins.ts'
import { addMergedSinks } from '../sinks/merged-sinks.ts'
import { addSinks } from '../sinks/sinks.ts'
import { addEntries, addNamedPairs, tupleNode } from '../values/tuples.ts'
import { keysOfObjects, layerNode } from '../fields/layers.ts'
import { lentMethod } from './lent-methods.ts'
import { isPaddedToColumn } from '../values/padded.ts'
import { connectSchema } from '../checks/schemas.ts'
import { connectCaptures, takesPlainText } from '../values/captures.ts'
import { calledIn } from './own-functions.ts'
import { addFrameworkFunctions } from '../values/objects.ts'
import { addServerCall } from '../servers/server-calls.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { QUERY_MODULE } from '../tables/jquery.ts'

/** Adds a call: what it passes on, what it calls, where it is a sink. */
export function addCall(call: CallValue, draft: FlowDraft): void {
  const { graph, use } = draft
  const result = use(call)
  let known: readonly number[] | undefined
  const args = (): readonly number[] => (known ??= call.args.flatMap((argument) => argumentNodes(argument, draft)))
  if (draft.follows.all) {
    args()
    if (call.callee.kind === 'member') use(call.callee.object)
  }
  const paths =
    draft.realm === 'browser'
      ? pathsOf(call, draft)
      : [...pathsOfCallee(call.callee), ...pathsInFields(call.callee, draft)]
          .map((path) => (call.kind === 'new' ? `${path} new` : path))
          .filter((path) => call.kind === 'new' || !path.endsWith(' new'))
  addSinks(call, paths, draft)
  const direct = draft.realm === 'server' ? directCall(call) : call
  if (direct !== call) {
    const behind = pathsOfCallee(direct.callee).map((path) => (direct.kind === 'new' ? `${path} new` : path))
    addSinks(direct, behind, draft)
    // path.join.apply(path, parts)
    if (behind.some((path) => PASSING.has(path)))
      for (const node of direct.args.flatMap((argument) => argumentNodes(argument, draft))) graph.connect(node, result, CONCAT)
  }
  if (paths.includes('global:Object fromEntries') && addEntries(call, result, draft)) return
  const isOfPairs =
    draft.realm === 'browser' && paths.some((path) => path === 'global:Object fromEntries' || path === 'global:Map new')
  if (isOfPairs && addNamedPairs(call.args[0], result, draft)) return
  if (addProjectRows(call, paths, result, args, draft)) return
  // a tag gets the texts first
  const given = call.kind === 'tagged' ? () => [graph.add(call), ...args()] : args
  const calls = draft.calls.length
  // what a function of the project with such a name makes harmless by its body, counts as well
  const named = draft.realm === 'server' && isSanitizerOfProject(call, paths) ? cleanedBy(call, paths) : undefined
  const answer = named === undefined ? result : graph.add(call)
  if (named !== undefined) graph.connect(answer, result, CLEAN, named.join(' '))
  const composes = isComposition(call, draft.realm)
  if (draft.realm === 'browser' && composes) addBrowserComposition(call, result, draft)
  else if (!composes) addCalled(call.callee, paths, { result: answer, args: given, key: keyOf(call, draft) }, draft, call)
  if (draft.realm === 'browser' && draft.calls.length > calls) addFrameworkFunctions(call, draft)
  if (draft.realm === 'browser' && (draft.calls.length > calls || writesModel(call))) addCredentials(call, draft)
  if (draft.realm === 'server') addServerCall(call, paths, result, { args: args(), given }, draft)
  const isRaw = paths.includes('global:String raw')
  if (call.kind === 'tagged' || (isRaw && draft.realm === 'server')) {
    // it puts its parts in as they are, also for a tag of one's own: String.raw({ raw: strings }, ...values)
    if (isRaw) for (const value of args().slice(call.kind === 'tagged' ? 0 : 1)) graph.connect(value, result, CONCAT)
    return
  }
  if (draft.realm === 'browser') addMergedSinks(call, paths, draft)
  if (draft.realm === 'browser') addBrowserCall(call, paths, result, draft)
  const cleaned = draft.realm === 'browser' ? cleanedInBrowser(call, paths) : cleanedBy(call, paths)
  if (cleaned !== undefined) {
    // of a function of the file its body says it
    const isOwn = named !== undefined || calledIn(call.callee, draft).length > 0 || isEscapeOfProject(call, paths)
    if (draft.realm === 'server' && isOwn) return
    const from = call.callee.kind === 'member' && OF_RECEIVER.test(call.callee.name ?? '') ? [use(call.callee.object)] : args()
    const isOfKeys = draft.realm === 'server' && paths.includes('global:Object keys')
    const to = isOfKeys ? graph.add(call) : result
    for (const value of from) graph.connect(value, to, cleaned.length === 0 ? COPY : CLEAN, cleaned.join(' '))
    if (isOfKeys) graph.connect(to, result, MOVE, 'keys')
    return
  }
  const [joined] = call.args
  const decoded = decodedBy(paths, draft.realm) ?? bytesDecodedBy(call, draft.realm)
  if (decoded !== undefined && joined !== undefined) return graph.connect(use(joined), result, DECODE, decoded.join(' '))
  if (
    draft.realm === 'browser' &&
    joined?.kind === 'array' &&
    paths.some((path) => /^global:Promise all(?:Settled)?$/.test(path))
  )
    return graph.connect(tupleNode(joined, draft), result, COPY)
  if (draft.realm === 'browser' && paths.includes('global:Map new')) return addPairs(call, result, draft)
  // Promise.race([fetch(address), timeout()])
  if (draft.realm === 'browser' && joined !== undefined && paths.some((path) => /^global:Promise (?:race|any)$/.test(path)))
    return graph.connect(use(joined), result, READ, ANY_FIELD)
  if (paths.includes('global:String')) addText(call, result, draft)
  const isMoved =
    draft.realm === 'server' ? addMoved(call, paths, result, args(), draft) : addFieldsOf(paths, result, args, draft)
  if (paths.includes('global:Object assign'))
    for (const [index, argument] of call.args.entries())
      graph.connect(layerNode(argument, keysOfObjects(call.args.slice(index + 1)), draft), result, COPY)
  else if (!isMoved && paths.some((path) => PASSING.has(path)))
    for (const argument of args().slice(0, countPassed(call, paths, draft.realm)))
      graph.connect(argument, result, call.args.length > 1 && !paths.some(isMerging) ? CONCAT : COPY)
  if (call.callee.kind === 'member') addMethod(call, call.callee.object, call.callee.name ?? '', result, draft, isMoved)
  const lent = lentMethod(call)
  if (lent !== undefined) addMethod(lent.call, lent.object, lent.name, result, draft, false)
}

/** `String(query)` of an object of the project is what its `toString` gives. */
function addText({ args: [given] }: CallValue, result: number, { realm, graph, use, calls, callables }: FlowDraft): void {
  if (given === undefined || (given.kind !== 'reference' && given.kind !== 'call' && given.kind !== 'new')) return
  if (realm === 'browser') {
    calls.push({ result, args: [], targets: [], dispatch: { node: use(given), name: 'toString' } })
    return
  }
  const called = graph.add(given)
  graph.connect(use(given), called, READ, 'toString')
  callables.calls.push({ called, how: 'call', args: [], result, handed: [], receiver: use(given) })
}

/** What these methods clean is what they are called on. */
const OF_RECEIVER = /^(?:replace(?:All)?|join|map|slice|substring|substr)$/

/** Access paths of what is called in a browser; of what a field of `this` holds also its own. */
function pathsOf({ callee, kind }: CallValue, draft: FlowDraft): readonly string[] {
  const ways = callee.kind === 'member' ? [...calleesBehind(callee, draft), ...methodsOfGiven(callee, draft)] : accessesOf(callee)
  // what `new` has given is no constructor where it is called
  const written = ways.flatMap((access) => {
    const path = writtenPath(access)
    return kind === 'new' ? [`${path} new`] : path.endsWith(' new') ? [] : [path]
  })
  const paths = written.flatMap(asGlobalQuery)
  if (draft.plugins.size === 0 || !isOnFound(callee, draft.plugins)) return paths
  return paths.map((path) => (path.startsWith('this ') ? `global:jQuery () ${path.slice('this '.length)}` : path))
}

/** jQuery is one thing, whichever module gives it: what the tables say of the global counts for all. Facts: API reference of SAPUI5, jquery.sap.global and sap/ui/thirdparty/jquery. */
function asGlobalQuery(path: string): readonly string[] {
  const [module] = path.startsWith('module:') ? (QUERY_MODULE.exec(path) ?? []) : []
  return module === undefined ? [path] : [path, `global:jQuery${path.slice(module.length)}`]
}

/** What a function of the app may read or write by it. */
function keyOf({ args: [first] }: CallValue, { realm }: FlowDraft): string | undefined {
  const key = first === undefined || realm === 'server' ? undefined : constantOf(first)
  return typeof key === 'string' && key !== '' && key.length <= MAX_KEY ? key : undefined
}

const MAX_KEY = 100

function isPattern(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'regex' || (here.kind === 'new' && here.callee.kind === 'reference' && here.callee.name === 'RegExp')
}

function addMethod(call: CallValue, object: Value, name: string, result: number, draft: FlowDraft, isMoved: boolean): void {
  const { graph, use, functions } = draft
  const read = READ_METHODS.get(name)
  if (read !== undefined && call.args[0] !== undefined) {
    const held = graph.add(call)
    graph.connect(use(object), held, READ, read)
    graph.connect(held, result, READ, String(constantOf(call.args[0]) ?? ANY_FIELD))
    draft.show(result, call)
  }
  if (connectSchema(call, result, draft)) return
  const isTaken = draft.realm === 'server' && connectCaptures(call, result, draft)
  // a text of the items of a list; of a bundle the values that fill the gaps of a text
  const list = name === 'join' ? use(object) : name === 'getText' && call.args[1] !== undefined ? use(call.args[1]) : undefined
  if (putsTagBack(name, call)) {
    const faults = draft.realm === 'browser' ? HTML_FAULTS : DECODED_UNCLEANS
    graph.connect(name === 'join' ? use(receiverOf(object)) : use(object), result, DECODE, faults.join(' '))
  } else if (list !== undefined) {
    const item = graph.add(call)
    graph.connect(list, item, READ, ANY_FIELD)
    graph.connect(item, result, CONCAT)
  } else if (draft.realm === 'browser' && takesPlainText(call)) {
    if (name !== 'exec') graph.connect(use(object), result, CLEAN, FORMATTED.join(' '))
  } else if (draft.realm === 'browser' && isOfList(call, draft))
    graph.connect(use(object), result, MOVE, name === 'keys' ? LISTED_KEYS : LISTED_ENTRIES)
  else if (isTaken) draft.use(object)
  else if (name === 'toString' && draft.realm === 'server' && encodesBytes(call))
    graph.connect(use(object), result, CLEAN, PLAIN_VALUE)
  else if (PASSING_METHODS.has(name) && !isMoved) graph.connect(use(object), result, COPY)
  // new RegExp(x).exec(text)
  if (name === 'exec' && draft.realm === 'server' && !isTaken && call.args[0] !== undefined && isPattern(object))
    graph.connect(use(call.args[0]), result, COPY)
  if (PASSING_METHODS.has(name)) {
    if (name === 'concat' || name === 'replace' || name === 'replaceAll' || name === 'join')
      for (const argument of call.args) graph.connect(use(argument), result, CONCAT)
    if (draft.realm === 'server' && isPaddedToColumn(name, call)) graph.connect(use(object), result, CONCAT)
    // [first].concat(others.map(…)): the items of the others
    if (name === 'concat' && draft.realm === 'browser')
      for (const argument of call.args) {
        const item = graph.add(argument)
        graph.connect(use(argument), item, READ, ANY_FIELD)
        graph.connect(item, result, WRITE, ANY_FIELD)
      }
    // what the function gives is put in
    const put = draft.realm === 'server' && name.startsWith('replace') ? functionOf(call.args[1]) : undefined
    if (put !== undefined) graph.connect(graph.of(put).node, result, CONCAT)
    if (draft.realm === 'server' && name === 'flat') graph.connect(use(object), result, READ, ANY_FIELD)
    if (draft.realm === 'browser') addItems(call, use(object), result, draft)
  }
  if (name === 'reduce' || name === 'reduceRight') return addReduce(call, use(object), result, draft)
  if (!CALLING_METHODS.has(name)) return
  const receiver = use(object)
  const callback = functionOf(call.args[0])
  if (name === 'filter' || name === 'find') connectFiltered(call, receiver, result, draft)
  const isPromise = name === 'then' || name === 'catch' || name === 'finally'
  if (callback === undefined && draft.realm === 'server' && call.args[0] !== undefined) {
    const [item, given] = [graph.add(call), graph.add(call)]
    graph.connect(receiver, item, isPromise ? COPY : READ, isPromise ? undefined : ANY_FIELD)
    addHandedFunction(call.args[0], [item], given, draft)
    connectGiven(name, given, result, draft)
    return
  }
  if (callback === undefined || !functions.has(callback)) return
  // of one by its name `addBrowserCall` makes a call
  if (draft.realm === 'browser' && call.args[0]?.kind === 'reference') return
  const parameter = draft.parameters.nodeOf(callback, 0)
  const target = functions.get(callback)
  // a function by its name has other callers, whose values are not those of this one
  if (draft.realm === 'server' && call.args[0]?.kind === 'reference' && target !== undefined) {
    const [item, given] = [graph.add(call), graph.add(call)]
    graph.connect(receiver, item, isPromise ? COPY : READ, isPromise ? undefined : ANY_FIELD)
    draft.calls.push({ result: given, args: [item], targets: [target] })
    connectGiven(name, given, result, draft)
    return
  }
  if (parameter !== undefined) {
    // an error is not what the promise would have given
    if (isPromise && (draft.realm === 'server' || name === 'then')) graph.connect(receiver, parameter, COPY)
    else if (isPromise) return
    else graph.connect(receiver, parameter, READ, ANY_FIELD)
    // map.forEach((value, key) => …)
    if (name === 'forEach' && draft.realm === 'server' && callback.parameters[0] !== undefined) {
      const values = graph.add(call)
      graph.connect(receiver, values, MOVE, 'values')
      graph.connect(values, parameter, READ, ANY_FIELD)
    }
  }
  // the number of the item
  const index = isPromise ? undefined : draft.parameters.nodeOf(callback, 1)
  if (index !== undefined) graph.connect(graph.add(call), index, COPY)
  connectGiven(name, graph.of(callback).node, result, draft)
}

/** `text` of `text.split(mark)`. */
function receiverOf(parted: Value): Value {
  return parted.kind === 'call' && parted.callee.kind === 'member' ? parted.callee.object : parted
}

/** `rows.entries()`, `rows.keys()` in a file without maps, whose keys are texts; a constructor may have made a form or an address. */
function isOfList({ callee, args }: CallValue, { facts }: FlowDraft): boolean {
  if (callee.kind !== 'member' || args.length > 0 || (callee.name !== 'entries' && callee.name !== 'keys')) return false
  return !facts.globals.has('Map') && resolveValue(callee.object).kind !== 'new'
}

/** Items that a method gives, or gives at other places than they had. */
function addItems(call: CallValue, list: number, result: number, { graph }: FlowDraft): void {
  const name = call.callee.kind === 'member' ? (call.callee.name ?? '') : ''
  const key = name === 'get' && call.args[0] !== undefined ? constantOf(call.args[0]) : undefined
  if (ITEM_METHODS.has(name))
    graph.connect(list, result, name === 'get' ? FIELD : READ, typeof key === 'string' ? key : ANY_FIELD)
  if (!MOVING_METHODS.has(name)) return
  const item = graph.add(call)
  graph.connect(list, item, FIELD, ANY_FIELD)
  graph.connect(item, result, WRITE, ANY_FIELD)
}
