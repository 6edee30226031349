import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { CallValue, ScriptFacts } from '../../../facts/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createAskedReader, mentionsUser } from '../_callers/asked-users.ts'
import { sentElement } from './client-data.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import { eventOf, givesBack, type OwnedQuery } from './owned-queries.ts'
import { sqlClaims } from '../_sql/sql-queries.ts'

/**
 * What a query says of the owner of rows beside its condition: `stamp`, it writes the user into them; `claim`, an operation writes into them what the client sends for
 * somebody; `all`, an operation deletes all rows, or gives them back.
 */
export interface OwnerMark extends Span, Pick<OwnedQuery, 'entity' | 'isRead' | 'around' | 'event' | 'inHelper'> {
  readonly kind: 'stamp' | 'claim' | 'all'
  readonly column: string
  /** What the client sends: `req.data.userId`. */
  readonly client: string
}

export const ownerMarks: Extract<OwnerMark> = defineExtract({
  name: 'cap-owner-marks',
  keywords: ['DELETE', 'INSERT', 'UPDATE', 'SELECT'],
  prefilter: (text) => /\b(?:req|oReq)(?:uest)?\b|\.on\(/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, step }) => [...findMarks(facts, step), ...sqlClaims(facts, CLAIM, step)],
})

/** Columns that say whose row it is; who created or changed it is noted for nearly every row. */
const STAMP =
  /^(?:owner|user|holder|account_?holder|employee|requester|requestor|requested_?by|submitter|submitted_?by|applicant|author)(?:_?(?:id|uuid|name|mail|email))?$/i
/** Columns that say whose row it is, or of which organization: not which branch or plant somebody chooses. */
export const CLAIM: RegExp = /user|owner|tenant|^org(?:anization|anisation)?(?:_?id)?$|employee|member|author|holder|created_?by/i
/** Tables of what was done: whoever did it owns nothing by that. */
const RECORDS = /log(?:s|ging|Entr(?:y|ies))?$|audit|histor|trace|event|notification/i
/** Events that are no operations. */
export const CRUD: RegExp = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT|INSERT|PATCH|NEW|EDIT|SAVE|CANCEL|DISCARD|each|\*)$/

function* findMarks(facts: ScriptFacts, step: (count?: number) => void): Generator<OwnerMark> {
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  const isUserAsked = createAskedReader(facts)
  for (const query of scriptQueries(facts, step)) {
    const { base, kind, entity, given, isWhole } = query
    step(given.length)
    const mark = { entity, isRead: kind === 'read', around: base.function.start, start: base.start, end: base.end }
    const stamp = given.find(({ column, value }) => STAMP.test(column) && mentionsUser(value))
    if (stamp !== undefined && !RECORDS.test(entity)) yield { ...mark, kind: 'stamp', column: stamp.column, client: '' }
    const claim = given.find(({ column, value }) => CLAIM.test(column) && sentElement(value) !== undefined)
    const isAll = isWhole && (kind === 'delete' || kind === 'read')
    if (claim === undefined && !(isAll && isRun(base, facts))) continue
    step()
    handled ??= findHandledFunctions(facts)
    const handler = handled.handlerOf(base)
    if (handler === undefined || handler.phase !== 'on' || isUserAsked(base)) continue
    if (handler.events.length === 0 || handler.events.some((name) => name === undefined || CRUD.test(name))) continue
    const event = eventOf(handler)
    if (claim !== undefined)
      yield { ...mark, ...event, ...claim.field, kind: 'claim', column: claim.column, client: sentElement(claim.value) ?? '' }
    else if (kind === 'delete' || isGivenBack(query, facts, step))
      yield { ...mark, ...event, kind: 'all', column: '', client: '' }
  }
}

/** `const query = DELETE.from(Books)` may get a condition later. */
function isRun({ start, end }: CallValue, { bindings }: ScriptFacts): boolean {
  return !bindings.some(({ definitions }) => definitions.some(({ value }) => value?.start === start && value.end === end))
}

/** The rows, not how many there are. */
function isGivenBack({ base, last }: ScriptQuery, facts: ScriptFacts, step: (count?: number) => void): boolean {
  const isCount = base.function.returns.some((value) => value.kind === 'member' && value.name === 'length')
  return !isCount && givesBack(last, facts, step)
}
