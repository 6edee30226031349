import {
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { OWN } from '../tables/web.ts'
import {
  ANSWERED,
  ASKING_WORDS,
  CHANGING_CALLS,
  CHANGING_METHODS,
  FAILING_CALLBACKS,
  OF_CHANGE,
  OF_MACHINE,
  OF_ROW,
  POSTING_CALLS,
  ROOT_WORDS,
  ROW_CHANGES,
} from '../tables/own-changes.ts'
import { asksForOwnUser, asksMachine } from '../sinks/addresses.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** How a request changes something: by posting, by changing a row, or in another way. */
type Change = boolean | 'post' | 'row'

/** `POST`, `PATCH` and the like, in any letters. */
function isChanging(value: Value | undefined): Change {
  if (value === undefined) return false
  const whole = resolveValue(value)
  const methods = ('options' in whole ? whole.options : [whole]).map((one) => String(constantOf(one) ?? '').toUpperCase())
  if (methods.length === 0 || !methods.every((one) => one === 'POST' || CHANGING_METHODS.has(one))) return false
  return methods.includes('POST') ? 'post' : methods.some((one) => ROW_CHANGES.has(one)) ? 'row' : true
}

/**
 * Whether a request of a page changes something, so that its answer is about what the page has sent: `fetch(url, { method: 'PATCH' })`, `$.post(url)`, `model.update(path, row)`. What is
 * sent to ask for something (`/searchOrders`, `/chat`), or posted to an address that nothing of the call tells, is none.
 */
function ownChangeOf({ callee, args }: CallValue, text: string): typeof OF_CHANGE | typeof OF_ROW | undefined {
  const name = lastNameOf(callee) ?? ''
  const settings = args.map(resolveValue)
  const method = settings.flatMap((one) => fieldOf(one, 'method') ?? fieldOf(one, 'type') ?? [])[0]?.value
  const byName = ROW_CHANGES.has(name) ? 'row' : CHANGING_CALLS.has(name)
  const how = byName || (POSTING_CALLS.has(name) ? 'post' : isChanging(method))
  return markOf(how, settings.flatMap((one) => fieldOf(one, 'url') ?? [])[0]?.value ?? args[0], text)
}

/** What is known of an answer from the beginning: it is about the user who asks, of a server of that user's own machine, or about what the page has sent. */
export function markOfAnswer(
  call: CallValue,
  { text }: FlowDraft,
): typeof OWN | typeof OF_MACHINE | typeof OF_CHANGE | typeof OF_ROW | undefined {
  if (asksForOwnUser(call, text)) return OWN
  return asksMachine(call) ? OF_MACHINE : ownChangeOf(call, text)
}

function markOf(how: Change, address: Value | undefined, text: string): typeof OF_CHANGE | typeof OF_ROW | undefined {
  if (!isOfChange(how, address, text)) return undefined
  return how === 'row' ? OF_ROW : OF_CHANGE
}

/** What is asked for has a word for it in its address; what is posted, a word in a text of its path. */
function isOfChange(how: Change, address: Value | undefined, text: string): boolean {
  if (how === false || address === undefined) return how === true || how === 'row'
  const whole = resolveValue(address)
  const constant = constantOf(whole)
  const written = text.slice(whole.start, Math.min(whole.end, whole.start + LONGEST))
  if (wordsOf(String(constant ?? written)).some((word) => ASKING_WORDS.has(word))) return false
  if (how !== 'post') return true
  const fixed =
    constant === undefined ? [...written.matchAll(TEXTS)].map(([part]) => part.replaceAll(PLACES, ' ')) : [String(constant)]
  return fixed.some((part) => wordsOf(part.replace(HOST, '')).some(isTelling))
}

function isTelling(word: string): boolean {
  return word.length > 2 && !ROOT_WORDS.has(word)
}

/**
 * Whether a path runs an operation that changes something: `/CreateOrder(...)`. Fact: API of sap.ui.model.odata.v4.ODataModel, `bindContext`: "(...)" is a deferred operation binding. What
 * has a word for it asks for something: `/getOrders(...)`.
 */
export function isOwnOperation(path: Value | undefined): boolean {
  const written = stringConstantOf(path)
  if (written === undefined || !written.endsWith(DEFERRED)) return false
  const words = wordsOf(written)
  return words.some(isTelling) && !words.some((word) => ASKING_WORDS.has(word))
}

const DEFERRED = '(...)'

function wordsOf(written: string): readonly string[] {
  return written
    .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]{1,100}/)
}

const LONGEST = 300
const TEXTS = /"[^"]{1,300}"|'[^']{1,300}'|`[^`]{1,300}`/g
const PLACES = /\$\{[^{}]{0,300}\}/g
const HOST = /^["'`]?[a-z]{2,6}:\/\/[^/]{0,200}/i

/** The change whose answer an object holds: `xhr` behind `xhr.open('PUT', url)`, and what `$.ajax` and models call back with, by the mark of what is read of it. */
export type AnsweredChange = typeof OF_CHANGE | typeof OF_ROW | typeof ANSWERED

/** A call that a function is handed to, and what it is called there: the name of a setting, or nothing. */
interface Given {
  readonly call: CallValue
  readonly key: string
}

/** Reads the change behind an object. The calls of the script are looked through once, where one is asked for. */
export function createOwnChanges({
  facts,
  text,
  step,
}: Pick<FlowDraft, 'facts' | 'text' | 'step'>): (object: Value) => AnsweredChange | undefined {
  const known = new Map<Binding, AnsweredChange | undefined>()
  let found: ReturnType<typeof findSent> | undefined
  const decide = (binding: Binding): AnsweredChange | undefined => {
    found ??= findSent(facts, step)
    if (binding.kind !== 'parameter' || !binding.function.parameters.includes(binding)) {
      const opened = found.opened.get(binding) ?? []
      return markOfAll(opened.map(([method, url]) => markOf(isChanging(method), url, text)))
    }
    const given = found.given.get(binding.function) ?? []
    const mark = markOfAll(given.map(({ call }) => ownChangeOf(sentBy(call), text)))
    return mark && given.every(isRefusal) ? ANSWERED : mark
  }
  return (object) => {
    if (!('binding' in object) || object.binding === undefined) return undefined
    const { binding } = object
    if (!known.has(binding)) known.set(binding, decide(binding))
    return known.get(binding)
  }
}

/** Of several changes the mark that says less. */
function markOfAll(marks: readonly (typeof OF_CHANGE | typeof OF_ROW | undefined)[]): AnsweredChange | undefined {
  if (marks.length === 0 || marks.includes(undefined)) return undefined
  return marks.includes(OF_ROW) ? OF_ROW : OF_CHANGE
}

function isRefusal({ call, key }: Given): boolean {
  return FAILING_CALLBACKS.has(key) || FAILING_CALLBACKS.has(lastNameOf(call.callee) ?? '')
}

/** By name what requests are opened with, and by function where it is handed to calls. */
function findSent({ calls }: ScriptFacts, step: FlowDraft['step']) {
  const opened = new Map<Binding, (readonly Value[])[]>()
  const given = new Map<FunctionFact, Given[]>()
  for (const call of calls) {
    const { callee, args } = call
    step(1 + args.length)
    const sent =
      lastNameOf(callee) === 'open' && 'object' in callee && 'binding' in callee.object ? callee.object.binding : undefined
    if (sent !== undefined) addTo(opened, sent, args)
    for (const argument of args) {
      const fact = functionOf(argument)
      if (fact !== undefined) addTo(given, fact, { call, key: '' })
      const settings = resolveValue(argument)
      for (const { key = '', value } of 'fields' in settings ? settings.fields : []) {
        step()
        const set = functionOf(value)
        if (set !== undefined) addTo(given, set, { call, key })
      }
    }
  }
  return { opened, given }
}

function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** `$.ajax(…)` of `$.ajax(…).done(show).fail(tell)`. */
export function sentBy(call: CallValue): CallValue {
  let here = call
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const before = 'object' in here.callee ? here.callee.object : undefined
    if (before === undefined || !('callee' in before)) break
    here = before
  }
  return here
}

const MAX_CHAIN = 10
