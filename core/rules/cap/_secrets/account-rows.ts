import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../../facts/index.ts'
import { resolveValue } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAccountPassword, isPasswordHash } from '../../../model/script/index.ts'
import { clientData } from '../_rows/client-data.ts'
import { RUNS_SQL, sqlPairs, sqlText } from '../_rows/column-pairs.ts'

/** Whole rows of a table, as a statement reads them. */
interface TableRows {
  readonly table: string
  /** All rows of the table; else some, mostly the one of an account. */
  readonly isAll: boolean
}

/** A table with a column for the password of an account. */
interface PasswordTable {
  readonly table: string
  readonly column: string
  /** The column holds what the client sends, unhashed. */
  readonly isPlain: boolean
}

const METHODS = /^(?:all|get|any|many|one|oneOrNone|prepare|raw)$/
const WHOLE = /^\s{0,40}SELECT\s{1,20}\*\s{1,20}FROM\s{1,20}["`[]?(\w{1,60})["`\]]?\s{0,20}(?:$|;|(?:WHERE|ORDER|LIMIT)\b)/i
const INSERT = /^\s{0,40}INSERT\s{1,20}INTO\s{1,20}["`[]?(\w{1,60})["`\]]?\s{0,20}\(([^()]{1,2000})\)/i

function statementOf({ callee, args: [first] }: CallValue): string | undefined {
  const name = lastNameOf(callee) ?? ''
  if (first === undefined || !(RUNS_SQL.test(name) || METHODS.test(name))) return undefined
  return sqlText(first)
}

/** `INSERT INTO users (mail, password_hash) VALUES (?, ?)`, `SELECT * FROM users WHERE mail = ? AND password = ?`. */
export function passwordTables({ calls }: ScriptFacts, step: (count?: number) => void): readonly PasswordTable[] {
  return calls.flatMap((call) => {
    step()
    const statement = statementOf(call) ?? ''
    const [, table, columns] = INSERT.exec(statement) ?? []
    const names = (columns ?? '').split(',').map((name) => name.replace(/["`[\]\s]/g, ''))
    // passwords of other systems
    if (names.some((name) => OF_SYSTEM.test(name))) return []
    const plain = sqlPairs(call, lastNameOf(call.callee) ?? '').find(({ column, value }) => isPassword(column) && isSent(value))
    const column = names.find(isPassword) ?? plain?.column
    const asked = table ?? WHOLE.exec(statement)?.[1]
    return asked === undefined || column === undefined ? [] : [{ table: asked, column, isPlain: plain !== undefined }]
  })
}

const isPassword = (name: string): boolean => isAccountPassword(name) || isPasswordHash(name)
const OF_SYSTEM = /^(?:\w{1,20}_)?(?:host(?:name)?|url|server|ssid|port|device(?:_?id)?|smtp|imap|ip(?:_?address)?)$/i

/** As the client sends it; `password = hash(password)` before makes it another one. */
function isSent(value: Value): boolean {
  return clientData(value) !== undefined && !(value.kind === 'reference' && (value.binding?.definitions.length ?? 0) > 1)
}

/**
 * Reads which rows of a table a value is: `rows`, `rows[0]` of `const [rows] = await pool.query('SELECT * FROM users')`, `result.rows`, the rows of a callback.
 * Facts: mysql2 3, pg 8, better-sqlite3 12, sqlite3 5 (README of each: what a query gives).
 */
export function createTableReader({ calls }: ScriptFacts): (value: Value) => TableRows | undefined {
  const callbacks = new Map<FunctionFact, CallValue>()
  for (const call of calls) {
    const handed = functionOf(call.args.at(-1))
    if (handed !== undefined && call.args.length > 1 && !callbacks.has(handed)) callbacks.set(handed, call)
  }
  const rowsOf = (value: Value, hops: number): TableRows | undefined => {
    if (hops <= 0) return undefined
    if (value.kind === 'await') return rowsOf(value.value, hops - 1)
    if (value.kind === 'member') {
      const rows = GIVES.test(value.name ?? '') ? rowsOf(value.object, hops - 1) : undefined
      return rows && (value.name === '0' ? { ...rows, isAll: false } : rows)
    }
    if (value.kind === 'call') return rowsOfCall(value, hops)
    if (value.kind !== 'reference') return undefined
    const [only, ...others] = value.binding?.definitions ?? []
    if (only === undefined || others.length > 0 || only.taken !== undefined) return undefined
    if (only.kind === 'parameter') {
      const call = only.parameter === 1 && only.path.length === 0 ? callbacks.get(only.function) : undefined
      return call && rowsOfCall(call, hops)
    }
    if (only.kind !== 'init' || only.value === undefined || !only.path.every((name) => GIVES.test(name))) return undefined
    const rows = rowsOf(only.value, hops - 1)
    return rows && (only.path.length > 1 ? { ...rows, isAll: false } : rows)
  }
  const rowsOfCall = (call: CallValue, hops: number): TableRows | undefined => {
    const statement = statementOf(call)
    const table = statement === undefined ? undefined : WHOLE.exec(statement)?.[1]
    if (table !== undefined)
      return { table, isAll: !/\bWHERE\b|\bLIMIT\s{1,9}1\b/i.test(statement ?? '') && lastNameOf(call.callee) !== 'get' }
    // db.prepare('SELECT * FROM users').all()
    const { callee } = call
    const isRun = callee.kind === 'member' && /^(?:all|get)$/.test(callee.name ?? '')
    const rows = isRun ? rowsOf(resolveValue(callee.object), hops - 1) : undefined
    return rows && (lastNameOf(callee) === 'get' ? { ...rows, isAll: false } : rows)
  }
  return (value) => rowsOf(value, MAX_HOPS)
}

const GIVES = /^(?:0|rows|recordset)$/
const MAX_HOPS = 12
