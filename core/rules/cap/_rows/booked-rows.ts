import type { CallValue, ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { toWords } from '../../../model/cap/index.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { entityOf, intoOf } from '../_handlers/query-chains.ts'
import { fieldPairs, type ColumnPair } from './column-pairs.ts'

/** Columns that say who decided or did something. */
export const ACTOR: RegExp =
  /^(?:approved|rejected|decided|reviewed|confirmed|signed|created|modified|changed|updated|submitted|requested|cancell?ed|closed|processed|completed|acknowledged|released|posted|verified|resolved|deleted|performed|executed|authori[sz]ed|certified|validated|checked)_?by(?:_?(?:id|name|mail|email|user))?$|^(?:actor|performer)(?:_?(?:id|name|mail|email))?$/i
/** Names of what clients send that stand for a person. */
export const PERSON: RegExp =
  /user|owner|approv|employee|manager|request(?:e|o)r|by(?:id)?$|mail|author|reviewer|actor|member|caller|assignee/i

/** Whose time, claim or request it is. Members, assignees and recipients are chosen by others. */
export const BOOKER: RegExp =
  /^(?:owner|user|employee|requester|requestor|request(?:ed)?_?by|submitter|submitted_?by|worker|author)(?:_?id)?$/i
/** What people enter for themselves. */
export const BOOKED: RegExp =
  /(?:effort|time_?(?:entry|entries|sheets?|records?|logs?)|work_?logs?|booking|reservation|registration|claim|expense|leave|absence|vacation|attendance|check_?in|vote|rating|review|comment|closing|request|application|order)(?:s|es)?$/i

/** Rows that say only what somebody likes: a forged one changes little. What somebody is worth, others decide by. */
export function isOpinion(entity: string): boolean {
  const words = toWords(entity)
  return OPINION.test(words) && !JUDGEMENT.test(words)
}

const OPINION = /(?:^| )(?:rating|like|comment|reaction|feedback)s?$/
const JUDGEMENT =
  /(?:^| )(?:credit|risk|supplier|vendor|customer|debtor|borrower|bond|employee|staff|performance|appraisal|candidate|driver|safety|security|audit|compliance|quality)s? /

/** `{ user_id: req.data.user_id, user_name: req.user.name }`: the row shall hold the user who is logged in. */
export function isUserBeside({ column, value }: ColumnPair, booker: string): boolean {
  const stemOf = (name: string): string => name.replace(/_?(?:id|name|mail|email)$/i, '').toLowerCase()
  return column !== booker && stemOf(column) === stemOf(booker) && mentionsUser(value)
}

/** Entities and columns for the user whose other new rows hold the user who is logged in beside them: a batch makes the same rows. */
export function rowsWithUsers({ calls }: ScriptFacts, step: (count?: number) => void): ReadonlySet<string> {
  const rows = calls.filter(({ callee }) => lastNameOf(callee) === 'entries')
  return new Set(
    rows.flatMap((call) => {
      const pairs = call.args.flatMap((given) => fieldPairs(given, step))
      const booked = pairs.filter(({ column }) => BOOKER.test(column) && pairs.some((pair) => isUserBeside(pair, column)))
      return booked.map(({ column }) => `${insertedInto(call)} ${column}`)
    }),
  )
}

/** The last part of the name of the entity of `INSERT.into(Entity).entries(row)`; '': of no such call. */
export function insertedInto({ callee }: CallValue): string {
  return entityOf(intoOf(callee)?.args[0]) ?? ''
}
