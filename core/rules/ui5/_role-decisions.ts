import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf, withoutBind } from '../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  findPart,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { holdsAt, wordsOf } from '../../keywords/index.ts'
import { isDeveloperFile, isOfUi5App, leadingTextOf, mayNamePassword } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { isTyped } from './_password-values.ts'
import { roleIn } from './_role-words.ts'
import { isKeptUser, isStorage } from './_user-identities.ts'

/** What a script decides about the whole app by something that its user can change. */
export interface RoleDecision {
  readonly at: Span
  /** The role, or the key of the storage. */
  readonly name: string
  /**
   * `route`: which pages open; `flag`: the same, by a flag of the storage; `login`: the same, by a user that the storage holds; `user`: the storage holds the
   * user whose roles other code asks; `restored`: a model gets a flag of the storage, `asked`: a guard of the routes asks a model for one; `typed`: the
   * storage gets the name that somebody enters; `answered`: it gets the user that a login answers, `read`: the storage is asked for a user; `steered`: where a
   * login leads to; `address`: the URL says the role.
   */
  readonly by: 'route' | 'flag' | 'login' | 'user' | 'restored' | 'asked' | 'typed' | 'answered' | 'read' | 'steered' | 'address'
}

/** Handlers of these run on each navigation, or on each to one route. Facts: SAPUI5 API, sap.ui.core.routing.Router and Route. */
const ROUTE_EVENTS: ReadonlySet<string> = new Set([
  'attachRouteMatched',
  'attachBeforeRouteMatched',
  'attachPatternMatched',
  'attachMatched',
])
/** What leads to another page. */
const LEADS = /navTo|location\.(?:replace|assign|hash)|setHash/y
const LEADING_WORDS = ['navTo', 'location.', 'setHash']
/** By whatever name: what is restored comes from one. */
const STORAGE = /[sS]torage\b/
const ARGUMENTS = ['"arguments"', "'arguments'"]
/** Says that somebody is logged in, or what they may do; a token is none, since a server looks at it. */
export const FLAG: RegExp = /(?:^|[^a-z])(?:is_?)?(?:logged_?in|authenticated|admin)$|(?:^|[^a-z])(?:user_?)?(?:roles?|type)$/i
const USER = /user|session|login|auth|profile/i
const NO_USER = /token|settings|preferences|theme|variant|language|prefs/i

/**
 * Guards of routes by a role, and roles or logins that are restored from the storage of the browser.
 * Facts: Web Storage (HTML standard): the user of a browser reads and writes it in the developer tools.
 */
export const roleDecisions: Extract<RoleDecision> = defineExtract({
  name: 'ui5-role-decisions',
  keywords: [...ROUTE_EVENTS, 'navTo', ...ARGUMENTS, 'location.', 'setHash', 'localStorage', 'sessionStorage', 'sap.storage'],
  prefilter: (text, hits) =>
    (ARGUMENTS.some(hits.has) && MAY_READ_ADDRESS.test(text)) ||
    (holdsAt(text, hits.places(text, LEADING_WORDS), LEADS) &&
      /role|admin|logged|log(?:in)?_?user|authenticated|user_?(?:type|name|id)|current_?user|\bis\w{0,30}user/i.test(text) &&
      ([...ROUTE_EVENTS].some(hits.has) || STORAGE.test(text) || mayNamePassword(text, wordsOf(text)))) ||
    (text.includes('JSON.parse') && /\bsetData\b|\bJSONModel\b/.test(text) && STORAGE.test(text)) ||
    /(?:setItem|put)\(\s{0,4}["'`]\w{0,30}(?:user|logged)/i.test(text),
  collect: ({ facts, text, step }) => [
    ...routeGuards(facts, step),
    ...storedRoles(facts, step),
    ...typedUsers(facts),
    ...addressedRoles(facts, step),
    ...(mayNamePassword(text, wordsOf(text)) ? [...steeredLogins(facts, step), ...answeredUsers(facts, step)] : []),
  ],
})

/** Whether requests carry a token or the cookies of a session: then a server may know who is logged in, whatever the storage says. */
export const sentCredentials: Extract<true> = defineExtract({
  name: 'ui5-sent-credentials',
  keywords: ['authorization', 'bearer', 'withCredentials', 'credentials', 'session-', 'auth-token', 'access-token'],
  prefilter: (text) =>
    OWN_HEADER.test(text) ||
    /["'`]?authorization["'`]?\s{0,4}[:,\]]|["'`]bearer |withCredentials["'`]?\s{0,4}[:=]\s{0,4}(?:true|!0)|credentials["'`]?\s{0,4}:\s{0,4}["'`](?:include|same-origin)/i.test(
      text,
    ),
  collectText: () => [true],
})

/** `headers: { 'Session-Key': token }`, of APIs that ask for a header of their own. */
const OWN_HEADER = /["'`](?:x-)?(?:(?:session-(?:key|token|id))|(?:auth|access)-token)["'`]\s{0,4}[:,\]]/i

/** Servers of the project that keep sessions or give out tokens: then a login may have left one. */
export const serverSessions: Extract<true> = defineExtract({
  name: 'ui5-server-sessions',
  keywords: ['cookie', 'session', 'jsonwebtoken', 'jose', 'passport'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  prefilter: (text) => /set-cookie|\.cookie\s?\(|-session["']|\.session\b|["'](?:jsonwebtoken|jose|passport)["']/i.test(text),
  collectText: () => [true],
})

function* routeGuards(facts: ScriptFacts, step: (count?: number) => void): Generator<RoleDecision> {
  const handlers = facts.calls.flatMap((call) =>
    ROUTE_EVENTS.has(lastNameOf(call.callee) ?? '') ? (handlerOf(call.args[0], facts) ?? []) : [],
  )
  if (handlers.length === 0) return
  const leaving = navigationsIn(facts)
  const seen = new Set<number>()
  for (const { test, inside, function: around } of facts.guards) {
    step()
    if (!handlers.some((handler) => isWithin(around, handler))) continue
    if (!leaving.some((call) => isWithin(call, inside))) continue
    const role = roleIn(test)
    const name = role ?? flagIn(test)
    if (name === undefined || seen.has(test.start)) continue
    seen.add(test.start)
    yield { at: { start: test.start, end: test.end }, name, by: role === undefined ? 'asked' : 'route' }
  }
}

/** `if (account.role === "Admin") navTo("admin") else navTo("home")`, in a script that asks for a password: a role decides where the login leads to. */
function* steeredLogins(facts: ScriptFacts, step: (count?: number) => void): Generator<RoleDecision> {
  const leaving = openingsIn(facts)
  if (leaving.length < 2) return
  for (const { test, inside, function: around } of facts.guards) {
    step(leaving.length)
    const name = comparedRole(test)
    if (name === undefined || !leaving.some((call) => isWithin(call, inside))) continue
    if (leaving.some((call) => isWithin(call, around) && !isWithin(call, inside)))
      yield { at: { start: test.start, end: test.end }, name, by: 'steered' }
  }
}

const ROLE_OF_ACCOUNT = /rol(?:e|es|le)?(?:_?(?:key|name|code))?$|user_?type$|perfil$/i

/** The role that is compared with a text, beside whatever else is asked. */
function comparedRole(test: Value): string | undefined {
  const comparison = findPart(test, (part) => roleComparedIn(part) !== undefined)
  return comparison && roleComparedIn(comparison)
}

function roleComparedIn(test: Value): string | undefined {
  if (test.kind !== 'operation' || !/^[!=]==?$/.test(test.operator)) return undefined
  const [one, other] = test.operands
  for (const [role, text] of [
    [one, other],
    [other, one],
  ]) {
    const name = (role && lastNameOf(role)) ?? ''
    if (text !== undefined && typeof constantOf(text) === 'string' && ROLE_OF_ACCOUNT.test(name)) return name
  }
  return undefined
}

/** The flag of a model that a condition asks for: `model.getProperty("/isLoggedIn")`. */
function flagIn(test: Value): string | undefined {
  const read = findPart(
    test,
    (part) => part.kind === 'call' && lastNameOf(part.callee) === 'getProperty' && FLAG.test(lastStep(part)),
  )
  return read?.kind === 'call' ? lastStep(read) : undefined
}

function lastStep({ args: [path] }: CallValue): string {
  const text = stringConstantOf(path)
  return text !== undefined ? text.slice(text.lastIndexOf('/') + 1) : ''
}

/** A function, `this._onRouteMatched`, or either with `.bind(this)`. */
function handlerOf(given: Value | undefined, facts: ScriptFacts): FunctionFact | undefined {
  const handler = given && withoutBind(given)
  const known = functionOf(handler)
  if (known !== undefined || handler?.kind !== 'member' || handler.object.kind !== 'this') return known
  return facts.functions.find(({ name, owner }) => owner !== undefined && name.slice(name.lastIndexOf('.') + 1) === handler.name)
}

function navigationsIn({ calls }: ScriptFacts): readonly CallValue[] {
  return calls.filter(({ callee }) => lastNameOf(callee) === 'navTo')
}

/** The same, and what writes another page of the app into the address: `location.replace("#/admin")`, `location.hash = "/admin"`. */
function openingsIn(facts: ScriptFacts): readonly Span[] {
  const isOfAddress = (value: Value): boolean => lastNameOf(value) === 'location'
  return [
    ...navigationsIn(facts),
    ...facts.calls.filter(
      ({ callee, args: [page] }) =>
        page !== undefined &&
        (lastNameOf(callee) === 'setHash' ||
          (/^(?:replace|assign)$/.test(lastNameOf(callee) ?? '') && 'object' in callee && isOfAddress(callee.object))) &&
        /^(?:#|$)/.test(leadingTextOf(page).text),
    ),
    ...facts.assignments.filter(({ target }) => target.name === 'hash' && isOfAddress(target.object)),
  ]
}

function* storedRoles(facts: ScriptFacts, step: (count?: number) => void): Generator<RoleDecision> {
  const reads = facts.calls.flatMap((call) => {
    const key = storedKey(call)
    return key === undefined ? [] : [{ call, key }]
  })
  if (reads.length === 0) return
  const leaving = navigationsIn(facts)
  const guards = (read: CallValue): boolean =>
    facts.guards.some(({ test, inside }) => holds(test, read) && leaving.some((leave) => isWithin(leave, inside)))
  for (const { call, key } of reads) {
    step(facts.guards.length + facts.calls.length)
    const decision = { at: { start: call.start, end: call.end }, name: key }
    if (isKeptUser(key)) yield { ...decision, by: 'read' }
    if (FLAG.test(key)) {
      if (guards(call)) yield { ...decision, by: 'flag' }
      else if (facts.calls.some((one) => putsIntoModel(one, call))) yield { ...decision, by: 'restored' }
    } else if (isKeptUser(key) && guards(call)) yield { ...decision, by: 'login' }
    else if (USER.test(key) && !NO_USER.test(key) && facts.calls.some((one) => givesToModel(one, call)))
      yield { ...decision, by: 'user' }
  }
}

/** `sessionStorage.setItem("user", this.byId("name").getValue())`: nobody has looked at a password. */
function* typedUsers({ calls }: ScriptFacts): Generator<RoleDecision> {
  for (const { callee, args, start, end } of calls) {
    if (callee.kind !== 'member' || (callee.name !== 'setItem' && callee.name !== 'put') || !isStorage(callee.object)) continue
    const [key, value] = args
    const name = stringConstantOf(key)
    if (name !== undefined && isKeptUser(name) && value !== undefined && isEntered(value))
      yield { at: { start, end }, name, by: 'typed' }
  }
}

/** `localStorage.setItem("userId", answer.userId)` before the next page opens, in a script that asks for a password. */
function* answeredUsers(facts: ScriptFacts, step: (count?: number) => void): Generator<RoleDecision> {
  const leaving = navigationsIn(facts)
  for (const { callee, args, start, end, function: around } of facts.calls) {
    if (callee.kind !== 'member' || callee.name !== 'setItem' || !isStorage(callee.object)) continue
    const [key, value] = args
    const name = stringConstantOf(key)
    if (name === undefined || !isKeptUser(name) || value?.kind !== 'member' || !isParameter(value.object)) continue
    step(leaving.length)
    if (leaving.some((call) => isWithin(call, around))) yield { at: { start, end }, name, by: 'answered' }
  }
}

function isParameter(value: Value): boolean {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  return definitions.length > 0 && definitions.every(({ kind, value: given }) => kind === 'parameter' && given === undefined)
}

const ROLE_OF_ADDRESS = /^(?:is_?admin|user_?(?:role|type))$/i
const MAY_READ_ADDRESS = /["']arguments["'][^]{0,2000}\.(?:is_?admin|user_?(?:role|type))\b/i
const OPENS = /^(?:setVisible|setEnabled|setEditable|navTo)$/

/** `if (event.getParameter("arguments").isAdmin === "true") tile.setVisible(true)`. */
function* addressedRoles({ calls, guards }: ScriptFacts, step: (count?: number) => void): Generator<RoleDecision> {
  for (const { test, inside } of guards) {
    step()
    const role = findPart(test, isOfAddress)
    if (role?.kind !== 'member' || !calls.some((call) => isWithin(call, inside) && OPENS.test(lastNameOf(call.callee) ?? '')))
      continue
    yield { at: { start: role.start, end: role.end }, name: role.name ?? '', by: 'address' }
    return
  }
}

function isOfAddress(value: Value): boolean {
  if (value.kind !== 'member' || !ROLE_OF_ADDRESS.test(value.name ?? '')) return false
  const object = resolveValue(value.object)
  const [name] = object.kind === 'call' && lastNameOf(object.callee) === 'getParameter' ? object.args : []
  return name !== undefined && constantOf(name) === 'arguments'
}

/** Models that the fields of a login write into. */
const LOGIN_MODEL = /log_?in|log_?on|credential/i

/** Read from a field of the page, or from the model of a login. */
function isEntered(value: Value): boolean {
  if (isTyped(value)) return true
  const read = resolveValue(value)
  if (read.kind !== 'call' || lastNameOf(read.callee) !== 'getProperty' || read.callee.kind !== 'member') return false
  return LOGIN_MODEL.test(lastNameOf(read.callee.object) ?? '')
}

/** `localStorage.getItem("key")`, `jQuery.sap.storage(…).get("key")`. */
function storedKey({ callee, args }: CallValue): string | undefined {
  if (callee.kind !== 'member' || (callee.name !== 'getItem' && callee.name !== 'get') || !isStorage(callee.object))
    return undefined
  return stringConstantOf(args[0])
}

const MAX_DEPTH = 6

/** Whether a condition asks what a call gave, a field of it, or either compared. */
function holds(test: Value, call: CallValue, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const value = resolveValue(test)
  if (value === call) return true
  if (value.kind === 'member') return holds(value.object, call, depth + 1)
  if (value.kind === 'operation') return value.operands.some((operand) => holds(operand, call, depth + 1))
  if (value.kind === 'choice') return value.options.some((option) => holds(option, call, depth + 1))
  return value.kind === 'call' && lastNameOf(value.callee) === 'parse' && value.args.some((one) => holds(one, call, depth + 1))
}

/** `new JSONModel(JSON.parse(stored))`, `model.setData(JSON.parse(stored))`. */
function givesToModel({ kind, callee, args }: CallValue, call: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (!(kind === 'new' ? name === 'JSONModel' : name === 'setData') || args[0] === undefined) return false
  const value = resolveValue(args[0])
  return value.kind === 'call' && lastNameOf(value.callee) === 'parse' && holds(value, call)
}

/** `new JSONModel({ isLoggedIn: stored === "true" })`, `model.setProperty("/isLoggedIn", stored)`. */
function putsIntoModel({ kind, callee, args: [first, second] }: CallValue, call: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (kind === 'call' && name === 'setProperty') return second !== undefined && holds(second, call)
  if (kind !== 'new' || name !== 'JSONModel' || first === undefined) return false
  const data = resolveValue(first)
  return data.kind === 'object' && data.fields.some(({ value }) => holds(value, call))
}
