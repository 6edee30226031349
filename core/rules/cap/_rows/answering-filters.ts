import { findPart, isOnTheWay, type ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { asksForRole, type HandlerFunction } from '../../../model/cap/index.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import type { RowFilter } from './row-filters.ts'

/** A query of an `on` handler for READ, with the element that it compares with the user. */
interface Answering {
  readonly query: ScriptQuery
  readonly handler: HandlerFunction
  readonly column: string | undefined
}

/**
 * Handlers that answer READ of an entity by queries of their own, each for the rows of the user: `srv.on('READ', 'Letters', (req) => SELECT.from('db.Letters').where({
 * owner: req.user.id }))`. One that also lets CAP answer, or that asks for a role, may give others more.
 */
export function* answeringFilters(facts: ScriptFacts, step: (count?: number) => void): Generator<RowFilter> {
  const byHandler = new Map<HandlerFunction, Answering[]>()
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  for (const query of scriptQueries(facts, step)) {
    if (query.kind !== 'read') continue
    handled ??= findHandledFunctions(facts)
    const handler = handled.handlerOf(query.base)
    if (handler?.phase !== 'on' || handler.fact === undefined || handler.fact !== query.base.function) continue
    if (!handler.events.includes('READ') || handler.entities?.includes(query.entity) !== true) continue
    const column = query.terms.find(({ value }) => mentionsUser(value))?.column
    byHandler.set(handler, [...(byHandler.get(handler) ?? []), { query, handler, column }])
  }
  if (byHandler.size === 0) return
  const callsIn = createInnerIndex(facts.calls)
  for (const [handler, answers] of byHandler) {
    step(facts.guards.length)
    const [first] = answers
    const { fact, service, entities } = handler
    if (first?.column === undefined || fact === undefined || answers.some(({ column }) => column !== first.column)) continue
    if (callsIn(fact).some(({ callee }) => lastNameOf(callee) === 'next')) continue
    const { start, end } = first.query.last
    const isOfRole = facts.guards.some(
      (guard) =>
        isOnTheWay(guard, start) && findPart(guard.test, (part) => part.kind === 'call' && asksForRole(part)) !== undefined,
    )
    if (isOfRole) continue
    yield {
      start,
      end,
      service: service.name,
      isConnected: service.kind === 'connected',
      events: ['READ'],
      entities,
      exported: '',
      column: first.column,
      roles: [],
      exempt: [],
      isUnsure: false,
      isAnswer: true,
    }
  }
}
