import {
  stringConstantOf,
  resolveValue,
  type CallValue,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'
import { baseOf, entityOf, type QueryKind } from './query-chains.ts'

/** A query of a script, with what its conditions compare. */
export interface ScriptQuery {
  readonly base: CallValue
  readonly kind: QueryKind
  /** The last part of its name. */
  readonly entity: string
  readonly terms: readonly Term[]
  /** What it writes into the rows. */
  readonly given: readonly Term[]
  /** The rows that it writes, as the code names them. */
  readonly rows: readonly Value[]
  /** It is for all rows. */
  readonly isWhole: boolean
  /** The last call of its chain. */
  readonly last: CallValue
}

interface OpenQuery extends Pick<ScriptQuery, 'kind' | 'entity'> {
  readonly terms: Term[]
  readonly given: Term[]
  readonly rows: Value[]
  isWhole: boolean
  last: CallValue
}

export function scriptQueries(facts: ScriptFacts, step: (count?: number) => void): readonly ScriptQuery[] {
  const queries = new Map<CallValue, OpenQuery>()
  for (const call of facts.calls) {
    step()
    const base = baseOf(call)
    const entity = base === undefined ? undefined : entityOf(base.call.args[0])
    if (base === undefined || entity === undefined) continue
    const isWhole = base.call.args.length === 1
    const query = queries.get(base.call) ?? { kind: base.kind, entity, terms: [], given: [], rows: [], isWhole, last: call }
    query.terms.push(...termsOf(call, base.call))
    query.given.push(...givenTo(call))
    query.rows.push(...rowsGivenTo(call))
    if (call !== base.call && LIMITS.test(lastNameOf(call.callee) ?? '')) query.isWhole = false
    if (call.end >= query.last.end) query.last = call
    queries.set(base.call, query)
  }
  return [...queries].map(([base, query]) => ({ base, ...query }))
}

export interface Term {
  readonly column: string
  readonly value: Value
  /** Of an object: the field. */
  readonly field?: Span
}

export function termsOf(call: CallValue, base?: CallValue): Term[] {
  const name = call.callee.kind === 'member' ? call.callee.name : undefined
  // UPDATE(Books, id), DELETE.from(Books, { ID: id })
  if (call === base) return call.args.length > 1 && name !== 'columns' ? keyTerms(call.args[1]) : []
  if (name === 'byKey') return keyTerms(call.args[0])
  if (name === 'entries') {
    const [row] = call.args.flatMap(firstRow)
    return row?.kind === 'object' ? fieldTerms(row) : []
  }
  if (name !== 'where' && name !== 'and') return []
  if (call.kind === 'tagged') return call.args.map((value, index) => ({ column: columnBefore(call.texts?.[index] ?? ''), value }))
  const [first] = call.args
  const object = first === undefined ? undefined : resolveValue(first)
  if (object?.kind === 'object') return fieldTerms(object)
  // where('ID =', id, 'and status =', 'open')
  return call.args.flatMap((value, index) => {
    const text = stringConstantOf(call.args[index - 1] ?? value)
    return index > 0 && text !== undefined && /[=]\s{0,4}$/.test(text) ? [{ column: columnBefore(text), value }] : []
  })
}

const LIMITS = /^(?:where|and|or|byKey|having|limit|one|search)$/

/** The row of `entries(row)`, `set({ … })`. */
function givenTo(call: CallValue): Term[] {
  return rowsGivenTo(call)
    .flatMap(firstRow)
    .flatMap((row) => (row.kind === 'object' ? fieldTerms(row) : []))
}

function rowsGivenTo({ callee, args }: CallValue): readonly Value[] {
  return callee.kind === 'member' && /^(?:entries|set|with|data)$/.test(callee.name ?? '') ? args : []
}

/** A row, or the first one of a list. */
function firstRow(argument: Value): readonly Value[] {
  const made = resolveValue(argument)
  return made.kind === 'array' ? made.items.slice(0, 1).map((row) => resolveValue(row)) : [made]
}

function keyTerms(key: Value | undefined): Term[] {
  if (key === undefined) return []
  const given = resolveValue(key)
  return given.kind === 'object' ? fieldTerms(given) : given.kind === 'array' ? [] : [{ column: 'ID', value: key }]
}

function fieldTerms(object: ObjectValue): Term[] {
  return object.fields.flatMap(({ key, value, start, end }) =>
    key === undefined ? [] : [{ column: key, value: comparedIn(value), field: { start, end } }],
  )
}

/** `ids` of `{ in: ids }`. Fact: capire, "cds.ql", where. */
function comparedIn(value: Value): Value {
  const given = resolveValue(value)
  const [field, other] = given.kind === 'object' ? given.fields : []
  if (field === undefined || other !== undefined || !/^(?:in|=|==)$/.test(field.key ?? '')) return value
  const list = resolveValue(field.value)
  return list.kind === 'array' ? (list.items[0] ?? value) : field.value
}

/** The name in front of the comparison: `and ID = `. */
function columnBefore(text: string): string {
  // a function of a column
  if (/\)\s{0,4}=\s{0,4}$/.test(text)) return ''
  return /([\w.]{1,80})\s{0,4}(?:=|==)\s{0,4}$/.exec(text)?.[1] ?? 'ID'
}
