import {
  accessesOf,
  findPart,
  type FunctionFact,
  type ScriptFacts,
  type Value,
  resolveValue,
  type CallValue,
  fieldOf,
  type Guard,
  constantOf,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import {
  HARMLESS_CALLS,
  LOOKS_AT_CALLER,
  LOOKS_AT_RIGHTS,
  STORES,
  ANSWERS,
  ENVIRONMENTS,
  INTERNALS,
  CALLER_STEPS,
  KEY_NAMES,
  OF_PERSON,
  OWN_STEPS,
  ROW_METHODS,
  USER_HEADERS,
} from '../tables/routes.ts'
import type { RouteRights, RouteFunction, RouteRow } from '../types.ts'
import type { EffectReader } from './route-effects.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { askedIn, equalIn } from '../../conditions/asked.ts'
import { directParts } from '../../facts/values.ts'

/** `as { id: string; role: string }`: a type says what a token may hold, and asks nobody. */
const CAST = /\bas\s{1,10}\{[^{}]{0,500}\}/g

/** What a function that answers a route, runs in front of it or makes such a one, knows of who may do it. */
export function createRightsReader(facts: ScriptFacts, text: string, effects: EffectReader): (fact: FunctionFact) => RouteRights {
  const textOf = ({ start, end }: Span): string => text.slice(start, end).replaceAll(CAST, '')
  return (fact) => {
    const own = textOf(fact)
    const checks = LOOKS_AT_RIGHTS.exec(own)?.[0].replace(/^\.|\($/g, '')
    const key = keyUsed(fact, facts, effects)
    const rows = rowsOf(fact, facts)
    return {
      ...(checks !== undefined && { checks }),
      ...([fact, ...calledBy(fact, facts)].some((one) => LOOKS_AT_CALLER.test(textOf(one))) && { looksAtCaller: true }),
      ...(key !== undefined && { key }),
      ...(rows.length > 0 && { rows }),
    }
  }
}

/** Functions of the file that a function calls by itself. */
function calledBy({ start, end }: FunctionFact, { calls }: ScriptFacts): readonly FunctionFact[] {
  return calls.flatMap((call) => (start <= call.start && call.end <= end ? (functionOf(call.callee) ?? []) : []))
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
    if (/^parameter:_?(?:req|request)$/.test(root) && steps[0] === 'params' && steps.length === 2) return `req.params.${steps[1]}`
  return undefined
}

/** What a function answers of the process that it runs in: its environment, which holds credentials, or figures and paths. */
export function tellsOf({ start, end }: FunctionFact, { calls }: ScriptFacts): RouteFunction['tells'] {
  const parts = calls.flatMap((call) => (start <= call.start && call.end <= end && isAnswer(call) ? partsOf(call.args) : []))
  if (parts.some((part) => isAt(part, ENVIRONMENTS))) return 'environment'
  return parts.some((part) => isAt(part, INTERNALS)) ? 'internals' : undefined
}

/** `res.status(200).json(…)` */
function isAnswer({ callee }: CallValue): boolean {
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
function rowsOf(fact: FunctionFact, { calls, guards }: ScriptFacts): readonly RouteRow[] {
  const { start, end } = fact
  return calls.flatMap((call): readonly RouteRow[] => {
    const asked = start <= call.start && call.end <= end ? tableOf(call) : undefined
    if (asked === undefined) return []
    const isOfUser = (given: Value): boolean => findPart(given, isOfCaller) !== undefined
    const isCompared = (guard: Guard): boolean => guard.function === fact && isComparedRow(guard, call)
    if (asked.conditions.some(isOfUser) || guards.some(isCompared)) return [{ ...rowAt(call, asked), isOwn: true }]
    const keys = call.args.flatMap((given) => keyIn(given) ?? [])
    // of what is written and what is asked for the path names the row
    const key = keys.find((one) => one.startsWith('req.params.')) ?? keys[0]
    return key === undefined ? [] : [{ ...rowAt(call, asked), key }]
  })
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

/** Rows that a call asks for. */
interface Asked {
  readonly table: string
  /** What says which rows: not what is written into them. */
  readonly conditions: readonly Value[]
}

const rowAt = ({ callee: { start, end } }: CallValue, { table }: Asked): RouteRow => ({ table, start, end })

/** `query('SELECT … FROM claims …', …)`, `Claim.findOne({ where })`, `prisma.claim.update({ where })`. */
function tableOf(call: CallValue): Asked | undefined {
  const { callee, args } = call
  const [first] = args
  const statement = statementOf(call)?.text
  if (statement !== undefined) {
    const table = /^\s{0,20}(?:select|update|delete)\b/i.test(statement)
      ? /\b(?:from|update)\s{1,20}["`]?([\w.]{1,80})/i.exec(statement)?.[1]
      : undefined
    return table === undefined ? undefined : { table, conditions: args }
  }
  if (!('object' in callee) || first === undefined || !ROW_METHODS.test(callee.name ?? '')) return undefined
  const owner = callee.object
  const name = lastNameOf(owner) ?? ''
  const isModel = /^[A-Z][a-z]/.test(name) || accessesOf(owner).some(({ root }) => /prisma/i.test(root))
  const made = resolveValue(first)
  // Mongoose takes the condition itself: `Order.find({ owner: req.user.id })`
  const isSelected = fieldOf(made, 'where') !== undefined || 'fields' in made || /By(?:Id|Pk)|One/.test(callee.name ?? '')
  if (!isModel || !isSelected) return undefined
  // Sequelize writes `update(values, { where })`
  const wheres = args.flatMap((given) => fieldOf(resolveValue(given), 'where')?.value ?? [])
  return { table: name, conditions: wheres.length > 0 ? wheres : [first] }
}

/** `req.user.id`, `req.courier.email` that a middleware has set, `req.headers['x-user-id']` that a proxy writes, under whatever name. */
function isOfCaller(part: Value): boolean {
  return (
    'name' in part &&
    accessesOf(part).some(
      ({ root, steps: [first = '', second = ''] }) =>
        REQUEST.test(root) &&
        (CALLER_STEPS.test(first) ||
          (first === 'headers' && USER_HEADERS.test(second)) ||
          (!OWN_STEPS.has(first) && OF_PERSON.test(second))),
    )
  )
}

const REQUEST = /^parameter:_?(?:req|request|ctx)$/

function keyIn(given: Value): string | undefined {
  const part = findPart(given, (one) => keyOf(one) !== undefined)
  return part && keyOf(part)
}

/** `req.params.id`, `const { claimId } = req.body`. */
function keyOf(value: Value): string | undefined {
  if (!('name' in value)) return undefined
  for (const { root, steps } of accessesOf(value)) {
    const [part = '', name = ''] = steps
    if (!REQUEST.test(root) || steps.length !== 2 || !KEY_NAMES.test(name)) continue
    if (/^(?:params|body|query)$/.test(part)) return `req.${part}.${name}`
  }
  return undefined
}

/** A statement that a call sends, and what the call gives it for its parameters. */
interface SentStatement {
  /** What is filled into a template is a question mark. */
  readonly text: string
  readonly given: readonly Value[]
}

/** What runs a statement that was prepared before. Facts: better-sqlite3 12, sql.js 1, @sap/hana-client 2, node:sqlite (README or documentation of each). */
const RUNS = /^(?:run|get|all|each|iterate|exec|execute|query|first|values|pluck)$/

/**
 * `pool.query('SELECT …', [id])`, `db.prepare('SELECT … WHERE id = ?').get(id)`, `db.execute(await db.prepare('SELECT … WHERE id = ?'), [id])`; undefined: the text is not
 * known, or the call sends none.
 */
export function statementOf({ callee, args }: CallValue): SentStatement | undefined {
  const [first, ...rest] = args
  const own = first && textOf(first)
  if (own !== undefined) return { text: own, given: rest }
  const handed = first && rest.length > 0 ? preparedText(first) : undefined
  if (handed !== undefined) return { text: handed, given: rest }
  if (!('object' in callee) || !RUNS.test(callee.name ?? '')) return undefined
  const text = preparedText(callee.object)
  return text === undefined ? undefined : { text, given: args }
}

/** The text that a statement was prepared with, where that is waited for too. */
function preparedText(statement: Value): string | undefined {
  const made = resolveValue(statement)
  const [waited] = directParts(made)
  const prepared = 'callee' in made ? made : waited && resolveValue(waited)
  const [written] = prepared !== undefined && 'callee' in prepared ? prepared.args : []
  return written && textOf(written)
}

function textOf(value: Value): string | undefined {
  const made = resolveValue(value)
  const written = constantOf(made)
  if (written !== undefined) return typeof written === 'string' ? written : undefined
  return 'texts' in made && 'parts' in made ? made.texts.join('?') : undefined
}
