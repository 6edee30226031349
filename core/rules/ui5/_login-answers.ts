import { functionOf, withoutBind } from '../../facts/callbacks.ts'
import {
  asSum,
  constantOf,
  fieldOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { directParts, isNothing } from '../../facts/values.ts'
import type { Span } from '../../types.ts'
import { isPasswordName, splitWords } from '../../model/script/index.ts'
import { refuses } from './_answer-refusals.ts'
import { passwordNameOf } from './_password-values.ts'
import { createSecretReader } from './_read-secrets.ts'

/** Requests of OData models: what they ask about leaves no session of the user who typed it. Fact: SAPUI5 API, sap.ui.model.odata.v2.ODataModel. */
const REQUESTS: ReadonlySet<string> = new Set(['read', 'callFunction', 'create'])
/** An account that is made is none that somebody logs in to. */
const LOGIN = /log_?(?:in|on)|sign_?in|auth|check|valid|verif/i

/** `queried`: the table of accounts that is filtered by this password. */
interface AnsweredLogin extends Span {
  readonly queried?: { readonly set: string; readonly password: string }
}

/** What decides, opens the next page or keeps who is logged in, where that is all a login does: `model.read("/LoginSet(User='…',Password='…')", { success: (data) => { if (data.Status === "OK") router.navTo("home") } })`. */
export function* findAnsweredLogins(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<AnsweredLogin> {
  const leaving = facts.calls.filter(opensPage)
  if (leaving.length === 0) return
  // this._openPageOf(answer.Role)
  const openers = new Set(leaving.map(({ function: { name } }) => name.slice(name.lastIndexOf('.') + 1)).filter(Boolean))
  const readsSecret = createSecretReader(text, facts, step)
  for (const call of facts.calls) {
    if (!asksForLogin(call)) continue
    step(facts.calls.length + facts.guards.length)
    const success = successOf(call)
    const answer = success?.parameters[0]
    // a token that the answer brings may prove the login later
    if (success === undefined || (answer !== undefined && readsSecret(answer))) continue
    const decisions =
      answer === undefined ? [] : facts.guards.filter((guard) => guard.function === success && asksAbout(guard.test, answer))
    const inside = facts.calls.filter((one) => isWithin(one, success))
    const opening = inside.find((one) => opensPage(one) || (one.callee.kind === 'member' && openers.has(one.callee.name ?? '')))
    // the next page is opened by another function, which asks for what is kept here
    const keeping = opening ?? inside.find((one) => keepsUser(one) && isAccepted(one, decisions))
    if (keeping === undefined || (opening === undefined && changesPassword(call))) continue
    // the last of an else-if is the one that says yes
    const { start, end } = decisions.findLast((guard) => isWithin(keeping, guard.inside))?.test ?? keeping
    const queried = accountsQueried(call)
    yield { start, end, ...(queried !== undefined && { queried }) }
  }
}

/** Rows of people who log in, by names of sets; one that is called like a login may compare by itself. */
const ACCOUNTS = /\busers?\b|usuario|benutzer|utilis|utent|\baccounts?\b|employee|mitarbeiter|\bmembers?\b|customer/

/** `model.read("/Users", { filters: [new Filter("Password", "EQ", password)] })`. */
function accountsQueried({ callee, args: [path, options] }: CallValue): AnsweredLogin['queried'] {
  if (lastNameOf(callee) !== 'read' || path === undefined || options === undefined) return undefined
  const [, set = ''] = /^\/(\w{1,100})$/.exec(String(constantOf(path) ?? '')) ?? []
  const password =
    ACCOUNTS.test(splitWords(set).join(' ')) && !LOGIN.test(set)
      ? passwordFiltered(fieldOf(options, 'filters')?.value)
      : undefined
  return password === undefined ? undefined : { set, password }
}

/** Whether a condition lets something happen, and none that holds where the login is wrong. */
function isAccepted(call: CallValue, decisions: readonly Guard[]): boolean {
  const around = decisions.filter((guard) => isWithin(call, guard.inside))
  return around.length > 0 && !around.some((guard) => refuses(guard.test))
}

function asksAbout(test: Value, answer: Binding): boolean {
  return findPart(test, (part) => 'binding' in part && part.binding === answer) !== undefined
}

/** Who is logged in, by the words of what keeps it. */
const KEPT =
  /(?:^| )(?:(?:cod|current|my|is|o|s)?(?:users?|usr|usuarios?|benutzer|utilisateur)(?:id|no|name|code)?|log(?:ged)? ?(?:in|on)|logado|signed|auth|authenticated|authenticat\w{0,4}|authorized|session|account|conect\w{0,4}|connected)(?: |$)/
/** What only says how a login goes on. */
const SHOWN =
  /(?:^| )(?:err\w{0,4}|message|msg|text|title|label|busy|visible|enabled|editable|state|status|count|attempts?|tries|password|pwd|dialog|hint)(?: |$)/

/** `setProperty("/CurrentUser", id)`, `setItem("user", …)`, `transaction.objectStore("Users").put(row)`. Facts: SAPUI5 API; HTML and IndexedDB standards. */
function keepsUser({ callee, args: [key, value] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (name === 'setProperty' || name === 'setItem')
    return value !== undefined && key !== undefined && namesUser(key) && !isNothing(resolveValue(value))
  if ((name !== 'put' && name !== 'add') || !('object' in callee)) return false
  const store = resolveValue(callee.object)
  const [of] = store.kind === 'call' && lastNameOf(store.callee) === 'objectStore' ? store.args : []
  return of !== undefined && namesUser(of)
}

function namesUser(key: Value): boolean {
  const path = String(constantOf(key) ?? '')
  const words = splitWords(path.slice(path.lastIndexOf('/') + 1)).join(' ')
  return KEPT.test(words) && !SHOWN.test(words)
}

/** The old password and the new one are no login. */
function changesPassword({ args: [path] }: CallValue): boolean {
  if (path === undefined) return false
  const written = asSum(resolveValue(path))
  return directParts(written).filter((part) => NAMES_PASSWORD.test(String(constantOf(part)))).length > 1
}

/** `router.navTo("home")`, `window.location.replace(url)`. */
function opensPage({ callee }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (name === 'navTo' || name === 'toExternal') return true
  return /^(?:replace|assign|redirect)$/.test(name) && /^(?:location|URLHelper)$/.test(nameBefore(callee))
}

function nameBefore(callee: Value): string {
  return ('object' in callee && lastNameOf(callee.object)) || ''
}

function asksForLogin({ callee, args: [path, options] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (!REQUESTS.has(name) || path === undefined || options === undefined) return false
  const asked = resolveValue(path)
  if ('args' in asked && lastNameOf(asked.callee) === 'createKey' && sendsPassword(asked.args[1])) return true
  const written = asSum(asked)
  const parts = [written, ...directParts(written)]
  if (name === 'create') return parts.some((part) => LOGIN.test(String(constantOf(part)))) && sendsPassword(options)
  if (parts.some((part) => passwordNameOf(part) !== undefined || NAMES_PASSWORD.test(String(constantOf(part))))) return true
  return (
    sendsPassword(fieldOf(options, 'urlParameters')?.value) || passwordFiltered(fieldOf(options, 'filters')?.value) !== undefined
  )
}

const NAMES_PASSWORD = /(?:passw(?:or)?d|pwd|senha|kennwort)\s{0,4}(?:=|eq)\s{0,4}'?$/i

function sendsPassword(given: Value | undefined): boolean {
  const sent = given && resolveValue(given)
  return sent !== undefined && 'fields' in sent && sent.fields.some(({ key }) => key !== undefined && isPasswordName(key))
}

/** The property of `[new Filter("Password", "EQ", password)]`. */
function passwordFiltered(given: Value | undefined): string | undefined {
  const filter = given && findPart(given, (part) => isPasswordName(propertyOf(part)))
  return filter && propertyOf(filter)
}

/** `Name` of `new Filter("Name", "EQ", name)`, else ''. */
function propertyOf(part: Value): string {
  const [name] = 'args' in part && lastNameOf(part.callee) === 'Filter' ? part.args : []
  return name === undefined ? '' : String(constantOf(name) ?? '')
}

/** `success: function (data) { … }.bind(this)`, in the options behind the path or behind what is sent. */
function successOf({ args }: CallValue): FunctionFact | undefined {
  for (const given of args.slice(1)) {
    const value = fieldOf(resolveValue(given), 'success')?.value
    if (value === undefined) continue
    return functionOf(withoutBind(value))
  }
  return undefined
}
