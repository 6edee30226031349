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
import { isAround } from '../../facts/span-index.ts'

/** What a script stores or gives back under names of secrets. */
export function* secretUses(facts: ScriptFacts): Generator<NamedUse> {
  yield* findNamedUses(facts, isSecret)
  yield* statesOf(facts)
  yield* loginStatesOf(facts)
  yield* ticketsOf(facts)
  yield* codesOf(facts)
}

/** What the objects of a class hold whose name says that they are secrets: `class PickupCode { value = … }`, `class ResetToken { static create() {…} }`. */
export function* secretClasses({ classes, assignments }: ScriptFacts): Generator<NamedUse> {
  for (const fact of classes) {
    const { name, members } = fact
    if (!isSecret(name) && !isTicketName(name)) continue
    for (const { name: member = '', value } of members) {
      if (value === undefined) continue
      if (value.kind !== 'function') {
        if (HOLDING.test(member)) yield { name, value }
      } else if (MAKING.test(member)) for (const made of value.function.returns) yield { name, value: made }
    }
    for (const { target, value, start: at } of assignments)
      if (isAround(fact, at) && target.object.kind === 'this' && HOLDING.test(target.name ?? '')) yield { name, value }
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

/** A `code` of some digits that were drawn is one to type in; those of errors, colours and products are not drawn like that. */
function* codesOf(facts: ScriptFacts): Generator<NamedUse> {
  for (const use of findNamedUses(facts, isCodeName))
    if (findPart(resolveValue(use.value), isDrawnDigits) !== undefined) yield use
}

const MAKES_CODE: ReadonlySet<string> = new Set(['new', 'make', 'generate', 'create', 'random', 'draw', 'get'])

function isCodeName(name: string): boolean {
  const words = splitWords(name)
  return words.at(-1) === 'code' && words.slice(0, -1).every((word) => MAKES_CODE.has(word))
}

/** `Math.random().toString().slice(2, 8)`, `Math.floor(100000 + Math.random() * 900000)`, with the addition around it as well. */
function isDrawnDigits(value: Value): boolean {
  if (value.kind !== 'call') return false
  const name = lastNameOf(value.callee) ?? ''
  const object = value.callee.kind === 'member' ? value.callee.object : undefined
  if (/^(?:slice|substring|substr)$/.test(name) && object !== undefined) return isDrawnFraction(resolveValue(object))
  const [drawn] = value.args
  if (!/^(?:floor|trunc|round|ceil)$/.test(name) || drawn === undefined) return false
  return isManyDigits(drawn) || (drawn.kind === 'concat' && drawn.parts.some(isManyDigits))
}

/** `Math.random().toString()`, `String(Math.random())`. */
function isDrawnFraction(text: Value): boolean {
  if (text.kind === 'template') return text.parts.some((part) => part.kind === 'call' && isRandom(part))
  if (text.kind !== 'call') return false
  const [first] = text.args
  const from =
    lastNameOf(text.callee) === 'String'
      ? first
      : text.callee.kind === 'member' && first === undefined
        ? text.callee.object
        : undefined
  const drawn = from && resolveValue(from)
  return drawn?.kind === 'call' && isRandom(drawn)
}

/** `Math.random() * 900000`: 1,000 and more. */
function isManyDigits(value: Value): boolean {
  if (value.kind !== 'operation' || value.operator !== '*') return false
  const isDrawn = value.operands.some((operand) => operand.kind === 'call' && isRandom(operand))
  return isDrawn && value.operands.some((operand) => operand.kind === 'literal' && Number(operand.value) >= 1000)
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
