import {
  constantOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type Value,
  fieldOf,
  methodsBack,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { PAGE } from '../app/links.ts'
import { AS_ENTITIES } from '../models/escaped.ts'
import {
  FORMATS,
  FORMATTED,
  HTML_FAULTS,
  PARSED,
  REPLACED_CLEANING,
  WEB_CLEANERS,
  WEB_PASSING,
  MAY_PASS,
  PAGE_LOGS,
} from '../tables/web.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, MODULE_STORE, NAMESPACE_STORE, READ, WRITE, TEXT } from '../types.ts'
import { addEncodedByQuery } from '../checks/decoding.ts'
import { addDataTables } from './data-tables.ts'
import { addDefinitions } from './definitions.ts'
import { addCallbacks, addSettled } from '../calls/callback-results.ts'
import { addContexts } from './contexts.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addComponent, addMembers, addMergedFields } from '../fields/members.ts'
import { isFramework, passedOnBy, type ExportedValue } from '../calls/modules.ts'
import { extendedObject, classesIn } from '../calls/owners.ts'
import { connectState } from './react.ts'
import { invoke } from '../values/objects.ts'
import { addMadeData } from './kept-in-controls.ts'
import { addCompiled } from '../sinks/templates.ts'
import { addLogged, addLogListeners, addStores } from './stores.ts'
import { bindingNode } from '../values/named-values.ts'
import { addPageCallbackSources } from '../sources/callback-sources.ts'
import { addCallSources, addMessageSources } from '../sources/web-sources.ts'
import { writeInto } from '../values/writes.ts'
import { asksModel, MODEL_ADDRESS, MODEL_WRITTEN } from '../tables/language-models.ts'
import { leavesFewCharacters } from '../checks/few-characters.ts'
import { type Replacement, replacementIn } from '../checks/replacements.ts'
import { lastName } from '../../paths.ts'

/** Adds what a call does in a browser: what it begins, keeps, passes on. */
export function addBrowserCall(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const { graph, use } = draft
  addCallSources(call, paths, result, draft)
  addDefinitions(call, paths, draft)
  addStores(call, result, draft)
  addMadeData(call, draft)
  addMergedFields(call, paths, draft)
  const name = lastNameOf(call.callee) ?? ''
  if (LEVELS.test(name) && paths.some((path) => PAGE_LOGS.test(path))) addLogged(call, draft)
  if (paths.some((path) => MAY_PASS.test(path) && WEB_PASSING.some((pattern) => pattern.test(path))))
    for (const argument of call.args)
      graph.connect(use(argument), result, call.args.length > 1 && !MERGING.test(name) ? CONCAT : COPY)
  // Trusted Types: the policy has the functions that it is made of, which may pass anything
  if (name === 'createPolicy' && call.args[1] !== undefined) graph.connect(use(call.args[1]), result, COPY)
  if (PARSING.has(name) && call.args[0] !== undefined) graph.connect(use(call.args[0]), result, CLEAN, PARSED)
  if (name === 'formatMessage' && call.args[1] !== undefined) {
    const filled = graph.derive(use(call.args[1]), call.args[1], READ, ANY_FIELD)
    graph.connect(filled, result, CONCAT)
  }
  // COMMANDS[name].bind(this): a function that others tell
  if (name === 'bind' && call.args.length === 1 && call.callee.kind === 'member')
    graph.connect(use(call.callee.object), result, COPY)
  addCallbacks(call, paths, result, draft)
  addPageCallbackSources(call, paths, draft)
  // setTimeout(run, 10, value)
  const [late, , ...given] = call.args
  if (late !== undefined && given.length > 0 && TIMERS.test(name))
    invoke(
      late,
      given.map((value) => use(value)),
      draft,
    )
  addDataTables(call, draft)
  connectState(call, result, draft)
  addSettled(call, paths, draft)
  addAdded(call, draft)
  addCompiled(call, paths, result, draft)
  addEncodedByQuery(call, result, draft)
}

/** `Object.fromEntries(pairs)`, `new Map(pairs)`: a field is what comes second. */
export function addPairs({ args: [pairs] }: CallValue, result: number, { graph, use }: FlowDraft): void {
  if (pairs === undefined) return
  const [pair, value] = [graph.add(pairs), graph.add(pairs)]
  graph.connect(use(pairs), pair, READ, ANY_FIELD)
  graph.connect(pair, value, READ, '1')
  graph.connect(value, result, WRITE, ANY_FIELD)
}

/** Methods that put something into a collection. Fact: ECMAScript, Array, Map and Set. */
const ADDING: ReadonlySet<string> = new Set(['push', 'unshift', 'add', 'set', 'append'])

/** `this.items.push(x)`, `this.cache.set(name, x)`; what is put into a name its binding tells. */
function addAdded({ callee, args }: CallValue, draft: FlowDraft): void {
  if (callee.kind !== 'member' || !ADDING.has(callee.name ?? '')) return
  // (texts[kind] || texts.other).push(x), model.getProperty("/items").push(x)
  if (!/^(?:member|choice|call)$/.test(callee.object.kind) && !draft.fields.keyed.has(args[1] ?? callee)) return
  const key = callee.name === 'set' && args.length === 2 && args[0] !== undefined ? constantOf(args[0]) : undefined
  const field = typeof key === 'string' ? key : ANY_FIELD
  // of a map the value alone
  for (const given of callee.name === 'push' || callee.name === 'unshift' ? args : args.slice(-1))
    if (given.kind === 'spread') writeInto(callee.object, draft.use(given), draft)
    else if (given.kind !== 'literal') writeInto(callee.object, draft.graph.wrap(draft.use(given), [field], given), draft)
}

/** Methods that make nodes of a text which are in no page yet. Fact: HTML standard, DOMParser. */
const PARSING: ReadonlySet<string> = new Set(['parseFromString'])
const TIMERS = /^(?:setTimeout|setInterval|delayedCall)$/
/** What they give is an object, no text. */
const MERGING = /^(?:merge|extend|deepExtend|deepClone|makeArray|when)$/
const LEVELS = /^(?:fatal|error|warning|info|debug|trace)$/
/** What a function makes harmless in a page, by its name or that of its module. */
export function cleanedInBrowser(call: CallValue, paths: readonly string[]): readonly string[] | undefined {
  const replacement = replacementIn(call)
  if (replacement !== undefined) return cleanedByReplacing(replacement)
  if (leavesFewCharacters(call)) return HTML_FAULTS
  const last = lastNameOf(call.callee) ?? ''
  if (paths.some((path) => FORMATS.test(path))) return FORMATTED
  const own = WEB_CLEANERS.get(last)
  if (own !== undefined) return own
  for (const path of paths) {
    const found = WEB_CLEANERS.get(lastWordOfModule(path))
    if (found !== undefined) return found
  }
  return undefined
}

function cleanedByReplacing({ found, isPattern, isAll, written }: Replacement): readonly string[] | undefined {
  const isFirstAlone = !isAll && !(isPattern && found.startsWith('^'))
  if (isFirstAlone || written === found) return undefined
  const faults = REPLACED_CLEANING.flatMap(([wanted, cleaned, unless]) =>
    wanted.test(found) && unless?.test(found) !== true ? cleaned : [],
  )
  if (faults.length === 0) return undefined
  return /["']/.test(found) && (found.includes('<') || written?.startsWith('&') === true) ? [...faults, AS_ENTITIES] : faults
}

/** `htmlEscape` of `module:my/app/htmlEscape`; nothing of a function of a module. */
function lastWordOfModule(path: string): string {
  if (!path.startsWith('module:') || /\s/.test(path)) return ''
  return path.split(/[^\w$]/).at(-1) ?? ''
}

/** Adds what scripts of a browser have beside their calls: messages, events of views, modules, fields of classes. */
export function addBrowserParts(values: readonly ExportedValue[], draft: FlowDraft): void {
  const { use, ends, facts } = draft
  addMessageSources(draft)
  addContexts(draft)
  for (const { name, value } of values) {
    const here = resolveValue(value)
    if (name.startsWith(PAGE)) continue
    if (name.startsWith('global ')) {
      const space = name.slice('global '.length)
      if (here.kind === 'object' || here.kind === 'new' || here.kind === 'function')
        ends.ports.push({ node: use(value), access: 'write', store: `${NAMESPACE_STORE}${space}`, path: [] })
      else if (isHeldText(here)) addHeld(value, space, draft)
      continue
    }
    const path = name === '' ? [] : [name]
    if (here.kind === 'class') {
      // functions of the class itself that others hand over: `rows.map(Row.toText)`
      for (const { name: own, isStatic, value: member } of here.class.members)
        if (own !== undefined && isStatic && member?.kind === 'function')
          ends.ports.push({ node: use(member), access: 'write', store: MODULE_STORE, path: [...path, own] })
      continue
    }
    ends.ports.push({ node: use(value), access: 'write', store: MODULE_STORE, path })
    // what others put into it is found in it here
    const filled = draft.graph.add(value)
    ends.ports.push({ node: filled, access: 'read', store: MODULE_STORE, path })
    writeInto(value, filled, draft)
  }
  addPassedOn(draft)
  addMembers(draft)
  addComponent(draft)
  for (const binding of facts.bindings) {
    const { module } = binding
    if (module === undefined || isFramework(module.source)) continue
    const node = bindingNode(binding, draft)
    ends.ports.push({
      node,
      access: 'read',
      store: `${MODULE_STORE}${module.source}`,
      path: module.name === undefined ? [] : [module.name],
    })
  }
  for (const { owner, value: made, members } of classesIn(facts)) {
    const fields = members.flatMap(({ name, value }) =>
      name === undefined || value === undefined || (name === 'metadata' && made.kind === 'call') ? [] : [[name, value] as const],
    )
    connectFields(owner, fields, draft)
  }
  addHandlers(draft)
  addLogListeners(draft)
}

/** Whether it may be a text that the app keeps in a namespace: classes and modules are found by their names. */
function isHeldText(value: Value): boolean {
  return value.kind !== 'literal' && value.kind !== 'class' && extendedObject(value) === undefined
}

/** `my.app.state.note = text`: a field of what lies there. */
function addHeld(value: Value, space: string, { ends: { ports }, use }: FlowDraft): void {
  const end = space.lastIndexOf('.')
  const [store, path] = end < 0 ? [space, []] : [space.slice(0, end), [space.slice(end + 1)]]
  ports.push({ node: use(value), access: 'write', store: `${NAMESPACE_STORE}${store}`, path })
}

/** What a module passes on is found in it as well. */
function addPassedOn({ facts, graph, ends: { ports } }: FlowDraft): void {
  for (const { name, source, imported } of passedOnBy(facts)) {
    const node = graph.add({ start: 0, end: 0 })
    const path = imported === '' || imported === '*' ? [] : [imported]
    ports.push({ node, access: 'read', store: `${MODULE_STORE}${source}`, path })
    ports.push({ node, access: 'write', store: MODULE_STORE, path: name === '' || name === '*' ? [] : [name] })
  }
}

/** Methods of controllers get the events of views, if a view names them. */
function addHandlers({ facts, owners, ends: { ports }, path, parameters }: FlowDraft): void {
  if (!/controller/i.test(path)) return
  for (const fact of facts.functions) {
    const owner = fact.kind === 'method' ? owners.ownerOf(fact) : undefined
    const name = lastName(fact.name)
    const parameter = parameters.nodeOf(fact, 0)
    if (owner === undefined || parameter === undefined || !owners.methodsOf(owner, name).includes(fact)) continue
    ports.push({ node: parameter, access: 'read', store: `handler ${name}`, path: [] })
  }
}

/** Fields that a class or an object is written with. */
function connectFields(owner: object, fields: Iterable<readonly [string, Value]>, draft: FlowDraft): void {
  const { graph, use, page } = draft
  for (const [name, value] of fields)
    if (value.kind !== 'function' && !page.lastWrites.isGone(value))
      graph.connect(use(value), graph.ofField(owner, name, value), COPY)
}

/** Adds what functions get that are called for each element of a selection: the item of the data that is bound to it. Fact: d3-selection, "Joining data", "selection.html". */
export function addSelectionItems({ callee, args }: CallValue, draft: FlowDraft): void {
  if (callee.kind !== 'member') return
  const callbacks = args.flatMap((argument) => (argument.kind === 'literal' ? [] : draft.owners.functionsBehind(argument)))
  const bound = callbacks.length === 0 ? undefined : boundTo(callee.object)
  if (bound === undefined) return
  for (const fact of callbacks)
    // a handler gets the event first
    for (const place of callee.name === 'on' ? [0, 1] : [0]) {
      const node = draft.parameters.nodeOf(fact, place)
      if (node !== undefined) draft.graph.connect(draft.use(bound), node, READ, ANY_FIELD)
    }
}

/** `rows` of `selection.data(rows).enter().append('div')`. */
function boundTo(selection: Value): Value | undefined {
  for (const { call, name } of methodsBack(resolveValue(selection), resolveValue)) {
    const [first] = call.args
    if (name === 'data' && first !== undefined && first.kind !== 'literal') return first
  }
  return undefined
}

/**
 * What a language model answers is chosen by whoever wrote a part of its prompt, whatever the prompt says besides: OWASP, "LLM01:2025 Prompt Injection" and
 * "LLM05:2025 Improper Output Handling".
 */
export function addModelAnswer(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: readonly number[],
  { graph, use }: FlowDraft,
): void {
  const { callee } = call
  // response.getContent() of the SAP Cloud SDK for AI
  if (callee.kind === 'member' && callee.name === 'getContent' && args.length === 0)
    graph.connect(use(callee.object), result, COPY)
  const isModel = paths.some(asksModel) || call.args.slice(0, 2).some(isModelAddress)
  if (!isModel) return
  const answer = graph.add(call)
  for (const argument of args) graph.connect(argument, answer, TEXT)
  graph.connect(answer, result, CLEAN, MODEL_WRITTEN)
}

/** `/chat/completions`, the end of a template with it, or the `url` of settings. */
function isModelAddress(argument: Value): boolean {
  const given = resolveValue(argument)
  const url = given.kind === 'object' ? fieldOf(given, 'url')?.value : given
  const address = url && resolveValue(url)
  if (address?.kind === 'template') return MODEL_ADDRESS.test(address.texts.at(-1) ?? '')
  const last = address?.kind === 'concat' ? address.parts.at(-1) : address
  const text = stringConstantOf(last)
  return text !== undefined && MODEL_ADDRESS.test(text)
}
