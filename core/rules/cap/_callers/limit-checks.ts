import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, excerptOf, findPart, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers, HANDLER_PACKAGES, usesHandlerPackage } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { handsOn } from '../_handlers/handed-requests.ts'
import { isForDrafts, reachedFrom } from '../_rows/decided-states.ts'
import { isRow } from '../_rows/refused-elements.ts'

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
  /** The same of a comparison with a row that it has read, such as a balance, whatever that is called. */
  readonly compared: string
  /** Where it does that: all names in it. */
  readonly names?: readonly string[]
  /** It refuses some requests. */
  readonly refuses: boolean
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
/** Where it is booked, and not how much of it is left, decides: `cap/booking-not-adjusted`. */
const STOCK = /stock|inventory|on_?hand|seat|capacity|copies|\bavailable(?:_?(?:quantity|qty|units|items))?\b/i
const REFUSES = /\b(?:reject|error|throw)\b/

function collectChecks(facts: ScriptFacts, text: string, step: (count?: number) => void): LimitCheck[] {
  const refusing = facts.guards.flatMap(({ test, inside }) => (REFUSES.test(text.slice(inside.start, inside.end)) ? test : []))
  const refusingIn = createInnerIndex(refusing)
  const conditionOf = ({ start, end }: Value): string => text.slice(start, end)
  const measuring = refusing.filter((test) => /[<>]/.test(conditionOf(test)) && !OTHER.test(conditionOf(test)))
  const limitsIn = createInnerIndex(measuring.filter((test) => LIMIT.test(conditionOf(test))))
  const comparedIn = createInnerIndex(measuring.filter((test) => !STOCK.test(conditionOf(test)) && isComparedWithRow(test, step)))
  const callsIn = createInnerIndex(facts.calls)
  return findHandlers(facts).flatMap((handler) => {
    const { call, phase, events, entities, service, fact } = handler
    const named = events.map((name) => name ?? '*')
    if ((phase !== 'before' && phase !== 'on') || !named.some((name) => WRITE.test(name))) return []
    const functions = reachedFrom(handler, facts, callsIn)
    step(1 + functions.length)
    const [limit] = functions.flatMap(limitsIn)
    const [row] = functions.flatMap(comparedIn)
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
        compared: row === undefined ? '' : excerptOf(text, row),
        ...(row !== undefined && { names: functions.flatMap((one) => namesIn(one, text, step)) }),
        refuses: functions.some((one) => refusingIn(one).length > 0),
        isOpen: fact === undefined || handsOn(handler, facts, callsIn),
      },
    ]
  })
}

function namesIn({ start, end }: Span, text: string, step: (count?: number) => void): readonly string[] {
  step((end - start) >> 4)
  return [...new Set(text.slice(start, end).match(/\b[A-Za-z_$][\w$]{0,100}/g))]
}

/** `days > employee.leaveBalance`: of what is no constant with a part of a row that was read. */
function isComparedWithRow(test: Value, step: (count?: number) => void): boolean {
  const found = findPart(test, (part) => {
    step()
    if (part.kind !== 'operation' || !/^[<>]=?$/.test(part.operator)) return false
    const isOfRow = (value: Value): boolean => value.kind === 'member' && isRow(value.object)
    return part.operands.some(isOfRow) && part.operands.some((value) => !isOfRow(value) && constantOf(value) === undefined)
  })
  return found !== undefined
}
