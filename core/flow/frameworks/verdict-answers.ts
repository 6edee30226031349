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
import { isAnswer } from './route-rights.ts'
import type { EffectReader } from './route-effects.ts'
import { statementOf } from './statements.ts'

/** Methods that read rows. Facts: Mongoose 8, Sequelize 6, Prisma 6, TypeORM 0.3 (README of each). */
const READS =
  /^(?:find(?:One|First|Unique|ByPk|ById|By|OneBy)?|exists|existsBy|count(?:Documents|By)?|lean|select|from|where|one)$/
const CHANGES = /^\s{0,40}(?!select\b)\w/i
/** They run a statement that says what it does. */
const RUNS = /^(?:query|exec|execute|get|all|one|oneOrNone|prepare|prepareStatement|run)$/

/**
 * Functions that answer a request with constants and truth values alone, after they have read stored data and done nothing else: `res.json({ free: rows.length === 0 })`. They say
 * whether there is a row, such as an account of that name, and nothing of what it holds.
 */
export function createVerdictReader(facts: ScriptFacts, effects: EffectReader): (fact: FunctionFact) => boolean {
  let callsIn: ((fact: FunctionFact) => readonly CallValue[]) | undefined
  return (fact) => {
    const inside = effects.within(fact)
    const isHarmless = inside.every(({ isOfResponse, isIdle, usesData }) => isOfResponse || isIdle || usesData === 'stored')
    if (!isHarmless || !inside.some(({ usesData }) => usesData === 'stored')) return false
    callsIn ??= createInnerIndex(facts.calls)
    const calls = callsIn(fact).filter((call) => !isLogCall(call))
    const answers = calls.filter(isAnswer)
    const starts = new Set(inside.flatMap(({ start, usesData }) => (usesData === 'stored' ? [start] : [])))
    const stored = calls.filter(({ start }) => starts.has(start))
    return answers.length > 0 && answers.every(({ args }) => args.every(isVerdict)) && stored.every(isRead)
  }
}

/** `SELECT … WHERE name = ?`, `Keeper.findOne({ name })`. */
function isRead(call: CallValue): boolean {
  const text = statementOf(call)?.text
  const name = lastNameOf(call.callee) ?? ''
  if (text !== undefined && RUNS.test(name)) return !CHANGES.test(text)
  return READS.test(name) || name === 'SELECT'
}

const MAX_DEPTH = 3

/** `true`, `{ free: found === null }`, `{ free: !found }`, an exception. */
function isVerdict(value: Value, depth = 0): boolean {
  const made = resolveValue(value)
  if (constantOf(made) !== undefined) return true
  if ('fields' in made) return depth < MAX_DEPTH && made.fields.every((field) => isVerdict(field.value, depth + 1))
  if ('operator' in made) return /^(?:[!=]==?|!|[<>]=?)$/.test(made.operator)
  if ('callee' in made) return lastNameOf(made.callee) === 'Boolean'
  return accessesOf(value).some(({ binding }) => binding?.kind === 'catch')
}
