import type { SqlToken } from '../parse/sqlscript/index.ts'

/** Views of the catalogue: a name that is looked up there is one that exists. */
const CATALOGUE =
  /^(?:M_)?(?:TABLES|TABLE_COLUMNS|VIEWS|VIEW_COLUMNS|SCHEMAS|OBJECTS|PROCEDURES|FUNCTIONS|SYNONYMS|SEQUENCES|INDEXES|USERS|ROLES)$/

/**
 * The names that a statement or condition checks: asked of IS_SQL_INJECTION_SAFE, compared with a list of literals or with a pattern, looked up in
 * the catalogue. Facts: SAP HANA SQLScript Reference, "SQL Injection Prevention Functions".
 */
export function* collectGuards(tokens: readonly SqlToken[]): Generator<string> {
  const looksUp = tokens.some(({ kind, name }) => kind !== 'string' && CATALOGUE.test(name))
  const different = new Map<string, number>()
  for (const [at, { kind, name }] of tokens.entries()) {
    if (kind !== 'word' && kind !== 'quoted') continue
    const [next, second] = [tokens[at + 1], tokens[at + 2]]
    const isValue = tokens[at - 1]?.name === ':'
    if (name === 'IS_SQL_INJECTION_SAFE') {
      const argument = second?.name === ':' ? tokens[at + 3] : second
      if (argument !== undefined) yield argument.name
    } else if (looksUp && isValue) yield name
    else if (next?.name === 'LIKE_REGEXPR') yield name
    else if (isList(tokens, next?.name === 'NOT' ? at + 2 : at + 1)) yield name
    else if (isCondition(tokens) && second?.kind === 'string' && second.text.trim() !== '') {
      if (next?.name === '=') yield name
      if (next?.name === '<>' || next?.name === '!=') different.set(name, (different.get(name) ?? 0) + 1)
    }
  }
  // one value ruled out leaves all others
  for (const [name, times] of different) if (times > 1) yield name
}

function isCondition([first]: readonly SqlToken[]): boolean {
  return first?.name === 'IF' || first?.name === 'ELSEIF' || first?.name === 'WHILE'
}

/** `IN ('ASC', 'DESC')`. */
function isList(tokens: readonly SqlToken[], at: number): boolean {
  return tokens[at]?.name === 'IN' && tokens[at + 1]?.name === '(' && tokens[at + 2]?.kind === 'string'
}
