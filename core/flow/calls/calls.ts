import { constantOf, pathOf, resolveValue, type CallValue, type Value, directCall } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { isException } from '../checks/exceptions.ts'
import { receiverOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { PLAIN_VALUE } from '../field-marks.ts'
import {
  CALLING_METHODS,
  CONVERTING,
  DECODED_UNCLEANS,
  PASSING,
  RENDERS_MARKED,
  PASSING_METHODS,
  SIGNING,
  TEXT_OF_NUMBERS,
} from '../tables/propagators.ts'
import { MAP_READS } from '../models/collections.ts'
import { BODY_METHODS, READ_METHODS } from '../tables/requests.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, DECODE, MOVE, READ, WRITE } from '../types.ts'
import { addProjectRows } from '../sources/project-rows.ts'
import { bytesDecodedBy, decodedBy, encodesBytes, isDecodedByName, putsTagBack, TAG_UNCLEANS } from '../checks/decoding.ts'
import { addReplaced, connectGiven } from './callback-results.ts'
import { pathsOfCallee } from './callees.ts'
import { addCalled, calledIn } from './called.ts'
import { isMerging } from '../checks/cleaning.ts'
import { addReduce, addEntries, isPaddedToColumn } from '../values/lists.ts'
import { argumentNodes, countPassed } from '../values/arguments.ts'
import { isRequestName } from '../../model/script/index.ts'
import { connectFiltered } from '../values/filtered.ts'
import { addSinks } from '../sinks/sinks.ts'
import { keysOfObjects, layerNode } from '../fields/settled-fields.ts'
import { connectSchema } from '../checks/schemas.ts'
import { connectCaptures } from '../values/captures.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addComposition } from '../values/compositions.ts'
import { replacementIn } from '../checks/replacements.ts'

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
  const paths = draft.environment.calls.pathsOf(call, draft)
  addSinks(call, paths, draft)
  const direct = directCall(call)
  if (direct !== call) {
    const behind = pathsOfCallee(direct.callee).map((path) => (direct.kind === 'new' ? `${path} new` : path))
    addSinks(direct, behind, draft)
    // path.join.apply(path, parts)
    if (behind.some((path) => PASSING.has(path)))
      for (const node of direct.args.flatMap((argument) => argumentNodes(argument, draft))) graph.connect(node, result, CONCAT)
  }
  if (paths.includes('global:Object fromEntries') && addEntries(call, result, draft)) return
  if (addProjectRows(call, paths, result, args, draft)) return
  const believed = addRun(call, paths, result, args, draft)
  const isRaw = paths.includes('global:String raw')
  if (call.kind === 'tagged' || isRaw) {
    // it puts its parts in as they are, also for a tag of one's own: String.raw({ raw: strings }, ...values)
    if (isRaw) for (const value of args().slice(call.kind === 'tagged' ? 0 : 1)) graph.connect(value, result, CONCAT)
    return
  }
  const told = toldException(call, paths, draft)
  if (told !== undefined) return graph.connect(use(told), result, CONCAT)
  const cleaned = draft.environment.calls.cleanedBy(call, paths)
  if (cleaned !== undefined) {
    // of a function of the file its body says it
    if (believed || calledIn(call.callee, draft).length > 0) return
    return connectCleaned(call, paths, result, cleaned, args, draft)
  }
  const [joined] = call.args
  const decoded = decodedBy(paths) ?? bytesDecodedBy(call)
  if (decoded !== undefined && joined !== undefined)
    return graph.connect(use(unescapedBy(joined)), result, DECODE, decoded.join(' '))
  if (paths.includes('global:String') && joined !== undefined && MAY_BE_OWN.has(joined.kind))
    draft.environment.calls.addImplicitCall(joined, 'toString', result, draft)
  const isMoved = draft.environment.calls.addMoved(call, paths, result, args, draft)
  addGivenOn(call, paths, result, args, draft, isMoved)
  if (!paths.some((path) => MAP_READS.test(path))) addHeader(call, result, draft)
  if (call.callee.kind === 'member') addMethod(call, call.callee.object, call.callee.name ?? '', result, draft, isMoved)
  const lent = lentMethod(call)
  if (lent === undefined) return
  const isLentMoved = draft.environment.calls.addMoved(lent.call, [], result, () => [], draft)
  addMethod(lent.call, lent.object, lent.name, result, draft, isLentMoved)
}

/** `String(error)`, `error.toString()`: a text with its name and message alone. Fact: ECMAScript 2025, "Error.prototype.toString". */
function toldException({ callee, args }: CallValue, paths: readonly string[], { server }: FlowDraft): Value | undefined {
  const isMethod = 'object' in callee && callee.name === 'toString' && args.length === 0
  const told = isMethod ? callee.object : paths.includes('global:String') ? args[0] : undefined
  return told !== undefined && isException(told, server.callbacks) ? told : undefined
}

/** What a call gives of what it gets: layers of an object, the value in another form, what was encoded or converted. */
function addGivenOn(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: () => readonly number[],
  draft: FlowDraft,
  isMoved: boolean,
): void {
  const { graph, use } = draft
  const [encoded] = call.args
  const converting = paths.find((path) => CONVERTING.has(path))
  if (converting !== undefined)
    for (const settings of args()) {
      const values = graph.derive(graph.derive(settings, call, MOVE, 'values'), call, READ, ANY_FIELD)
      graph.connect(values, result, WRITE, CONVERTING.get(converting))
    }
  const signing = encoded === undefined ? undefined : paths.find((path) => SIGNING.has(path))
  if (encoded !== undefined && signing !== undefined) {
    const field = SIGNING.get(signing)
    graph.connect(field === undefined ? use(encoded) : graph.derive(use(encoded), call, READ, field), result, COPY)
  }
  if (paths.some((path) => TEXT_OF_NUMBERS.has(path)))
    for (const argument of call.args) graph.connect(use(readAsNumber(argument)), result, CONCAT)
  if (paths.includes('global:Object assign'))
    for (const [index, argument] of call.args.entries())
      graph.connect(layerNode(argument, keysOfObjects(call.args.slice(index + 1)), draft), result, COPY)
  else if (!isMoved && paths.some((path) => PASSING.has(path)) && !rendersCleanMarkdown(paths, draft))
    for (const argument of args().slice(0, countPassed(call, paths)))
      graph.connect(argument, result, call.args.length > 1 && !paths.some(isMerging) ? CONCAT : COPY)
  else if (
    !isMoved &&
    encoded !== undefined &&
    isDecodedByName(call, paths, draft.text) &&
    calledIn(call.callee, draft).length === 0
  )
    graph.connect(use(encoded), result, DECODE, DECODED_UNCLEANS.join(' '))
}

function rendersCleanMarkdown(paths: readonly string[], { checks }: FlowDraft): boolean {
  return checks.isMarkdownCleaned && paths.some((path) => RENDERS_MARKED.test(path))
}

/** `text` of `decodeURIComponent(escape(text))`, which reads its characters as bytes of UTF-8 and leaves nothing escaped. Fact: ECMAScript, Annex B, "escape". */
function unescapedBy(value: Value): Value {
  return firstOfCall(value, 'escape') ?? value
}

function readAsNumber(value: Value): Value {
  return firstOfCall(value, 'parseInt') ?? firstOfCall(value, 'Number') ?? value
}

/** What a function of the language gets that is called by its name alone. */
function firstOfCall(value: Value, name: string): Value | undefined {
  return 'callee' in value && pathOf(value.callee)?.join(' ') === `global:${name}` ? value.args[0] : undefined
}

/** Adds the functions of the project that a call runs, and what it does in its environment. Gives whether one of them is believed by its name, beside its body. */
function addRun(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: () => readonly number[],
  draft: FlowDraft,
): boolean {
  const { graph, environment } = draft
  // a tag gets the texts first
  const given = call.kind === 'tagged' ? () => [graph.add(call), ...args()] : args
  const calls = draft.calling.calls.length
  const believed = environment.calls.believedOf(call, paths)
  const answer = believed === undefined ? result : graph.add(call)
  if (believed !== undefined) graph.connect(answer, result, CLEAN, believed.join(' '))
  const composes = addComposition(call, result, draft)
  if (!composes) addCalled(call.callee, paths, { result: answer, args: given, key: keyOf(call) }, draft, call)
  const runsOwn = draft.calling.calls.length > calls
  environment.calls.addCall(call, paths, { result, args, given, runsOwn, composes }, draft)
  return believed !== undefined
}

/** A call that makes what it gets harmless, for the rules that are named; for none: it gives what it gets. */
function connectCleaned(
  call: CallValue,
  paths: readonly string[],
  result: number,
  cleaned: readonly string[],
  args: () => readonly number[],
  { graph, use }: FlowDraft,
): void {
  const from = call.callee.kind === 'member' && OF_RECEIVER.test(call.callee.name ?? '') ? [use(call.callee.object)] : args()
  const isOfKeys = paths.includes('global:Object keys')
  const to = isOfKeys ? graph.add(call) : result
  for (const value of from) graph.connect(value, to, cleaned.length === 0 ? COPY : CLEAN, cleaned.join(' '))
  if (isOfKeys) graph.connect(to, result, MOVE, 'keys')
}

/** What may be an object of the project, whose `toString` gives a text. */
const MAY_BE_OWN: ReadonlySet<string> = new Set(['reference', 'call', 'new'])

/** What these methods clean is what they are called on. */
const OF_RECEIVER = /^(?:replace(?:All)?|split|join|map|slice|substring|substr)$/

/** What a function of the app may read or write by it. */
function keyOf({ args: [first] }: CallValue): string | undefined {
  const key = first === undefined ? undefined : constantOf(first)
  return typeof key === 'string' && key !== '' && key.length <= MAX_KEY ? key : undefined
}

const MAX_KEY = 100

function isPattern(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'regex' || (here.kind === 'new' && here.callee.kind === 'reference' && here.callee.name === 'RegExp')
}

/** `request`, `c.req`, `event.request`: responses, files and elements of a page have methods of these names too, and their text is not what was sent. */
function isRequest(object: Value): boolean {
  return isRequestName(lastNameOf(resolveValue(object)))
}

/** `req.get('x-user')`: what has a method of that name may be a request. */
function addHeader(call: CallValue, result: number, draft: FlowDraft): void {
  const [name] = call.args
  const object = receiverOf(call)
  const read = READ_METHODS.get(lastNameOf(call.callee) ?? '')
  if (object === undefined || read === undefined || name === undefined) return
  const held = draft.graph.derive(draft.use(object), call, READ, read)
  draft.graph.connect(held, result, READ, String(constantOf(name) ?? ANY_FIELD))
  draft.show(result, call)
}

function addMethod(call: CallValue, object: Value, name: string, result: number, draft: FlowDraft, isMoved: boolean): void {
  const { graph, use, calling } = draft
  if (BODY_METHODS.has(name) && call.args.length === 0 && isRequest(object)) graph.connect(use(object), result, READ, 'body')
  if (connectSchema(call, result, draft)) return
  const isTaken = connectCaptures(call, result, draft)
  // a text of the items of a list; of a bundle the values that fill the gaps of a text
  const list = name === 'join' ? use(object) : name === 'getText' && call.args[1] !== undefined ? use(call.args[1]) : undefined
  const replacement = replacementIn(call)
  if (replacement !== undefined && putsTagBack(replacement))
    graph.connect(name === 'join' ? use(partedText(object)) : use(object), result, DECODE, TAG_UNCLEANS.join(' '))
  else if (list !== undefined) {
    const item = graph.derive(list, call, READ, ANY_FIELD)
    graph.connect(item, result, CONCAT)
  } else if (isTaken) draft.use(object)
  else if (name === 'toString' && encodesBytes(call)) graph.connect(use(object), result, CLEAN, PLAIN_VALUE)
  else if (PASSING_METHODS.has(name) && !isMoved) graph.connect(use(object), result, COPY)
  // new RegExp(x).exec(text)
  if (name === 'exec' && !isTaken && call.args[0] !== undefined && isPattern(object))
    graph.connect(use(call.args[0]), result, COPY)
  if (PASSING_METHODS.has(name)) {
    if (name === 'concat' || name === 'replace' || name === 'replaceAll' || name === 'join')
      for (const argument of call.args) graph.connect(use(argument), result, CONCAT)
    if (isPaddedToColumn(name, call)) graph.connect(use(object), result, CONCAT)
    // what the function gives is put in
    if (name.startsWith('replace') && call.args[1] !== undefined) addReplaced(object, call.args[1], result, draft)
    if (name === 'flat') graph.connect(use(object), result, READ, ANY_FIELD)
  }
  if (name === 'reduce' || name === 'reduceRight') return addReduce(call, use(object), result, draft)
  if (!CALLING_METHODS.has(name)) return
  const receiver = use(object)
  const callback = functionOf(call.args[0])
  if (name === 'filter' || name === 'find') connectFiltered(call, receiver, result, draft)
  if (draft.environment.calls.addNamedCallback(call, name, result, draft)) return
  if (callback === undefined || !calling.functions.has(callback)) return
  const isPromise = name === 'then' || name === 'catch' || name === 'finally'
  const parameter = draft.parameters.nodeOf(callback, 0)
  // an error is not what the promise would have given
  if (isPromise && name !== 'then' && parameter !== undefined) return
  if (parameter !== undefined) graph.connect(receiver, parameter, isPromise ? COPY : READ, isPromise ? undefined : ANY_FIELD)
  // map.forEach((value, key) => …)
  if (parameter !== undefined && name === 'forEach' && callback.parameters[0] !== undefined) {
    const values = graph.derive(receiver, call, MOVE, 'values')
    graph.connect(values, parameter, READ, ANY_FIELD)
  }
  // the number of the item
  const index = isPromise ? undefined : draft.parameters.nodeOf(callback, 1)
  if (index !== undefined) graph.connect(graph.add(call), index, COPY)
  connectGiven(name, graph.of(callback).node, result, draft)
}

/** `text` of `text.split(mark)`. */
function partedText(parted: Value): Value {
  return ('callee' in parted ? receiverOf(parted) : undefined) ?? parted
}

/** `Array.prototype.slice.call(arguments, 1)`, `[].slice.call(arguments)`: the method of what is given first. */
function lentMethod(call: CallValue): { readonly call: CallValue; readonly object: Value; readonly name: string } | undefined {
  const { callee, args } = call
  const [object, ...others] = args
  if (callee.kind !== 'member' || callee.name !== 'call' || callee.object.kind !== 'member' || object === undefined)
    return undefined
  const { object: owner, name } = callee.object
  const isOfType = owner.kind === 'array' || (owner.kind === 'member' && owner.name === 'prototype')
  return isOfType && name !== undefined
    ? { call: { ...call, callee: { ...callee.object, object }, args: others }, object, name }
    : undefined
}
