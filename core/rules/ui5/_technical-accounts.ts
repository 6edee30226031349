import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  isConstant,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { spanOf } from '../../facts/span-index.ts'
import { holdsAt } from '../../keywords/index.ts'
import { isPasswordName, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import type { HandedTo } from './_app-methods.ts'
import { namedFields, objectIn, sentObjects, type NamedField } from './_sent-bodies.ts'
import { filterSent, textsSent } from './_sent-fields.ts'

/** By which interface requests go: that of an OData model, or written by hand. */
type Way = 'odata' | 'hand'

/** One user and password of the code with which all requests go. */
export interface TechnicalAccount {
  /** The name of the user. */
  readonly at: Span
  readonly way: Way
  /** Of an OData model, as far as it is constant. */
  readonly address?: string
  /** Of an OData model: the names by which other functions get it. */
  readonly keptAs?: readonly string[]
}

const USER = /^(?:user|user_?name|name|login|usuario)$/i
/** What stands in samples for a value that somebody shall fill in. */
const TO_FILL_IN = /^(?:user(?:_?name)?|pass(?:word)?|x+|\*+|change.?me|todo|your)$|^your[-_ ]|^your(?:user|pass|login|account)/i

/**
 * `new ODataModel(url, { user: "app", password: "…" })`, `headers: { name: "app", password: "…" }` of constants.
 * Facts: SAPUI5 API, sap.ui.model.odata.v2.ODataModel (`user`, `password`); jQuery API, `ajax` (`headers`).
 */
export const technicalAccounts: Extract<TechnicalAccount> = defineExtract({
  name: 'ui5-technical-accounts',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) => mayNamePassword(text, hits) && /ODataModel\(|\bheaders\b/.test(text),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      if (call.kind !== 'new' || lastNameOf(call.callee) !== 'ODataModel') continue
      const [address, settings] = call.args
      const at = settings && userIn(settings)
      if (at === undefined) continue
      const text = address && constantOf(resolveValue(address))
      yield { at, way: 'odata', keptAs: [...namesOf(call, facts, step)], ...(typeof text === 'string' && { address: text }) }
    }
    for (const { value } of valuesOf(facts)) {
      step()
      const headers = value.kind === 'object' ? fieldOf(value, 'headers')?.value : undefined
      const at = headers && userIn(headers)
      if (at !== undefined) yield { at, way: 'hand' }
    }
  },
})

/** `setModel(model, "back")`, `setProperty("/back", model)`, `this.back = model`, `{ back: model }`; '' is the model without a name. */
function* namesOf(
  model: CallValue,
  { calls, assignments, values }: ScriptFacts,
  step: (count?: number) => void,
): Generator<string> {
  const isIt = (value: Value | undefined) =>
    value === model ||
    (value?.kind === 'reference' &&
      value.binding?.definitions.some((one) => one.value === model && one.path.length === 0) === true)
  step(calls.length + assignments.length + values.length)
  for (const {
    callee,
    args: [first, second],
  } of calls) {
    const name = lastNameOf(callee) ?? ''
    if (name === 'setModel' && isIt(first)) yield String((second && constantOf(second)) ?? '')
    if (name === 'setProperty' && first !== undefined && isIt(second)) yield nameInPath(first)
  }
  for (const { target, value } of assignments) if (isIt(value)) yield target.name ?? ''
  for (const { value } of values)
    if (value.kind === 'object') for (const { key, value: given } of value.fields) if (key !== undefined && isIt(given)) yield key
}

function nameInPath(path: Value): string {
  const text = String(constantOf(path) ?? '')
  return text.slice(text.lastIndexOf('/') + 1)
}

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
  const text = stringConstantOf(value)
  if (text === undefined || text === '') return false
  const isBracketed = (text.startsWith('<') && text.endsWith('>')) || (text.startsWith('{') && text.endsWith('}'))
  return !isBracketed && !TO_FILL_IN.test(text)
}

const HEADER_WORDS = ['headers', 'setrequestheader', 'authorization']
const SENDS_HEADERS = /\bheaders\s{0,4}:|(?<=[./])headers\b|(?<=set)headers|setRequestHeader|\bAuthorization\b/iy

/** Such a header, or headers of a request that are written down beside a password or kept elsewhere. */
const NAMES_CREDENTIAL = /(?<![\w-])(?:authorization|(?:x-)?(?:auth|access|session|id)[-_]?(?:token|key)|jwt)(?![\w-])/i
const KEEPS_HEADERS = /\b(?:ajax|fetch)\b/

/** Where requests of a script get their headers from: `kept` for all requests, or with a credential of the user's `own`. */
export const requestHeaders: Extract<'kept' | 'own'> = defineExtract({
  name: 'ui5-request-headers',
  keywords: ['headers', 'setRequestHeader', 'Authorization'],
  words: HEADER_WORDS,
  prefilter: (text, hits) =>
    holdsAt(text, hits.places(text, HEADER_WORDS), SENDS_HEADERS) && (NAMES_CREDENTIAL.test(text) || KEEPS_HEADERS.test(text)),
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

/** `setRequestHeader("Authorization", token)`, `headers: { Authorization: token }`, `request.headers.set("Authorization", token)`: no object or list of something else. */
function sendsOwn(facts: ScriptFacts, step: (count?: number) => void): boolean {
  for (const { callee, args } of facts.calls) {
    const name = lastNameOf(callee) ?? ''
    const [first, value] = args
    if (name === 'setHeaders' && first !== undefined && holdsOwn(first)) return true
    if (name !== 'setRequestHeader' && !(SETS.test(name) && isHeaders(callee))) continue
    const text = stringConstantOf(first)
    if (text !== undefined && CREDENTIAL.test(text) && value !== undefined && !isConstant(value)) return true
  }
  for (const { value } of valuesOf(facts)) {
    step()
    const headers = value.kind === 'object' ? fieldOf(value, 'headers')?.value : undefined
    if (headers !== undefined && holdsOwn(headers)) return true
  }
  return false
}

const SETS = /^(?:set|append)$/

/** `headers`, also where they are put together: `Object.assign({ Authorization: token }, kept)`, `{ ...kept, Authorization: token }`, `new Headers({ … })`. */
function holdsOwn(headers: Value): boolean {
  const given = resolveValue(headers)
  const objects = 'args' in given ? given.args : [given]
  return objects.some((one) => {
    const object = objectIn(one)
    return object !== undefined && namedFields(object).some(({ key, value }) => CREDENTIAL.test(key) && !isConstant(value))
  })
}

/** `new Headers()`, and what is called so. */
function isHeaders(callee: Value): boolean {
  if (callee.kind !== 'member') return false
  const owner = resolveValue(callee.object)
  return (
    (owner.kind === 'new' && lastNameOf(owner.callee) === 'Headers') ||
    /^_?\w{0,20}headers$/i.test(lastNameOf(callee.object) ?? '')
  )
}

/** A request that says whose rows it is about, or who acts. */
export interface NamedPerson {
  readonly at: Span
  readonly field: string
  readonly way: Way
  readonly by?: HandedTo
  /** Where the request stands that says it: of several fields of one there is one request. */
  readonly request: number
  /** The name of the OData model that is asked; undefined: nothing tells. */
  readonly model?: string
}

/** Persons who use an app, in English, German, Spanish, Portuguese and French. */
const PERSON =
  /^(?:[iep]v?_?|p_)?(?:cod|id)?_?(?:user|usr|usuario|uname|bname|benutzer|utilisateur|repres(?:entante)?|sales_?(?:rep|person)|vendedor|vendeur|employee|empleado|funcionario|mitarbeiter|pernr|candidates?|student|aluno|alumno|patient|member|approver|aprov(?:ador)?|aprobador|genehmiger|created_?by|requested_?by|requester)(?:_?(?:id|code|cod|no|nr|name|number|mail|email))?$/i

/** Words of those. */
const PERSON_WORDS =
  'user usr usuario uname bname benutzer utilisateur repres sales vendedor vendeur employee empleado funcionario mitarbeiter pernr candidate student aluno alumno patient member approver aprov aprobador genehmiger created requested requester'.split(
    ' ',
  )
/** Such a name as a key or a text, in front of what it is compared with, or as the last part of what is given. */
const NAMES_PERSON =
  /(?<=(?<![\w$])(?:[iep]v?_?|p_)?(?:cod|id)?_?)(?:user|usr|usuario|uname|bname|benutzer|utilisateur|repres(?:entante)?|sales_?(?:rep|person)|vendedor|vendeur|employee|empleado|funcionario|mitarbeiter|pernr|candidates?|student|aluno|alumno|patient|member|approver|aprov(?:ador)?|aprobador|genehmiger|created_?by|requested_?by|requester)(?:_?(?:id|code|cod|no|nr|name|number|mail|email))?(?:\\?["'`]|\s{0,99}[:,)}\]/!]|\s{1,99}(?:as|satisfies)\s|\s{1,4}eq\s|[=(]\\?["'`$])/iy

/** `"Usuario eq '" + user + "'"`, `new Filter("EmployeeId", "EQ", id)`, `save("Attempts", { filters: { candidate_id: id } })`. */
export const namedPersons: Extract<NamedPerson> = defineExtract({
  name: 'ui5-named-persons',
  keywords: [' eq ', "='", 'Filter', '.create(', '.update(', '.ajax(', 'fetch(', 'filters'],
  words: PERSON_WORDS,
  prefilter: (text, hits) => holdsAt(text, hits.places(text, PERSON_WORDS), NAMES_PERSON),
  *collect({ facts, text, step }) {
    const askedBy = partsAsked(facts, step)
    for (const { field, value } of textsSent(facts, text)) {
      const call = askedBy.get(value)
      if (call === undefined || !PERSON.test(field) || isConstant(value)) continue
      yield { at: spanOf(value), field, way: 'odata', ...requestOf(call) }
    }
    for (const call of facts.calls) {
      step()
      const found = personOfModel(call)
      if (found === undefined) continue
      const asked = lastNameOf(call.callee) === 'Filter' ? askedBy.get(call) : call
      yield { ...placed(found), way: 'odata', ...(asked === undefined ? { request: call.function.start } : requestOf(asked)) }
    }
    for (const { call, object, by } of sentObjects(facts, step)) {
      step(object.fields.length)
      const found = personIn([object, ...object.fields.flatMap(({ value }) => objectIn(value) ?? [])].flatMap(namedFields))
      if (found === undefined) continue
      yield { ...placed(found), way: 'hand', request: call.start, ...(by !== undefined && { by }) }
    }
  },
})

/** What asks a service, of the models of SAPUI5 and by hand. */
const ASKS = /^(?:read|callFunction|create|update|remove|submit|bind[A-Z]\w{0,30}|ajax|fetch|get|getJSON|post|open)$/
/** Of these names, those that others have, too. */
const MAY_BE_OTHER = /^(?:get|getJSON|post|open)$/

/** All that stands in the arguments of requests, by the request: no text that opens a window or is shown. */
function partsAsked({ calls }: ScriptFacts, step: (count?: number) => void): ReadonlyMap<Value, CallValue> {
  const found = new Map<Value, CallValue>()
  for (const call of calls) {
    const name = lastNameOf(call.callee) ?? ''
    const owner = call.callee.kind === 'member' ? (lastNameOf(call.callee.object) ?? '') : ''
    if (!ASKS.test(name) || (MAY_BE_OTHER.test(name) && !/^(?:\$|jQuery|axios|xhr|request|xmlhttp)$/i.test(owner))) continue
    for (const given of call.args)
      findPart(given, (part) => {
        step()
        if (!found.has(part)) found.set(part, call)
        return false
      })
  }
  return found
}

/** Where a request stands, and by which name its model goes: `getModel("back").read(…)`, `state.getProperty("/back").read(…)`, `this.back.read(…)`. */
function requestOf({ start, callee }: CallValue): Pick<NamedPerson, 'request' | 'model'> {
  const model = callee.kind === 'member' ? resolveValue(callee.object) : undefined
  if (model?.kind === 'member') return { request: start, model: model.name ?? '' }
  if (model?.kind === 'new') return { request: start, model: OWN_MODEL }
  const name = model?.kind === 'call' ? lastNameOf(model.callee) : undefined
  const [path] = model?.kind === 'call' ? model.args : []
  if (name === 'getModel') return { request: start, model: String((path && constantOf(path)) ?? '') }
  return { request: start, ...(name === 'getProperty' && path !== undefined && { model: nameInPath(path) }) }
}

/** The model that the same function makes. */
export const OWN_MODEL = 'new'

function placed({ key, value }: NamedField): Pick<NamedPerson, 'at' | 'field'> {
  return { at: spanOf(value), field: key }
}

function personOfModel(call: CallValue): NamedField | undefined {
  const name = lastNameOf(call.callee) ?? ''
  if (name === 'Filter') {
    // what a user looks for is nobody who acts
    const [equal] = filterSent(call)
    return equal === undefined || isTyped(equal.value) ? undefined : personIn([{ key: equal.field, value: equal.value }])
  }
  const [first, second] = call.args
  const text = stringConstantOf(first)
  if (text === undefined) return undefined
  const row = (name === 'create' || name === 'update') && text.startsWith('/') && second !== undefined && objectIn(second)
  return row ? personIn(namedFields(row)) : undefined
}

/** `event.getParameter("query")`, `input.getValue()`. */
function isTyped(value: Value): boolean {
  return (
    findPart(
      value,
      (part) => part.kind === 'call' && /^(?:getParameters?|getValue|getQuery|val)$/.test(lastNameOf(part.callee) ?? ''),
    ) !== undefined
  )
}

/** The first field that names a person whom the code doesn't fix; who says a password as well is known by it. */
function personIn(fields: readonly NamedField[]): NamedField | undefined {
  if (fields.some(({ key }) => isPasswordName(key))) return undefined
  return fields.find(({ key, value }) => !isConstant(value) && (PERSON.test(key) || PERSON.test(nameOf(value))))
}

/** The name of a value, or of the property of a model that it is read from. */
function nameOf(value: Value): string {
  const [path] = value.kind === 'call' && lastNameOf(value.callee) === 'getProperty' ? value.args : []
  const text = stringConstantOf(path)
  return text !== undefined ? text.slice(text.lastIndexOf('/') + 1) : value.kind === 'reference' ? value.name : ''
}

/** Some request of an app carries what its user has logged in with. */
export function sendsOwnLogin(scripts: Scripts): boolean {
  return scripts.get(requestHeaders).some(({ value }) => value === 'own')
}
