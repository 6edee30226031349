import {
  accessesOf,
  constantOf,
  findPart,
  resolveValue,
  stringConstantOf,
  fieldOf,
  type FunctionFact,
  type ScriptFacts,
  type Value,
  type CallValue,
  type Guard,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import {
  HARMLESS_CALLS,
  LOOKS_AT_CALLER,
  LOOKS_AT_RIGHTS,
  LOGS_IN,
  MAKING_METHODS,
  PARAMETER_OF_USER,
  STORES,
  ANSWERS,
  DATABASE_FILE,
  ENVIRONMENTS,
  INTERNALS,
  CALLER_STEPS,
  KEY_NAMES,
  NOTES,
  OF_PERSON,
  OUTSIDERS,
  OWN_STEPS,
  ROW_METHODS,
  USER_HEADERS,
} from '../tables/routes.ts'
import type { RouteRights, RouteFunction, RouteRow } from '../types.ts'
import type { EffectReader } from './route-effects.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { askedIn, equalIn } from '../../conditions/asked.ts'
import { comparesNobody, makerColumn } from './approval-routes.ts'
import { collectionIn, isListed, LISTS, listsAll, narrowedCalls } from './listed-rows.ts'
import { asksFurther, partyColumns, tableOfAll } from './party-rows.ts'
import { conditionsOf, statementOf } from './statements.ts'
import { isWithin } from '../../facts/span-index.ts'
import { groupBy } from '../../lists.ts'
import { isContextRoot, isLogCall } from '../../model/script/index.ts'

/** `as { id: string; role: string }`: a type says what a token may hold, and asks nobody. */
const CAST = /\bas\s{1,10}\{[^{}]{0,500}\}/g

/** `SELECT r."name" AS "role"`, `INSERT INTO members (name, role)`: what a column is called asks nobody. */
const COLUMNS = /\b(?:as|AS)\s{1,20}["`]\w{1,60}["`]|\bAS\s{1,20}\w{1,60}|\bINSERT\s{1,20}INTO\s[^;)]{0,1000}\)/g

/** What a function that answers a route, runs in front of it or makes such a one, knows of who may do it. `callsIn`: the calls of the file within a span. */
export function createRightsReader(
  facts: ScriptFacts,
  text: string,
  effects: EffectReader,
  callsIn: (around: Span) => readonly CallValue[],
): (fact: FunctionFact) => RouteRights {
  const textOf = ({ start, end }: Span): string => text.slice(start, end).replaceAll(CAST, '')
  const guardsOf = groupBy(facts.guards, (guard) => guard.function)
  let narrowed: ReadonlySet<Value> | undefined
  const places = new Map(facts.calls.map((call, place) => [call, place]))
  const placeOf = (call: CallValue): number => places.get(call) ?? 0
  return (fact) => {
    // in the order of the file's facts
    const inside = { ...facts, calls: callsIn(fact).toSorted((one, other) => placeOf(one) - placeOf(other)) }
    const own = textOf(fact)
    const checks = LOOKS_AT_RIGHTS.exec(own.replaceAll(COLUMNS, ''))?.[0].replace(/^\.|\($/g, '')
    const key = keyUsed(fact, inside, effects)
    const rows = rowsOf(fact, inside, (call) => (narrowed ??= narrowedCalls(facts)).has(call))
    const asked = calledBy(fact, inside)
    const looksAtCaller = (own: string): boolean =>
      LOOKS_AT_CALLER.test(own) || asked.some((one) => LOOKS_AT_CALLER.test(textOf(one)))
    const notes = callsIn(fact).filter(isNote)
    const unnoted = notes.length > 0 ? textBeside(fact, notes, text).replaceAll(CAST, '') : own
    const guards = guardsOf.get(fact) ?? []
    const roles = guards.flatMap(({ exits, test }) => {
      const passed = exits ? passingRoles(textOf(test)) : []
      return passed.length > 0 ? { passed, test: textOf(test) } : []
    })
    const [outside] = roles.flatMap(({ passed }) => passed.filter((role) => OUTSIDERS.test(role)))
    const beside = roles.reduce((rest, { test }) => rest.replace(test, ''), own)
    const written = new Set(callsIn(fact).filter((call) => isNote(call) || writesRow(call)))
    const unwritten = textBeside(fact, [...written], text)
      .replaceAll(CAST, '')
      .replaceAll(COLUMNS, '')
    const refused = checks === undefined ? undefined : refusedRole(fact, guards, callsIn, text)
    return {
      ...(checks !== undefined && { checks }),
      ...(looksAtCaller(unnoted) && { looksAtCaller: true }),
      ...(LOOKS_AT_CALLER.test(unnoted) && !looksAtCaller(unnoted.replaceAll(PARAMETER_OF_USER, '')) && { namesCaller: true }),
      ...(asksFurther(
        unnoted,
        callsIn(fact).filter((call) => !isNote(call)),
      ) && { asksFurther: true }),
      ...(LOGS_IN.test(own) && { logsIn: true }),
      ...(key !== undefined && { key }),
      ...(rows.length > 0 && { rows }),
      ...(outside !== undefined && !looksAtCaller(beside) && { admits: outside }),
      ...(refused !== undefined && { refuses: refused.role }),
      ...(refused !== undefined && !looksAtCaller(refused.beside) && { asksRoleAlone: true }),
      ...(comparesNobody(
        unwritten,
        callsIn(fact).filter((call) => !written.has(call)),
      ) && { comparesNobody: true }),
    }
  }
}

/** `const { role } = req.user`: the role alone is taken of the caller. */
const TAKES_ROLE =
  /\{\s{0,10}\w{0,20}[rR]ole\s{0,10}\}\s{0,10}=\s{0,10}\w{1,20}\.\w{1,20}|\b\w{1,20}\.\w{1,20}\??\.\w{0,20}[rR]ole\b/g

/** The one role that a function refuses, `if (req.user.role === 'seeker') return res.sendStatus(403)`, and what stands beside that question; notes of a log ask nobody. */
function refusedRole(
  fact: FunctionFact,
  guards: readonly Guard[],
  callsIn: (around: Span) => readonly CallValue[],
  text: string,
): { readonly role: string; readonly beside: string } | undefined {
  const found = guards.flatMap(({ exits, test }) => {
    const role = exits ? roleOf(test) : undefined
    return role === undefined ? [] : { role, test }
  })
  const [first] = found
  if (first === undefined || found.length > 1) return undefined
  const left = textBeside(fact, [first.test, ...callsIn(fact).filter(isLogCall)], text)
  const beside = left.replaceAll(CAST, '').replaceAll(COLUMNS, '').replaceAll(TAKES_ROLE, '')
  return LOOKS_AT_RIGHTS.test(beside) ? undefined : { role: first.role, beside }
}

/** What a function holds beside some of its parts. */
function textBeside({ start, end }: Span, parts: readonly Span[], text: string): string {
  const pieces: string[] = []
  let from = start
  for (const part of [...parts.toSorted((a, b) => a.start - b.start), { start: end, end }]) {
    if (part.start >= from) pieces.push(text.slice(from, part.start))
    from = Math.max(from, part.end)
  }
  return pieces.join(' ')
}

/** `logger.info(req.user)`, `audit(db, { userId: req.user.id })`: who called is written down, and nobody is asked. */
function isNote(call: CallValue): boolean {
  const { args, callee } = call
  // `trace('handing in', async () => …)` runs what it gets
  return isLogCall(call) || (args.length > 0 && NOTES.test(lastNameOf(callee) ?? '') && !args.some(functionOf))
}

/** `req.user.role === 'seeker'`, under whatever name. */
function roleOf(test: Value): string | undefined {
  if (!('operator' in test) || !/^===?$/.test(test.operator)) return undefined
  const isRole = (side: Value): boolean =>
    accessesOf(side).some(
      ({ root, steps }) => isContextRoot(root) && CALLER_STEPS.test(steps[0] ?? '') && /role$/i.test(steps.at(-1) ?? ''),
    )
  const role = test.operands.map(constantOf).find((side) => typeof side === 'string')
  return typeof role === 'string' && test.operands.some(isRole) ? role : undefined
}

/** `user.role !== 'admin' && user.role !== 'customer'`: the roles that a refusal spares, where nothing else is asked for. */
function passingRoles(test: string): readonly string[] {
  const parts = test.split('&&').map((part) => SPARED_ROLE.exec(part)?.[1])
  return parts.some((role) => role === undefined) ? [] : parts.flatMap((role) => role ?? [])
}

const SPARED_ROLE = /^\s{0,40}\(?\s{0,20}[\w.?]{1,60}[rR]ole\s{0,5}!==?\s{0,5}["'`]([\w-]{1,40})["'`]\s{0,20}\)?\s{0,40}$/

/** Functions of the file that a function calls by itself, and not to write down that it was called. */
function calledBy(fact: FunctionFact, { calls }: ScriptFacts): readonly FunctionFact[] {
  return calls.flatMap((call) => (isWithin(call, fact) && !isNote(call) ? (functionOf(call.callee) ?? []) : []))
}

/** What the client sends that a call on stored data gets. */
function keyUsed(handler: FunctionFact, { calls }: ScriptFacts, effects: EffectReader): string | undefined {
  const isStored = effects.usesOf(handler) === 'stored'
  for (const { start, end, callee, args } of calls) {
    if (start < handler.start || end > handler.end || HARMLESS_CALLS.test(lastNameOf(callee) ?? '')) continue
    if (!isStored && !('object' in callee && STORES.test(lastNameOf(callee.object) ?? ''))) continue
    for (const argument of args) {
      const part = findPart(argument, (one) => clientKey(one) !== undefined)
      if (part !== undefined) return clientKey(part)
    }
  }
  return undefined
}

/** `req.params.id`, `const { id } = req.params`. */
function clientKey(value: Value): string | undefined {
  if (!('name' in value)) return undefined
  for (const { root, steps } of accessesOf(value))
    if (isContextRoot(root) && steps[0] === 'params' && steps.length === 2) return `req.params.${steps[1]}`
  return undefined
}

/** What a function answers of the process that it runs in: its environment, which holds credentials, or figures and paths. */
export function tellsOf(fact: FunctionFact, { calls }: Pick<ScriptFacts, 'calls'>, text: string): RouteFunction['tells'] {
  const parts = calls.flatMap((call) => (isWithin(call, fact) && isAnswer(call) ? partsOf(call.args) : []))
  if (parts.some((part) => isAt(part, ENVIRONMENTS))) return 'environment'
  if (parts.some(isAccessToken) && CLIENT_GRANT.test(text.slice(fact.start, fact.end))) return 'token'
  if (calls.some((call) => isWithin(call, fact) && sendsDatabase(call))) return 'database'
  return parts.some((part) => isAt(part, INTERNALS)) ? 'internals' : undefined
}

/** ``res.download(`${__dirname}/../db.sqlite`)``, `res.sendFile(path.join(root, 'shop.db'))`. Fact: Express 5, "Response". */
function sendsDatabase({ callee, args: [file] }: CallValue): boolean {
  if (file === undefined || !accessesOf(callee).some(({ root, steps }) => SENDS_FILES.test([root, ...steps].join(' '))))
    return false
  const isNamed = (text: unknown): boolean => typeof text === 'string' && DATABASE_FILE.test(text)
  return (
    findPart(file, (part) => ('texts' in part ? part.texts?.some(isNamed) === true : isNamed(constantOf(part)))) !== undefined
  )
}

const SENDS_FILES = /^parameter:_?(?:resp?|response|reply) (?:(?:status|type|set|header|code) \(\) )*(?:download|sendFile)$/

/** The grant by which an application gets a token for itself. Fact: RFC 6749, section 4.4. */
const CLIENT_GRANT = /\bclient_credentials\b/

/** `answer.data.access_token`, under whatever name. Fact: RFC 6749, section 5.1. */
function isAccessToken(part: Value): boolean {
  return accessesOf(part).some(({ steps }) => /^access_?token$/i.test(steps.at(-1) ?? ''))
}

/** `res.status(200).json(…)` */
export function isAnswer({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => ANSWERS.test([root, ...steps].join(' ')))
}

function partsOf(args: readonly Value[]): readonly Value[] {
  return args
    .flatMap((argument) => writtenParts(argument))
    .flatMap((part) => {
      const made = resolveValue(part)
      return made === part ? [part] : [part, ...writtenParts(made)]
    })
}

function isAt(part: Value, paths: RegExp): boolean {
  return accessesOf(part).some(({ root, steps }) => paths.test([root.replace(/^module:node:/, 'module:'), ...steps].join(' ')))
}

/** Rows that a function of a route asks for: those of the user, or one that the client names. */
function rowsOf(
  fact: FunctionFact,
  { calls, guards }: ScriptFacts,
  isNarrowed: (call: CallValue) => boolean,
): readonly RouteRow[] {
  return calls.flatMap((call): readonly RouteRow[] => {
    const isOwn = isWithin(call, fact) && !isLogCall(call)
    const asked = isOwn ? tableOf(call) : undefined
    const all = isOwn ? tableOfAll(call) : undefined
    if (asked === undefined) return all === undefined ? [] : [{ ...rowAt(call, { table: all, conditions: [] }), isAll: true }]
    const isOfUser = (given: Value): boolean => findPart(given, isOfCaller) !== undefined
    const isCompared = (guard: Guard): boolean => guard.function === fact && isComparedRow(guard, call)
    if (asked.isNew === true) {
      const parties = partyColumns(call, asked.conditions)
      const made = { ...rowAt(call, asked), ...(parties.length > 0 && { parties }) }
      const maker = makerColumn(call, asked.conditions, isOfCaller)
      if (asked.conditions.some(isOfUser)) return [{ ...made, own: 'written', ...(maker !== undefined && { maker }) }]
      const user = asked.conditions.flatMap((given) => keyIn(given) ?? []).find((one) => one.startsWith('req.params.'))
      if (user !== undefined) return [{ ...made, key: user, isAdded: true }]
      return parties.length > 0 ? [made] : []
    }
    if (guards.some(isCompared)) return [{ ...rowAt(call, asked), own: 'compared' }]
    if (asked.conditions.some(isOfUser)) return [{ ...rowAt(call, asked), own: 'asked' }]
    const keys = call.args.flatMap((given) => keyIn(given) ?? [])
    // of what is written and what is asked for the path names the row
    const key = keys.find((one) => one.startsWith('req.params.')) ?? keys[0]
    if (key !== undefined) {
      const isTaken = asked.isChanged === true && call.args.some(isOfUser)
      return [{ ...rowAt(call, asked), key, ...(isTaken && { isTaken }) }]
    }
    if (all !== undefined) return [{ ...rowAt(call, asked), isAll: true }]
    if (!isListed(call) || isNarrowed(call)) return []
    return [{ ...rowAt(call, asked), isListed: true, ...(listsAll(call) && { isAll: true }) }]
  })
}

/** A row that a call changes, by what the client names: `Claim.destroy({ where: { id: req.params.id } })`. */
export function changedRow(call: CallValue): { readonly table: string; readonly key: string } | undefined {
  const asked = isLogCall(call) ? undefined : tableOf(call)
  if (asked?.isChanged !== true || asked.conditions.some((given) => findPart(given, isOfCaller) !== undefined)) return undefined
  const key = asked.conditions.flatMap((given) => keyIn(given) ?? [])[0]
  return key === undefined ? undefined : { table: asked.table, key }
}

/** `if (claim.owner !== req.user.id) return res.sendStatus(403)`, of a row that the call gave; who may not read rows of their own owns nothing by that. */
function isComparedRow({ test, exits }: Guard, { start, end }: CallValue): boolean {
  const isOfRow = (side: Value): boolean => findPart(side, (part) => part.start === start && part.end === end) !== undefined
  const isComparison = (part: Value): boolean => {
    const asked = askedIn(part, !exits)
    return asked !== undefined && equalIn(asked).some(([row, user]) => isOfRow(row) && findPart(user, isOfCaller) !== undefined)
  }
  return findPart(test, isComparison) !== undefined
}

/** Of a statement alone: a method of a model may be given a condition. */
function writesRow(call: CallValue): boolean {
  const asked = tableOf(call)
  return asked !== undefined && (asked.isNew === true || asked.isChanged === true)
}

/** Rows that a call asks for. */
interface Asked {
  readonly table: string
  /** What says which rows: not what is written into them. */
  readonly conditions: readonly Value[]
  readonly isChanged?: true
  /** Rows that it makes: `conditions` is what it writes. */
  readonly isNew?: true
}

const rowAt = ({ callee: { start, end } }: CallValue, { table, isChanged }: Asked): RouteRow => ({
  table,
  start,
  end,
  ...(isChanged && { isChanged }),
})

/** `SELECT … FROM claims`, `update claims set`, `INSERT INTO claims`. */
const OF_TABLE = /^\s{0,20}(?:(select|update|delete)\b|insert\s{1,20}into\b)/i
const TABLE = /\b(?:from|update|into)\s{1,20}["`]?([\w.]{1,80})/i
const CHANGES_ROWS = /update|delete|destroy|remove/i

/** `query('SELECT … FROM claims …', …)`, `Claim.findOne({ where })`, `prisma.claim.update({ where })`. */
function tableOf(call: CallValue): Asked | undefined {
  const { callee, args } = call
  const [first] = args
  const statement = statementOf(call)?.text
  if (statement !== undefined) {
    const [begin, verb = ''] = OF_TABLE.exec(statement) ?? []
    const table = begin === undefined ? undefined : TABLE.exec(statement)?.[1]
    if (table === undefined) return undefined
    const isChanged = CHANGES_ROWS.test(verb)
    return { table, conditions: conditionsOf(call), ...(isChanged && { isChanged }), ...(verb === '' && { isNew: true }) }
  }
  if (!('object' in callee)) return undefined
  const isNew = MAKING_METHODS.test(callee.name ?? '')
  if (!isNew && !ROW_METHODS.test(callee.name ?? '')) return undefined
  const owner = callee.object
  const [named] = collectionIn(owner)
  const collection = named && stringConstantOf(named)
  const name = collection ?? lastNameOf(owner) ?? ''
  const isModel =
    collection !== undefined || /^[A-Z][a-z]/.test(name) || accessesOf(owner).some(({ root }) => /prisma/i.test(root))
  if (first === undefined) return isModel && LISTS.test(callee.name ?? '') ? { table: name, conditions: [] } : undefined
  const made = resolveValue(first)
  // Mongoose takes the condition itself: `Order.find({ owner: req.user.id })`
  const isSelected = fieldOf(made, 'where') !== undefined || 'fields' in made || /By(?:Id|Pk)|One/.test(callee.name ?? '')
  if (!isModel || !isSelected) return undefined
  // prisma.claim.create({ data })
  if (isNew) return { table: name, conditions: [fieldOf(made, 'data')?.value ?? first], isNew }
  // Sequelize writes `update(values, { where })`
  const wheres = args.flatMap((given) => fieldOf(resolveValue(given), 'where')?.value ?? [])
  const isChanged = CHANGES_ROWS.test(callee.name ?? '')
  return { table: name, conditions: wheres.length > 0 ? wheres : [first], ...(isChanged && { isChanged }) }
}

/** `req.user.id`, `req.courier.email` that a middleware has set, `req.headers['x-user-id']` that a proxy writes, under whatever name. */
function isOfCaller(part: Value): boolean {
  return (
    'name' in part &&
    accessesOf(part).some(
      ({ root, steps: [first = '', second = ''] }) =>
        isContextRoot(root) &&
        (CALLER_STEPS.test(first) ||
          (first === 'headers' && USER_HEADERS.test(second)) ||
          (!OWN_STEPS.has(first) && OF_PERSON.test(second))),
    )
  )
}

function keyIn(given: Value): string | undefined {
  const part = findPart(given, (one) => keyOf(one) !== undefined)
  return part && keyOf(part)
}

/** `req.params.id`, `const { claimId } = req.body`. */
function keyOf(value: Value): string | undefined {
  if (!('name' in value)) return undefined
  for (const { root, steps } of accessesOf(value)) {
    const [part = '', name = ''] = steps
    if (!isContextRoot(root) || steps.length !== 2 || !KEY_NAMES.test(name)) continue
    if (/^(?:params|body|query)$/.test(part)) return `req.${part}.${name}`
  }
  return undefined
}
