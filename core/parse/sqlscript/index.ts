import { toTokens } from './tokens.ts'
import type { SqlDocument, SqlParameter, SqlRoutineTree, SqlStatement, SqlToken } from './types.ts'

export type { SqlDocument, SqlParameter, SqlRoutineTree, SqlStatement, SqlToken } from './types.ts'

/**
 * Reads .hdbprocedure, .hdbfunction and .hdblibrary: headers, and bodies cut into statements; what an expression means is left to who asks.
 * Tolerant: any text gives a document. Facts: SAP HANA SQLScript Reference (CREATE PROCEDURE: a parameter without a mode is IN).
 */
export function parseSqlScript(text: string): SqlDocument {
  const tokens = toTokens(text)
  const starts: number[] = []
  for (let at = 0; at < tokens.length; at++) if (isRoutine(tokens, at)) starts.push(at)
  return { routines: starts.map((start, index) => readRoutine(tokens.slice(start, starts[index + 1] ?? tokens.length))) }
}

/** `PROCEDURE "schema"."name" (`, `FUNCTION name (`; not `CALL`, not `ALTER PROCEDURE x RECOMPILE`. */
function isRoutine(tokens: readonly SqlToken[], at: number): boolean {
  const name = tokens[at]?.name
  if (tokens[at]?.kind !== 'word' || (name !== 'PROCEDURE' && name !== 'FUNCTION')) return false
  return isName(tokens[at + 1]) && (tokens[nameEnd(tokens, at + 1)]?.name === '(' || name === 'PROCEDURE')
}

function isName(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'quoted'
}

/** Behind `a.b.c`. */
function nameEnd(tokens: readonly SqlToken[], from: number): number {
  let at = from + 1
  while (tokens[at]?.name === '.' && isName(tokens[at + 1])) at += 2
  return at
}

function readRoutine(tokens: readonly SqlToken[]): SqlRoutineTree {
  const afterName = nameEnd(tokens, 1)
  const last = tokens[afterName - 1]
  const close = tokens[afterName]?.name === '(' ? closingOf(tokens, afterName) : afterName - 1
  const body = findBody(tokens, close + 1)
  const [first] = tokens
  return {
    kind: first?.name === 'FUNCTION' ? 'function' : 'procedure',
    name: last?.text ?? '',
    nameSpan: { start: last?.start ?? 0, end: last?.end ?? 0 },
    start: first?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
    parameters: splitList(tokens.slice(afterName + 1, close)).flatMap(toParameter),
    ...findSecurity(tokens.slice(close + 1, body)),
    statements: cutStatements(tokens.slice(body)),
  }
}

/** The bracket that closes the one at `open`; the end where none does. */
export function closingOf(tokens: readonly SqlToken[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    const { name } = tokens[at] ?? {}
    if (name === '(') depth++
    else if (name === ')' && --depth === 0) return at
  }
  return tokens.length
}

/** Behind the `AS` of the header; a type of RETURNS TABLE (…) is in brackets. */
function findBody(tokens: readonly SqlToken[], from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const { name } = tokens[at] ?? {}
    if (name === '(') at = closingOf(tokens, at)
    else if (name === 'AS') return at + 1
    else if (name === 'BEGIN') return at
  }
  return tokens.length
}

/** A list's items: commas in brackets part nothing. */
export function splitList(tokens: readonly SqlToken[]): SqlToken[][] {
  const items: SqlToken[][] = []
  let item: SqlToken[] = []
  let depth = 0
  for (const token of tokens) {
    if (token.name === '(') depth++
    if (token.name === ')') depth--
    if (token.name === ',' && depth === 0) {
      items.push(item)
      item = []
    } else item.push(token)
  }
  if (item.length > 0) items.push(item)
  return items
}

const MODES: ReadonlyMap<string, SqlParameter['mode']> = new Map([
  ['IN', 'in'],
  ['OUT', 'out'],
  ['INOUT', 'inout'],
])

function toParameter(tokens: readonly SqlToken[]): SqlParameter[] {
  const [first] = tokens
  const mode = first?.kind === 'word' ? MODES.get(first.name) : undefined
  const name = tokens[mode === undefined ? 0 : 1]
  const type = tokens[mode === undefined ? 1 : 2]
  if (name === undefined || !isName(name)) return []
  return [{ name: name.name, mode: mode ?? 'in', type: type?.kind === 'word' ? type.name : '' }]
}

function findSecurity(header: readonly SqlToken[]): Pick<SqlRoutineTree, 'security'> {
  for (const [at, { name, start, end }] of header.entries()) {
    if ((name !== 'DEFINER' && name !== 'INVOKER') || header[at - 1]?.name !== 'SECURITY') continue
    return { security: { mode: name === 'DEFINER' ? 'definer' : 'invoker', start, end } }
  }
  return {}
}

const OPENS: ReadonlySet<string> = new Set(['IF', 'FOR', 'WHILE', 'LOOP'])
/** Of branches; other dialects end theirs by other words, or not at all. */
const MAX_DEPTH = 100
/** What ends a statement, or the condition before one. */
const CUTS: ReadonlySet<string> = new Set([';', 'THEN', 'ELSE', 'DO', 'BEGIN', 'LOOP'])

/** Cut at semicolons and before the statements of a branch or loop; the words of a CASE expression cut nothing. */
function cutStatements(tokens: readonly SqlToken[]): SqlStatement[] {
  const statements: SqlStatement[] = []
  let current: SqlToken[] = []
  let branches: readonly number[] = []
  let begun = 0
  let cases = 0
  for (const token of tokens) {
    const { kind, name } = token
    if (name === ';') cases = 0
    else if (kind === 'word' && name === 'CASE') cases++
    else if (kind === 'word' && name === 'END' && cases > 0) {
      cases--
      current.push(token)
      continue
    }
    const [first] = current
    const isCut = cases === 0 && kind !== 'quoted' && CUTS.has(name) && !(name === 'LOOP' && first?.name === 'END')
    if (!isCut) {
      current.push(token)
      continue
    }
    const isEnd = first?.name === 'END'
    if (isEnd && OPENS.has(current[1]?.name ?? '')) branches = branches.slice(0, -1)
    if (current.length > 0) statements.push({ tokens: current, branches })
    if (!isEnd && (name === 'LOOP' || (first !== undefined && OPENS.has(first.name))))
      branches = [...branches.slice(0, MAX_DEPTH), begun++]
    else if (name === 'ELSE' || first?.name === 'ELSEIF') branches = [...branches.slice(0, -1), begun++]
    current = []
  }
  if (current.length > 0) statements.push({ tokens: current, branches })
  return statements
}
