import type { CallValue, ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createAskedReader, mentionsUser } from '../_callers/asked-users.ts'
import { sentElement } from '../_rows/client-data.ts'
import { RUNS_SQL, sqlPairs, sqlText } from '../_rows/column-pairs.ts'
import type { OwnedQuery, Through } from '../_rows/owned-queries.ts'
import type { OwnerMark } from '../_rows/owner-marks.ts'

/** `UPDATE crm.orders AS o SET …`, `DELETE FROM orders`, `SELECT … FROM orders o`. */
const STATEMENT =
  /^\s{0,40}(?:(update)|(delete)\s{1,10}from|select\b[^;]{1,4000}?\bfrom)\s{1,10}(?:"?\w{1,60}"?\.)?"?(\w{1,60})"?(?:\s{1,10}(?:as\s{1,10})?(?!set\b|where\b|join\b|left\b|inner\b|right\b|cross\b|order\b|group\b|limit\b)(\w{1,40}))?/i
const CHANGES = /^\s{0,40}(?:insert|update|delete|merge|upsert)\b/i
const KEY = /^(?:id|uuid|guid|key)$/i

/**
 * The same of SQL statements with placeholders, `pool.query('UPDATE orders SET … WHERE id = $1', [req.data.id])`: `own` ones, by a column that is compared with the
 * user, and those that change the row that the client names, and those that read rows by a column that refers to
 * others, `WHERE org_id = $1`.
 */
export function* sqlQueries(facts: ScriptFacts, step: (count?: number) => void): Generator<OwnedQuery> {
  const isUserAsked = createAskedReader(facts)
  // what a function reads for its changes is not for the caller
  const changing = new Set(facts.calls.flatMap((call) => (CHANGES.test(statementOf(call)) ? [call.function] : [])))
  step(facts.calls.length)
  for (const call of facts.calls) {
    const { callee, start, end, function: around } = call
    step()
    const text = statementOf(call)
    const [, update, remove, entity, alias] = STATEMENT.exec(text) ?? []
    if (entity === undefined) continue
    const where = text.search(/\bwhere\b/i)
    const terms = sqlPairs(call, lastNameOf(callee) ?? '').filter(({ at = 0, table = alias ?? entity }) => {
      return where >= 0 && at > where && (table === alias || table === entity)
    })
    step(terms.length)
    const kind = update !== undefined ? 'update' : remove !== undefined ? 'delete' : 'read'
    const query = { isRead: kind === 'read', entity, isDerived: false, via: [], around: around.start, handled: [], start, end }
    const own = terms.find(({ column, value }) => !KEY.test(column) && mentionsUser(value))
    if (own !== undefined) yield { ...query, kind: 'own', column: own.column, client: '' }
    const through = own === undefined && kind === 'read' ? joinedOwner(text, alias ?? entity, call) : undefined
    if (through !== undefined)
      yield { ...query, isRead: false, kind: 'own', column: through.owner, through, client: '', isSql: true }
    if (terms.some(({ value }) => mentionsUser(value))) continue
    if (kind === 'read' && changing.has(around)) continue
    // what is read by a key alone belongs to nobody by that
    const term = terms.find(({ column, value }) => (kind !== 'read' || REFERS.test(column)) && sentElement(value) !== undefined)
    if (term === undefined || isUserAsked(call)) continue
    yield { ...query, isRead: false, isSql: true, kind, column: term.column, client: sentElement(term.value) ?? '' }
  }
}

/** `JOIN orders o ON o.id = line.order_id`; an outer join leaves out no rows. */
const JOIN =
  /(?<!(?:left|right|full|outer)\s{1,10})\bjoin\s{1,10}(?:"?\w{1,60}"?\.)?"?(\w{1,60})"?\s{1,10}(?:as\s{1,10})?(\w{1,40})\s{1,10}on\s{1,10}(\w{1,40})\.(\w{1,60})\s{0,10}=\s{0,10}(\w{1,40})\.(\w{1,60})/gi

/** Rows are the user's where those are that they are joined with by their key. */
function joinedOwner(text: string, child: string, call: CallValue): Through | undefined {
  const where = text.search(/\bwhere\b/i)
  if (where < 0) return undefined
  const pairs = sqlPairs(call, lastNameOf(call.callee) ?? '')
  for (const [, of, alias, one, oneColumn, other, otherColumn] of text.matchAll(JOIN)) {
    const path =
      one === alias && other === child && KEY.test(oneColumn ?? '')
        ? otherColumn
        : other === alias && one === child && KEY.test(otherColumn ?? '')
          ? oneColumn
          : undefined
    const owner = pairs.find(
      ({ at = 0, table, column, value }) => at > where && table === alias && !KEY.test(column) && mentionsUser(value),
    )
    if (of !== undefined && path !== undefined && owner !== undefined) return { of, owner: owner.column, path }
  }
  return undefined
}

const INSERTED = /^\s{0,40}insert\s{1,20}into\s{1,20}(?:"?\w{1,60}"?\.)?"?(\w{1,60})"?/i

/** Tables of what was done: a row more in them harms no other one. */
const RECORDS = /log(?:s|ging|entr(?:y|ies))?$|audit|histor|trace/i

/** New rows below one that the client names: `INSERT INTO lines (order_id, …)`. */
export function* sqlAdditions(facts: ScriptFacts, step: (count?: number) => void): Generator<OwnedQuery> {
  const isUserAsked = createAskedReader(facts)
  for (const call of facts.calls) {
    step()
    const entity = INSERTED.exec(statementOf(call))?.[1]
    if (entity === undefined || RECORDS.test(entity)) continue
    const terms = sqlPairs(call, lastNameOf(call.callee) ?? '').filter(
      ({ column, value }) => REFERS.test(column) && sentElement(value) !== undefined,
    )
    if (terms.length === 0 || isUserAsked(call)) continue
    const { start, end, function: around } = call
    for (const { column, value } of terms)
      yield {
        kind: 'insert',
        isRead: false,
        isDerived: false,
        isSql: true,
        via: [],
        handled: [],
        entity,
        column,
        client: sentElement(value) ?? '',
        around: around.start,
        start,
        end,
      }
  }
}

const REFERS = /\w_?id$/i

/** New rows whose owner the client names, by the columns that are asked for. */
export function* sqlClaims(facts: ScriptFacts, columns: RegExp, step: (count?: number) => void): Generator<OwnerMark> {
  const isUserAsked = createAskedReader(facts)
  for (const call of facts.calls) {
    const { callee, function: around } = call
    step()
    const entity = INSERTED.exec(statementOf(call))?.[1]
    if (entity === undefined) continue
    const claim = sqlPairs(call, lastNameOf(callee) ?? '').find(
      ({ column, value, isInserted }) => isInserted === true && columns.test(column) && sentElement(value) !== undefined,
    )
    if (claim === undefined || isUserAsked(call)) continue
    const { column, value, start, end } = claim
    yield { kind: 'claim', isRead: false, entity, column, client: sentElement(value) ?? '', around: around.start, start, end }
  }
}

/** The text of a method that is called with values too, or of a function that is named like one, `exec('…', [id])`; empty: there is none. */
function statementOf({ callee, args: [text, values] }: CallValue): string {
  if (text === undefined || values === undefined) return ''
  const isSending = callee.kind === 'member' || RUNS_SQL.test(lastNameOf(callee) ?? '')
  return isSending ? (sqlText(text) ?? '') : ''
}
