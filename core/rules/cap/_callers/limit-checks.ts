import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { excerptOf, type ScriptFacts } from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers, HANDLER_PACKAGES, usesHandlerPackage } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { handsOn, isForDrafts, reachedFrom } from '../_rows/decided-states.ts'

/** A handler that runs before or instead of a write, and whether it keeps what clients send within a limit. */
export interface LimitCheck extends Span {
  readonly events: readonly string[]
  /** Last parts of names; undefined: all entities. */
  readonly entities: readonly string[] | undefined
  readonly service: string | undefined
  readonly isConnected: boolean
  /** It is registered for drafts alone. */
  readonly isForDrafts: boolean
  /** The comparison with a limit behind which it refuses, as it is written; '': none. */
  readonly limit: string
  /** What it does is not all in the script. */
  readonly isOpen: boolean
}

/** Handlers of writes, with the limits that they check. */
export const limitChecks: Extract<LimitCheck> = defineExtract({
  name: 'cap-limit-checks',
  keywords: ['.before(', '.on(', ...HANDLER_PACKAGES],
  prefilter: (text) => usesHandlerPackage(text) || /\b(?:CREATE|UPDATE|NEW|PATCH|SAVE)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) => collectChecks(facts, text, step),
})

const WRITE = /^(?:CREATE|UPDATE|NEW|PATCH|SAVE|WRITE|UPSERT|INSERT|\*)$/
/** Money that somebody may spend, owe or approve; stocks, dates and lengths are no limits of rights. */
const LIMIT =
  /(?:budget|limit|credit|quota|threshold|allowance|ceiling|max(?:imum)?_?(?:amount|value|price|total|discount|order))/i
/** Lengths of lists and pages, and requests in a time, are limited for other reasons; what is below 0 is no value at all. */
const OTHER = /[<>]=?\s{0,4}-?[01]\b(?!\.)|\.length\b|size|page|rate|retry|retries|timeout|attempt|characters|date|upload|file/i
const REFUSES = /\b(?:reject|error|throw)\b/

function collectChecks(facts: ScriptFacts, text: string, step: (count?: number) => void): LimitCheck[] {
  const limits = facts.guards.filter(({ test, inside }) => {
    const condition = text.slice(test.start, test.end)
    return (
      /[<>]/.test(condition) &&
      LIMIT.test(condition) &&
      !OTHER.test(condition) &&
      REFUSES.test(text.slice(inside.start, inside.end))
    )
  })
  const limitsIn = createInnerIndex(limits.map(({ test }) => test))
  const callsIn = createInnerIndex(facts.calls)
  return findHandlers(facts).flatMap((handler) => {
    const { call, phase, events, entities, service, fact } = handler
    const named = events.map((name) => name ?? '*')
    if ((phase !== 'before' && phase !== 'on') || !named.some((name) => WRITE.test(name))) return []
    const functions = reachedFrom(handler, facts, callsIn)
    step(1 + functions.length)
    const [limit] = functions.flatMap(limitsIn)
    return [
      {
        start: call.start,
        end: call.callee.end,
        events: named,
        entities,
        service: service.name,
        isConnected: service.kind === 'connected',
        isForDrafts: isForDrafts(call),
        limit: limit === undefined ? '' : excerptOf(text, limit),
        isOpen: fact === undefined || handsOn(handler, facts, callsIn),
      },
    ]
  })
}
