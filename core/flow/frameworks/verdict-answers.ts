import { functionOf } from '../../facts/callbacks.ts'
import {
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { awaited } from '../../facts/conditions.ts'
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
    // a chain of calls has one beginning, and an end for each
    const working = new Set(calls.flatMap((call) => (isConversion(call) ? [] : [call.end])))
    const isHarmless = inside.every(
      ({ end, isOfResponse, isIdle, usesData }) => isOfResponse || isIdle || usesData === 'stored' || !working.has(end),
    )
    if (!isHarmless) return undefined
    const answers = calls.filter(isAnswer)
    const starts = new Set(inside.flatMap(({ start, usesData }) => (usesData === 'stored' ? [start] : [])))
    const stored = calls.filter((call) => starts.has(call.start) && !isConversion(call))
    if (answers.length === 0 || !stored.every(isRead)) return undefined
    const given = answers.flatMap(({ args }) => args)
    if (given.every((value) => isVerdict(value))) return 'verdict'
    const isCounted = createCountReader(calls, new Set(stored.filter(isCount)))
    return given.every((value) => isVerdict(value, (one) => isFigure(one) || isCounted(one))) ? 'counts' : undefined
  }
}

/** `SELECT … WHERE name = ?`, `Keeper.findOne({ name })`, `db.run(SELECT.from('Keepers'))`. */
function isRead(call: CallValue): boolean {
  if (isStep(call)) return true
  const text = statementOf(call)?.text
  const name = lastNameOf(call.callee) ?? ''
  if (text !== undefined && RUNS.test(name)) return !CHANGES.test(text)
  return READS.test(name) || name === 'SELECT'
}

/** `cds.connect.to('db')`, `db.run(SELECT.from('Keepers'))`: another call says what is read, or reads it. Facts: capire, "cds.connect", "srv.run". */
function isStep({ callee, args: [query] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (name === 'to') return accessesOf(callee).some((access) => isCds(access))
  return name === 'run' && query !== undefined && builderBehind(query) === 'SELECT'
}

/** `Keeper.countDocuments()`, `SELECT COUNT(*) AS n FROM keeper`. With groups, each has a row that says of what. Fact: Sequelize 6, `Model.count` (option `group`). */
function isCount(call: CallValue): boolean {
  const text = statementOf(call)?.text
  if (text !== undefined) return COUNTING.test(text) && !GROUPED.test(text)
  return (
    COUNTS.test(lastNameOf(call.callee) ?? '') && call.args.every((given) => fieldOf(resolveValue(given), 'group') === undefined)
  )
}

/** Tells what calls that count give: what they return, their promises too, and what their callbacks get. */
function createCountReader(calls: readonly CallValue[], counting: ReadonlySet<Value>): (value: Value) => boolean {
  const told = new Set<FunctionFact>()
  const known = new Map<object, boolean>()
  const isCounted = (given: Value, depth = 0): boolean => {
    if (depth > MAX_STEPS) return false
    const behind = (one: Value | undefined): boolean => one !== undefined && isCounted(one, depth + 1)
    const value = awaited(given)
    if ('object' in value) return behind(value.object)
    if ('callee' in value) {
      const [first] = value.args
      const name = lastNameOf(value.callee) ?? ''
      // await Promise.all([Keeper.countDocuments(), Tower.countDocuments()])
      if (name === 'all' && first !== undefined && 'items' in first) return first.items.every(behind)
      return counting.has(value) || (TO_FIGURE.test(name) && behind(first))
    }
    const { definitions = [] } = ('binding' in value ? value.binding : undefined) ?? {}
    // each name once: names that hold each other have ways without end
    const isKnown = known.get(definitions)
    if (isKnown !== undefined) return isKnown
    known.set(definitions, false)
    const isGiven = definitions.every((one) => (one.parameter !== undefined ? told.has(one.function) : behind(one.value)))
    known.set(definitions, definitions.length > 0 && isGiven)
    return definitions.length > 0 && isGiven
  }
  for (const call of calls) {
    const isThen = 'object' in call.callee && lastNameOf(call.callee) === 'then' && isCounted(call.callee.object)
    if (isThen || counting.has(call)) for (const fact of call.args.flatMap((one) => functionOf(one) ?? [])) told.add(fact)
  }
  return (value) => isCounted(value)
}

const TO_FIGURE = /^(?:Number|parseInt)$/

/** `Number(row.n)`, `Promise.all([…])`, `.then(…)`: they do nothing else. */
function isConversion({ callee }: CallValue): boolean {
  return (
    lastNameOf(callee) === 'then' || accessesOf(callee).some(({ root, steps }) => CONVERSION.test([root, ...steps].join(' ')))
  )
}

const CONVERSION = /^global:(?:Promise all|Number|parseInt)$/

/** `orders.length` */
function isFigure(value: Value): boolean {
  return 'object' in value && lastNameOf(value) === 'length'
}

const MAX_DEPTH = 3
const MAX_STEPS = 12

/** `true`, `{ free: found === null }`, `{ free: !found }`, an exception, and what `isAlso` says. */
function isVerdict(value: Value, isAlso: (value: Value) => boolean = () => false, depth = 0): boolean {
  const made = resolveValue(value)
  if (constantOf(made) !== undefined || isAlso(made)) return true
  if ('fields' in made) return depth < MAX_DEPTH && made.fields.every((field) => isVerdict(field.value, isAlso, depth + 1))
  if ('operator' in made) return /^(?:[!=]==?|!|[<>]=?)$/.test(made.operator)
  if ('callee' in made) return lastNameOf(made.callee) === 'Boolean'
  return accessesOf(value).some(({ binding }) => binding?.kind === 'catch')
}
