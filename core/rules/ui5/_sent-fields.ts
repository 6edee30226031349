import { bindingOf } from '../../facts/asked-values.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  isConstant,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { isPasswordName, leadingTextOf } from '../../model/script/index.ts'
import type { HandedTo } from './_app-methods.ts'
import { jsonOf } from './_body-wrappers.ts'
import { foreignAddressOf, foreignAddressOfCall } from './_foreign-requests.ts'
import { fieldsGiven, sentObjects } from './_sent-bodies.ts'
import { argumentsFor } from './_user-identities.ts'

/** Fields that say who a user is, whatever the value is called. */
export const USER_FIELD: RegExp =
  /^(?:[iep][vm]?_?|p_)?(?:(?:logged_?|current_?|session_?|request_?)?user(?:_?(?:name|id|code|no|nr|mail|email))?|usuario|uname|bname|ernam|benutzer(?:name|id)?|created_?by|requested_?by|requester|requestor|owner(?:_?id)?)$/i
/** What belongs to a user and to nobody else, what keeps records, and what has no user yet. */
export const HARMLESS: RegExp =
  /setting|variant|personal|favou?rite|theme|prefer|bookmark|notification|recent|layout|log(?:s|ging|ger)?\b|audit|telemetry|analytic|usage|log_?in|log_?on|sign_?(?:in|up)|auth|passw|register|exists/i
/** What sends the parameters that an object holds. */
const REQUESTS: ReadonlySet<string> = new Set(['fetch', 'ajax', 'callFunction', 'read', 'create', 'update'])

export interface Sent {
  readonly field: string
  readonly value: Value
  readonly isWritten: boolean
  /** The filter that holds it. */
  readonly filter?: CallValue
  /** It is part of a text. */
  readonly isPart?: true
  /** Where the call begins that sends it as a field. */
  readonly request?: number
  /** The address of the request, if that names a host. */
  readonly address?: string
  /** The function of the app that may send it. */
  readonly by?: HandedTo
}

/** The name in front of a value: `(User='`, `,User='`; `User eq '`; `?user=`. */
const KEY = /[(,]\s{0,4}(\w{2,60})='?$/
const FILTER = /(?:^|[\s(='])(\w{2,60})\s{1,4}eq\s{1,4}'?$/i
const PARAMETER = /[?&](\w{2,60})=$/
/** The only key of an entity: `/Users('`. */
const ONLY_KEY = /\/(\w{2,60})\('?$/

/** The end of a text with one of these: most scripts write none, and all of their values need not be listed. */
const ENDS_SO = /(?:=|\beq\s{1,4}|\/\w{2,60}\()(?:\\?'|\\x27|\\u0027)?(?:["'`]|\$\{)/i

/** Values that stand behind the name of a key, a parameter or a field of a filter in a text. */
export function* textsSent(facts: ScriptFacts, script: string): Generator<Sent> {
  if (!ENDS_SO.test(script)) return
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'template' && value.kind !== 'concat') continue
    const found = value.parts.flatMap((part, index): Sent[] => {
      const before = value.kind === 'template' ? value.texts[index] : value.parts[index - 1]
      const text = typeof before === 'string' ? before : before && constantOf(before)
      const field = typeof text === 'string' ? fieldBefore(text) : undefined
      return field === undefined ? [] : [{ field, value: part, isWritten: false, isPart: true }]
    })
    // who says a password as well is known by it
    if (found.length === 0 || found.some(({ field }) => isPasswordName(field)) || HARMLESS.test(leadingTextOf(value).text))
      continue
    const address = foreignAddressOf(value)
    for (const sent of found) yield address === undefined ? sent : { ...sent, address }
  }
}

function fieldBefore(text: string): string | undefined {
  return (FILTER.exec(text) ?? PARAMETER.exec(text) ?? ONLY_KEY.exec(text) ?? KEY.exec(text))?.[1]
}

/** What reads the fields of an object that is sent, or may be (`by`): the same ones for each of its requests. */
type FieldReader = (value: Value | undefined, isWritten: boolean, by?: HandedTo) => Generator<Sent>

/** Fields of what requests send, also by functions of the app. Fields that `isOfUser` denies are left out. */
export function* fieldsSent(
  facts: ScriptFacts,
  isOfUser: (sent: Sent) => boolean,
  step: (count?: number) => void,
): Generator<Sent> {
  const fieldsOf = createFieldReader(facts, isOfUser, step)
  for (const call of facts.calls)
    for (const sent of sentBy(call, fieldsOf)) {
      const address = BY_HAND.has(lastNameOf(call.callee) ?? '') ? foreignAddressOfCall(call) : undefined
      yield { ...sent, request: call.start, ...(address !== undefined && { address }) }
    }
  for (const { call, given, by } of sentObjects(facts, step))
    if (!SENT_HERE.has(lastNameOf(call.callee) ?? ''))
      for (const sent of fieldsOf(bodyOf(given), true, by)) yield { ...sent, request: call.start }
}

/** What is given the address of a request. */
const BY_HAND: ReadonlySet<string> = new Set(['fetch', 'ajax'])

/** What `sentBy` reads itself. */
const SENT_HERE: ReadonlySet<string> = new Set([
  'fetch',
  'ajax',
  'create',
  'update',
  'createEntry',
  'createKey',
  'read',
  'callFunction',
  'Filter',
  'URLSearchParams',
])

function* sentBy(call: CallValue, fieldsOf: FieldReader): Generator<Sent> {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const [first, second, third] = args
  switch (name) {
    case 'Filter':
      for (const sent of filterSent(call)) yield { ...sent, filter: call }
      break
    case 'createKey':
      yield* fieldsOf(second, false)
      break
    case 'create':
      // a binding of OData V4 has no path
      yield* fieldsOf(second ?? first, true)
      break
    case 'update':
      yield* fieldsOf(second, true)
      break
    case 'createEntry':
      yield* fieldsOf(second && fieldOf(resolveValue(second), 'properties')?.value, true)
      break
    case 'read':
    case 'callFunction':
      yield* fieldsOf(second && fieldOf(resolveValue(second), 'urlParameters')?.value, name === 'callFunction')
      break
    case 'URLSearchParams':
      yield* fieldsOf(first, false)
      break
    case 'fetch':
      yield* fieldsOf(bodyOf(second && fieldOf(resolveValue(second), 'body')?.value), true)
      break
    case 'ajax':
      yield* fieldsOf(bodyOf(first && fieldOf(resolveValue(first), 'data')?.value), true)
      break
    case 'setParameter':
    case 'setProperty':
      // a property of a row: only then there is a context
      if (first !== undefined && second !== undefined && (name === 'setParameter' || third !== undefined)) {
        const field = stringConstantOf(first)
        if (field !== undefined && callee.kind === 'member')
          yield { field: field.slice(field.lastIndexOf('/') + 1), value: second, isWritten: true }
      }
      break
    default:
  }
}

/** `parameters.LoggedUser = name` in a function that sends something. */
export function* parametersSet({ assignments, calls }: ScriptFacts, step: (count?: number) => void): Generator<Sent> {
  for (const { target, value, function: around } of assignments) {
    if (target.name === undefined || !USER_FIELD.test(target.name) || target.object.kind !== 'reference') continue
    const { binding } = target.object
    step(calls.length + assignments.length)
    // a login sends the password along, which is checked
    if (assignments.some((one) => isPasswordName(one.target.name ?? '') && bindingOf(one.target.object) === binding)) continue
    if (calls.some((call) => isWithin(call, around) && REQUESTS.has(lastNameOf(call.callee) ?? '')))
      yield { field: target.name, value, isWritten: false }
  }
}

/** `new Filter("User", FilterOperator.EQ, name)`, `new Filter({ path: "User", operator: …, value1: name })`. */
export function* filterSent({ args: [path, operator, value] }: CallValue): Generator<Sent> {
  if (path === undefined) return
  const settings = resolveValue(path)
  const [field, how, given] =
    settings.kind === 'object'
      ? [fieldOf(settings, 'path')?.value, fieldOf(settings, 'operator')?.value, fieldOf(settings, 'value1')?.value]
      : [path, operator, value]
  const name = stringConstantOf(field)
  if (name === undefined || how === undefined || given === undefined) return
  const equal = lastNameOf(how) ?? constantOf(how)
  if (equal === 'EQ') yield { field: name, value: given, isWritten: false }
}

/** What `JSON.stringify` makes a text of. */
function bodyOf(value: Value | undefined): Value | undefined {
  const made = value && resolveValue(value)
  const json = made && jsonOf(made)
  return json === made ? value : json
}

/** Reads fields of objects, and those that they are given later by their names. */
function createFieldReader(facts: ScriptFacts, isOfUser: (sent: Sent) => boolean, step: (count?: number) => void): FieldReader {
  const lists = { own: new Map<Value | Binding, readonly Sent[]>(), handed: new Map<Value | Binding, readonly Sent[]>() }
  const listOf = (value: Value, isWritten: boolean, by: HandedTo | undefined): readonly Sent[] => {
    const known = by === undefined ? lists.own : lists.handed
    const key = bindingOf(value) ?? resolveValue(value)
    const before = known.get(key)
    if (before !== undefined) return before
    const found = fieldsIn(value, facts, step)
      .map(({ field, value: given }): Sent => ({ field, value: given, isWritten, ...(by !== undefined && { by }) }))
      .filter(isOfUser)
    known.set(key, found)
    return found
  }
  function* read(
    value: Value,
    isWritten: boolean,
    by: HandedTo | undefined,
    seen: Set<Value | Binding>,
    depth: number,
  ): Generator<Sent> {
    const binding = bindingOf(value)
    const key = binding ?? resolveValue(value)
    if (depth > 2 || seen.has(key)) return
    seen.add(key)
    // a method that sends what others of the file give it
    for (const definition of binding?.definitions ?? []) {
      if (definition.kind !== 'parameter' || definition.path.length > 0) continue
      step(facts.calls.length)
      for (const given of argumentsFor(definition, facts)) yield* read(given, isWritten, by, seen, depth + 1)
    }
    const list = listOf(value, isWritten, by)
    step(list.length)
    for (const sent of list) yield { ...sent, isWritten, ...(by !== undefined && { by }) }
  }
  return function* (value, isWritten, by) {
    if (value !== undefined) yield* read(value, isWritten, by, new Set(), 0)
  }
}

/** A one-time code: neither what asks for one (`otpEnabled`, `withOtp`) nor the code of a booking or a payment (`oneTimePayment`). */
const CODE =
  /^(?!(?:is|has|use|with|send|needs?)_?otp)\w{0,30}otp(?:_?(?:code|value|pin))?$|one_?time_?(?:code|pass|pin|token)|(?:verif\w{1,10}|reset|security)_?(?:code|pin)$/i

/** No constant, and nothing that the page draws: that proves nothing of its user. */
function mayBeEntered(given: Value): boolean {
  const made = resolveValue(given)
  return !isConstant(made) && findPart(made, draws) === undefined
}

function draws(part: Value): boolean {
  return part.kind === 'call' && /^(?:random|getRandomValues|randomInt|randomUUID)$/.test(lastNameOf(part.callee) ?? '')
}

/** None where a password or a one-time code is among them: who says it is known by it. */
function fieldsIn(
  value: Value,
  facts: ScriptFacts,
  step: (count?: number) => void,
): readonly { readonly field: string; readonly value: Value }[] {
  const fields = fieldsGiven(value, facts, step)
  return fields.some(({ key, value: given }) => isPasswordName(key) || (CODE.test(key) && mayBeEntered(given)))
    ? []
    : fields.map(({ key, value: given }) => ({ field: key, value: given }))
}
