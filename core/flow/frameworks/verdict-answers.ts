import {
  accessesOf,
  constantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { isLogCall } from '../../model/script/index.ts'
import { isCds } from './cap-receivers.ts'
import { builderBehind } from './query-sinks.ts'
import { isAnswer } from './route-rights.ts'
import type { EffectReader } from './route-effects.ts'
import { statementOf } from './statements.ts'

/** Methods that read rows. Facts: Mongoose 8, Sequelize 6, Prisma 6, TypeORM 0.3 (README of each). */
const READS =
  /^(?:find(?:One|First|Unique|ByPk|ById|By|OneBy)?|exists|existsBy|count(?:Documents|By)?|lean|select|from|where|one)$/
const CHANGES = /^\s{0,40}(?!select\b)\w/i
/** Methods that tell how many rows there are. Facts: Mongoose 8, Sequelize 6, Prisma 6, MongoDB 8 (reference of models and collections). */
const COUNTS = /^(?:count(?:By)?|countDocuments|estimatedDocumentCount)$/
/** Nothing but figures, and one row of them: with groups, a column says of what. */
const COUNTING = /^\s{0,40}select\s{1,20}count\s{0,5}\([^()]{1,60}\)(?:\s{1,20}(?:as\s{1,20})?["`]?\w{1,60}["`]?)?\s{1,20}from\s/i
const GROUPED = /\bgroup\s{1,20}by\b/i
/** They run a statement that says what it does. */
const RUNS = /^(?:query|exec|execute|get|all|one|oneOrNone|prepare|prepareStatement|run)$/

/** What a function tells of stored data: whether there is a row, or how many. */
export type Verdict = 'verdict' | 'counts'

/**
 * Functions that answer a request with constants, truth values and figures alone, after they have read stored data and done nothing else: `res.json({ free: rows.length === 0 })`,
 * `res.json({ open: orders.length })`. They say whether there is a row, such as an account of that name, or how many, and nothing of what a row holds.
 */
export function createVerdictReader(facts: ScriptFacts, effects: EffectReader): (fact: FunctionFact) => Verdict | undefined {
  let callsIn: ((fact: FunctionFact) => readonly CallValue[]) | undefined
  return (fact) => {
    const inside = effects.within(fact)
    if (!inside.some(({ usesData }) => usesData === 'stored')) return undefined
    callsIn ??= createInnerIndex(facts.calls)
    const calls = callsIn(fact).filter((call) => !isLogCall(call))
    const told = new Set(calls.map(({ start }) => start))
    const isHarmless = inside.every(
      ({ start, isOfResponse, isIdle, usesData }) => isOfResponse || isIdle || usesData === 'stored' || !told.has(start),
    )
    if (!isHarmless) return undefined
    const answers = calls.filter(isAnswer)
    const starts = new Set(inside.flatMap(({ start, usesData }) => (usesData === 'stored' ? [start] : [])))
    const stored = calls.filter(({ start }) => starts.has(start))
    if (answers.length === 0 || !stored.every(isRead)) return undefined
    const given = answers.flatMap(({ args }) => args)
    if (given.every((value) => isVerdict(value))) return 'verdict'
    const areCounted = stored.every((call) => leadsToRows(call) || isCount(call))
    return areCounted || given.every((value) => isVerdict(value, isFigure)) ? 'counts' : undefined
  }
}

/** `SELECT … WHERE name = ?`, `Keeper.findOne({ name })`, `db.run(SELECT.from('Keepers'))`. */
function isRead(call: CallValue): boolean {
  if (leadsToRows(call)) return true
  const text = statementOf(call)?.text
  const name = lastNameOf(call.callee) ?? ''
  if (text !== undefined && RUNS.test(name)) return !CHANGES.test(text)
  return READS.test(name) || name === 'SELECT'
}

/** `cds.connect.to('db')`, `db.run(SELECT.from('Keepers'))`: another call says what is read. Facts: capire, "cds.connect", "srv.run". */
function leadsToRows({ callee, args: [query] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (name === 'to') return accessesOf(callee).some((access) => isCds(access))
  return name === 'run' && query !== undefined && builderBehind(query) === 'SELECT'
}

/** `Keeper.countDocuments()`, `SELECT COUNT(*) AS n FROM keeper`. */
function isCount(call: CallValue): boolean {
  const text = statementOf(call)?.text
  return text === undefined ? COUNTS.test(lastNameOf(call.callee) ?? '') : COUNTING.test(text) && !GROUPED.test(text)
}

/** `orders.length` */
function isFigure(value: Value): boolean {
  return 'object' in value && lastNameOf(value) === 'length'
}

const MAX_DEPTH = 3

/** `true`, `{ free: found === null }`, `{ free: !found }`, an exception, and what `isAlso` says. */
function isVerdict(value: Value, isAlso: (value: Value) => boolean = () => false, depth = 0): boolean {
  const made = resolveValue(value)
  if (constantOf(made) !== undefined || isAlso(made)) return true
  if ('fields' in made) return depth < MAX_DEPTH && made.fields.every((field) => isVerdict(field.value, isAlso, depth + 1))
  if ('operator' in made) return /^(?:[!=]==?|!|[<>]=?)$/.test(made.operator)
  if ('callee' in made) return lastNameOf(made.callee) === 'Boolean'
  return accessesOf(value).some(({ binding }) => binding?.kind === 'catch')
}
