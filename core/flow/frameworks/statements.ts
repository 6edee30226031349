import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'

/** A statement that a call sends, and what the call gives it for its parameters. */
export interface SentStatement {
  /** What is filled into a template is a question mark. */
  readonly text: string
  readonly given: readonly Value[]
}

/** What runs a statement that was prepared before. Facts: better-sqlite3 12, sql.js 1, @sap/hana-client 2, node:sqlite (README or documentation of each). */
const RUNS = /^(?:run|get|all|each|iterate|exec|execute|query|first|values|pluck)$/

/** `pool.query('SELECT …', [id])`, `db.prepare('SELECT … WHERE id = ?').get(id)`; undefined: the text is not known, or the call sends none. */
export function statementOf({ callee, args }: CallValue): SentStatement | undefined {
  const [first, ...rest] = args
  const own = first && textOf(first)
  if (own !== undefined) return { text: own, given: rest }
  if (!('object' in callee) || !RUNS.test(callee.name ?? '')) return undefined
  const prepared = resolveValue(callee.object)
  const [written] = 'callee' in prepared ? prepared.args : []
  const text = written && textOf(written)
  return text === undefined ? undefined : { text, given: args }
}

function textOf(value: Value): string | undefined {
  const made = resolveValue(value)
  const written = constantOf(made)
  if (written !== undefined) return typeof written === 'string' ? written : undefined
  return 'texts' in made && 'parts' in made ? made.texts.join('?') : undefined
}
