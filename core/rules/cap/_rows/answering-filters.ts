import {
  beginningOf,
  findPart,
  isOnTheWay,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { append } from '../../../lists.ts'
import { asksForRole, type HandlerFunction } from '../../../model/cap/index.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import type { RowFilter } from './row-filters.ts'

/** A query of an `on` handler for READ, with the element that it compares with the user. */
interface Answering {
  readonly query: ScriptQuery
  readonly column: string | undefined
}

/**
 * Handlers that answer READ of an entity by queries of their own, each for the rows of the user: `srv.on('READ', 'Letters', (req) => SELECT.from('db.Letters').where({
 * owner: req.user.id }))`. One that also lets CAP answer, or that asks for a role, may give others more, and so may
 * one with another way out.
 */
export function* answeringFilters(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<RowFilter> {
  const byHandler = new Map<HandlerFunction, Answering[]>()
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  for (const query of scriptQueries(facts, step)) {
    if (query.kind !== 'read') continue
    handled ??= findHandledFunctions(facts)
    const handler = handled.handlerOf(query.base)
    if (handler?.phase !== 'on' || handler.fact === undefined || handler.fact !== query.base.function) continue
    if (!handler.events.includes('READ') || handler.entities?.includes(query.entity) !== true) continue
    // what another operator compares gives the rows of others
    const isPlain = !OTHER_ROWS.test(text.slice(query.base.start, query.last.end))
    const column = isPlain ? query.terms.find(({ value }) => isEqualToUser(value))?.column : undefined
    append(byHandler, handler, { query, column })
  }
  if (byHandler.size === 0) return
  const callsIn = createInnerIndex(facts.calls)
  for (const [handler, answers] of byHandler) {
    step(facts.guards.length)
    const [first] = answers
    const { fact, service, entities } = handler
    if (first?.column === undefined || fact === undefined || answers.some(({ column }) => column !== first.column)) continue
    if (callsIn(fact).some(({ callee }) => /^(?:next|reply)$/.test(lastNameOf(callee) ?? ''))) continue
    step(fact.returns.length * answers.length)
    if (!fact.returns.every((value) => isRefusal(value) || answers.some(({ query }) => isAnswerOf(value, query.last)))) continue
    if (!answers.every(({ query }) => fact.returns.some((value) => isAnswerOf(value, query.last)))) continue
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

/** A condition that others' rows may meet too. */
const OTHER_ROWS = /\b(?:or|not|like|between)\b|!=|<|[^=]>/i

function isEqualToUser(value: Value): boolean {
  return resolveValue(value).kind !== 'object' && mentionsUser(value)
}

/** `return`, `return req.reject(403)`, `return []`: it gives no rows. */
function isRefusal(value: Value): boolean {
  const given = awaited(value)
  if (given.kind === 'array') return given.items.length === 0
  return isNothing(given) || (given.kind === 'call' && /^(?:reject|error)$/.test(lastNameOf(given.callee) ?? ''))
}

/** The rows of a query as they are, or some of them, each in another form. */
function isAnswerOf(value: Value, query: CallValue): boolean {
  const given = resolveValue(awaited(resolveValue(value)))
  if (given.start === query.start && given.end === query.end) return true
  if (given.kind === 'reference') return isKept(given.binding, query)
  if (given.kind !== 'call') return false
  const name = lastNameOf(given.callee) ?? ''
  const [run] = given.args
  if (name === 'run') return run !== undefined && isAnswerOf(run, query)
  return given.callee.kind === 'member' && /^(?:map|filter|slice|sort)$/.test(name) && isAnswerOf(given.callee.object, query)
}

/** `query` of `let query = SELECT…`, to which later assignments add an order or a page alone: `query = query.orderBy(…)`. */
function isKept(binding: Binding | undefined, query: CallValue): boolean {
  const [first, ...later] = binding?.definitions ?? []
  if (first?.value === undefined || first.path.length > 0 || later.length > MOST_GIVEN) return false
  if (first.value.start !== query.start || first.value.end !== query.end) return false
  return later.every(({ value, path }) => {
    if (value === undefined || path.length > 0) return false
    const begun = beginningOf(value, (name) => SHAPES.test(name))
    return begun !== value && begun.kind === 'reference' && begun.binding === binding
  })
}

const SHAPES = /^(?:orderBy|limit|columns|groupBy)$/
/** Assignments of one query. */
const MOST_GIVEN = 20
