import { functionOf } from '../../facts/callbacks.ts'
import {
  functionAround,
  resolveValue,
  type Binding,
  type CallValue,
  type Definition,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { isAsCertain } from '../../facts/guards.ts'
import { isAround } from '../../facts/span-index.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** Lets other code run before the next line does. */
const WAITING = /\b(?:await|yield)\b/
const MAX_BETWEEN = 4000

/**
 * `status = 'Stopped'; log(status); res.send(status)` in a function, of a name of the whole script: nothing else can run in between, so what other functions give
 * the name isn't what is read. Fact: ECMAScript 2025, jobs and agents: a job runs to its end before another one starts.
 */
export function writtenLast(
  { start }: Value,
  { definitions, additions, function: own }: Binding,
  draft: FlowDraft,
): Definition | undefined {
  if (definitions.length < 2 || additions.length > 0) return undefined
  const { facts, step } = draft
  const within = functionAround(facts, start)
  if (within === undefined || within === own) return undefined
  const written = definitions.filter((one) => one.function === within)
  const last = written.findLast((one) => endOf(one) <= start)
  if (last?.operator !== '=' || start >= (last.replacesUntil ?? within.end) || last.path.length > 0) return undefined
  const end = endOf(last)
  if (start - end > MAX_BETWEEN || WAITING.test(draft.text.slice(end, start))) return undefined
  if (!isAsCertain(facts, last.start, start, step)) return undefined
  // what is written further down in the same loop comes around
  const loops = facts.partial.filter((span) => isAround(span, start) && !isAround(span, last.start))
  if (loops.some((span) => written.some((one) => one.start > start && isAround(span, one.start)))) return undefined
  step(1 + (facts.calls.length >> 3))
  return facts.calls.some((call) => call.start >= end && call.end <= start && mayRun(call, within, draft)) ? undefined : last
}

function endOf({ value, end }: Definition): number {
  return Math.max(value?.end ?? end, end)
}

/** Whether a call may run code of this script. */
function mayRun({ callee, args, function: caller }: CallValue, within: FunctionFact, { owners }: FlowDraft): boolean {
  if (caller !== within) return false
  if ([callee, ...args].some((one) => functionOf(one) !== undefined || owners.functionsBehind(one).length > 0)) return true
  let here = callee
  for (let next = beforeOf(here); next !== undefined; next = beforeOf(here)) here = next
  const made = resolveValue(here)
  return owners.ownerBehind(here) !== undefined || 'fields' in made || 'class' in made
}

/** `res.type('html')` of `res.type('html').send`. */
function beforeOf(value: Value): Value | undefined {
  return 'object' in value ? value.object : 'callee' in value ? value.callee : undefined
}
