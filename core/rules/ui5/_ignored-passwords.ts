import { functionOf, withoutBind } from '../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../facts/span-index.ts'
import { directParts } from '../../facts/values.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { isPasswordName, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { passwordNameOf } from './_password-values.ts'
import { speaksOfLogin } from './_unchecked-logins.ts'

/** What asks a service for something. Facts: SAPUI5 API, sap.ui.model.odata.v2.ODataModel; jQuery API; Fetch standard. */
const REQUESTS: ReadonlySet<string> = new Set(['read', 'callFunction', 'ajax', 'get', 'getJSON', 'fetch', 'requestContexts'])
/** How the name of a user is called where one logs in. */
const USER = /us(?:e)?r|mail|log_?[io]n|account|usuario|utilisateur|benutzer|kullanici|employee|^_?[a-z]{0,3}_?name$/i
/** What a page keeps of a login: `setProperty("/isLogin", true)`, `setItem("user", …)`. */
const KEPT = /log_?(?:ged_?)?(?:in|on)|sign_?(?:ed_?)?in|auth|^current_?user|^\/?user|session/i

/** A login that reads the account by the entered name, and never uses the entered password. */
interface IgnoredPassword {
  readonly at: Span
  readonly name: string
  /** A model has the password, and nothing asks it for it. */
  readonly isUnread?: true
}

export const ignoredPasswords: Extract<IgnoredPassword> = defineExtract({
  name: 'ui5-ignored-passwords',
  keywords: PASSWORD_KEYWORDS,
  inPages: true,
  prefilter: (text, hits) => mayNamePassword(text, hits) && /navTo|toExternal|set(?:Property|Item)/.test(text),
  *collect({ facts, step }) {
    for (const { name, start, end } of findIgnoredPasswords(facts, step)) yield { at: { start, end }, name }
    yield* findUnreadPasswords(facts, step)
  },
})

/**
 * `new JSONModel({ user: "", password: "" })` that a form fills, and `onLogin`, which asks the model for the user alone: `read("/Orders", { filters: [new Filter("user", "EQ", user)],
 * success: (found) => { if (found.results.length > 0) navTo("home") } })`.
 */
function* findUnreadPasswords(facts: ScriptFacts, step: (count?: number) => void): Generator<IgnoredPassword> {
  const name = formPasswordOf(facts, step)
  if (name === undefined || readsAnyPassword(facts, step)) return
  const callsIn = createInnerIndex(facts.calls)
  for (const call of facts.calls) {
    const around = call.function
    if (!speaksOfLogin(lastName(around.name)) || !isByUser(call, around)) continue
    const calls = callsIn(around)
    step(calls.length)
    if (!callbacksOf(call, calls).some((fact) => logsIn(callsIn(fact)))) continue
    yield { at: { start: call.start, end: call.end }, name, isUnread: true }
  }
}

/** The empty password of a model that is made for a form with the name of a user beside it. */
function formPasswordOf({ calls }: ScriptFacts, step: (count?: number) => void): string | undefined {
  for (const { kind, callee, args } of calls) {
    step()
    const form = kind === 'new' && lastNameOf(callee) === 'JSONModel' && args[0] ? resolveValue(args[0]) : undefined
    if (form?.kind !== 'object') continue
    const empty = form.fields.flatMap(({ key, value }) => (key !== undefined && constantOf(value) === '' ? key : []))
    const password = empty.find(isPasswordName)
    if (password !== undefined && empty.some((key) => USER.test(key))) return password
  }
  return undefined
}

/** Anything that gets the password, or all that the form holds, or the form itself: what is handed on may be asked elsewhere. */
function readsAnyPassword(facts: ScriptFacts, step: (count?: number) => void): boolean {
  step(facts.values.length)
  return valuesOf(facts).some(({ value }) => {
    if (value.kind === 'member' || value.kind === 'reference')
      return isPasswordName(value.name ?? '') || (value.kind === 'member' && value.name === 'oData')
    if (value.kind !== 'call') return false
    const read = lastNameOf(value.callee) ?? ''
    if (/^(?:getData|getJSON|getObject)$/.test(read) || readsPassword(value)) return true
    if (read === 'getProperty') return [undefined, '', '/'].includes(fieldIn(value))
    if (read === 'setModel') return 'object' in value.callee && isShared(value.callee.object)
    step(value.args.length)
    return value.args.some(isModel)
  })
}

/** A model that is set here is asked by other controllers as well. */
const SHARES = /^(?:getOwnerComponent|getCore|component|_?oComponent)$/i

function isShared(given: Value): boolean {
  const owner = resolveValue(given)
  return SHARES.test(lastNameOf(owner.kind === 'call' ? owner.callee : owner) ?? '')
}

function isModel(given: Value): boolean {
  const value = resolveValue(given)
  return value.kind === 'call' && /^(?:getModel|JSONModel)$/.test(lastNameOf(value.callee) ?? '')
}

/**
 * `const password = byId("pw").getValue(); model.read("/Users('" + user + "')", { success: (found) => { … setProperty("/isLogin", true) } })`: the name alone
 * decides. The span is that of the password where it is read.
 */
function* findIgnoredPasswords(facts: ScriptFacts, step: (count?: number) => void): Generator<Span & { readonly name: string }> {
  const entered = facts.bindings.filter(isEnteredPassword)
  if (entered.length === 0) return
  step(facts.values.length)
  const used = usedNames(facts, new Set(entered))
  const callsIn = createInnerIndex(facts.calls)
  const logging = new Map<FunctionFact, boolean>()
  const isLogin = (fact: FunctionFact): boolean => {
    const known = logging.get(fact) ?? logsIn(callsIn(fact))
    logging.set(fact, known)
    return known
  }
  const opensFor = (call: CallValue, around: FunctionFact, calls: readonly CallValue[]): boolean => {
    if (!isByUser(call, around)) return false
    step(calls.length)
    return callbacksOf(call, calls).some(isLogin)
  }
  for (const binding of entered) {
    const [read] = binding.definitions
    const { function: around } = binding
    if (read?.value === undefined || used.has(binding)) continue
    const calls = callsIn(around)
    step(calls.length)
    const { start, end } = read.value
    // it is read once more, where it is sent or compared
    const field = fieldIn(read.value)
    const isReadAgain = calls.some(
      (call) => !isWithin(call, { start, end }) && (readsPassword(call) || (field !== undefined && fieldIn(call) === field)),
    )
    if (!isReadAgain && calls.some((call) => opensFor(call, around, calls))) yield { name: binding.name, start, end }
  }
}

/** `const password = this.byId("password").getValue()`. */
function isEnteredPassword({ name, kind, definitions }: Binding): boolean {
  const [only, other] = definitions
  if ((kind !== 'const' && kind !== 'let' && kind !== 'var') || only?.value === undefined || other !== undefined) return false
  if (only.kind !== 'init' || only.path.length > 0) return false
  return readsPassword(only.value) || (isPasswordName(name) && fieldIn(only.value) !== undefined)
}

/** Whether a control or a property that is read speaks of a password. */
export function readsPassword(value: Value): boolean {
  return fieldIn(value) !== undefined && passwordNameOf(value) !== undefined
}

/** The control or the property that a value is read from: `pw` of `byId("pw").getValue()`, `/pw` of `getProperty("/pw")`. */
export function fieldIn(value: Value): string | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member') return undefined
  const { name, object } = value.callee
  if (name === 'getProperty') return stringConstantOf(value.args[0])
  if (name !== 'getValue' && name !== 'val') return undefined
  const control = resolveValue(object)
  return (control.kind === 'call' ? stringConstantOf(control.args[0]) : undefined) ?? lastNameOf(object)
}

/** Those of the names whose value goes anywhere; whether something was entered is no use of it. */
function usedNames(facts: ScriptFacts, names: ReadonlySet<Binding>): ReadonlySet<Binding> {
  const idle = new Set<Value>()
  const addTest = (test: Value, depth = 0): void => {
    const whole = emptinessOf(test)
    if (whole !== undefined) idle.add(whole)
    else if (depth < MAX_DEPTH && (test.kind === 'choice' || (test.kind === 'operation' && test.operator === '!')))
      for (const part of directParts(test)) addTest(part, depth + 1)
  }
  for (const { test } of facts.guards) addTest(test)
  const used = new Set<Binding>()
  for (const { value } of valuesOf(facts)) {
    if (value.kind === 'reference' && value.binding !== undefined && names.has(value.binding) && !idle.has(value))
      used.add(value.binding)
  }
  return used
}

const MAX_DEPTH = 8

/** The name in `password`, `password === ""`, `password.length === 0`, `!password.trim()`. */
function emptinessOf(test: Value): Value | undefined {
  let here = test
  if (here.kind === 'operation' && /^[=!<>]=?=?$/.test(here.operator) && here.operands.length > 1) {
    const asked = here.operands.filter((operand) => !isEmpty(operand))
    if (asked.length !== 1 || asked[0] === undefined) return undefined
    here = asked[0]
  }
  if (here.kind === 'call' && here.args.length === 0 && lastNameOf(here.callee) === 'trim' && here.callee.kind === 'member')
    here = here.callee.object
  if (here.kind === 'member' && here.name === 'length') here = here.object
  return here.kind === 'reference' ? here : undefined
}

/** A constant that holds nothing. */
export function isEmpty(value: Value): boolean {
  const constant = constantOf(value)
  return constant === '' || constant === null || constant === 0 || lastNameOf(value) === 'undefined'
}

/** It is asked by the name that was entered in the same function. */
function isByUser({ kind, callee, args }: CallValue, around: FunctionFact): boolean {
  if (kind !== 'call' || !REQUESTS.has(lastNameOf(callee) ?? '')) return false
  return args.some(
    (given) =>
      given.kind !== 'function' &&
      findPart(
        given,
        (part) =>
          part.kind === 'reference' &&
          part.binding?.function === around &&
          part.binding.definitions.some(({ value }) => value !== undefined && isUserEntered(part.name, value)),
      ) !== undefined,
  )
}

/** The variable is called so, or the field that it is read from. */
function isUserEntered(name: string, given: Value): boolean {
  const isCalledSo = USER.test(name)
  return (
    findPart(given, (part) => (isCalledSo ? fieldIn(part) !== undefined : USER.test(lastName(fieldIn(part) ?? '')))) !== undefined
  )
}

/** Functions that get the answer: among the arguments, in the options, and behind `then` and `done`. */
export function callbacksOf(call: CallValue, calls: readonly CallValue[]): readonly FunctionFact[] {
  const given = call.args.flatMap((argument) => {
    const success = fieldOf(resolveValue(argument), 'success')?.value
    return [argument, ...(success === undefined ? [] : [success])]
  })
  const later = calls.flatMap(({ callee, args }) =>
    callee.kind === 'member' && /^(?:then|done|success)$/.test(callee.name ?? '') && isWithin(call, callee.object) ? args : [],
  )
  return [...given, ...later].flatMap((value) => functionOf(withoutBind(value)) ?? [])
}

/** It keeps that somebody is logged in: `setProperty("/isLogin", true)`, `sessionStorage.setItem("user", name)`. */
function logsIn(calls: readonly CallValue[]): boolean {
  return calls.some(({ callee, args: [key, value] }) => {
    const name = lastNameOf(callee) ?? ''
    if (name === 'navTo' || name === 'toExternal') return true
    if ((name !== 'setProperty' && name !== 'setItem') || key === undefined || value === undefined) return false
    const text = stringConstantOf(key)
    const isCleared = isEmpty(value) || constantOf(value) === false
    return text !== undefined && KEPT.test(text.slice(text.lastIndexOf('/') + 1)) && !isCleared
  })
}
