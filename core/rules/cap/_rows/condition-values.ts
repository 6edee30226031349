import {
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { builderBehind } from '../../../flow/frameworks/query-sinks.ts'
import { createShadowReader } from '../../../flow/frameworks/shadowed-routes.ts'
import { isDeveloperFile, isOfUi5App, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
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
  /** Something else of the condition keeps rows of others out. */
  readonly isLimited?: true
  /** Whoever is found is only told so: neither a session nor a token is given. */
  readonly isTold?: true
  /** A form for a login sends it, as Passport hands it over. */
  readonly isOfLogin?: true
  /** Where its query begins. */
  readonly query?: number
  /** The client sends the condition itself: `look-up` of one document or a change, or `list` of what the route may list anyway. */
  readonly whole?: 'look-up' | 'list'
  /** Rows get constants and times alone (`fixed`). Of a whole condition: the documents are deleted or get what is chosen at run time (`free`); or a code of the document found is read (`code`). */
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

const OF_MONGO =
  /^(?:find|findOne|findOneAnd(?:Update|Delete|Replace)|updateOne|updateMany|deleteOne|deleteMany|replaceOne|countDocuments)$/
/** Options of TypeORM, Sequelize and Prisma, not columns. */
const OF_OTHERS = /^(?:where|include|attributes|relations|select|order|data)$/

function* findConditionValues(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<ConditionValue> {
  const reader = createTextReader(text, facts, step)
  const isShadowed = createShadowReader(facts, step)
  const sentByLogins = loginParameters(facts)
  for (const call of facts.calls) {
    step()
    if (isShadowed(call.start)) continue
    const name = lastNameOf(call.callee) ?? ''
    const database = databaseOf(call, name)
    if (database === undefined || (database === 'mongo' && isOfDocument(call))) continue
    const whole = database === 'mongo' ? wholeFilter(call, name, reader) : undefined
    if (whole !== undefined) yield whole
    const pairs = [...(database === 'mysql' ? placeholderPairs(call) : documentPairs(call, step))]
    let asksExistence: boolean | undefined
    for (const { column, value } of pairs) {
      const sent = sentObject(value, database === 'cap') ?? sentByLogins(value)
      if (sent === undefined || reader.isText(sent, call.function) || reader.wasText(sent, call)) continue
      const isLimited = database === 'cap' && pairs.some((other) => isOfCaller(other.value))
      const isRead = !isChange(call, name)
      if (isRead) asksExistence ??= reader.asksExistence(call)
      const isAccount = isRead && (reader.knowsPassword(call.function) || asksExistence === true)
      yield {
        database,
        column,
        client: sent.client,
        ...(isOfQuery(sent.client) && { inQuery: true }),
        query: call.start,
        ...(isAccount && { isAccount }),
        ...(sent.isOfLogin === true && { isOfLogin: true as const }),
        ...(isRead && asksExistence === true && !reader.givesLogin(call.function) && { isTold: true as const }),
        ...(setsLittle(call) && { effect: 'fixed' as const }),
        start: value.start,
        end: value.end,
        ...(isLimited && { isLimited }),
      }
    }
  }
}

/** `req.query.id`; `req.query` as a whole has fields all the same. */
function isOfQuery(client: string): boolean {
  return /^\w+\.query\.\w/.test(client)
}

/** `updateOne(…)`, `query('DELETE …')`, `UPDATE(…).where(…)`. */
function isChange({ callee, args: [statement] }: CallValue, name: string): boolean {
  const text = statement && constantOf(statement)
  if (name === 'query') return typeof text === 'string' && /^\s*(?:update|delete|replace)\b/i.test(text)
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
  if (/update|replace/i.test(name))
    return change === undefined || (isFixed(change, 0) && !setsRights(change, 0)) ? 'fixed' : 'free'
  return readsCode(around) ? 'code' : undefined
}

/** `UPDATE(Berths).set({ isFree: true }).where(…)`: constants alone, neither passwords nor rights. */
export function setsLittle({ callee }: CallValue): boolean {
  const made = callee.kind === 'member' ? resolveValue(callee.object) : undefined
  if (made?.kind !== 'call' || !/^(?:set|with|data)$/.test(lastNameOf(made.callee) ?? '')) return false
  const [change] = made.args
  return change !== undefined && isFixed(change, 0) && !setsRights(change, 0)
}

const MAX_FIXED_DEPTH = 4

/** `{ active: true }`, `{ $set: { state: 'closed' } }`. */
function isFixed(value: Value, depth: number): boolean {
  const made = resolveValue(value)
  if ('fields' in made) return depth < MAX_FIXED_DEPTH && made.fields.every((field) => isFixed(field.value, depth + 1))
  return constantOf(made) !== undefined || isTime(made)
}

/** `new Date()`, `new Date().toISOString()`, `Date.now()`. */
function isTime(value: Value): boolean {
  if (value.kind === 'new') return value.args.length === 0 && lastNameOf(value.callee) === 'Date'
  if (value.kind !== 'call' || value.args.length > 0 || value.callee.kind !== 'member') return false
  return value.callee.name === 'now' || isTime(resolveValue(value.callee.object))
}

/** `{ role: 'admin' }`, `{ $set: { password: 'welcome' } }`: a constant that opens the account of another user, or gives it more rights. */
function setsRights(value: Value, depth: number): boolean {
  const made = resolveValue(value)
  if (!('fields' in made) || depth >= MAX_FIXED_DEPTH) return false
  return made.fields.some(({ key = '', value: field }) => OF_RIGHTS.test(key) || setsRights(field, depth + 1))
}

const OF_RIGHTS =
  /^(?:pass(?:word|wd)?|pwd|\w{0,20}[pP]assword(?:_?[hH]ash)?|(?:user_?)?roles?|is_?admin|admin|permissions?|scopes?|privileges?)$/i

/** Functions on lists get the list first. Fact: Lodash 4, `_.find(collection, predicate)`. */
const OF_COLLECTIONS = /^(?:_|lodash|underscore|R)$/

interface Pair {
  readonly column: string
  readonly value: Value
}

function documentPairs({ args: [filter] }: CallValue, step: (count?: number) => void): readonly Pair[] {
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

/** `query('… WHERE name = ?', [name])`. */
function placeholderPairs({ args: [statement, values] }: CallValue): readonly Pair[] {
  const text = statement && constantOf(statement)
  const list = values && resolveValue(values)
  if (typeof text !== 'string' || list === undefined || !('items' in list)) return []
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

/**
 * What Passport hands to the function of a local strategy: fields of the body as they are, with `passReqToCallback` behind the request.
 * Fact: passport-local 1.0, lib/strategy.js (`lookup(req.body, field)`).
 */
function loginParameters({ calls }: ScriptFacts): (value: Value) => SentObject | undefined {
  const found = new Map<Binding, SentObject>()
  for (const { kind, callee, args } of calls) {
    if (kind !== 'new' || !accessesOf(callee).some(({ root }) => root === 'module:passport-local')) continue
    const from = args.slice(0, 2).flatMap((given) => functionOf(given) ?? [])[0]
    for (const parameter of from?.parameters.slice(-3, -1) ?? [])
      if (parameter !== undefined && from !== undefined)
        found.set(parameter, { client: parameter.name, name: parameter.name, from, isOfLogin: true })
  }
  return (value) => {
    const binding = found.size === 0 ? undefined : bindingOf(resolveValue(value))
    return binding && found.get(binding)
  }
}

/** `req.body.name`, `const { name } = req.body`: a field of what may hold objects. `isRoute`: of a route of Express alone. */
function sentObject(value: Value, isRoute: boolean): SentObject | undefined {
  for (const { binding, steps } of accessesOf(value)) {
    const [part = '', name = ''] = steps
    if (binding?.kind !== 'parameter' || !isRequestName(binding.name) || steps.length !== 2) continue
    // a handler of CAP has its own idea of both
    if (isRoute && !/^_?res/.test(binding.function.parameters[1]?.name ?? '')) continue
    if (SENDS_OBJECTS.test(part) && /^\w+$/.test(name))
      return { client: `${binding.name}.${part}.${name}`, name, from: binding.function }
  }
  return undefined
}
