import {
  accessesOf,
  findPart,
  keysOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { findNamedUses, type NamedUse } from './named-uses.ts'
import { secretNounOf, splitWords } from './secret-names.ts'

/** What a script stores or gives back under names of secrets. */
export function* secretUses(facts: ScriptFacts): Generator<NamedUse> {
  yield* findNamedUses(facts, isSecret)
  yield* statesOf(facts)
  yield* loginStatesOf(facts)
  yield* ticketsOf(facts)
}

/** What the objects of a class hold whose name says that they are secrets: `class PickupCode { value = … }`, `class ResetToken { static create() {…} }`. */
export function* secretClasses({ classes, assignments }: ScriptFacts): Generator<NamedUse> {
  for (const { name, members, start, end } of classes) {
    if (!isSecret(name) && !isTicketName(name)) continue
    for (const { name: member = '', value } of members) {
      if (value === undefined) continue
      if (value.kind !== 'function') {
        if (HOLDING.test(member)) yield { name, value }
      } else if (MAKING.test(member)) for (const made of value.function.returns) yield { name, value: made }
    }
    for (const { target, value, start: at } of assignments)
      if (start <= at && at < end && target.object.kind === 'this' && HOLDING.test(target.name ?? '')) yield { name, value }
  }
}

const HOLDING = /^[#_]{0,2}(?:value|text|code|raw|string|id|plain|digits|letters|content|chars)$/
const MAKING =
  /^[#_]{0,2}(?:make|create|generate|next|draw|new|get|issue|build|random|value|text|code|toString|valueOf)(?=[A-Z_]|$)/

/** A number that is drawn for a `pin` is one to type in; a code for a counter, a door or a gift is shown instead of a proof. */
function isSecret(name: string): boolean {
  if (secretNounOf(name) !== undefined) return true
  const words = splitWords(name)
  return words.at(-1) === 'pin' || (words.at(-1) === 'code' && SHOWN_FOR.test(words.slice(0, -1).join(' ')))
}

const SHOWN_FOR =
  /(?:^| )(?:pick ?up|collection|redemption|claim|door|entry|gate|check ?in|hand ?over|guest|visitor|gift|referral|join|portal|share|download)$/

/** `state` beside what an authorization request is made of. */
function* statesOf(facts: ScriptFacts): Generator<NamedUse> {
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'object') continue
    const keys = keysOf(value)
    if (!keys.has('client_id') && !keys.has('redirect_uri') && !keys.has('response_type')) continue
    for (const { key, value: given } of value.fields) if (key === 'state') yield { name: key, value: given }
  }
}

const LOGIN = /verifier|challenge|log[io]n|sign-?in|oauth|authori[sz]e|openid|oidc/i

/** `state` of a script that logs in, where it is a text that was drawn; the state of anything else is no text of that kind. */
function* loginStatesOf(facts: ScriptFacts): Generator<NamedUse> {
  const states = [...findNamedUses(facts, (name) => splitWords(name).at(-1) === 'state')]
  if (states.length === 0 || !namesLogin(facts)) return
  for (const use of states) if (findPart(use.value, isRandomText) !== undefined) yield use
}

function namesLogin(facts: ScriptFacts): boolean {
  const { functions, bindings } = facts
  if (functions.some(({ name }) => LOGIN.test(name)) || bindings.some(({ name }) => LOGIN.test(name))) return true
  for (const { value } of valuesOf(facts)) {
    const texts = value.kind === 'template' ? value.texts : value.kind === 'literal' ? [String(value.value)] : []
    if (texts.some((text) => AUTHORIZES.test(text))) return true
  }
  return false
}

/** A ticket or voucher that is a text which was drawn: whoever has it gets in. One with a number is a case of a help desk. */
function* ticketsOf(facts: ScriptFacts): Generator<NamedUse> {
  for (const use of findNamedUses(facts, isTicketName)) if (findPart(use.value, isRandomText) !== undefined) yield use
}

function isTicketName(name: string): boolean {
  return /^(?:ticket|voucher|coupon|invitation)$/.test(splitWords(name).at(-1) ?? '')
}

/** The address of an authorization request. Fact: RFC 6749, "Authorization Request". */
const AUTHORIZES = /[?&](?:client_id|response_type|redirect_uri)=/

/** `Math.random().toString(36)` */
function isRandomText(value: Value): boolean {
  if (value.kind !== 'call' || value.args.length === 0 || lastNameOf(value.callee) !== 'toString') return false
  const drawn = value.callee.kind === 'member' ? resolveValue(value.callee.object) : undefined
  return drawn?.kind === 'call' && isRandom(drawn)
}

/** `Math.random()`, under whatever name. */
export function isRandom(call: CallValue): boolean {
  return (
    call.kind === 'call' &&
    accessesOf(call.callee).some(({ root, steps }) => root === 'global:Math' && steps.join(' ') === 'random')
  )
}
