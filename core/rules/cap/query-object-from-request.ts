import {
  createCodeReader,
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { builderBehind } from '../../flow/frameworks/query-sinks.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import { isDeveloperFile, isOfUi5App, isRequestName } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import type { GradeFacts, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isBelow } from '../../paths.ts'

/** A value of a request in a condition, where an object counts as more than a value. */
interface ConditionValue extends Span {
  readonly database: 'mongo' | 'mysql' | 'cap'
  /** Of a whole condition the method that takes it. */
  readonly column: string
  readonly client: string
  /** Something else of the condition keeps rows of others out. */
  readonly isLimited?: true
  /** The client sends the condition itself: `look-up` of one document or a change, or `list` of what the route may list anyway. */
  readonly whole?: 'look-up' | 'list'
  /** Of a whole condition: the documents are deleted or get what is chosen at run time (`free`), or constants (`fixed`); or a code of the document found is read (`code`). */
  readonly effect?: 'free' | 'fixed' | 'code'
}

/** What makes all conditions of a project harmless: operators are removed from requests, or refused. */
const REMOVES_OPERATORS = /\bsanitizeFilter\b|\bstringifyObjects\b|(?:express-)?mongo-?sanitize/i

const conditionValues: Extract<ConditionValue | 'sanitized'> = defineExtract({
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
  prefilter: (text) => REMOVES_OPERATORS.test(text) || /\b(?:body|query)\b/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    if (REMOVES_OPERATORS.test(text)) yield 'sanitized'
    yield* findConditionValues(facts, text, step)
  },
})

/**
 * A field of a JSON body or a query string that becomes a value of a condition as it is: sent as an object, it is an operator of MongoDB or a comparison of SQL.
 * Facts: Express 4, "req.body" and "req.query" (nested objects, by `express.json` and `qs`); MongoDB 8, "Query Operators"; Mongoose 8, "sanitizeFilter";
 * @sap/cds 9.9.3, lib/ql/cds.ql-predicates.js (`where({ key: { '!=': '' } })` compares so; what actions declare as a text the adapters refuse otherwise);
 * mysqljs/sqlstring 2.3 (objects become `key = 'val'` pairs, `stringifyObjects`), which mysql 2 and mysql2 3 use for `query`, and not for `execute`.
 * Impact: a condition that all rows fulfil finds, changes or deletes rows of others; one on what stands in for a login, such as the token of a forgotten password, finds
 * a user whose token nobody knows. Whether a schema in front of the route refuses objects is not known; of a whole condition its fields are enough, whatever they hold.
 * A change of all that writes constants gives little.
 */
export const queryObjectFromRequest: Rule = defineRule({
  id: 'cap/query-object-from-request',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [943],
  since: '0.3.0',
  docs: 'https://mongoosejs.com/docs/tutorials/query_casting.html',
  grades: {
    // a filter inside what the route lists; fields that it leaves out can be guessed by it
    list: { impact: 'bounded', evidence: 'shown' },
  },
  docsByVariant: {
    cql: 'https://cap.cloud.sap/docs/node.js/cds-ql#where',
    sql: 'https://sidorares.github.io/node-mysql2/docs/documentation',
  },
  extracts: [conditionValues],
  on: 'project',

  *check({ scripts, npm }) {
    const found = scripts.get(conditionValues)
    const isSanitized = found.some(({ value }) => value === 'sanitized')
    for (const { file, value } of found) {
      if (value === 'sanitized' || (isSanitized && value.database !== 'cap')) continue
      const { database, column, client, whole, effect, isLimited, start, end } = value
      if (!DRIVERS[database].some((name) => isUsedIn(file, name, npm.packages))) continue
      yield {
        at: { file, span: { start, end } },
        args: { column: whole === undefined ? quoteWord(column) : column, value: client },
        ...(database !== 'mongo' && { variant: database === 'mysql' ? 'sql' : 'cql' }),
        ...(whole !== undefined && { variant: whole }),
        ...(whole === undefined && PROOF.test(column) && { impact: 'takeover', reach: 'anyone', inOpenRoute: 'shown' }),
        ...(whole === 'look-up' && gradeWhole(effect)),
        ...(isLimited === true && { impact: 'bounded', evidence: 'shown' }),
      }
    }
  },

  text: {
    en: {
      title: 'Operator injection in a database query',
      message:
        'The condition on {column} takes {value} as it is, and the client can send an object with query operators in its place.',
      why: 'With { "$ne": null } as the value, an attacker matches all documents: a look-up finds the data of another user, and an update or deletion affects any document.',
      fix: 'Convert the value: String({value}). Or reject the request unless typeof {value} === "string", or set mongoose.set("sanitizeFilter", true) for all queries.',
      variants: {
        'look-up': {
          message:
            'The filter of {column}() is {value}: the client sends the whole condition, with fields and operators of its choice.',
          why: 'With an empty condition or { "$ne": null } for a field, an attacker matches documents of other users: a check of a token finds one without it, and a change or deletion affects any document.',
          fix: 'Build the filter from the fields that the route needs, each as a string: {column}({ _id: String({value}._id) }). Reject the request if one is missing.',
        },
        list: {
          message:
            'The filter of {column}() is {value}: the client sends the whole condition, with fields and operators of its choice.',
          why: 'With operators such as $regex, an attacker finds out the values of fields that the response leaves out, and with $where runs slow conditions on the database.',
          fix: 'Build the filter from the fields that clients may filter by, each as a string: {column}({ city: String({value}.city) }).',
        },
        cql: {
          message:
            'The condition on {column} takes {value} as it is; cds.ql reads an object from the client as an operator with its value.',
          why: 'With { "like": "%" } as the value, an attacker matches all rows: a look-up finds those of other users, and an update or deletion changes any row.',
          fix: 'Convert the value: String({value}). Or reject the request unless typeof {value} === "string", or declare an action with a parameter of that type instead of the route.',
        },
        sql: {
          message:
            'The placeholder for {column} takes {value} as it is; query() of the mysql driver turns an object from the client into a comparison.',
          why: 'With { "{column}": 1 } as the value, the condition becomes {column} = `{column}` = 1, which matches rows of other users: a password or token check is bypassed.',
          fix: 'Convert the value: String({value}). Or call execute() instead of query(), or create the connection with stringifyObjects: true.',
        },
      },
    },
    fr: {
      title: 'Injection d’opérateurs dans une requête de base de données',
      message:
        'La condition sur {column} prend {value} tel quel, et le client peut envoyer à sa place un objet avec des opérateurs de requête.',
      why: 'Avec la valeur { "$ne": null }, un attaquant sélectionne tous les documents : une recherche trouve les données d’un autre utilisateur, et une modification ou suppression touche n’importe quel document.',
      fix: 'Convertissez la valeur : String({value}). Ou rejetez la requête sauf si typeof {value} === "string", ou appelez mongoose.set("sanitizeFilter", true) pour toutes les requêtes.',
      variants: {
        'look-up': {
          message:
            'Le filtre de {column}() est {value} : le client envoie toute la condition, avec les champs et opérateurs de son choix.',
          why: 'Avec une condition vide ou { "$ne": null } pour un champ, un attaquant sélectionne des documents d’autres utilisateurs : la vérification d’un jeton en trouve un sans lui, et une modification ou suppression touche n’importe quel document.',
          fix: 'Construisez le filtre avec les champs dont la route a besoin, chacun sous forme de chaîne : {column}({ _id: String({value}._id) }). Rejetez la requête s’il en manque un.',
        },
        list: {
          message:
            'Le filtre de {column}() est {value} : le client envoie toute la condition, avec les champs et opérateurs de son choix.',
          why: 'Avec des opérateurs comme $regex, un attaquant devine les valeurs de champs que la réponse ne contient pas, et avec $where il exécute des conditions lentes dans la base de données.',
          fix: 'Construisez le filtre avec les champs que les clients peuvent filtrer, chacun sous forme de chaîne : {column}({ city: String({value}.city) }).',
        },
        cql: {
          message:
            'La condition sur {column} prend {value} tel quel ; cds.ql lit un objet envoyé par le client comme un opérateur avec sa valeur.',
          why: 'Avec la valeur { "like": "%" }, un attaquant sélectionne toutes les lignes : une recherche trouve celles d’autres utilisateurs, et une modification ou suppression touche n’importe quelle ligne.',
          fix: 'Convertissez la valeur : String({value}). Ou rejetez la requête sauf si typeof {value} === "string", ou déclarez une action avec un paramètre de ce type à la place de la route.',
        },
        sql: {
          message:
            'Le paramètre pour {column} prend {value} tel quel ; query() du pilote mysql transforme un objet envoyé par le client en une comparaison.',
          why: 'Avec la valeur { "{column}": 1 }, la condition devient {column} = `{column}` = 1, qui sélectionne des lignes d’autres utilisateurs : la vérification d’un mot de passe ou d’un jeton est contournée.',
          fix: 'Convertissez la valeur : String({value}). Ou appelez execute() au lieu de query(), ou créez la connexion avec stringifyObjects: true.',
        },
      },
    },
  },
})

/** What a condition of the client's own gives, by what is done with the documents that it matches. */
function gradeWhole(effect: ConditionValue['effect']): GradeFacts {
  switch (effect) {
    case 'free':
      return { evidence: 'shown', inOpenRoute: 'shown' }
    case 'fixed':
      return { impact: 'bounded', evidence: 'shown', inOpenRoute: 'shown' }
    case 'code':
      return { impact: 'takeover', inOpenRoute: 'shown' }
    default:
      return { inOpenRoute: 'assumed' }
  }
}

/** Columns whose value proves who somebody is to a route that asks for no login. */
const PROOF =
  /^(?:otp|pin|passwd|password|token)$|(?:reset|verif\w{0,8}|forgot\w{0,3}|recover\w?|activation|confirm\w{0,6}|invit\w{0,5}|magic)_?(?:pass\w{0,4}_?)?(?:token|code|key|otp)$/i

const DRIVERS: Readonly<Record<ConditionValue['database'], readonly string[]>> = {
  mongo: ['mongoose', 'mongodb'],
  mysql: ['mysql', 'mysql2'],
  cap: ['@sap/cds'],
}

/** The package around a file, or one around that, depends on it. */
function isUsedIn(file: string, name: string, packages: readonly NpmPackage[]): boolean {
  return packages.some(({ folder, dependencies }) => isBelow(file, folder) && dependencies.some((one) => one.name === name))
}

const OF_MONGO =
  /^(?:find|findOne|findOneAnd(?:Update|Delete|Replace)|updateOne|updateMany|deleteOne|deleteMany|replaceOne|countDocuments)$/
/** Options of TypeORM, Sequelize and Prisma, not columns. */
const OF_OTHERS = /^(?:where|include|attributes|relations|select|order|data)$/

function* findConditionValues(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<ConditionValue> {
  const reader = createTextReader(text)
  for (const call of facts.calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    const database = databaseOf(call, name)
    if (database === undefined || (database === 'mongo' && isOfDocument(call))) continue
    const whole = database === 'mongo' ? wholeFilter(call, name, reader) : undefined
    if (whole !== undefined) yield whole
    const pairs = [...(database === 'mysql' ? placeholderPairs(call) : documentPairs(call, step))]
    for (const { column, value } of pairs) {
      const sent = sentObject(value, database === 'cap')
      if (sent === undefined || reader.isText(sent, call.function)) continue
      const isLimited = database === 'cap' && pairs.some((other) => isOfCaller(other.value))
      yield { database, column, client: sent.client, start: value.start, end: value.end, ...(isLimited && { isLimited }) }
    }
  }
}

/** Neither a constant nor a part of the request, such as the key of the caller's own row: the rows of others stay out. */
function isOfCaller(value: Value): boolean {
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
const CONDITIONS = /^(?:where|and|or|having)$/

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
    return { database: 'mongo', column: name, client, whole, ...(effect !== undefined && { effect }), start, end }
  }
  return undefined
}

function effectOf(
  { args: [, change], function: around }: CallValue,
  name: string,
  readsCode: TextReader['readsCode'],
): ConditionValue['effect'] {
  if (/delete/i.test(name)) return 'free'
  if (/update|replace/i.test(name)) return change === undefined || isFixed(change, 0) ? 'fixed' : 'free'
  return readsCode(around) ? 'code' : undefined
}

const MAX_FIXED_DEPTH = 4

/** `{ active: true }`, `{ $set: { state: 'closed' } }`. */
function isFixed(value: Value, depth: number): boolean {
  const made = resolveValue(value)
  if ('fields' in made) return depth < MAX_FIXED_DEPTH && made.fields.every((field) => isFixed(field.value, depth + 1))
  return constantOf(made) !== undefined
}

/** `user.resetToken`: what proves who somebody is goes on from the document found. */
const READS_CODE =
  /\w\??\.(?:reset|verif\w{0,8}|forgot\w{0,3}|recover\w?|magic)_?(?:[pP]ass\w{0,4}_?)?(?:[tT]oken|[cC]ode|[kK]ey|[oO]tp)\b/

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
  return [...text.matchAll(/(?:(\w{1,60})[`"]?\s{0,4}=\s{0,4})?\?/g)].flatMap(([, column], index): readonly Pair[] => {
    const value = list.items[index]
    const isCondition = text.slice(0, text.indexOf('?')).toLowerCase().includes('where')
    return column === undefined || value === undefined || !isCondition ? [] : [{ column, value }]
  })
}

/** Parts of a request that may hold objects. */
const SENDS_OBJECTS = /^(?:body|query)$/

interface SentObject {
  readonly client: string
  readonly name: string
  /** The function that gets the request. */
  readonly from: FunctionFact
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

const ASKS_FOR_SCHEMA = /\b(?:validate|validationResult|safeParse|parseAsync|matchedData|joi|ajv|superstruct|isEmail|isString)\b/i
/** `typeof name`, `String(name)`, `isUUID(name)`, and methods that only texts have: an object throws. */
const AS_TEXT =
  /typeof\s{1,4}([\w.]{1,120})|\b(?:String|ObjectId|Number|parseInt|test|is[A-Z]\w{1,40}|\w{0,20}[vV]alid\w{0,30})\(\s{0,4}([\w.]{1,120})|\b(\w{1,60}(?:\.\w{1,60}){0,2})\??\.(?:trim|toLowerCase|toUpperCase|match|replace|replaceAll|split|startsWith|endsWith|substring|slice|charAt|normalize)\(/g

/** Whether what a request sends is a text, or has to be one, in a function, and whether that reads a code that proves who somebody is. */
interface TextReader {
  readonly isText: (sent: SentObject, used: FunctionFact) => boolean
  readonly readsCode: (used: FunctionFact) => boolean
}

/** The function asks for a text, or uses the value as one; so may the one around it that got the request. Each is read once: it may hold thousands of queries. */
function createTextReader(text: string): TextReader {
  const texts = createCodeReader(text, textsIn)
  return {
    isText({ name, client, from }, used) {
      const written = texts(from.start <= used.start && used.end <= from.end ? from : used)
      return written === 'all' || written.has(name) || written.has(client)
    },
    readsCode: createCodeReader(text, (code) => READS_CODE.test(code)),
  }
}

function textsIn(code: string): 'all' | ReadonlySet<string> {
  if (ASKS_FOR_SCHEMA.test(code)) return 'all'
  return new Set([...code.matchAll(AS_TEXT)].flatMap(([, asked, converted, method]) => asked ?? converted ?? method ?? []))
}
