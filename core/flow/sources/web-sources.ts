import {
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { findMessageListeners } from '../messages/message-listeners.ts'
import { mayCheck } from '../messages/sender-checks.ts'
import { createEventReader } from '../messages/message-reads.ts'
import { RENDER_MANAGER } from '../tables/renderers.ts'
import {
  CONTEXT_PARAMETERS,
  FORMATTED,
  HEADERS_OF_SERVERS,
  INPUT_METHODS,
  MODELS,
  ADDRESS_MEMBERS,
  PAGE_OBJECTS,
  PLAIN_PARAMETERS,
  PREFIXED,
  IMPORTED_MEMBERS,
  OWN_ADDRESSES,
  RESPONSE_MEMBERS,
  sourceOfCall,
  WEB_READS,
  SCANNERS,
} from '../tables/web.ts'
import {
  ANY_FIELD,
  CLEAN,
  COPY,
  EVENT_SOURCE,
  MOVE,
  READ,
  WRITE,
  type FlowSource,
  type Origin,
  NAMESPACE_STORE,
} from '../types.ts'
import { ADDRESS_PART } from '../places.ts'
import { addAnswerCallbacks } from '../calls/answer-callbacks.ts'
import { markOfAnswer } from './own-changes.ts'
import { addParameter } from './requests.ts'
import { takesPlainText } from '../values/captures.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/members.ts'
import { isLocalResource, isRemote } from '../sinks/addresses.ts'
import { controlAsked, sourceOf, shownStore } from '../pages/shown.ts'
import { isStorage, keyOf } from './storage.ts'
import { isPropertyBinding } from '../pages/stores.ts'
import { addDataset } from '../pages/kept-in-controls.ts'
import { isTypedText } from '../pages/react.ts'
import { writeInto } from '../values/writes.ts'
import { namespaceOf } from '../pages/definitions.ts'

/** Adds a name or a member as the beginning of data: objects of the page, answers of requests, what is typed into elements. */
export function addValueSource(value: Value, node: number, draft: FlowDraft): void {
  if (value.kind === 'reference') {
    const origin = value.binding === undefined ? PAGE_OBJECTS.get(value.name) : undefined
    if (origin !== undefined) add(node, origin, value, draft)
    return
  }
  if (value.kind !== 'member' || value.name === undefined) return
  const { name, object } = value
  if (RESPONSE_MEMBERS.has(name) || (name === 'response' && (isRequest(object) || isTarget(object)))) {
    const change = draft.page.changeBehind(object)
    addMarked(node, 'backend', change, value, draft)
  } else if (name === 'result' && isFileReader(object)) addRead(node, value, draft)
  else if (IMPORTED_MEMBERS.has(name)) add(node, 'imported', value, draft)
  else if (name === 'files' && isDropped(object)) add(node, 'imported', value, draft)
  else if (ADDRESS_MEMBERS.has(name)) add(node, 'url', value, draft)
  else if (name === 'value' && (isTextField(object) || isTypedText(object, draft))) add(node, 'input', value, draft)
  else if (name === 'dataset') addDataset(node, 'read', draft)
  if (isOfPage(value)) draft.show(node, value)
}

function add(node: number, origin: Origin, value: Value, draft: FlowDraft, asked?: FlowSource['askedControl']): void {
  draft.ends.sources.push({ node, origin, weak: false, ...(asked !== undefined && { askedControl: asked }) })
  draft.show(node, value)
}

/** The same with what is known of it from the beginning: the mark, where it has one. */
function addMarked(
  node: number,
  origin: Origin,
  mark: NonNullable<FlowSource['cleaned']>[number] | undefined,
  value: Value,
  draft: FlowDraft,
): void {
  draft.ends.sources.push({ node, origin, weak: false, ...(mark !== undefined && { cleaned: [mark] }) })
  draft.show(node, value)
}

/** What a request is answered with. */
function addAnswer(node: number, origin: Origin, call: CallValue, draft: FlowDraft): void {
  addMarked(node, origin, origin === 'backend' ? markOfAnswer(call, draft) : undefined, call, draft)
}

/** An item of the list that a call gives. */
function itemOf(call: CallValue, result: number, { graph }: FlowDraft): number {
  const item = graph.add(call)
  graph.connect(item, result, WRITE, ANY_FIELD)
  return item
}

/** `window.location.hash`: a chain of members that begins at an object of the page. */
function isOfPage(value: Value): boolean {
  let here = value
  for (let depth = 0; here.kind === 'member' && depth < 5; depth++) here = here.object
  return here.kind === 'reference' && here.binding === undefined && PAGE_OBJECTS.has(here.name)
}

function isTarget(value: Value): boolean {
  return value.kind === 'member' && (value.name === 'target' || value.name === 'currentTarget')
}

/** `reader.result`, `event.target.result`. Fact: File API, FileReader; IndexedDB has the same field. */
function isFileReader(value: Value): boolean {
  if (isTarget(value)) return true
  return accessesOf(value).some(({ root, steps }) => root === 'global:FileReader' && steps[0] === 'new')
}

/** What a reader has read of a file. Where the readers of the script make `data:` addresses alone, the browser writes how they begin. Fact: File API, readAsDataURL. */
function addRead(node: number, value: Value, draft: FlowDraft): void {
  const isAddress = draft.text.includes('readAsDataURL') && !READS_CONTENT.test(draft.text)
  addMarked(node, 'imported', isAddress ? PREFIXED : undefined, value, draft)
}

/** `reader.readAsText(file)`; `event.target.result` is that of a database too. */
const READS_CONTENT = /\breadAs(?:Text|BinaryString|ArrayBuffer)\b|\bindexedDB\b/

/** `event.target.files`, `event.dataTransfer.files`. */
function isDropped(value: Value): boolean {
  return (value.kind === 'member' && /^(?:target|currentTarget|dataTransfer)$/.test(value.name ?? '')) || isTextField(value)
}

/** One of the files that the user chooses or drops: `event.dataTransfer.files[0]`, `event.getParameter('files')[0]`. */
export function isChosenFile(value: Value): boolean {
  const file = resolveValue(value)
  if (!('object' in file) || !/^\d{0,9}$/.test(file.name ?? '')) return false
  const list = resolveValue(file.object)
  if ('object' in list) return list.name === 'files' && isDropped(list.object)
  if (!('callee' in list) || lastNameOf(list.callee) !== 'getParameter') return false
  return list.args[0] !== undefined && constantOf(list.args[0]) === 'files'
}

function isRequest(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => root === 'global:XMLHttpRequest' && steps[0] === 'new')
}

const ELEMENTS = /^(?:getElementById|querySelector|getDomRef|getFocusDomRef|getElementsByName)$/

/** `document.getElementById('x').value`; of a field that the code makes the value where a function inside reads it: what decodes a text reads it at once. */
function isTextField(value: Value): boolean {
  if (value.kind === 'reference' && value.binding?.isCaptured === true) {
    const made = resolveValue(value)
    const tag = made.kind === 'call' && lastNameOf(made.callee) === 'createElement' ? made.args[0] : undefined
    if (tag !== undefined && /^(?:input|textarea)$/i.test(String(constantOf(tag)))) return true
  }
  return accessesOf(value).some(({ steps }) => steps.at(-1) === '()' && ELEMENTS.test(steps.at(-2) ?? ''))
}

/** Whether a value is the address of the page as a whole: it leads to this host, but a part of it does not. */
function isOwnAddress(value: Value | undefined): boolean {
  if (value === undefined) return false
  return accessesOf(value).some(({ root, steps }) => OWN_ADDRESSES.test([root, ...steps].join(' ')))
}

/** `location.href.split('#')`. */
export function isSplitOfPage({ callee }: CallValue): boolean {
  return callee.kind === 'member' && callee.name === 'split' && isOwnAddress(callee.object)
}

/** Methods that cut a text out of another one. */
const CUTTING: ReadonlySet<string> = new Set(['split', 'slice', 'substring', 'substr', 'match', 'matchAll'])

/** Adds what a call gives, by the tables, and what its callbacks are given. */
export function addCallSources(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const { callee, args } = call
  const [name, first] = [lastNameOf(callee) ?? '', args[0]]
  const isLocal = first !== undefined && isLocalResource(first)
  for (const path of paths) {
    const source = sourceOfCall(path, () => first && constantOf(first))
    const origin = source?.origin
    // what is kept under a name that the code says has a store of its own
    const isNamed = origin === 'storage' && callee.kind === 'member' && first !== undefined && keyOf(first) !== undefined
    if (isNamed && isStorage(callee.object, draft)) continue
    const isOwnFile = origin === 'backend' && (isLocal || isOwnModule(path, first))
    if (origin !== undefined && !isOwnFile)
      addAnswer(source?.isList === true ? itemOf(call, result, draft) : result, origin, call, draft)
    const model = call.kind === 'new' ? MODELS.find(([pattern]) => pattern.test(path))?.[1] : undefined
    if (model === 'odata' || (model === 'json' && first !== undefined && isRemote(first))) add(result, 'backend', call, draft)
    else if (model === 'json' && first !== undefined) draft.graph.connect(draft.use(first), result, 0)
    if (path === 'global:URL new' && isOwnAddress(first)) add(result, 'location', call, draft)
    if (path === 'global:URLSearchParams new' && isOwnAddress(first)) add(result, 'url', call, draft)
  }
  if (callee.kind !== 'member') return
  const isPlain = takesPlainText(call)
  if (!isPlain) addAddressPart(call, callee.object, name, result, draft)
  if (name === 'exec' && first !== undefined)
    draft.graph.connect(draft.use(first), result, isPlain ? CLEAN : COPY, isPlain ? FORMATTED.join(' ') : undefined)
  if (
    INPUT_METHODS.has(name) &&
    args.length === 0 &&
    callee.object.kind !== 'this' &&
    !isFixedReceiver(callee.object) &&
    !behindFields(callee.object, draft).some(isPropertyBinding) &&
    !isRendered(call)
  ) {
    add(result, 'input', call, draft, controlAsked(callee.object, draft))
  }
  if (name === 'val' && args.length === 0) add(result, 'input', call, draft)
  if (name === 'getResponseHeader' && !isServerHeader(first)) add(result, 'backend', call, draft)
  if ((name === 'getParameters' || name === 'getComponentData') && args.length === 0) add(result, 'parameters', call, draft)
  // what an administrator sets for a plug-in of the launchpad, nobody knows here. Fact: SAP Fiori launchpad, "Developing Plug-Ins"
  if (name === 'getComponentData') {
    const config = draft.graph.add(call)
    draft.ends.unresolved.push(config)
    draft.graph.connect(config, result, WRITE, 'config')
  }
  // of an event that the app fires itself, and of a promise that is handed out apart from what fills it
  if ((name === 'getParameters' || name === 'promise') && args.length === 0)
    draft.graph.connect(draft.use(callee.object), result, 0)
  if (name === 'getSource' && args.length === 0) draft.graph.connect(draft.use(callee.object), result, READ, EVENT_SOURCE)
  if (name === 'getParameter' && first !== undefined) {
    const list = CONTEXT_PARAMETERS.get(String(constantOf(first) ?? ''))
    if (list !== undefined)
      draft.ends.ports.push({ node: result, access: 'read', store: shownStore(undefined, list), path: [ANY_FIELD] })
    const read = WEB_READS['parameters']?.[String(constantOf(first) ?? '')]
    if (read !== undefined)
      add(result, read.origin, call, draft, read.origin === 'input' ? sourceOf(callee.object, draft) : undefined)
    else if (list === undefined) addParameterRead(callee.object, String(constantOf(first) ?? ANY_FIELD), result, draft)
  }
  if (name === 'loadData' && first !== undefined && !isLocal) {
    const answer = draft.graph.add(call)
    add(answer, 'backend', call, draft)
    writeInto(callee.object, answer, draft)
  }
  if (!isLocal) addAnswerCallbacks(call, draft)
  if (name === 'scan' && args[0] !== undefined && paths.some((path) => SCANNERS.test(path)))
    for (const fact of draft.owners.functionsBehind(args[0])) addParameter(fact, 0, 'backend', draft)
  // sap.ui.core.ws.WebSocket: its event brings what the server sends
  if (name === 'attachMessage')
    for (const fact of args.flatMap((argument) => draft.owners.functionsBehind(argument))) addParameter(fact, 0, 'backend', draft)
}

/** What is cut out of the address of the page; that of `split` is one of its items, of which the first is the address still. */
function addAddressPart(call: CallValue, object: Value, name: string, result: number, draft: FlowDraft): void {
  const [first] = call.args
  const isPart = CUTTING.has(name) && !(first && constantOf(first) === 0)
  if ((isPart && isOwnAddress(object)) || (name === 'exec' && isOwnAddress(first))) add(result, 'url', call, draft)
  if (isPart && name !== 'split') draft.graph.connect(draft.use(object), result, MOVE, ADDRESS_PART)
}

/** A file of the app or of a library, by the name of its module; only a `url` asks a server. Facts: API of sap/base/util/LoaderExtensions. */
function isOwnModule(path: string, asked: Value | undefined): boolean {
  return path.endsWith(' loadResource') && (asked === undefined || fieldOf(resolveValue(asked), 'url') === undefined)
}

/** `event.getParameter("state")`: of events of controls some parameters are never a text. */
function addParameterRead(event: Value, name: string, result: number, { graph, use }: FlowDraft): void {
  if (!PLAIN_PARAMETERS.has(name)) return graph.connect(use(event), result, READ, name)
  const read = graph.derive(use(event), event, READ, name)
  graph.connect(read, result, CLEAN, FORMATTED.join(' '))
}

/** `getValue` of what is no input: an element of a list of settings. */
function isFixedReceiver(value: Value): boolean {
  return accessesOf(value).some(({ steps }) => steps.includes('getPropertyBinding') || steps.includes('getCustomData'))
}

/** Asked by a renderer: the metadata of the control, and of what lies in it, say what its value is. */
function isRendered({ function: fact }: CallValue): boolean {
  for (let around: FunctionFact | undefined = fact; around !== undefined; around = around.parent)
    if (around.parameters.length > 1 && RENDER_MANAGER.test(around.parameters[0]?.name ?? '')) return true
  return false
}

/** Messages of other windows, where nothing in the listener looks at their sender. */
export function addMessageSources(draft: FlowDraft): void {
  const { facts, text, step } = draft
  const listeners = findMessageListeners(facts)
  if (listeners.length === 0) return
  const reader = createEventReader(facts, text, step)
  for (const { handler, parameter, start, end } of listeners) {
    if (mayCheck(reader.readsOf(handler, parameter).check)) continue
    const node = draft.parameters.nodeOf(handler, parameter)
    if (node !== undefined) draft.ends.sources.push({ node, origin: 'window-event', weak: false, listener: { start, end } })
  }
}

/** The name of a window is kept when it is led to another page. Fact: HTML standard, "browsing context name". */
const WINDOW = /^global:(?:window|self|globalThis|top|parent|opener)(?: (?:top|parent|opener)){0,4}$/

/** `my.app.Helper` as a value: what the app has put there. `window.name`: what the page that opened it has put there. */
export function addGlobalMember(
  value: Value & { readonly kind: 'member' },
  node: number,
  { ends: { ports, sources }, show }: FlowDraft,
): void {
  const namespace = namespaceOf(value)
  if (namespace !== undefined) ports.push({ node, access: 'read', store: `${NAMESPACE_STORE}${namespace}`, path: [] })
  if (value.name !== 'name' || !accessesOf(value.object).some(({ root, steps }) => WINDOW.test([root, ...steps].join(' '))))
    return
  sources.push({ node, origin: 'url', weak: false })
  show(node, value)
}

/** What a response of `fetch` says of itself. Fact: Fetch standard, "Response class": a number and flags. */
const RESPONSE_STATE: ReadonlySet<string> = new Set(['status', 'ok', 'redirected', 'bodyUsed'])

/** Whether a field of a value is one of them. */
export function isResponseState(name: string | undefined, object: Value, draft: FlowDraft): boolean {
  return RESPONSE_STATE.has(name ?? '') && isResponse(object, draft)
}

/** `await fetch(url)`, the parameter of `fetch(url).then((response) => …)`: not what was read from it. */
function isResponse(value: Value, { facts }: FlowDraft): boolean {
  const here = resolveValue(value)
  if (here.kind === 'await') return isFetch(here.value)
  const binding = here.kind === 'reference' && here.binding?.kind === 'parameter' ? here.binding : undefined
  if (binding === undefined || binding.function.parameters[0] !== binding) return false
  return facts.calls.some(
    ({ callee, args: [then] }) =>
      then?.kind === 'function' &&
      then.function === binding.function &&
      callee.kind === 'member' &&
      callee.name === 'then' &&
      isFetch(callee.object),
  )
}

function isFetch(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'call' && lastNameOf(here.callee) === 'fetch'
}

function isServerHeader(name: Value | undefined): boolean {
  return name !== undefined && HEADERS_OF_SERVERS.test(String(constantOf(name) ?? ''))
}
