import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findPart, type FunctionFact, type Guard, type Value } from '../../../facts/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'
import { readIn } from './owned-queries.ts'

/** A condition of a handler that compares a row with the user: whose rows these are, the code says. */
export interface AskedOwner {
  /** The last part of its name. */
  readonly entity: string
  /** The field of the row that is compared: `branch`. */
  readonly column: string
  /** The handler reads rows, and nothing else. */
  readonly isRead: boolean
  /** It changes rows of the database after that alone. */
  readonly changes: boolean
  /** What the handler is called for. */
  readonly events: readonly string[]
}

/** `if (order.branch !== req.user.attr.branch) return req.reject(403)`, for a row of the database. */
export const askedOwners: Extract<AskedOwner> = defineExtract({
  name: 'cap-asked-owners',
  keywords: ['SELECT'],
  prefilter: (text) => MENTIONS_USER.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    for (const guard of facts.guards) {
      step()
      const compared = comparedWithUser(guard)
      if (compared === undefined) continue
      handled ??= findHandledFunctions(facts)
      const handler = handled.handlerOf(guard)
      if (handler === undefined) continue
      const events = handler.events.flatMap((name) => name ?? [])
      const isRead = events.length > 0 && events.every((event) => event === 'READ')
      for (const entity of compared.entities)
        yield { entity, column: compared.column, isRead, changes: CHANGES.test(guardedBy(guard, handler.fact, text)), events }
    }
  },
})

/** `req.user`, `cds.context`, `resolveUser(req)`. */
const MENTIONS_USER =
  /\b(?:req|oReq)(?:uest)?\s{0,4}\??\.\s{0,4}(?:user|tenant)\b|\bcds\.context\b|(?:[uU]ser|[cC]aller|[pP]rincipal|[iI]dentity)(?:_?(?:[iI]d|ID|[nN]ame|[kK]ey))?\(\s{0,4}_?(?:req|request|oReq|oRequest|ctx|context)\b/

const CHANGES = /\b(?:UPDATE|UPSERT|DELETE)\b/

/** What only those do who pass; a helper that refuses stands in front of the handler that calls it. */
function guardedBy({ exits, inside, function: around }: Guard, fact: FunctionFact | undefined, text: string): string {
  if (!exits) return text.slice(inside.start, inside.end)
  return fact === undefined || fact === around ? text.slice(inside.end, around.end) : text.slice(fact.start, fact.end)
}

type Compared = Pick<AskedOwner, 'column'> & { readonly entities: readonly string[] }

/** What must be equal to go on: who may not decide about rows of their own, `===` with a way out, owns nothing by that. */
export function comparedWithUser({ test, exits }: Guard): Compared | undefined {
  let found: Compared | undefined
  findPart(test, (part) => {
    const [first, second] = exits ? differing(part) : equal(part)
    if (first === undefined || second === undefined) return false
    found = mentionsUser(second) ? rowField(first) : mentionsUser(first) ? rowField(second) : undefined
    return found !== undefined
  })
  return found
}

/** `row.branch !== req.user.attr.branch`, `!req.user.attr.branch.includes(row.branch)`. */
function differing(part: Value): readonly Value[] {
  if (part.kind !== 'operation') return []
  if (/^!==?$/.test(part.operator)) return part.operands
  const [negated] = part.operands
  return part.operator === '!' && negated !== undefined ? equal(negated) : []
}

function equal(part: Value): readonly Value[] {
  if (part.kind === 'operation') return /^===?$/.test(part.operator) ? part.operands : []
  if (part.kind !== 'call' || part.callee.kind !== 'member' || part.callee.name !== 'includes') return []
  return [part.callee.object, ...part.args]
}

/** A field of a row that was not read for the user already. */
function rowField(value: Value): Compared | undefined {
  if (value.kind !== 'member' || value.name === undefined || mentionsUser(value)) return undefined
  const entities = readIn(value.object)
  if (entities.length === 1) return { column: value.name, entities }
  // a row that was found by another one: `SELECT.one.from(Orders, item.order_ID)`
  const row = findPart(value.object, isRead)
  const isOne = row !== undefined && readIn(row).length === entities.length
  const entity = isOne && 'callee' in row && row.kind !== 'new' ? entityOf(baseOf(row)?.call.args[0]) : undefined
  return entity === undefined ? undefined : { column: value.name, entities: [entity] }
}

function isRead(part: Value): boolean {
  return (part.kind === 'call' || part.kind === 'tagged') && baseOf(part)?.kind === 'read'
}
