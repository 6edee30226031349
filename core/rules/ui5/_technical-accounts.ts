import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  fieldOf,
  isConstant,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isPasswordName, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import type { HandedTo } from './_app-methods.ts'
import { namedFields, objectIn, sentObjects, type NamedField } from './_sent-bodies.ts'
import { textsSent } from './_sent-identities.ts'

/** By which interface requests go: that of an OData model, or written by hand. */
type Way = 'odata' | 'hand'

/** One user and password of the code with which all requests go. */
export interface TechnicalAccount {
  /** The name of the user. */
  readonly at: Span
  readonly way: Way
  /** Of an OData model, as far as it is constant. */
  readonly address?: string
}

const USER = /^(?:user|user_?name|name|login|usuario)$/i
/** What stands in samples for a value that somebody shall fill in. */
const TO_FILL_IN = /^(?:user(?:_?name)?|pass(?:word)?|x+|\*+|change.?me|todo)$|^(?:<|\{|your)/i

/**
 * `new ODataModel(url, { user: "app", password: "…" })`, `headers: { name: "app", password: "…" }` of constants.
 * Facts: SAPUI5 API, sap.ui.model.odata.v2.ODataModel (`user`, `password`); jQuery API, `ajax` (`headers`).
 */
export const technicalAccounts: Extract<TechnicalAccount> = defineExtract({
  name: 'ui5-technical-accounts',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) => mayNamePassword(text, hits) && /ODataModel\(|\bheaders\b/.test(text),
  *collect({ facts, step }) {
    for (const { kind, callee, args } of facts.calls) {
      if (kind !== 'new' || lastNameOf(callee) !== 'ODataModel') continue
      const [address, settings] = args
      const at = settings && userIn(settings)
      if (at === undefined) continue
      const text = address && constantOf(resolveValue(address))
      yield { at, way: 'odata', ...(typeof text === 'string' && { address: text }) }
    }
    for (const { value } of valuesOf(facts)) {
      step()
      const headers = value.kind === 'object' ? fieldOf(value, 'headers')?.value : undefined
      const at = headers && userIn(headers)
      if (at !== undefined) yield { at, way: 'hand' }
    }
  },
})

/** Where a constant user stands beside a constant password. */
function userIn(settings: Value): Span | undefined {
  const object = objectIn(settings)
  if (object === undefined) return undefined
  const written = namedFields(object).filter(({ value }) => isFilledIn(value))
  const user = written.find(({ key }) => USER.test(key))
  if (user === undefined || !written.some(({ key }) => isPasswordName(key))) return undefined
  return { start: user.value.start, end: user.value.end }
}

function isFilledIn(value: Value): boolean {
  const text = constantOf(value)
  return typeof text === 'string' && text !== '' && !TO_FILL_IN.test(text)
}

const SENDS_HEADERS = /\bheaders\s{0,4}:|\.headers\b|\/headers\b|setRequestHeader|setHeaders|\bAuthorization\b/i

/** Where requests of a script get their headers from: `kept` for all requests, or with a credential of the user's `own`. */
export const requestHeaders: Extract<'kept' | 'own'> = defineExtract({
  name: 'ui5-request-headers',
  keywords: ['headers', 'setRequestHeader', 'Authorization'],
  prefilter: (text) => SENDS_HEADERS.test(text),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      const name = lastNameOf(call.callee) ?? ''
      step(call.args.length)
      if (name === 'ajax' || name === 'fetch') {
        const headers = call.args.map((given) => fieldOf(resolveValue(given), 'headers')?.value).find((one) => one !== undefined)
        if (headers !== undefined && (isKept(headers) || userIn(headers) !== undefined)) yield 'kept'
      }
    }
    if (sendsOwn(facts, step)) yield 'own'
  },
})

/** `model.getData().headers`, `model.getProperty("/headers")`, `this.headers`. */
function isKept(headers: Value): boolean {
  const here = resolveValue(headers)
  if (here.kind === 'member') return /headers$/i.test(here.name ?? '')
  const [path] = here.kind === 'call' && lastNameOf(here.callee) === 'getProperty' ? here.args : []
  return path !== undefined && /headers$/i.test(String(constantOf(path) ?? ''))
}

/** By these headers a server knows a user. */
const CREDENTIAL = /^authorization$|^(?:x-)?(?:auth|access|session|id)[-_]?(?:token|key)$|^jwt$/i

function sendsOwn(facts: ScriptFacts, step: (count?: number) => void): boolean {
  for (const { callee, args } of facts.calls) {
    const [name, value] = /^(?:setRequestHeader|set|append)$/.test(lastNameOf(callee) ?? '') ? args : []
    const text = name && constantOf(name)
    if (typeof text === 'string' && CREDENTIAL.test(text) && value !== undefined && !isConstant(value)) return true
  }
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'object') continue
    if (namedFields(value).some((one) => CREDENTIAL.test(one.key) && !isConstant(one.value))) return true
  }
  return false
}

/** A request that says whose rows it is about, or who acts. */
export interface NamedPerson {
  readonly at: Span
  readonly field: string
  readonly way: Way
  readonly by?: HandedTo
}

/** Persons who use an app, in English, German, Spanish, Portuguese and French. */
const PERSON =
  /^(?:[iep]v?_?|p_)?(?:cod|id)?_?(?:user|usr|usuario|uname|bname|benutzer|utilisateur|repres(?:entante)?|sales_?(?:rep|person)|vendedor|vendeur|employee|empleado|funcionario|mitarbeiter|pernr|candidates?|student|aluno|alumno|patient|member|approver|aprov(?:ador)?|aprobador|genehmiger|created_?by|requested_?by|requester)(?:_?(?:id|code|cod|no|nr|name|number|mail|email))?$/i

/** A word of those. */
const MAY_NAME =
  /us(?:e?r|uario)|name\b|benutzer|utilisateur|repres|sales|vend|employee|emplead|funcionario|mitarbeiter|pernr|candidate|student|alumno|aluno|patient|member|appro|aprov|aprob|genehm|_?by\b|requester/i

/** `"Usuario eq '" + user + "'"`, `new Filter("EmployeeId", "EQ", id)`, `save("Attempts", { filters: { candidate_id: id } })`. */
export const namedPersons: Extract<NamedPerson> = defineExtract({
  name: 'ui5-named-persons',
  keywords: [' eq ', "='", 'Filter', '.create(', '.update(', '.ajax(', 'fetch(', 'filters'],
  prefilter: (text) => MAY_NAME.test(text),
  *collect({ facts, step }) {
    for (const { field, value } of textsSent(facts))
      if (PERSON.test(field) && !isConstant(value)) yield { at: { start: value.start, end: value.end }, field, way: 'odata' }
    for (const call of facts.calls) {
      step()
      const found = personOfModel(call)
      if (found !== undefined) yield { ...placed(found), way: 'odata' }
    }
    for (const { object, by } of sentObjects(facts, step)) {
      const found = personIn([object, ...object.fields.flatMap(({ value }) => objectIn(value) ?? [])].flatMap(namedFields))
      if (found !== undefined) yield { ...placed(found), way: 'hand', ...(by !== undefined && { by }) }
    }
  },
})

function placed({ key, value: { start, end } }: NamedField): Pick<NamedPerson, 'at' | 'field'> {
  return { at: { start, end }, field: key }
}

function personOfModel({ callee, args: [first, second, third] }: CallValue): NamedField | undefined {
  const name = lastNameOf(callee) ?? ''
  const text = first && constantOf(first)
  if (typeof text !== 'string') return undefined
  if (name === 'Filter') return third === undefined ? undefined : personIn([{ key: text, value: third }])
  const row = (name === 'create' || name === 'update') && text.startsWith('/') && second !== undefined && objectIn(second)
  return row ? personIn(namedFields(row)) : undefined
}

/** The first field that names a person whom the code doesn't fix; who says a password as well is known by it. */
function personIn(fields: readonly NamedField[]): NamedField | undefined {
  if (fields.some(({ key }) => isPasswordName(key))) return undefined
  return fields.find(({ key, value }) => !isConstant(value) && (PERSON.test(key) || PERSON.test(nameOf(value))))
}

/** The name of a value, or of the property of a model that it is read from. */
function nameOf(value: Value): string {
  const [path] = value.kind === 'call' && lastNameOf(value.callee) === 'getProperty' ? value.args : []
  const text = path && constantOf(path)
  return typeof text === 'string' ? text.slice(text.lastIndexOf('/') + 1) : value.kind === 'reference' ? value.name : ''
}
