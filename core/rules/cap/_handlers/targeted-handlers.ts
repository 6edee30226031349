import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import {
  accessesOf,
  stringConstantOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { findHandlers, itemsOf, type HandlerFunction, HANDLER_PACKAGES, usesHandlerPackage } from '../../../model/cap/index.ts'
import { isOfUi5App, isSentData } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { reachedFrom, type CallsIn } from '../_rows/decided-states.ts'
import { entityObjectOf, type EntityObject } from './database-entities.ts'

/** A handler that runs before or instead of something, with one of the names that it is registered for. Its span is that of the name as written. */
export interface TargetedHandler extends Span {
  /** `Orders`, `my.shop.Orders`; of an operation that is bound to none, its own name. */
  readonly name: string
  readonly isEntity: boolean
  /** The name is a text; else the file takes it from the model, `srv.entities.Orders`. */
  readonly isText: boolean
  /** The object that it is, where the file takes it from a namespace and not from a service. */
  readonly object: EntityObject | undefined
  readonly phase: HandlerFunction['phase']
  readonly events: readonly string[]
  readonly service: string | undefined
  readonly isConnected: boolean
  /** It refuses requests or limits what they read by who calls; it refuses or completes what is sent; it does neither, or nobody can tell. */
  readonly effect: 'caller' | 'data' | 'none'
  /** It calls the handler behind it, so it does not stand for the event itself. */
  readonly isPassing: boolean
}

export const targetedHandlers: Extract<TargetedHandler> = defineExtract({
  name: 'cap-targeted-handlers',
  keywords: ['.on(', '.before(', '.prepend(', ...HANDLER_PACKAGES],
  prefilter: (text) => usesHandlerPackage(text) || /\b(?:srv|cds|service|Service|req)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    const callsIn = createInnerIndex(facts.calls)
    for (const handler of findHandlers(facts)) {
      const { call, phase, events, isTargeted, service, fact } = handler
      if (phase === 'after' || phase === 'reject') continue
      const [event, target] = call.args
      const named = isTargeted ? target : event
      if (named === undefined) continue
      const effect = fact === undefined ? 'none' : effectOf(fact, facts, callsIn, step)
      const isPassing = phase === 'on' && fact !== undefined && callsNext(fact, callsIn, step)
      for (const item of itemsOf(named)) {
        const text = stringConstantOf(item)
        const name = text ?? (isTargeted ? lastNameOf(item) : undefined)
        if (name === undefined) continue
        yield {
          start: item.start,
          end: item.end,
          name,
          isEntity: isTargeted,
          isText: text !== undefined,
          object: text !== undefined || !isTargeted || isOfDatabase(call) ? undefined : entityObjectOf(item),
          phase,
          events: events.map((one) => one ?? '*'),
          service: service.name,
          isConnected: service.kind === 'connected' || service.kind === 'unknown',
          effect,
          isPassing,
        }
      }
    }
  },
})

/** `next()`, or a function that gets it. Facts: capire, "srv.on", interceptors. */
function callsNext(
  fact: FunctionFact,
  callsIn: (fact: FunctionFact) => readonly CallValue[],
  step: (count?: number) => void,
): boolean {
  const next = fact.parameters[1]
  if (next === undefined) return false
  const calls = callsIn(fact)
  step(calls.length)
  return calls.some(({ callee, args }) => [callee, ...args].some((one) => bindingOf(one) === next))
}

/** `cds.db.before(…)`, a parameter `db`: requests to the database are for its own entities. */
function isOfDatabase({ callee }: CallValue): boolean {
  return callee.kind === 'member' && /^(?:db|\w*(?:Db|DB|_db|[dD]atabase))$/.test(lastNameOf(callee.object) ?? '')
}

/** What a handler does to a request, as far as its own text and that of functions tells that it hands the request to. */
function effectOf(
  fact: FunctionFact,
  facts: ScriptFacts,
  callsIn: CallsIn,
  step: (count?: number) => void,
): TargetedHandler['effect'] {
  const inside = reachedFrom({ fact }, facts, callsIn, ({ args }) => args.some(isRequest))
  const calls = inside.flatMap(callsIn)
  step(calls.length + facts.guards.length + facts.assignments.length)
  const refuses = calls.some(
    ({ callee }) => callee.kind === 'member' && /^(?:reject|error)$/.test(callee.name ?? '') && isRequest(callee.object),
  )
  // each test is followed through the names in it, so it is read where the answer counts
  const asks = (): boolean => facts.guards.some((guard) => inside.some((one) => isWithin(guard, one)) && mentionsUser(guard.test))
  const limits = calls.some(({ callee, args }) => lastNameOf(callee) === 'where' && args.some(mentionsUser))
  if ((refuses && asks()) || limits) return 'caller'
  const completes = facts.assignments.some((one) => isWithin(one, fact) && isSentData(one.target.object))
  return refuses || completes ? 'data' : 'none'
}

function isRequest(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => root.startsWith('parameter:') && steps.length === 0)
}
