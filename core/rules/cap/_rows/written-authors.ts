import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isCallerAsked } from '../_callers/looks-at-callers.ts'
import { findHandledFunctions, type HandledFunctions } from '../_handlers/handled-functions.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'
import { ACTOR, BOOKED, BOOKER, insertedInto, PERSON, rowsWithUsers } from './booked-rows.ts'
import { clientData, type ClientData } from './client-data.ts'
import { eventOf, type OwnedQuery } from './owned-queries.ts'
import { AUTHOR } from './preset-authors.ts'
import { createRowPairReader } from './row-pairs.ts'

/** A row that a handler writes, with who made it as the client says; whether that is a user, the model tells. */
export interface WrittenAuthor extends Span, Pick<OwnedQuery, 'event'> {
  /** The last part of its name. */
  readonly entity: string
  readonly column: string
  /** What the client sends: `req.data.reporter_ID`. */
  readonly client: string
}

/** Handlers that take over rows from elsewhere or hand them to another user, and say so: whom they name is the purpose. */
const FOR_OTHERS = /transfer|hand_?over|reassign|behalf|delegat|assign|import|migrat|sync|seed|replicat|upload/i
const WRITES = /^(?:entries|set|with|data)$/
const MAY_WRITE_AUTHOR =
  /author|reporter|request[oe]r|submitter|uploader|poster|commenter|creator|initiator|(?:uploaded|submitted|requested|reported|posted|raised|written|initiated)_?by|user_?id/i

/** `INSERT.into(Reports).entries({ reporter_ID: req.data.reporter_ID })`, in a handler of the file that never asks who calls. */
export const writtenAuthors: Extract<WrittenAuthor> = defineExtract({
  name: 'cap-written-authors',
  keywords: ['INSERT', 'UPDATE', 'UPSERT', '.update('],
  prefilter: (text) => MAY_WRITE_AUTHOR.test(text) && /\.data\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...findWritten(facts, text, step)],
})

function* findWritten(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<WrittenAuthor> {
  let handled: HandledFunctions | undefined
  let twins: ReadonlySet<string> | undefined
  const pairsOf = createRowPairReader(facts, step)
  for (const call of facts.calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    if (!WRITES.test(name)) continue
    const [isNew, entity] = [name === 'entries', writtenEntity(call)]
    if (entity === undefined) continue
    for (const { column, value, start, end } of pairsOf(call)) {
      if (!isAuthor(column) && !(!isNew && /^user_?id$/i.test(column) && BOOKED.test(entity))) continue
      const found = sentBy(value)
      if (found === undefined || (PERSON.test(found.name) && ACTOR.test(column))) continue
      // the name alone tells it
      const isNamed = isNew && BOOKER.test(column) && PERSON.test(found.name)
      if (isNamed && (BOOKED.test(entity) || (twins ??= rowsWithUsers(facts, step)).has(`${entity} ${column}`))) continue
      handled ??= findHandledFunctions(facts)
      const [handler, ...others] = handled.handlersOf(call)
      const all = handler === undefined ? [] : [handler, ...others]
      if (!all.some(({ phase, service }) => phase !== 'after' && service.kind !== 'connected')) continue
      if (all.some(({ events }) => events.some((event) => event !== undefined && FOR_OTHERS.test(event)))) continue
      if (isCallerAsked(found, call, facts, text, step)) continue
      yield { start, end, entity, column, client: found.client, ...eventOf(handler) }
    }
  }
}

/** Also with the name of a key behind it: `reporter_code`. */
function isAuthor(column: string): boolean {
  return AUTHOR.test(column) || AUTHOR.test(column.slice(0, Math.max(column.lastIndexOf('_'), 0)))
}

function writtenEntity(call: CallValue): string | undefined {
  const base = baseOf(call)
  const entity = base === undefined ? insertedInto(call) : entityOf(base.call.args[0])
  return entity === '' ? undefined : entity
}

/** `req.data.reporter_ID`, the same `|| null`, `{ ID: req.data.reporterId }`. */
function sentBy(value: Value): ClientData | undefined {
  const found = clientData(value)
  if (found !== undefined) return found
  const made = resolveValue(value)
  if (made.kind === 'object') {
    const [key, other] = made.fields
    return key === undefined || other !== undefined ? undefined : clientData(key.value)
  }
  if (made.kind !== 'choice' || made.isAnd === true) return undefined
  const [first, ...others] = made.options
  return first !== undefined && others.every((one) => isNothing(one) || constantOf(one) !== undefined)
    ? clientData(first)
    : undefined
}
