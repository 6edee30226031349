import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { directParts } from '../../facts/values.ts'
import { STATEMENT } from '../tables/routes.ts'

/** A statement that a call sends, and what the call gives it for its parameters. */
interface SentStatement {
  /** What is filled into a template is a question mark. */
  readonly text: string
  readonly given: readonly Value[]
}

/** What runs a statement that was prepared before. Facts: better-sqlite3 12, sql.js 1, @sap/hana-client 2, node:sqlite (README or documentation of each). */
const RUNS = /^(?:run|get|all|each|iterate|exec|execute|query|first|values|pluck)$/

/**
 * `pool.query('SELECT …', [id])`, `db.prepare('SELECT … WHERE id = ?').get(id)`, `db.execute(await db.prepare('SELECT … WHERE id = ?'), [id])`; undefined: the text is not
 * known, or the call sends none.
 */
export function statementOf({ callee, args }: CallValue): SentStatement | undefined {
  const prepared = 'object' in callee && RUNS.test(callee.name ?? '') ? preparedText(callee.object) : undefined
  if (prepared !== undefined && STATEMENT.test(prepared)) return { text: prepared, given: args }
  const [first, ...rest] = args
  const own = first && textOf(first)
  if (own !== undefined) return { text: own, given: rest }
  const handed = first && rest.length > 0 ? preparedText(first) : undefined
  if (handed !== undefined) return { text: handed, given: rest }
  return prepared === undefined ? undefined : { text: prepared, given: args }
}

/** The text that a statement was prepared with, where that is waited for too. */
function preparedText(statement: Value): string | undefined {
  const made = resolveValue(statement)
  const [waited] = directParts(made)
  const prepared = 'callee' in made ? made : waited && resolveValue(waited)
  const [written] = prepared !== undefined && 'callee' in prepared ? prepared.args : []
  return written && textOf(written)
}

function textOf(value: Value): string | undefined {
  const made = resolveValue(value)
  const written = constantOf(made)
  if (written !== undefined) return typeof written === 'string' ? written : undefined
  return 'texts' in made && 'parts' in made ? made.texts.join('?') : undefined
}
