import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { builderBehind } from '../../../flow/frameworks/query-sinks.ts'
import { createShadowReader } from '../../../flow/frameworks/shadowed-routes.ts'
import { isDeveloperFile, isOfUi5App, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { clientData } from './client-data.ts'
import { createExistenceReader, type Existence } from './existence-tests.ts'
import { isFixed, isWrittenBy, setsLittle, setsRights, writesLittle } from './fixed-values.ts'
import { isAnswer } from '../_routes/route-answers.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { createLoginReader } from './login-forms.ts'
import { createLoginTokenReader, type LoginToken } from './login-tokens.ts'
import { createTextReader, type SentObject, type TextReader } from './sent-texts.ts'

/** A value of a request in a condition, where an object counts as more than a value. */
export interface ConditionValue extends Span {
  readonly database: 'mongo' | 'mysql' | 'cap'
  /** Of a whole condition the method that takes it. */
  readonly column: string
  readonly client: string
  /** A field of the query string, which Express 5 parses into texts. */
  readonly inQuery?: true
  /** It changes no rows, and the function around checks a password or makes its hash, or asks whether there is a row and nothing else. */
  readonly isAccount?: true
  /** It is the number of the row, and there is no other condition: whoever may call the route gets to each row by counting. */
  readonly isNumberAlone?: true
  /** Something else of the condition keeps rows of others out. */
  readonly isLimited?: true
  /** Whoever is found is told so, and behind the query nothing else is done. */
  readonly isTold?: true
  /** A form for a login sends it, as Passport hands it over. */
  readonly isOfLogin?: true
  /** The token that the function around signs behind it. */
  readonly token?: LoginToken
  /** Where its query begins, and the function around it. */
  readonly query?: number
  readonly within?: number
  /** The client sends the condition itself: `look-up` of one document or a change, or `list` of what the route may list anyway. */
  readonly whole?: 'look-up' | 'list'
  /** Rows get constants, times and drawn codes alone, or nothing but a state of the row found is asked (`fixed`). Of a whole condition: the documents are deleted or get what is chosen at run time (`free`); or a code of the document found is read (`code`). */
  readonly effect?: 'free' | 'fixed' | 'code'
}

/** What makes all conditions of a project harmless: operators are removed from requests, or refused. */
const REMOVES_OPERATORS = /\bsanitizeFilter\b|\bstringifyObjects\b|(?:express-)?mongo-?sanitize/i

export const conditionValues: Extract<ConditionValue | 'sanitized'> = defineExtract({
  name: 'cap-condition-values',
  keywords: [
    'findOne',
    '.find(',
    'updateOne',
    'updateMany',
    'deleteOne',
    'deleteMany',
    'replaceOne',
    'countDocuments',
    '.query(',
    'SELECT',
    'UPDATE',
    'DELETE',
    'anitize',
    'stringifyObjects',
  ],
  prefilter: (text) => REMOVES_OPERATORS.test(text) || /\b(?:body|query|passport-local)\b/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    if (REMOVES_OPERATORS.test(text)) yield 'sanitized'
    yield* findConditionValues(facts, text, step)
  },
})

export const OF_MONGO: RegExp =
  /^(?:find|findOne|findOneAnd(?:Update|Delete|Replace)|updateOne|updateMany|deleteOne|deleteMany|replaceOne|countDocuments)$/
/** Options of TypeORM, Sequelize and Prisma, not columns. */
const OF_OTHERS = /^(?:where|include|attributes|relations|select|order|data)$/

function* findConditionValues(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<ConditionValue> {
  const reader = createTextReader(text, facts, step)
  const isShadowed = createShadowReader(facts, step)
  const existenceOf = createExistenceReader(text, facts, step)
  const sentByLogins = createLoginReader(facts, step)
  const tokenOf = createLoginTokenReader(facts, text, step)
  const isNumbered = !DRAWS_KEYS.test(text)
  for (const call of facts.calls) {
    step()
    if (isShadowed(call.start)) continue
    const name = lastNameOf(call.callee) ?? ''
    const database = databaseOf(call, name)
    if (database === undefined || (database === 'mongo' && isOfDocument(call))) continue
    const whole = database === 'mongo' ? wholeFilter(call, name, reader) : undefined
    if (whole !== undefined) yield whole
    const pairs = [...(database === 'mysql' ? placeholderPairs(call) : documentPairs(call, step))]
    let existence: Existence | undefined
    const isLittle = (tested: Existence | undefined, { client }: SentObject, column: string): boolean =>
      setsLittle(call) ||
      (tested?.isOfState === true && !PROVES.test(column)) ||
      (database === 'mongo' && isDrawnHere(call, name, client, facts, step))
    for (const { column, value } of pairs) {
      const sent = sentObject(value, database === 'cap') ?? sentByLogins(value)
      if (sent === undefined || reader.isText(sent, call.function) || reader.wasText(sent, call)) continue
      const isLimited = database === 'cap' && pairs.some((other) => isOfCaller(other.value))
      const isRead = !isChange(call, name)
      if (isRead) existence ??= existenceOf(call)
      const isAccount = isRead && (reader.knowsPassword(call.function) || existence?.isAccount === true)
      // whoever signs up is told where the account is there already
      const isLogin = isRead && database === 'mongo' && existence?.isAccount !== true
      const token = isLogin ? tokenOf(call, (part) => sentObject(part, false)?.client === sent.client) : undefined
      yield {
        database,
        column,
        client: sent.client,
        ...(isOfQuery(sent.client) && { inQuery: true }),
        query: call.start,
        within: call.function.start,
        ...(isAccount && { isAccount }),
        ...(database === 'mysql' && isNumbered && isByNumber(call) && { isNumberAlone: true as const }),
        ...(token !== undefined && { token }),
        ...(sent.isOfLogin === true && { isOfLogin: true as const }),
        ...(existence?.isTold === true && sent.isOfLogin !== true && { isTold: true as const }),
        ...(isLittle(existence, sent, column) && { effect: 'fixed' as const }),
        start: value.start,
        end: value.end,
        ...(isLimited && { isLimited }),
      }
    }
  }
}

/** What callers know that no one else does, so that a row found is a login. */
const PROVES = /key|secret|licen[cs]e|token|code|otp|pin$/i

/**
 * An update of Mongoose that writes little and gives no document, and what it writes is neither in an answer of the function nor handed on with something else
 * that the client chooses, such as an address.
 */
function isDrawnHere(
  call: CallValue,
  name: string,
  client: string,
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  if (!/^update/i.test(name) || !writesLittle(call)) return false
  step(calls.length)
  const isOther = (part: Value): boolean => (clientData(part)?.client ?? client) !== client
  const tells = (one: CallValue): boolean =>
    isAnswer(one) ||
    ANSWERS.test(lastNameOf(one.callee) ?? '') ||
    one.args.some((given) => findPart(given, isOther) !== undefined)
  return !calls.some((one) => one !== call && isWithin(one, call.function) && isWrittenBy(call, one) && tells(one))
}

const ANSWERS = /^(?:redirect|cookie|setHeader|set|header|render|end|write)$/

/** `req.query.id`; `req.query` as a whole has fields all the same. */
function isOfQuery(client: string): boolean {
  return /^\w+\.query\.\w/.test(client)
}

/** `updateOne(…)`, `query('DELETE …')`, `UPDATE(…).where(…)`. */
function isChange({ callee, args: [statement] }: CallValue, name: string): boolean {
  const text = stringConstantOf(statement)
  if (name === 'query') return text !== undefined && /^\s*(?:update|delete|replace)\b/i.test(text)
  if (OF_MONGO.test(name)) return /update|delete|replace/i.test(name)
  return /^(?:UPDATE|DELETE)/.test(builderBehind(callee) ?? '')
}

/** Neither a constant nor a part of the request, such as the key of the caller's own row: the rows of others stay out. */
export function isOfCaller(value: Value): boolean {
  const isSent = accessesOf(value).some(
    ({ binding, steps: [part] }) => binding?.kind === 'parameter' && isRequestName(binding.name) && part !== 'user',
  )
  return constantOf(value) === undefined && !isSent
}

function databaseOf(call: CallValue, name: string): ConditionValue['database'] | undefined {
  if (OF_MONGO.test(name)) return 'mongo'
  if (name === 'query') return 'mysql'
  return CONDITIONS.test(name) && builderBehind(call.callee) !== undefined ? 'cap' : undefined
}

/** Of `cds.ql`: those that read an object as a condition. */
export const CONDITIONS: RegExp = /^(?:where|and|or|having)$/

/** Methods of a document take an update or options first: `new Person(…).deleteOne(…)`. Facts: Mongoose 8, Document `updateOne`, `deleteOne`. */
function isOfDocument({ callee }: CallValue): boolean {
  if (callee.kind !== 'member') return false
  const owner = resolveValue(callee.object)
  if (owner.kind === 'new') return true
  const made = owner.kind === 'await' ? resolveValue(owner.value) : owner
  return made.kind === 'call' && /^(?:findOne\w{0,20}|findById\w{0,20}|create)$/.test(lastNameOf(made.callee) ?? '')
}

/** Lists and counts, which mostly show what the caller may see anyway. */
const LISTS = /^(?:find|countDocuments)$/

/** `Model.findOne(req.query)`, `collection.deleteMany(req.body.filter)`. */
function wholeFilter(call: CallValue, name: string, { isText, readsCode }: TextReader): ConditionValue | undefined {
  const [filter] = call.args
  if (filter === undefined || call.callee.kind !== 'member' || OF_COLLECTIONS.test(lastNameOf(call.callee.object) ?? ''))
    return undefined
  for (const { binding, steps } of accessesOf(filter)) {
    const [part = '', field] = steps
    if (binding?.kind !== 'parameter' || !isRequestName(binding.name) || steps.length > 2 || !SENDS_OBJECTS.test(part)) continue
    if (field !== undefined && !/^\w+$/.test(field)) continue
    const client = [binding.name, ...steps].join('.')
    if (isText({ name: field ?? part, client, from: binding.function }, call.function)) continue
    const whole = LISTS.test(name) ? 'list' : 'look-up'
    const effect = effectOf(call, name, readsCode)
    const { start, end } = filter
    return {
      database: 'mongo',
      column: name,
      client,
      whole,
      ...(isOfQuery(client) && { inQuery: true }),
      ...(effect !== undefined && { effect }),
      start,
      end,
    }
  }
  return undefined
}

function effectOf(
  { args: [, change], function: around }: CallValue,
  name: string,
  readsCode: TextReader['readsCode'],
): ConditionValue['effect'] {
  if (/delete/i.test(name)) return 'free'
  if (/update|replace/i.test(name)) return change === undefined || (isFixed(change) && !setsRights(change)) ? 'fixed' : 'free'
  return readsCode(around) ? 'code' : undefined
}

/** Functions on lists get the list first. Fact: Lodash 4, `_.find(collection, predicate)`. */
const OF_COLLECTIONS = /^(?:_|lodash|underscore|R)$/

interface Pair {
  readonly column: string
  readonly value: Value
}

export function documentPairs({ args: [filter] }: CallValue, step: (count?: number) => void): readonly Pair[] {
  const made = filter && resolveValue(filter)
  if (made === undefined || !('fields' in made)) return []
  step(made.fields.length)
  if (made.fields.some(({ key }) => key !== undefined && OF_OTHERS.test(key))) return []
  return made.fields.flatMap(({ key, value }) => {
    if (key === undefined) return []
    const compared = fieldOf(resolveValue(value), '$eq')
    return compared === undefined ? [{ column: key, value }] : []
  })
}

/** `WHERE id = ?`, with nothing else that a row has to be. */
function isByNumber({ args: [statement] }: CallValue): boolean {
  const text = stringConstantOf(statement)
  return text !== undefined && BY_NUMBER.test(text)
}

/** A constant beside it is the same for whoever counts: `AND state = 'open'`. */
const BY_NUMBER =
  /\bwhere\s{1,20}(?:\w{1,60}\.)?[`"]?id[`"]?\s{0,4}=\s{0,4}\?(?:\s{1,20}and\s{1,20}[\w.`"]{1,80}\s{0,4}(?:=|<>|!=|is(?: not)?)\s{0,4}(?:'[^']{0,60}'|\d{1,20}|null|true|false)){0,4}\s{0,20}(?:(?:order|limit)\b[\w\s.,]{0,80})?;?\s{0,20}$/i
/** Keys of rows that nobody can count through. */
const DRAWS_KEYS = /\b(?:randomUUID|uuid(?:_?v\d)?|nanoid|cuid|ulid)\b/i

/** `query('… WHERE name = ?', [name])`. */
function placeholderPairs({ args: [statement, values] }: CallValue): readonly Pair[] {
  const text = stringConstantOf(statement)
  const list = values && resolveValue(values)
  if (text === undefined || list === undefined || !('items' in list)) return []
  // what is set before the condition takes an object too, and chooses no rows by it
  const condition = /\bwhere\b/i.exec(text)?.index ?? text.length
  return [...text.matchAll(/(?:(\w{1,60})[`"]?\s{0,4}=\s{0,4})?\?/g)].flatMap((found, index): readonly Pair[] => {
    const [, column] = found
    const value = list.items[index]
    return column === undefined || value === undefined || found.index < condition ? [] : [{ column, value }]
  })
}

/** Parts of a request that may hold objects. */
const SENDS_OBJECTS = /^(?:body|query)$/

/** `req.body.name`, `const { name } = req.body`: a field of what may hold objects. `isRoute`: of a route of Express alone. */
function sentObject(value: Value, isRoute: boolean): SentObject | undefined {
  for (const { binding, steps } of accessesOf(value)) {
    const [part = '', name = ''] = steps
    if (binding?.kind !== 'parameter' || !isRequestName(binding.name) || steps.length !== 2) continue
    // a handler of CAP has its own idea of both
    if (isRoute && !/^_?(?:r|oR)es/.test(binding.function.parameters[1]?.name ?? '')) continue
    if (SENDS_OBJECTS.test(part) && /^\w+$/.test(name))
      return { client: `${binding.name}.${part}.${name}`, name, from: binding.function }
  }
  return undefined
}
