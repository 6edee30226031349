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
export function statementOf({ callee, args, start }: CallValue): SentStatement | undefined {
  const prepared = 'object' in callee && RUNS.test(callee.name ?? '') ? preparedText(callee.object, start) : undefined
  if (prepared !== undefined && STATEMENT.test(prepared)) return { text: prepared, given: args }
  const [first, ...rest] = args
  const own = first && textOf(first, start)
  if (own !== undefined) return { text: own, given: rest }
  const handed = first && rest.length > 0 ? preparedText(first, start) : undefined
  if (handed !== undefined) return { text: handed, given: rest }
  return prepared === undefined ? undefined : { text: prepared, given: args }
}

/** What a call gives a statement for its conditions, and not for the columns that an update sets: `UPDATE claims SET checker = ? WHERE id = ?`; all of it where that is not sure. */
export function conditionsOf(call: CallValue): readonly Value[] {
  const sent = statementOf(call)
  const [, set = '', rest] = UPDATES.exec(sent?.text ?? '') ?? []
  if (sent === undefined || rest === undefined) return call.args
  const given = sent.given.flatMap((one) => itemsOf(one))
  const numbers = [...rest.matchAll(/\$(\d{1,3})/g)].map(([, number]) => Number(number))
  if (numbers.length > 0) return given.filter((_, index) => numbers.includes(index + 1))
  const places = (text: string): number => text.split('?').length - 1
  return given.length === places(set) + places(rest) ? given.slice(places(set)) : call.args
}

const UPDATES = /^\s{0,20}update\s([\s\S]{1,1500}?)\swhere\s([\s\S]{1,1500})$/i

/** The values of a list, or what is given by itself. */
export function itemsOf(given: Value): readonly Value[] {
  const made = resolveValue(given)
  return 'items' in made ? made.items : [given]
}

/** The same as far as its text is known, `let sql = 'SELECT …'; if (state) sql += ' AND …'`. */
export function beginningOf(call: CallValue): string | undefined {
  const [first] = call.args
  const known = statementOf(call)?.text
  if (known !== undefined || first === undefined) return known
  const made = resolveValue(first)
  const [begun, ...added] = ('binding' in made && made.binding?.definitions) || []
  const isAdded = added.length > 0 && added.every(({ operator }) => operator === '+=')
  return begun?.value !== undefined && begun.kind === 'init' && isAdded ? textOf(begun.value, begun.start) : undefined
}

/** The text that a statement was prepared with, where that is waited for too. */
function preparedText(statement: Value, at: number): string | undefined {
  const made = heldAt(statement, at)
  const [waited] = directParts(made)
  const prepared = 'callee' in made ? made : waited && resolveValue(waited)
  if (prepared === undefined || !('callee' in prepared)) return undefined
  const [written] = prepared.args
  return written && textOf(written, prepared.start)
}

function textOf(value: Value, at: number): string | undefined {
  const made = heldAt(value, at)
  const written = constantOf(made)
  if (written !== undefined) return typeof written === 'string' ? written : undefined
  return 'texts' in made && 'parts' in made ? made.texts.join('?') : undefined
}

/** What a name holds at a place: of one that gets several statements in turn, `sql = 'UPDATE …'`, the last before it that its block makes in any case. */
function heldAt(value: Value, at: number): Value {
  const made = resolveValue(value)
  if (!('binding' in made) || made.binding === undefined) return made
  const last = made.binding.definitions.findLast(({ start }) => start < at)
  if (last?.value === undefined || last.path.length > 0 || last.operator !== '=') return made
  const holds = last.kind === 'init' || (last.kind === 'assign' && (last.replacesUntil ?? 0) > at)
  return holds ? resolveValue(last.value) : made
}
