import {
  accessesOf,
  constantOf,
  fieldOf,
  findPart,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, createOffsetIndex, createSpanIndex, isAround, isWithin, spanOf } from '../../../facts/span-index.ts'
import { asksForRole, type HandlerFunction } from '../../../model/cap/index.ts'
import { isContext, isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createTrustReader } from './trusted-results.ts'

/** A refusal that does not end the request: it is noted, collected while the handler goes on, caught, or never called. */
export interface WeakRefusal {
  readonly at: Span
  readonly variant: 'noted' | 'continued' | 'swallowed' | 'helper' | 'uncalled' | 'returned' | 'late'
  /** Its status alone says that it is about access: its condition names a step of a program, or its text says that something was done. */
  readonly isAssumed?: boolean
}

/** Fact: capire, "req.info / warn / notify" (collected messages; the request succeeds), "req.error" (collected; fails after the handlers of the phase). */
const NOTES = /^(?:info|warn|notify)$/
const ENDS = /^(?:reject|throw|\w*Error|fail|abort)$/

/** Whether a request is refused where a condition holds: by `req.reject(…)`, `req.error(…)`, or an exception. */
export function createRefusalReader({ calls }: ScriptFacts, text: string): (guard: Guard) => boolean {
  const callsIn = createInnerIndex(calls)
  return ({ inside }) =>
    callsIn(inside).some(({ callee }) => /^(?:reject|error)$/.test(lastNameOf(callee) ?? '')) ||
    /\bthrow\b/.test(text.slice(inside.start, inside.end))
}

/** Refusals of the handlers of one script that do not end the request. */
export function* findWeakRefusals(
  text: string,
  facts: ScriptFacts,
  handlerAt: (start: number) => HandlerFunction | undefined,
  step: (count: number) => void,
): Generator<WeakRefusal> {
  const guardsAround = createSpanIndex(facts.guards, ({ inside }) => inside)
  for (const call of facts.calls) {
    if (isAccessCheck(call)) {
      const { phase, fact } = handlerAt(call.start) ?? {}
      // what an on handler does stands in the same block
      if (phase === 'before' && isCaught(call, fact, text, facts)) yield { at: spanOf(call), variant: 'swallowed' }
      continue
    }
    if (call.callee.kind !== 'member' || !isContext(call.callee.object)) continue
    const name = call.callee.name ?? ''
    const isNote = NOTES.test(name) && isForbidden(call)
    if (!isNote && name !== 'error' && name !== 'reject') continue
    const handler = handlerAt(call.start)
    if (handler?.fact === undefined) continue
    const guard = guardsAround(call.start).find((one) => isWithin(call, one.inside) && one.function === call.function)
    const isOnCaller = guard !== undefined && asksForCaller(guard.test)
    // only these look at what else the script calls
    step(isNote || isOnCaller || isForbidden(call) ? facts.calls.length : 1)
    if (isNote) {
      const ends = guard !== undefined && (endsWithin(guard, facts) || (guard.exits && handler.phase !== 'before'))
      if (!ends) yield { at: spanOf(call), variant: 'noted' }
    } else if (name === 'error') {
      if (guard !== undefined && (isForbidden(call) || isOnCaller) && goesOn(guard, call, handler, facts))
        yield { at: spanOf(call), variant: 'continued' }
    } else if (isSwallowed(call, guard, handler, text, facts))
      yield { at: spanOf(call), variant: 'swallowed', isAssumed: guard !== undefined && isOfStep(guard, call, text) }
    else if (isChangedBefore(handler) && guard !== undefined && isOnCaller && !asksRole(guard.test))
      yield { at: spanOf(call), variant: 'late' }
  }
  yield* swallowedInHelpers(text, facts, handlerAt, step)
  for (const guard of facts.guards) {
    const handler = handlerAt(guard.start)
    if (handler?.fact === undefined || guard.function !== handler.fact) continue
    const statement = text.slice(guard.inside.start, Math.min(guard.inside.end, guard.inside.start + MAX_STATEMENT))
    const isUncalled = UNCALLED.test(statement)
    const isReturn = handler.phase === 'before' && RETURN.test(statement)
    const isCaught = guard.caughtAt !== undefined && /^\{?\s{0,40}throw\b/.test(statement)
    if (isCaught) step(2 * facts.calls.length)
    const isFollowed = handler.phase === 'before' || goesOnBehind(guard.caughtAt, handler.fact, facts)
    if (isCaught && isFollowed && asksForCaller(guard.test) && !endsBehind(guard.caughtAt, handler.fact, facts))
      yield { at: spanOf(guard.inside), variant: 'swallowed' }
    if ((!isUncalled && !isReturn) || !asksForCaller(guard.test)) continue
    step(facts.calls.length)
    if (isUncalled) yield { at: spanOf(guard.inside), variant: 'uncalled' }
    else if (isDenied(guard.test) && !asksRole(guard.test) && isLast(guard, handler.fact, facts))
      yield { at: spanOf(guard.test), variant: 'returned' }
  }
}

/** Exceptions about the caller that a function catches itself, while the before handler that calls it does not ask what it gives. */
function* swallowedInHelpers(
  text: string,
  facts: ScriptFacts,
  handlerAt: (start: number) => HandlerFunction | undefined,
  step: (count: number) => void,
): Generator<WeakRefusal> {
  let found: { readonly taken: ReadonlySet<FunctionFact>; readonly endsIn: (around: Span) => boolean } | undefined
  for (const { test, inside, caughtAt, function: helper } of facts.guards) {
    if (caughtAt === undefined || handlerAt(inside.start) !== undefined) continue
    const statement = text.slice(inside.start, Math.min(inside.end, inside.start + MAX_STATEMENT))
    if (!/^\{?\s{0,40}throw\b/.test(statement) || !asksForCaller(test)) continue
    if (!SAYS_ACCESS.test(`${helper.name} ${statement}`)) continue
    // both may be many: what calls which helper, and what ends requests, is found once
    found ??= { taken: unaskedHelpers(facts, handlerAt, step), endsIn: createOffsetIndex(endsOf(text, facts)) }
    step(1)
    if (found.taken.has(helper) && !found.endsIn({ start: caughtAt, end: helper.end }))
      yield { at: spanOf(inside), variant: 'helper', isAssumed: true }
  }
}

/** `checkAccess`, `throw new Error('User is not known')`; that something else of a user is missing refuses nobody. */
const SAYS_ACCESS =
  /auth|role|scope|owner|permi[st]|privileg|allow|access|admin|tenant|den(?:y|ied)|forbid|entitl|\b40[13]\b|\bunknown (?:user|caller|account)|\b(?:user|caller|employee|account)\b.{0,20}\b(?:unknown|inactive|not (?:known|found|registered|recogni[sz]ed|active|assigned))/i

/** Functions that a before handler calls without a condition on what they give, and of whose result it uses what it trusts. */
function unaskedHelpers(
  facts: ScriptFacts,
  handlerAt: (start: number) => HandlerFunction | undefined,
  step: (count: number) => void,
): ReadonlySet<FunctionFact> {
  const { calls, guards } = facts
  const asked = new Set<Value>()
  for (const { test } of guards)
    findPart(test, (part) => {
      step(1)
      if (part.kind === 'call') asked.add(part)
      return false
    })
  step(calls.length)
  const trusts = createTrustReader(facts, step)
  const taken = calls.filter((call) => !asked.has(call) && handlerAt(call.start)?.phase === 'before' && trusts(call))
  return new Set(taken.flatMap(({ callee }) => functionOf(callee) ?? []))
}

function endsOf(text: string, { calls }: ScriptFacts): readonly number[] {
  return [...calls.filter(isEnding).map(({ start }) => start), ...[...text.matchAll(/\bthrow\b/g)].map(({ index }) => index)]
}

const MAX_STATEMENT = 200
/** `if (!req.user.is('x')) req.reject`, `new Error('forbidden')` that nobody throws. */
const UNCALLED =
  /^(?:\{\s{0,40})?(?:return\s{1,10})?(?:\w{1,20}\.(?:reject|error)|new\s{1,10}\w{0,30}Error\([^()]{0,120}\))\s{0,40};?(?:\s{0,40}\})?$/
const RETURN = /^(?:\{\s{0,40})?return(?:\s{1,10}(?:false|null|undefined))?\s{0,40};?(?:\s{0,40}\})?$/

/** Something is done behind the block that catches, and not only logged. */
function goesOnBehind(offset: number | undefined, { end }: Span, { calls }: ScriptFacts): boolean {
  return offset !== undefined && calls.some((call) => call.start >= offset && call.end <= end && !isLogCall(call))
}

function asksRole(test: Value): boolean {
  return findPart(test, (part) => part.kind === 'call' && asksForRole(part)) !== undefined
}

/** `row.owner !== req.user.id`, `!row.owners.includes(req.user.id)`: it is somebody else's. */
function isDenied(test: Value): boolean {
  if (test.kind === 'choice') return test.options.some(isDenied)
  return test.kind === 'operation' && test.operator.startsWith('!')
}

/** Behind the return the handler neither refuses nor does anything else. */
function isLast({ inside }: Guard, { start, end }: Span, facts: ScriptFacts): boolean {
  return (
    !facts.calls.some((call) => call.start >= inside.end && call.end <= end) &&
    !facts.assignments.some((one) => one.start >= inside.end && one.end <= end) &&
    !callsIn({ start, end }, facts).some(isEnding)
  )
}

const WRITES = /^(?:CREATE|UPDATE|DELETE|UPSERT|INSERT|SAVE|NEW|PATCH|CANCEL)$/
/** Functions read, by their names; other names are those of actions. */
const READS =
  /^(?:READ|each|\*)$|^(?:get|read|find|list|search|count|is|has|can|may|check|preview|export|download|total|sum|show|load|fetch)(?=[A-Z]|$)/

/** An after handler of what changes data: a deed, or an action. */
export function isChangedBefore({ phase, events }: HandlerFunction): boolean {
  return (
    phase === 'after' &&
    events.some((name) => name !== undefined && (WRITES.test(name) || !(READS.test(name) || /^[A-Z*]+$/.test(name))))
  )
}

/** `req.warn(403, …)`, `req.error({ status: 401 })`. */
function isForbidden(call: CallValue): boolean {
  return hasStatus(call, /^40[13]$/)
}

/** Whether `req.reject`, `req.error` or the like is given such a status: as the first argument, or in an object that is. */
export function hasStatus({ args: [first] }: CallValue, wanted: RegExp): boolean {
  if (first === undefined) return false
  const codes = [first, fieldOf(first, 'code')?.value, fieldOf(first, 'status')?.value]
  return codes.some((code) => code !== undefined && wanted.test(String(constantOf(code))))
}

/** A condition on who calls: `req.user.is('x')`, `row.owner !== req.user.id`, by a name too. */
export function asksForCaller(test: Value): boolean {
  return (
    findPart(
      test,
      (part) =>
        (part.kind === 'call' && asksForRole(part)) ||
        (part.kind === 'member' && accessesOf(part).some(({ root, steps }) => isOfCaller(root, steps))),
    ) !== undefined
  )
}

/** `req.user.id`, `user.id` of `({ data, user })`, `cds.context.user.id`. */
function isOfCaller(root: string, [first, second]: readonly string[]): boolean {
  if (root === 'parameter:user') return true
  if (root.startsWith('parameter:')) return first === 'user' || ((first === 'req' || first === 'context') && second === 'user')
  return /^(?:global:cds|module:@sap\/cds)$/.test(root) && first === 'context' && second === 'user'
}

function callsIn(span: Span, { calls }: ScriptFacts): CallValue[] {
  return calls.filter((call) => isWithin(call, span))
}

function endsWithin({ inside }: Guard, facts: ScriptFacts): boolean {
  return callsIn(inside, facts).some(({ callee }) => ENDS.test(lastNameOf(callee) ?? ''))
}

/** Nothing leaves, and what follows reaches other systems: no rollback takes that back. */
function goesOn(guard: Guard, call: CallValue, { fact }: HandlerFunction, facts: ScriptFacts): boolean {
  if (fact === undefined || guard.exits || endsWithin(guard, facts)) return false
  const isOfOther = ({ start }: Span): boolean =>
    facts.guards.some(
      (other) =>
        other !== guard &&
        other.inside.start >= guard.inside.end &&
        (other.exits ? other.inside.end <= start : isAround(other.inside, start)) &&
        (asksForCaller(other.test) || asksForErrors(other.test)),
    )
  return facts.calls.some(
    (later) => later.start >= guard.end && later.end <= call.function.end && isSent(later) && !isOfOther(later),
  )
}

/** `if (req.errors) return`. */
export function asksForErrors(test: Value): boolean {
  return findPart(test, (part) => part.kind === 'member' && /^_?errors$/.test(part.name ?? '')) !== undefined
}

const SENDS = /^(?:send|emit|post|put|patch|fetch|axios|got|executeHttpRequest|sendMail|publish)$/

function isSent({ callee }: CallValue): boolean {
  return SENDS.test(lastNameOf(callee) ?? '') || (callee.kind === 'member' && isOfOthers(callee))
}

/** A method of a client or helper of another file: what it does, nothing takes back. */
function isOfOthers(callee: Value): boolean {
  return accessesOf(callee).some(
    ({ root, steps }) =>
      /^module:(?:\.|@(?!sap\/cds))/.test(root) &&
      steps.length > 0 &&
      (!PURE.test(steps.at(-1) ?? '') || CLIENT.test([root, ...steps.slice(0, -1)].join(' '))),
  )
}

/** `if (outcome === 'stop')`, `req.reject(401, 'Order was created')`: the refusal ends a program's own steps, unless something speaks of access. */
function isOfStep({ test }: Guard, { args }: CallValue, text: string): boolean {
  if (asksForCaller(test) || ACCESS_WORD.test(text.slice(test.start, Math.min(test.end, test.start + MAX_STATEMENT))))
    return false
  const isStep =
    test.kind === 'operation' && /^===?$/.test(test.operator) && test.operands.some((one) => typeof constantOf(one) === 'string')
  return isStep || args.some((one) => DONE.test(String(constantOf(one) ?? '')))
}

const ACCESS_WORD =
  /[uU]ser|[rR]ole|[aA]uth|[sS]cope|[oO]wner|[pP]ermi[st]|[pP]rivilege|[aA]llow|[aA]ccess|[aA]dmin|[tT]enant|[tT]oken|[sS]ession|[rR]ight|[gG]rant|[gG]roup|[eE]ntitl|[cC]reated_?[bB]y|[dD]en(?:y|ied)|[fF]orbid|[rR]eject|[fF]oreign|DENIED|FORBIDDEN|USER|ROLE|AUTH|ADMIN|\b(?:may|can)[A-Z]/

const DONE = /\b(?:is|was|were|been|successfully) (?:created|updated|changed|deleted|saved|sent|stored|done)\b(?! by\b)/i

/** What it asks is somebody else, whatever the method is called. */
const CLIENT = /(?:[ /.]|^)(?:https?|\w{0,30}[cC]lient|gateway|remote|rest|api)(?: |$)/

const PURE = /^(?:is|has|to|get|as|format|parse|validate|check|calculate|compute|find|read|log|info|warn|error|debug)(?:[A-Z_]|$)/

/** `try { … req.reject(403) } catch (e) { LOG.error(e) }`. */
function isSwallowed(
  call: CallValue,
  guard: Guard | undefined,
  { fact }: HandlerFunction,
  text: string,
  facts: ScriptFacts,
): boolean {
  return (isForbidden(call) || (guard !== undefined && asksForCaller(guard.test))) && isCaught(call, fact, text, facts)
}

const ACCESS_CHECK =
  /^(?:assert|ensure|require|verify|check|guard|authori[sz]e|enforce|restrict|must)[A-Za-z]{0,40}(?:Auth|Role|Scope|Permission|Privilege|Access|Owner|Admin)/

/** `checkScope(req, 'view')`: what it is called tells that it throws where the caller may not go on. */
function isAccessCheck({ callee, args }: CallValue): boolean {
  return ACCESS_CHECK.test(lastNameOf(callee) ?? '') && args.some(isContext)
}

/** The block of a `try`. */
export function isTried({ start }: Span, text: string): boolean {
  return /\btry\s{0,20}$/.test(text.slice(Math.max(0, start - 30), start))
}

/** It stands in a block whose errors are caught, and nothing ends the request there. */
function isCaught(call: CallValue, fact: FunctionFact | undefined, text: string, facts: ScriptFacts): boolean {
  if (fact === undefined || call.function !== fact) return false
  return facts.partial.some((block) => {
    if (!isTried(block, text) || block.start < fact.start || !isWithin(call, block)) return false
    const handler = { start: block.end, end: handlerEnd(block.end, facts) }
    return !callsIn(handler, facts).some(isEnding) && !/\bthrow\b/.test(text.slice(handler.start, handler.end))
  })
}

function endsBehind(start: number, { end }: Span, facts: ScriptFacts): boolean {
  return callsIn({ start, end }, facts).some(isEnding)
}

/** The end of the `catch` behind a `try`. */
function handlerEnd(end: number, { partial }: ScriptFacts): number {
  return partial.find(({ start }) => start >= end && start - end < MAX_HEAD)?.end ?? end
}

const MAX_HEAD = 60

function isEnding({ callee }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  return name === 'reject' || name === 'next' || (name === 'error' && callee.kind === 'member' && isContext(callee.object))
}
