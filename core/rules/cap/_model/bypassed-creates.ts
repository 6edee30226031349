import { excerptOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { findHandlers, type HandlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'
import { lastName } from '../../../paths.ts'
import { isSentData } from '../../../model/script/index.ts'

/** A handler of an operation that inserts what the client sends, past the handler that checks each new row of the entity. */
export interface BypassedCreate extends Span {
  readonly entity: string
  readonly operation: string
  /** `srv.before('CREATE', Books)`, as written up to its function. */
  readonly check: string
}

/** Fact: capire, "cds.ql": a query that is awaited runs on the database service, where handlers of other services don't run. */
export function* bypassedCreates(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<BypassedCreate> {
  const handlers = findHandlers(facts)
  const callsIn = createInnerIndex(facts.calls)
  const checks = handlers.filter(
    ({ phase, events, entities, fact }) =>
      phase === 'before' &&
      entities !== undefined &&
      fact !== undefined &&
      events.some((event) => CREATES.test(event ?? '')) &&
      refuses(fact, text),
  )
  if (checks.length === 0) return
  for (const handler of handlers) {
    step()
    const { phase, fact } = handler
    const operation = operationOf(handler)
    if (phase !== 'on' || fact === undefined || operation === undefined || refuses(fact, text)) continue
    for (const call of callsIn(fact)) {
      step(checks.length)
      const base = baseOf(call)
      if (base?.kind !== 'insert' || !call.args.some(isWholeData) || !isOnDatabase(base.call, text)) continue
      const entity = entityOf(base.call.args[0])
      const check = entity === undefined ? undefined : checks.find(({ entities }) => entities?.includes(lastName(entity)))
      if (entity === undefined || check === undefined || isWithin(call, check.fact ?? call)) continue
      const { start } = base.call
      yield { start, end: base.call.end, entity, operation, check: excerptOf(text, check.call) }
      break
    }
  }
}

const CREATES = /^(?:CREATE|NEW|SAVE|WRITE|INSERT|\*)$/
const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT|PATCH|NEW|EDIT|SAVE|CANCEL|INSERT|WRITE|DISCARD|error|each|\*)$|^draft/

function operationOf({ events: [event, another] }: HandlerFunction): string | undefined {
  return event === undefined || another !== undefined || CRUD.test(event) ? undefined : event
}

/** It refuses some requests, whatever it asks of them. */
function refuses({ start, end }: Span, text: string): boolean {
  return /\.(?:reject|error)\s?\(|\bthrow\b/.test(text.slice(start, end))
}

/** `req.data`, `{ ID: uuid(), ...req.data }`: all that the client sends. */
function isWholeData(value: Value): boolean {
  const made = resolveValue(value)
  if ('items' in made) return made.items.some(isData)
  return isData(made) || isData(value)
}

function isData(value: Value): boolean {
  const made = resolveValue(value)
  if ('fields' in made) return made.fields.some(({ value: part }) => part.kind === 'spread' && isSentData(part.value))
  return isSentData(value)
}

/** It is awaited as it is, or run by `cds.run`, `db.run`; `srv.run(…)` runs the handlers of the service. */
function isOnDatabase({ start }: CallValue, text: string): boolean {
  return /(?:\b(?:await|return)|=>|\b(?:cds|db|database)\.run\()\s{0,40}$/.test(text.slice(Math.max(0, start - 60), start))
}
