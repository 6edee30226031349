import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks, methodOf, type Callback } from '../../facts/callbacks.ts'
import {
  constantOf,
  fieldOf,
  isConstant,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { fileNameOf } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { isPasswordName, isRepeatedPassword, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { parentModules, type HandedTo } from './_app-methods.ts'
import { comparedAccount, keptIn } from './_compared-accounts.ts'
import { filledPasswords } from './_filled-passwords.ts'
import { findAnsweredLogins } from './_login-answers.ts'
import { enteredPassword, namedFields, objectIn, sentObjects } from './_sent-bodies.ts'
import { modelOf } from './_user-identities.ts'

/** Of one script: an account that it writes, or that it logs users in by itself. */
export type AccountUse =
  | { readonly kind: 'created'; readonly at: Span; readonly field: string; readonly role: string | undefined }
  /** `by`: the method of the app that it is handed to; `parents`: modules that may send what the form of a sign-up holds. */
  | {
      readonly kind: 'sent'
      readonly at: Span
      readonly field: string
      readonly role: string
      readonly by: HandedTo | undefined
      readonly parents?: readonly string[]
    }
  /** The data of a model by its name, that views fill. */
  | { readonly kind: 'form'; readonly at: Span; readonly model: string; readonly isSignUp: boolean }
  /** A user of the identity provider whose mail address is called verified; a page where users register, with the names of its modules. */
  | { readonly kind: 'directory'; readonly at: Span }
  | { readonly kind: 'sign-up'; readonly modules: readonly string[] }
  /** The password of each row of an answer. */
  | { readonly kind: 'gathered'; readonly at: Span; readonly property: string }
  /** The same of one row, in a field of the page. */
  | { readonly kind: 'filled'; readonly at: Span; readonly property: string }
  /** `isRead`: passwords of accounts come to the page. */
  | { readonly kind: 'login'; readonly isRead: boolean }

export const accountUses: Extract<AccountUse> = defineExtract({
  name: 'ui5-account-uses',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) =>
    mayNamePassword(text, hits) &&
    /\.create(?:Entry)?\b|navTo|[=!]==?|\.(?:ajax|post|send)\(|\bfetch\(|\baxios\b|JSONModel\(|\.setValue\(|\bthis\.\w{1,60}\(/.test(
      text,
    ),
  *collect({ facts, text, step }) {
    yield* createdAccounts(facts)
    yield* sentAccounts(facts, text, step)
    yield* filledAccounts(facts, text)
    yield* sentForms(facts)
    if (OF_SIGN_UP.test(text)) yield* rolesSet(facts)
    yield* verifiedUsers(facts)
    const callbacks = findCallbacks(facts)
    yield* gatheredPasswords(facts, callbacks, step)
    for (const found of filledPasswords(facts, callbacks, step)) yield { kind: 'filled', ...found }
    let login: { isRead: boolean } | undefined
    for (const { value } of valuesOf(facts)) {
      const kept = comparedAccount(value, callbacks)?.kept
      if (kept !== undefined) login = { isRead: login?.isRead === true || kept === 'answer' }
    }
    if (login === undefined && !findAnsweredLogins(facts, text, step).next().done) login = { isRead: false }
    if (login !== undefined) yield { kind: 'login', ...login }
  },
})

/** Where users register themselves; elsewhere somebody who administers them may well choose a role. */
export const SIGN_UP: RegExp = /sign_?up|regist|create_?account|cadastr|inscri/i

/** `$.post("/users", { email, password, role: "buyer" })`: a role that the code writes down, or that is sent where users register. */
function* sentAccounts(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<AccountUse> {
  for (const { call, object: sent, by } of sentObjects(facts, step)) {
    step(sent.fields.length)
    const around = call.function
    // { user: { email, password, role } }
    for (const object of [sent, ...sent.fields.flatMap(({ value }) => objectIn(value) ?? [])]) {
      const fields = namedFields(object)
      const field = enteredPassword(fields)
      const role = fields.find(({ key, value }) => ROLE.test(key) && (isConstant(value) || SIGN_UP.test(around.name)))?.key
      if (field === undefined || role === undefined) continue
      // a method of the app is handed accounts that somebody administers, too
      if (by !== undefined && !SIGN_UP.test(`${around.name} ${text.slice(around.start, around.end)}`)) continue
      yield { kind: 'sent', at: { start: call.start, end: call.end }, field, role, by }
      break
    }
  }
}

/** The controller of a page where users register themselves. */
const OF_SIGN_UP = /\.extend\(\s{0,20}["'`][\w.]{0,100}(?:sign_?up|regist(?:er|ration|ro)|cadastro)["'`]/i

/** `new JSONModel({ email: "", password: "", role: "buyer" })`: what the form of a new account is sent with. */
function* filledAccounts(facts: ScriptFacts, text: string): Generator<AccountUse> {
  const isOfSignUp = OF_SIGN_UP.test(text)
  let parents: readonly string[] | undefined
  for (const call of facts.calls) {
    if (call.kind !== 'new' || lastNameOf(call.callee) !== 'JSONModel') continue
    const form = call.args[0] && objectIn(call.args[0])
    if (form === undefined || (!isOfSignUp && !SIGN_UP.test(call.function.name))) continue
    for (const object of [form, ...form.fields.flatMap(({ value }) => objectIn(value) ?? [])]) {
      const fields = namedFields(object)
      const field = fields.find(({ key, value }) => isPasswordName(key) && constantOf(value) === '')?.key
      const role = fields.find(({ key, value }) => ROLE.test(key) && (constantOf(value) ?? '') !== '')
      if (field === undefined || role === undefined || !fields.some(({ key }) => /mail|user_?name|login/i.test(key))) continue
      const at = { start: role.value.start, end: role.value.end }
      parents ??= parentModules(facts)
      yield { kind: 'sent', at, field, role: role.key, by: undefined, parents }
      break
    }
  }
}

/** How the role of an account is called. */
export const ROLE: RegExp =
  /(?:^|_)(?:user_?)?(?:role|rolle|perfil|ruolo|rol)s?$|(?:User|user)?Role$|^(?:Ruolo|Rol|Perfil|Rolle)$|[uU]ser_?[tT]ype$/

/** `model.create("/Users", { name, password })`, `model.createEntry("/Users", { properties: { … } })`. */
function* createdAccounts({ calls }: ScriptFacts): Generator<AccountUse> {
  for (const call of calls) {
    const sent = accountSentBy(call)
    if (sent === undefined) continue
    const keys = namedFields(sent)
    const field = enteredPassword(keys)
    const role = keys.find(({ key }) => ROLE.test(key))?.key
    // one field beside it at least says whose it is
    if (field !== undefined && keys.length > 1) yield { kind: 'created', at: { start: call.start, end: call.end }, field, role }
  }
}

function accountSentBy({ callee, args: [, given] }: CallValue): (Value & { readonly kind: 'object' }) | undefined {
  const name = lastNameOf(callee)
  if (given === undefined || (name !== 'create' && name !== 'createEntry')) return undefined
  const object = resolveValue(given)
  const sent = name === 'create' ? object : resolveValue(fieldOf(object, 'properties')?.value ?? object)
  return 'fields' in sent ? sent : undefined
}

/** `model.create("/Users", this.getModel("signUp").getData())`: what the views have put into the model. */
function* sentForms({ calls }: ScriptFacts): Generator<AccountUse> {
  for (const { callee, args, start, end, function: around } of calls) {
    const [path, given] = args
    if (lastNameOf(callee) !== 'create' || path === undefined || given === undefined) continue
    const data = resolveValue(given)
    if (data.kind !== 'call' || data.callee.kind !== 'member' || !/^get(?:Data|Property)$/.test(data.callee.name ?? '')) continue
    const whole = data.args[0] === undefined || constantOf(data.args[0]) === '/'
    const model = whole ? modelOf(data.callee.object) : undefined
    if (model === undefined || model === '') continue
    yield { kind: 'form', at: { start, end }, model, isSignUp: SIGN_UP.test(`${around.name} ${model}`) }
  }
}

/** What goes through all items of a list. */
const OF_ALL = /^(?:forEach|map|each)$/

/** `mustChangePassword`, `hasPassword`: says something about a password. */
const ABOUT_PASSWORD = /^_?(?:must|has|is|needs?|changed?|reset|expired?|force)(?=[A-Z_]|pass|pw)/i

/** `answer.results.forEach((row) => passwords.push(row.Password))`: passwords of all accounts that a service answers with. */
function* gatheredPasswords(
  facts: ScriptFacts,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  step: (count?: number) => void,
): Generator<AccountUse> {
  let idle: ReadonlySet<Value> | undefined
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'member' || value.name === undefined || value.object.kind !== 'reference') continue
    if (!isPasswordName(value.name) || isRepeatedPassword(value.name) || ABOUT_PASSWORD.test(value.name)) continue
    const { binding } = value.object
    const given = binding?.kind === 'parameter' ? callbacks.get(binding.function) : undefined
    if (given === undefined || !OF_ALL.test(methodOf(given) ?? '') || keptIn(value.object, callbacks) !== 'answer') continue
    idle ??= idleMembers(facts, step)
    if (!idle.has(value)) yield { kind: 'gathered', at: { start: value.start, end: value.end }, property: value.name }
  }
}

/** What is written or taken away, or only asked whether it is there. */
function idleMembers({ assignments, deletions, guards }: ScriptFacts, step: (count?: number) => void): ReadonlySet<Value> {
  step(assignments.length + deletions.length + guards.length)
  const written = assignments.flatMap(({ target, operator }) => (operator === '=' ? target : []))
  return new Set<Value>([...written, ...deletions, ...guards.flatMap(({ test }) => askedIn(test))])
}

/** `row.password` of `row.password`, `!row.password`, `row.password && …`. */
function askedIn(test: Value, depth = 0): readonly Value[] {
  if (depth > MAX_DEPTH) return []
  if (test.kind === 'operation' && test.operator === '!') return test.operands.flatMap((one) => askedIn(one, depth + 1))
  if (test.kind === 'choice' && test.test === undefined) return test.options.flatMap((one) => askedIn(one, depth + 1))
  return test.kind === 'member' ? [test] : []
}

const MAX_DEPTH = 8

/** Says that an account may do more than others. */
const ADMIN = /^_?(?:is_?)?admin(?:istrator)?$/i

/** `const entered = model.getData(); entered.admin = "X"`, in the controller of a page where users register. */
function* rolesSet(facts: ScriptFacts): Generator<AccountUse> {
  yield { kind: 'sign-up', modules: facts.imports.map(({ source }) => fileNameOf(source)) }
  const field = valuesOf(facts)
    .map(({ value }) => (value.kind === 'member' ? (value.name ?? '') : ''))
    .find((name) => isPasswordName(name) && !isRepeatedPassword(name))
  for (const { target, value } of facts.assignments) {
    const { name: role = '' } = target
    const form = resolveValue(target.object)
    // 0, null, '' and false give no right
    if (field === undefined || !(ADMIN.test(role) || ROLE.test(role)) || !constantOf(value)) continue
    if (form.kind !== 'call' || !/^get(?:Data|Property|Object)$/.test(lastNameOf(form.callee) ?? '')) continue
    yield { kind: 'sent', at: { start: value.start, end: value.end }, field, role, by: undefined }
  }
}

/**
 * Facts: RFC 7643, section 4.1 names the schema, whose e-mail addresses have no `verified`; that is an attribute of SAP Cloud Identity Services, "Identity Directory SCIM
 * API".
 */
const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** `{ schemas: ["urn:…:User"], emails: [{ value, verified: true }] }`: nobody has shown that the address is theirs. */
function* verifiedUsers(facts: ScriptFacts): Generator<AccountUse> {
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'object') continue
    const schemas = resolveValue(fieldOf(value, 'schemas')?.value ?? value)
    if (schemas.kind !== 'array' || !schemas.items.some((item) => constantOf(item) === SCIM_USER)) continue
    const emails = resolveValue(fieldOf(value, 'emails')?.value ?? value)
    for (const item of emails.kind === 'array' ? emails.items : []) {
      const verified = fieldOf(resolveValue(item), 'verified')?.value
      if (verified === undefined || constantOf(verified) !== true) continue
      yield { kind: 'directory', at: { start: verified.start, end: verified.end } }
    }
  }
}
