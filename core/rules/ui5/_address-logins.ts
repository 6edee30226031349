import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { methodAround } from '../../facts/callbacks.ts'
import {
  constantOf,
  findPart,
  functionAround,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'

/** A page that takes its user from the address, and says that this user is logged in. */
export interface AddressLogin {
  readonly at: Span
  /** The field that says who it is. */
  readonly field: string
  /** The parameter of the address. */
  readonly parameter: string
}

/** What says that somebody is logged in. */
const LOGGED_IN = /^_?(?:is_?)?(?:user_?)?(?:logged_?(?:in|on)|authenticated|authorized|logged|signed_?in)(?:_?user)?$/i
/** Who it is. */
const WHO =
  /^(?:s_?|auth_?|current_?|logged_?in_?)?(?:user(?:_?(?:id|name|mail|email))?|e?mail|uid|login|account|employee(?:_?(?:id|no|code))?|pernr)$/i
/** They may ask whether it is true, or check a signature. */
const ASKS =
  /^(?:fetch|ajax|get|post|read|create|callFunction|send|open|execute|requestObject|invoke|import|verify|decrypt|importKey|getJSON)$|verif|valid(?:at|Tok)|signature|jwt|decode(?!URI)/i

/**
 * `const mail = new URLSearchParams(location.search).get("mail"); if (mail) return { mail, isAuthenticated: true }`, also as entries of a model or of the storage.
 * Facts: URL standard, URLSearchParams; HTML standard, Location: whoever makes a link writes its query.
 */
export const addressLogins: Extract<AddressLogin> = defineExtract({
  name: 'ui5-address-logins',
  keywords: ['location', 'URLSearchParams', 'UriParameters', 'getUriParameters'],
  prefilter: (text) =>
    /URLSearchParams|[uU]riParameters|searchParams/.test(text) &&
    /logged_?(?:in|on)|authenticated|authorized|signed_?in|isLogged/i.test(text),
  *collect({ facts, step }) {
    const told = new Set<FunctionFact>()
    const callsIn = createInnerIndex(facts.calls)
    for (const { at, function: around, pairs } of loginsSaid(facts, step)) {
      const method = methodAround(around) ?? around
      if (told.has(method)) continue
      const calls = callsIn(method)
      step(calls.length + pairs.length)
      if (calls.some(asks)) continue
      for (const { key, value } of [...pairs, ...calls.flatMap(entryOf)]) {
        const parameter = WHO.test(key) ? parameterIn(value, step) : undefined
        if (parameter === undefined) continue
        told.add(method)
        yield { at, field: key, parameter }
        break
      }
    }
  },
})

interface Pair {
  readonly key: string
  readonly value: Value
}

interface LoginSaid {
  readonly at: Span
  readonly function: FunctionFact
  /** What is said beside it. */
  readonly pairs: readonly Pair[]
}

/** `{ isAuthenticated: true, … }` and `setItem("isLoggedIn", "true")`. */
function* loginsSaid(facts: ScriptFacts, step: (count?: number) => void): Generator<LoginSaid> {
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'object') continue
    step(value.fields.length)
    const pairs = value.fields.flatMap(({ key, value: given }) => (key === undefined ? [] : { key, value: given }))
    const said = pairs.find(saysLogin)
    const around = said && functionAround(facts, value.start)
    if (around !== undefined) yield { at: { start: value.start, end: value.end }, function: around, pairs }
  }
  for (const call of facts.calls)
    if (entryOf(call).some(saysLogin)) yield { at: { start: call.start, end: call.end }, function: call.function, pairs: [] }
}

function saysLogin({ key, value }: Pair): boolean {
  const said = constantOf(value)
  return LOGGED_IN.test(key) && (said === true || said === 'true' || said === 'X' || said === 1)
}

/** `storage.setItem("user", …)`, `model.setProperty("/user/mail", …)`. */
function entryOf({ callee, args: [key, value] }: CallValue): readonly Pair[] {
  const name = lastNameOf(callee)
  const text = key && constantOf(key)
  if ((name !== 'setItem' && name !== 'setProperty' && name !== 'put') || typeof text !== 'string' || value === undefined)
    return []
  return [{ key: text.slice(text.lastIndexOf('/') + 1), value }]
}

function asks({ callee, args, kind }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (kind === 'new' || !ASKS.test(name)) return false
  // parameters and maps are read by that name, too
  return name !== 'get' || (callee.kind === 'member' && /^(?:\$|jQuery|axios|http)$/.test(lastNameOf(callee.object) ?? ''))
    ? args.length > 0
    : false
}

/** What looking for a parameter takes. */
const LOOK = 20

/** The parameter of the address that a value is. */
function parameterIn(value: Value, step: (count?: number) => void): string | undefined {
  step(LOOK)
  const read = findPart(value, (part) => part.kind === 'call' && parameterOf(part) !== undefined)
  return read?.kind === 'call' ? parameterOf(read) : undefined
}

function parameterOf({ callee, args: [key] }: CallValue): string | undefined {
  if (callee.kind !== 'member' || callee.name !== 'get' || key === undefined) return undefined
  const made = resolveValue(callee.object)
  const isQuery =
    (made.kind === 'new' &&
      /^(?:URLSearchParams|UriParameters)$/.test(lastNameOf(made.callee) ?? '') &&
      isOfAddress(made.args[0])) ||
    (made.kind === 'member' && made.name === 'searchParams') ||
    (made.kind === 'call' && /^(?:getUriParameters|fromQuery)$/.test(lastNameOf(made.callee) ?? ''))
  const text = constantOf(key)
  return isQuery && typeof text === 'string' ? text : undefined
}

function isOfAddress(value: Value | undefined): boolean {
  return value !== undefined && findPart(value, (part) => lastNameOf(part) === 'location') !== undefined
}
