import { constantOf, fieldOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { OWN } from '../tables/web.ts'
import {
  ASKING_WORDS,
  CHANGING_CALLS,
  CHANGING_METHODS,
  FAILING_CALLBACKS,
  OF_CHANGE,
  POSTING_CALLS,
} from '../tables/own-changes.ts'
import { asksForOwnUser } from '../sinks/addresses.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** `POST`, `PATCH` and the like, in any letters. */
function isChanging(value: Value | undefined): boolean | 'post' {
  if (value === undefined) return false
  const whole = resolveValue(value)
  const methods = ('options' in whole ? whole.options : [whole]).map((one) => String(constantOf(one) ?? '').toUpperCase())
  if (methods.length === 0 || !methods.every((one) => one === 'POST' || CHANGING_METHODS.has(one))) return false
  return methods.includes('POST') ? 'post' : true
}

/**
 * Whether a request of a page changes something, so that its answer is about what the page has sent: `fetch(url, { method: 'PATCH' })`, `$.post(url)`, `model.update(path, row)`. What is
 * posted to ask for something (`/searchOrders`, `/chat`), or to an address that nothing of the call tells, is none.
 */
function isOwnChange({ callee, args }: CallValue, text: string): boolean {
  const name = lastNameOf(callee) ?? ''
  if (CHANGING_CALLS.has(name)) return true
  const settings = args.map(resolveValue)
  const method = settings.flatMap((one) => fieldOf(one, 'method') ?? fieldOf(one, 'type') ?? [])[0]?.value
  const how = POSTING_CALLS.has(name) ? 'post' : isChanging(method)
  if (how !== 'post') return how
  const address = settings.flatMap((one) => fieldOf(one, 'url') ?? [])[0]?.value ?? args[0]
  return address !== undefined && isOfChange(address, text)
}

/** What is known of an answer from the beginning: it is about the user who asks, or about what the page has sent. */
export function markOfAnswer(call: CallValue, { text }: FlowDraft): typeof OWN | typeof OF_CHANGE | undefined {
  if (asksForOwnUser(call, text)) return OWN
  return isOwnChange(call, text) ? OF_CHANGE : undefined
}

/** What is asked for has a word for it in its address. */
function isOfChange(address: Value, text: string): boolean {
  const whole = resolveValue(address)
  const written = String(constantOf(whole) ?? text.slice(whole.start, Math.min(whole.end, whole.start + LONGEST)))
  const words = written
    .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]{1,100}/)
  return /["'`/]/.test(written) && !words.some((word) => ASKING_WORDS.has(word))
}

const LONGEST = 300

/** The change whose answer a member holds: `xhr.responseText` behind `xhr.open('PUT', url)`, and in what `$.ajax` and models call back with; `failed`: the answer that says why not. */
export function changeBehind(object: Value, { facts, text }: FlowDraft): 'answered' | 'failed' | undefined {
  if (!('binding' in object) || object.binding === undefined) return undefined
  const { binding } = object
  const fact = binding.kind === 'parameter' && binding.function.parameters.includes(binding) ? binding.function : undefined
  for (const call of facts.calls) {
    const { callee, args } = call
    const name = lastNameOf(callee) ?? ''
    if (fact === undefined) {
      const isOpened = name === 'open' && 'object' in callee && 'binding' in callee.object && callee.object.binding === binding
      const how = isOpened && isChanging(args[0])
      if (how === true || (how === 'post' && args[1] !== undefined && isOfChange(args[1], text))) return 'answered'
    } else {
      const key = callbackKey(args, fact)
      if (key === undefined || !isOwnChange(sentBy(call), text)) continue
      return FAILING_CALLBACKS.has(key) || FAILING_CALLBACKS.has(name) ? 'failed' : 'answered'
    }
  }
  return undefined
}

/** What a function is called among the arguments of a call: the name of a setting, or nothing. */
function callbackKey(args: readonly Value[], fact: FunctionFact): string | undefined {
  for (const given of args) {
    if (functionOf(given) === fact) return ''
    const settings = resolveValue(given)
    for (const { key, value } of 'fields' in settings ? settings.fields : []) if (functionOf(value) === fact) return key ?? ''
  }
  return undefined
}

/** `$.ajax(…)` of `$.ajax(…).done(show).fail(tell)`. */
function sentBy(call: CallValue): CallValue {
  let here = call
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const before = 'object' in here.callee ? here.callee.object : undefined
    if (before === undefined || !('callee' in before)) break
    here = before
  }
  return here
}

const MAX_CHAIN = 10
