import {
  constantOf,
  findOrigin,
  findPart,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { append } from '../../../lists.ts'
import { registrationOf } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

/**
 * What a function does with the rows of a query: gives them back as they are (`whole`), only asks whether there are any (`existence`), or only chooses with them among
 * other rows, which it gives back (`choice`), or only fills or refuses the row that the request creates (`new`). Undefined: anything else, and what nobody can tell.
 */
export type AnsweredRows = 'whole' | 'existence' | 'choice' | 'new'

/** Tells it of the calls of a script. */
export function createAnswerReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (call: CallValue) => AnsweredRows | undefined {
  let uses: ReadonlyMap<Binding, readonly Value[]> | undefined
  const usesOf = (binding: Binding): readonly Value[] => {
    uses ??= referencesIn(facts, step)
    return uses.get(binding) ?? []
  }
  return (call) => {
    const { returns } = call.function
    step(returns.length + facts.bindings.length)
    const comesFrom = (value: Value): boolean =>
      findOrigin(value, (part) => {
        step()
        return part.start === call.start && part.end === call.end ? 'source' : undefined
      }) !== undefined
    if (returns.some((value) => isGivenBack(value, call))) return 'whole'
    if (isYesOrNo(call, facts, step)) return 'existence'
    if (isForNewRow(call, facts, step)) return 'new'
    const kept = facts.bindings.find(({ definitions: [definition, other] }) => {
      const value = definition?.value
      return other === undefined && value !== undefined && definition?.path.length === 0 && isWithin(call, value)
    })
    if (kept === undefined) return undefined
    const used = usesOf(kept)
    const isAsked = (use: Value): boolean => facts.guards.some(({ test }) => isPresence(test, use))
    if (used.length > 0 && used.every(isAsked)) return 'existence'
    const isChosen = (value: Value): boolean => {
      const list = chosenFrom(value)
      return list !== undefined && !comesFrom(list) && findPart(resolveRows(list), isQuery) !== undefined
    }
    const answers = returns.filter((value) => !isRefusal(value))
    return answers.length > 0 && answers.every(isChosen) ? 'choice' : undefined
  }
}

/** A handler that answers with true or false, and does nothing else with what it reads. */
function isYesOrNo(call: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): boolean {
  const { function: around } = call
  if (around.returns.length === 0 || around.returns.some((value) => typeof constantOf(value) !== 'boolean')) return false
  step(calls.length)
  const isHandler = calls.some(
    (one) => registrationOf(one)?.phase === 'on' && one.args.some((given) => functionOf(given) === around),
  )
  return isHandler && calls.every((one) => !isWithin(one, around) || !WRITES.test(lastNameOf(one.callee) ?? ''))
}

/** In a handler before CREATE, which answers nothing, and where it changes no other rows. */
function isForNewRow({ function: around }: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): boolean {
  step(calls.length)
  const registrations = calls.filter((one) => one.args.some((given) => functionOf(given) === around)).map(registrationOf)
  const isBefore = registrations.every(
    (one) => one?.phase === 'before' && one.events.length > 0 && one.events.every((event) => event === 'CREATE'),
  )
  if (registrations.length === 0 || !isBefore) return false
  return calls.every((one) => !isWithin(one, around) || !isWriting(one))
}

/** `UPDATE(Stays)`, `INSERT.into(Stays)`, `DELETE.from(Stays)` */
function isWriting({ callee }: CallValue): boolean {
  const owner = callee.kind === 'member' ? lastNameOf(callee.object) : undefined
  return [lastNameOf(callee), owner].some((name) => name !== undefined && WRITES.test(name))
}

const WRITES = /^(?:UPDATE|DELETE|UPSERT|into|update|delete|insert|upsert|emit|send|post|create)$/

function referencesIn(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<Binding, readonly Value[]> {
  const found = new Map<Binding, Value[]>()
  for (const { value } of valuesOf(facts)) {
    step()
    if (!('binding' in value) || value.binding === undefined) continue
    append(found, value.binding, value)
  }
  return found
}

/** `return cds.run(SELECT.from(Stays).where({ user: id }))`: the call is the answer, or the query that it runs. */
function isGivenBack(value: Value, call: CallValue): boolean {
  const made = resolveRows(value)
  return isWithin(call, made) && isQuery(made)
}

/** A value without `await`, whatever name it was given. */
function resolveRows(value: Value): Value {
  const made = resolveValue(value)
  return made.kind === 'await' ? resolveRows(made.value) : made
}

const QUERIES = /^(?:run|where|from|one|columns|orderBy|limit|read|and|find\w{0,10}|query|exec\w{0,4})$/

function isQuery(value: Value): boolean {
  return 'callee' in value && QUERIES.test(lastNameOf(value.callee) ?? '')
}

/** `if (!row) return …`, `if (rows.length === 0) return …`, `if (users.length > 0 && stays.length > 0)`, `if (other && other.ID !== row.ID)`: whether it is another one. */
function isPresence(test: Value, { start, end }: Span): boolean {
  if ('operands' in test && JOINS.has(test.operator)) return test.operands.some((one) => isPresence(one, { start, end }))
  if ('options' in test) return test.options.some((one) => isPresence(one, { start, end }))
  const rows = 'object' in test && KEYS.test(test.name ?? '') ? test.object : test
  return rows.start === start && rows.end === end
}

const KEYS = /^(?:length|_?id|uuid|guid)$/i

const JOINS: ReadonlySet<string> = new Set(['&&', '||', '!', '==', '===', '!=', '!==', '>', '<', '>=', '<='])

/** `types` of `types.filter(isOpen)`. */
function chosenFrom(value: Value): Value | undefined {
  const made = resolveValue(value)
  return 'callee' in made && 'object' in made.callee && made.callee.name === 'filter' ? made.callee.object : undefined
}

/** `return req.reject(404)`, `return`, `return false`. */
function isRefusal(value: Value): boolean {
  return 'value' in value || ('callee' in value && /^(?:reject|error)$/.test(lastNameOf(value.callee) ?? ''))
}
