import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'

/** A column of a condition or a row, with what it is compared with or set to. */
export interface ColumnPair extends Span {
  readonly column: string
  readonly value: Value
  /** It is put into a new row; else compared or set. */
  readonly isInserted?: true
  /** Of a placeholder that is compared or set: where the statement names the column, and the table or alias in front of it. */
  readonly at?: number
  readonly table?: string
}

/** Fields of a condition or a row, one level deep: `{ where: { owner: id } }`, `{ owner: { '=': id } }`. */
export function fieldPairs(given: Value, step: (count?: number) => void, depth = 0): readonly ColumnPair[] {
  const made = resolveValue(given)
  if (!('fields' in made) || depth > 2) return []
  step(made.fields.length)
  return made.fields.flatMap(({ key, value, start, end }): readonly ColumnPair[] => {
    if (key === undefined) return []
    const compared = fieldOf(resolveValue(value), '=')?.value ?? fieldOf(resolveValue(value), 'eq')?.value
    const inner = /^(?:where|data|\$set|values)$/.test(key) ? fieldPairs(value, step, depth + 1) : []
    return [{ column: key, value: compared ?? value, start, end }, ...inner]
  })
}

/** `UPDATE.entity(Hours, { employee })`, `SELECT.from(Hours, { employee })`: the key of a row. Fact: capire, "cds.ql". */
export function isKeyed({ callee, args }: CallValue, name: string): boolean {
  if (args.length !== 2 || callee.kind !== 'member' || !/^(?:entity|from)$/.test(name)) return false
  return /^(?:SELECT|one|UPDATE|DELETE)$/.test(lastNameOf(callee.object) ?? '')
}

/** `query('… WHERE owner = $1', [id])`: what placeholders are compared with or set to. */
export function sqlPairs({ args: [statement, values] }: CallValue, name: string): readonly ColumnPair[] {
  const text = statement !== undefined && (RUNS_SQL.test(name) || PREPARES_SQL.test(name)) ? sqlText(statement) : undefined
  const list = values && resolveValue(values)
  if (text === undefined || list === undefined || !('items' in list)) return []
  let count = 0
  const [, columns, places] = INSERT.exec(text) ?? []
  if (columns !== undefined && places !== undefined) {
    const names = columns.split(',').map((name) => name.replace(/["`\s]/g, ''))
    return places.split(',').flatMap((place, index): readonly ColumnPair[] => {
      const position = /^\s*(?:\?|\$(\d{1,3}))\s*$/.exec(place)
      if (position === null) return []
      const value = list.items[position[1] === undefined ? count++ : Number(position[1]) - 1]
      const column = names[index]
      return column === undefined || value === undefined
        ? []
        : [{ column, value, start: value.start, end: value.end, isInserted: true }]
    })
  }
  return [...text.matchAll(COMPARED)].flatMap(({ 1: table, 2: column, 3: position, index: at }): readonly ColumnPair[] => {
    const value = list.items[position === undefined ? count++ : Number(position) - 1]
    if (column === undefined || value === undefined) return []
    return [{ column, value, start: value.start, end: value.end, at, ...(table !== undefined && { table }) }]
  })
}

/** The text of a statement, in which only names of schemas may be unknown: `UPDATE "${schema}"."ORDERS" SET …`. */
export function sqlText(statement: Value): string | undefined {
  const known = constantOf(statement)
  if (known !== undefined) return typeof known === 'string' ? known : undefined
  const made = resolveValue(statement)
  if (made.kind !== 'template') return undefined
  const [first = '', ...rest] = made.texts
  return rest.every((text) => /^["`\]]?\./.test(text)) ? [first, ...rest].join('schema') : undefined
}

const COMPARED = /(?:(?:(\w{1,60})\.)?(\w{1,60})"?\s{0,4}=\s{0,4})?(?:\?|\$(\d{1,3}))/g
/** Methods that run a statement, and functions of projects that are named like them. */
export const RUNS_SQL: RegExp = /^(?:query|execute|exec|run)(?:_?(?:sql|query|statement|prepared|async))?$/i
const PREPARES_SQL = /^(?:all|get|prepare|raw)$/i
/** `INSERT INTO log (action, at, approved_by) VALUES (?, now(), ?)`. */
const INSERT =
  /^\s{0,40}insert\s{1,20}into\s{1,20}[\w."`]{1,80}\s{0,20}\(([^()]{1,2000})\)\s{0,20}values\s{0,20}\(((?:[^()]|\(\)){1,2000})\)/i
