import type { ProjectFile } from '../../../files.ts'
import { closingOf, parseSqlScript, splitList, type SqlRoutineTree, type SqlToken } from '../../../parse/sqlscript/index.ts'
import type { Place } from '../../../types.ts'

/** A procedure that keeps a password, or compares one with what is kept, as its caller gives it. */
export interface PasswordProcedure {
  /** As it is written. */
  readonly name: string
  readonly parameter: string
  readonly column: string
  /** What is written first, then what is compared. */
  readonly places: readonly [Place, ...Place[]]
}

/** Names are in upper case. */
const OF_PASSWORD = /PASSW(?:OR)?D|PWD/
const HASHED = /HASH|SALT|DIGEST/
/** What makes a hash or a cipher of it: the whole procedure is believed. */
const MAKES_HASH = /HASH|^SHA\d{0,3}$|MD5|CRYPT|PBKDF|DIGEST/
/** What hashes passwords whatever writes them. */
const HASHING_TRIGGER = /\btrigger\b[^;]{0,400}(?:hash|\bsha\d|md5|crypt|digest)/i
/** Functions that leave what they are given. */
const PASSING: ReadonlySet<string> = new Set(['CAST', 'CONVERT', 'BINARY', 'TRIM', 'LTRIM', 'RTRIM', 'VALUES'])

/** Facts: MySQL 8.4, "CREATE PROCEDURE", "INSERT", "UPDATE"; PostgreSQL 17, PL/pgSQL. */
export function passwordProcedures(files: Iterable<ProjectFile>, step: (count?: number) => void): readonly PasswordProcedure[] {
  const found: PasswordProcedure[] = []
  // a later script may replace a procedure by one that makes a hash
  const hashing = new Set<string>()
  for (const { path, kind, content } of files) {
    if (kind.role !== 'sql' || kind.test || content.as !== 'text' || content.text === undefined) continue
    step(1 + content.text.length / 1000)
    if (HASHING_TRIGGER.test(content.text)) return []
    for (const routine of parseSqlScript(content.text).routines) {
      step(1 + routine.statements.length)
      const all = routine.statements.flatMap(({ tokens }) => tokens)
      step(all.length)
      const parameter = routine.parameters.find(({ name, mode }) => mode !== 'out' && isPlain(name))?.name
      if (all.some(({ name }) => MAKES_HASH.test(name))) {
        hashing.add(routine.name.toUpperCase())
        continue
      }
      if (parameter === undefined) continue
      const uses = usesOf(routine, parameter).sort((a, b) => Number(b.isWritten) - Number(a.isWritten))
      const [first, ...others] = uses.map(({ token: { start, end } }): Place => ({ file: path, span: { start, end } }))
      const [use] = uses
      if (first === undefined || use === undefined) continue
      found.push({ name: routine.name, parameter: use.token.text, column: use.column.text, places: [first, ...others] })
    }
  }
  return found.filter(({ name }) => !hashing.has(name.toUpperCase()))
}

function isPlain(name: string): boolean {
  return OF_PASSWORD.test(name.toUpperCase()) && !HASHED.test(name.toUpperCase())
}

interface Use {
  readonly token: SqlToken
  readonly column: SqlToken
  readonly isWritten: boolean
}

function usesOf({ statements }: SqlRoutineTree, parameter: string): Use[] {
  return statements.flatMap(({ tokens }) => [...inserted(tokens, parameter), ...equalTo(tokens, parameter)])
}

/** `INSERT INTO members (mail, password) VALUES (p_mail, p_password)`. */
function* inserted(tokens: readonly SqlToken[], parameter: string): Generator<Use> {
  if (tokens[0]?.name !== 'INSERT') return
  const into = tokens.findIndex(({ name }) => name === 'INTO')
  const open = tokens.findIndex(({ name }, at) => into !== -1 && at > into && name === '(')
  if (open === -1) return
  const close = closingOf(tokens, open)
  if (tokens[close + 1]?.name !== 'VALUES') return
  const columns = splitList(tokens.slice(open + 1, close))
  const values = splitList(tokens.slice(close + 3, closingOf(tokens, close + 2)))
  for (const [index, value] of values.entries()) {
    const [column] = columns[index] ?? []
    const given = value.filter(({ name }) => name !== ':')
    const [token] = given
    if (column === undefined || token === undefined || given.length > 1) continue
    if (token.name === parameter && isPlain(column.name)) yield { token, column, isWritten: true }
  }
}

/** `SET password = p_password`, `WHERE password = p_password`, `IF CAST(kept_password AS BINARY) = CAST(p_password AS BINARY)`. */
function* equalTo(tokens: readonly SqlToken[], parameter: string): Generator<Use> {
  const where = tokens.findIndex(({ name }) => name === 'WHERE')
  for (const [at, { name }] of tokens.entries()) {
    if (name !== '=') continue
    const [left, right] = [sideOf(tokens, at, -1), sideOf(tokens, at, 1)]
    const [own, other] = left.some((one) => one.name === parameter) ? [left, right] : [right, left]
    const token = own.find((one) => one.name === parameter)
    const column = other.find((one) => one.kind !== 'string' && one.name !== parameter && isPlain(one.name))
    if (token === undefined || column === undefined || [...own, ...other].some(isString)) continue
    const isWritten = tokens[0]?.name === 'UPDATE' && (where === -1 || at < where)
    yield { token, column, isWritten }
  }
}

function isString({ kind }: SqlToken): boolean {
  return kind === 'string'
}

/** Tokens of a side of a comparison. */
const MAX_SIDE = 8
const ENDS: ReadonlySet<string> = new Set(['AND', 'OR', 'WHERE', 'IF', 'ELSEIF', 'WHEN', 'SET', 'ON', ',', '=', 'RETURNING'])

/** The names of one side; none where a function makes something else of them. */
function sideOf(tokens: readonly SqlToken[], at: number, direction: 1 | -1): readonly SqlToken[] {
  const side: SqlToken[] = []
  for (let index = at + direction; side.length < MAX_SIDE; index += direction) {
    const token = tokens[index]
    if (token === undefined || ENDS.has(token.name)) break
    const isCall = token.kind === 'word' && tokens[index + 1]?.name === '(' && !PASSING.has(token.name)
    if (isCall) return []
    side.push(token)
  }
  return side
}
