import { constantOf, findOrigin, findPart, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { toWords } from '../../../model/cap/index.ts'
import { clientData } from '../_rows/client-data.ts'
import { fieldPairs, isKeyed, type ColumnPair } from '../_rows/column-pairs.ts'
import { PERSON } from '../_rows/booked-rows.ts'

/** Who decides, where the same row says how: `{ status: 'approved', approver_id }`. Who shall decide later is chosen. */
export const DECIDER: RegExp = /^(?:approver|reviewer|rejecter|decider)(?:_?(?:id|name|mail|email))?$/i
const DECIDED = /^(?:approved|rejected|declined|accepted|released|confirmed|closed)$/i
const DECIDED_WHEN = /^(?:approved|rejected|decided|reviewed|released|confirmed)_?(?:at|on|date)$/i

/** A record of what was decided: what and when. */
const VERDICT = /^(?:[a-z]{2,16}_?)?(?:decision|verdict|outcome)(?:_?code)?$/i
const RECORDED_WHEN = /^(?:review|approval|decision|release|sign_?off)_?(?:at|on|date|time|timestamp)$/i

export function isDecision({ column, value }: ColumnPair): boolean {
  const constant = constantOf(value)
  if (DECIDED_WHEN.test(column) || (/stat(?:us|e)|decision/i.test(column) && DECIDED.test(String(constant ?? '')))) return true
  return (VERDICT.test(column) && constant === undefined) || (RECORDED_WHEN.test(column) && isNow(value))
}

/** In words: who decided about one side of a row, of which others have columns of their own, as in `crew_reviewed_by`. */
const DECIDER_OF_SIDE =
  /^((?!(?:to|next|will|shall|must|should) )(?:[a-z]{2,16} ){1,2}(?:approved|rejected|decided|reviewed|confirmed|signed|acknowledged|released|verified|authori[sz]ed|certified|validated)) by(?: (?:id|name|mail|email|user))?$/

/** `{ crew_reviewed_by, crew_reviewed_at }`: the same write says when. */
export function isDeciderOfSide(column: string, pairs: readonly ColumnPair[]): boolean {
  const [, deed] = DECIDER_OF_SIDE.exec(toWords(column)) ?? []
  return deed !== undefined && pairs.some((pair) => isDecision(pair) || /^ (?:at|on|date|time)$/.test(after(deed, pair)))
}

function after(deed: string, { column }: ColumnPair): string {
  const words = toWords(column)
  return words.startsWith(deed) ? words.slice(deed.length) : ''
}

/** `new Date().toISOString()`; another date may be one to come. */
function isNow(value: Value): boolean {
  return (
    findPart(
      value,
      (part) => (part.kind === 'new' || part.kind === 'call') && lastNameOf(part.callee) === 'Date' && part.args.length === 0,
    ) !== undefined
  )
}

/** `UPDATE(Steps).set({ status: 'approved' }).where({ approver_ID })`: the condition says who decides, the same statement how. */
export function isOfDecision({ callee }: CallValue, step: (count?: number) => void): boolean {
  const writes = (part: Value): boolean =>
    part.kind === 'call' &&
    /^(?:set|with|data)$/.test(lastNameOf(part.callee) ?? '') &&
    part.args.some((given) => fieldPairs(given, step).some(isDecision))
  return findPart(callee, writes) !== undefined
}

/** `{ action: req.data.verdict }`: the row records what the client decides. */
export function isDecisionSent(pair: ColumnPair): boolean {
  return isDecision(pair) || /^(?:decision|verdict|outcome|approved|isApproved)$/.test(clientData(pair.value)?.name ?? '')
}

/** `SELECT.one.from(Users).where({ email: req.data.actorEmail })`, or a part of it: the row of the person whom the client names. */
export function isRowOfPerson(value: Value, step: (count?: number) => void): boolean {
  const namesPerson = (given: Value): boolean => PERSON.test(clientData(given)?.name ?? '')
  const isQuery = (one: Value): boolean => {
    step()
    const name = one.kind === 'call' ? (lastNameOf(one.callee) ?? '') : ''
    if (one.kind !== 'call' || (name !== 'where' && !isKeyed(one, name))) return false
    return one.args.some((given) => fieldPairs(given, step).some((pair) => namesPerson(pair.value)))
  }
  return findOrigin(value, (one) => (isQuery(one) ? 'source' : undefined)) !== undefined
}
