import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf, methodAround } from '../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  findPart,
  functionAround,
  resolveValue,
  valuesOf,
  type Assignment,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { isOfThis } from './_user-identities.ts'

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
  /^(?:fetch|ajax|get|post|read|create|callFunction|send|open|execute|requestObject|invoke|import|verify|decrypt|importKey|getJSON)$|verif|signature|jwt|decode(?!URI)/i
/** They may look at the form alone. */
const VALIDATES = /valid(?:at|Tok)/i
/** What proves who somebody is, to those who check it. */
const PROOF = /token|ticket|assertion|(?:^|_|[a-z])code$|^sig(?:n|nature)?$|_sig(?:nature)?$/i

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
    const assignedIn = createInnerIndex(facts.assignments)
    const isAsked = createAsker(facts, callsIn, step)
    for (const { at, function: around, pairs } of loginsSaid(facts, step)) {
      const method = methodAround(around) ?? around
      if (told.has(method)) continue
      const calls = callsIn(method)
      step(calls.length + pairs.length)
      if (isAsked(calls)) continue
      const said = [...pairs, ...calls.flatMap(entryOf)].flatMap(({ key, value }) => {
        const parameter = WHO.test(key) ? parameterIn(value, step) : undefined
        return parameter === undefined ? [] : { key, parameter }
      })
      const [first] = said
      if (first === undefined || handsProofOn([...pairs, ...assignedIn(method).flatMap(pairOf)], calls, step)) continue
      told.add(method)
      yield { at, field: first.key, parameter: first.parameter }
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
  const text = stringConstantOf(key)
  if ((name !== 'setItem' && name !== 'setProperty' && name !== 'put') || text === undefined || value === undefined) return []
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

/** What a function does, and those of the file that it calls. */
interface Followed {
  readonly isAsked: boolean
  readonly readsAddress: boolean
}

/** Functions of the file that are followed from one login. */
const MAX_FUNCTIONS = 50

/** Whether calls ask about what the address says: themselves, or by functions of the file that get it or read it. What other modules validate may be asked for there. */
function createAsker(
  facts: ScriptFacts,
  callsIn: (around: FunctionFact) => readonly CallValue[],
  step: (count?: number) => void,
): (calls: readonly CallValue[]) => boolean {
  const ownOf = createOwnReader(facts)
  const known = new Map<FunctionFact, Followed>()
  const followed = (first: FunctionFact): Followed => {
    const before = known.get(first)
    if (before !== undefined) return before
    const open = new Set([first])
    let isAsked = false
    let readsAddress = false
    for (const one of open) {
      const calls = callsIn(one)
      step(calls.length)
      for (const call of calls) {
        const own = ownOf(call)
        isAsked ||= asks(call) || (own === undefined && validates(call))
        readsAddress ||= parameterOf(call) !== undefined
        if (own !== undefined && open.size < MAX_FUNCTIONS) open.add(own)
      }
    }
    const found = { isAsked, readsAddress }
    known.set(first, found)
    return found
  }
  return (calls) =>
    calls.some((call) => {
      if (asks(call)) return true
      const own = ownOf(call)
      if (own === undefined) return validates(call)
      const { isAsked, readsAddress } = followed(own)
      return isAsked && (readsAddress || call.args.some((given) => parameterIn(given, step) !== undefined))
    })
}

function validates({ callee, args, kind }: CallValue): boolean {
  return kind !== 'new' && args.length > 0 && VALIDATES.test(lastNameOf(callee) ?? '')
}

/** The function of the file that a call names: by its name, or as a method of `this`. */
function createOwnReader({ functions }: ScriptFacts): (call: CallValue) => FunctionFact | undefined {
  const methods = new Map(functions.flatMap((one) => (one.owner === undefined ? [] : [[lastName(one.name), one] as const])))
  return ({ callee }) => {
    if (callee.kind !== 'member') return functionOf(callee)
    return callee.name !== undefined && isOfThis(callee.object) ? methods.get(callee.name) : undefined
  }
}

/** A token or ticket of the same address is kept as one, or handed on: whoever gets it checks it. */
function handsProofOn(pairs: readonly Pair[], calls: readonly CallValue[], step: (count?: number) => void): boolean {
  const isProof = (value: Value): boolean => PROOF.test(parameterIn(value, step) ?? '')
  if ([...pairs, ...calls.flatMap(entryOf)].some(({ key, value }) => PROOF.test(key) && isProof(value))) return true
  return calls.some((call) => {
    // to read, to show or to keep it under another name is no use of it
    if (call.kind === 'new' || entryOf(call).length > 0 || isOfLanguage(call.callee)) return false
    return call.args.some((given) => {
      step()
      const made = resolveValue(given)
      if (made.kind === 'call') return PROOF.test(parameterOf(made) ?? '')
      if (made.kind !== 'object') return false
      step(made.fields.length)
      return made.fields.some(({ key, value }) => key !== undefined && PROOF.test(key) && isProof(value))
    })
  })
}

/** `String(token)`, `console.log(token)`, `JSON.parse(token)` */
function isOfLanguage(callee: Value): boolean {
  if (callee.kind === 'reference') return callee.binding === undefined
  return callee.kind === 'member' && /^(?:console|Log|JSON|String|Number|Object)$/.test(lastNameOf(callee.object) ?? '')
}

/** `this._token = …` */
function pairOf({ target, value }: Assignment): readonly Pair[] {
  return target.name === undefined ? [] : [{ key: target.name, value }]
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
  const text = stringConstantOf(key)
  return isQuery ? text : undefined
}

function isOfAddress(value: Value | undefined): boolean {
  return value !== undefined && findPart(value, (part) => lastNameOf(part) === 'location') !== undefined
}
