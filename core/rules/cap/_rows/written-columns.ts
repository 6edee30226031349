import { resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { statementOf } from '../../../flow/index.ts'

/** A value that a statement of SQL writes into a column, by a parameter. */
export interface WrittenColumn {
  readonly name: string
  readonly value: Value
}

const INSERT =
  /^\s{0,200}insert\s{1,20}into\s{1,20}[\w."`[\]]{1,200}\s{0,20}\(([^()]{1,4000})\)\s{0,20}values\s{0,20}\(([^()]{1,4000})\)/i
const UPDATE = /^\s{0,200}update\s{1,20}[\w."`[\]]{1,200}\s{1,20}set\s{1,20}([^;]{1,4000})/i
/** Fact: mysql2 3 (README), sqlstring 2: an object for `?` becomes `column = value, …`. */
const SET_ROW = /^\s{0,200}(?:insert\s{1,20}into|update)\s{1,20}[\w."`?]{1,200}\s{1,20}set\s{1,20}\?(?:\s|;|$)/i
const WHERE = /\swhere\s[^]*$/i
const PARAMETER = /^(?:\?|\$(\d{1,3}))$/

/**
 * The columns that a call writes with a statement of parameters: `pool.query('UPDATE users SET role = ? WHERE id = ?', [role, id])`,
 * `db.prepare('INSERT INTO users (id, role) VALUES (?, ?)').run(id, role)`. Facts: mysql2 3, pg 8, better-sqlite3 12, @sap/hana-client 2 (README of each).
 */
export function writtenColumns(call: CallValue): readonly WrittenColumn[] {
  const sent = statementOf(call)
  if (sent === undefined) return []
  const values = sent.given.flatMap((value) => {
    const made = resolveValue(value)
    return made.kind === 'array' ? made.items : [value]
  })
  const row = SET_ROW.test(sent.text) ? values.map((value) => resolveValue(value)).find((value) => 'fields' in value) : undefined
  if (row !== undefined && 'fields' in row)
    return row.fields.flatMap(({ key, value }) => (key === undefined ? [] : [{ name: key, value }]))
  return parametersIn(sent.text).flatMap(({ name, index }) => {
    const value = values[index]
    return value === undefined ? [] : [{ name, value }]
  })
}

function parametersIn(statement: string): readonly { readonly name: string; readonly index: number }[] {
  const [, columns, values] = INSERT.exec(statement) ?? []
  if (columns !== undefined && values !== undefined) {
    const names = columns.split(',')
    return numbered(values.split(',').map((value, at) => [names[at] ?? '', value]))
  }
  const [, pairs] = UPDATE.exec(statement) ?? []
  const written = pairs?.replace(WHERE, '').split(',') ?? []
  return numbered(written.map((pair) => [pair.slice(0, Math.max(0, pair.indexOf('='))), pair.slice(pair.indexOf('=') + 1)]))
}

/** Parameters by their place among the question marks, or by their number. */
function numbered(pairs: readonly (readonly [column: string, value: string])[]): { name: string; index: number }[] {
  let marks = 0
  return pairs.flatMap(([column, value]) => {
    const before = marks
    marks += value.split('?').length - 1
    const found = PARAMETER.exec(value.trim())
    if (found === null) return []
    return [{ name: column.trim().replaceAll(/["'`[\]]/g, ''), index: found[1] === undefined ? before : Number(found[1]) - 1 }]
  })
}
