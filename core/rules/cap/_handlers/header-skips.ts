import {
  constantOf,
  directParts,
  excerptOf,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

/** Where a handler of rows that clients write ends before its check, since a header is there or is not. */
export interface HeaderSkip extends Span {
  readonly event: string
  readonly entity: string
  /** The condition, as it is written. */
  readonly test: string
  /** The check that is left out, as it is written. */
  readonly check: string
}

const WRITES = /^(?:CREATE|UPDATE|SAVE|WRITE|UPSERT|PATCH)$/
/** Calls that refuse by what they throw, by their names. */
const CHECKS = /^(?:check|validate|verify|assert|ensure|enforce)(?![a-z])/
const HEADERS = /\bheaders\b/
/** What proves who calls is no switch. */
const OF_CALLERS = /authori[sz]ation|token|secret|key|signature|csrf|cookie/i

/** Fact: capire, "Events": what a before handler returns is ignored, so that the row is written. */
export function* headerSkips(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<HeaderSkip> {
  if (!HEADERS.test(text)) return
  const callsIn = createInnerIndex(facts.calls)
  for (const { phase, events, entities, fact } of findHandlers(facts)) {
    const event = events.find((one) => WRITES.test(one ?? ''))
    const entity = entities?.[0]
    if (phase !== 'before' || event === undefined || entity === undefined || fact === undefined) continue
    step(facts.guards.length)
    const skip = facts.guards.find((guard) => guard.function === fact && isHeaderSwitch(guard, text))
    const check = skip && callsIn(fact).find((call) => call.start >= skip.inside.end && refuses(call))
    if (skip === undefined || check === undefined || callsIn(fact).some((call) => call.end <= skip.start && refuses(call)))
      continue
    const { start, end } = skip.test
    yield { start, end, event, entity, test: excerptOf(text, skip.test), check: excerptOf(text, check) }
  }
}

/** `if (req.headers.skip) return`, and nothing else is asked or done. */
function isHeaderSwitch({ exits, test, inside }: Guard, text: string): boolean {
  const asked = text.slice(test.start, test.end)
  if (!exits || OF_CALLERS.test(asked) || !isOfHeaders(test, 0)) return false
  return /^\{?\s{0,80}return\s{0,9};?\s{0,80}\}?$/.test(text.slice(inside.start, inside.end))
}

const DEEPEST = 12

/** Headers of the request, and constants that they are compared with. */
function isOfHeaders(value: Value, depth: number): boolean {
  if (depth > DEEPEST) return false
  if (value.kind === 'member') return lastNameOf(value.object) === 'headers'
  const parts = directParts(value)
  return (
    parts.some((part) => isOfHeaders(part, depth + 1)) &&
    parts.every((part) => constantOf(part) !== undefined || isOfHeaders(part, depth + 1))
  )
}

/** `req.reject(…)`, `checkCrew(req)` */
function refuses({ callee, args }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  return (CHECKS.test(name) && args.length > 0) || (callee.kind === 'member' && (name === 'reject' || name === 'error'))
}
