import { accessesOf, findPart, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, createSpanIndex, isWithin } from '../../../facts/span-index.ts'
import { builderBehind } from '../../../flow/frameworks/query-sinks.ts'
import { handlerFunction, type HandlerFunction } from '../../../model/cap/index.ts'
import { isContext, isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isCheck } from '../_callers/asked-users.ts'
import { reachedFrom, type CallsIn } from '../_rows/decided-states.ts'

/** A function, and those of its file that it calls. */
export function codeOf(fact: FunctionFact, facts: ScriptFacts): readonly FunctionFact[] {
  const inside = facts.calls.filter((span) => isWithin(span, fact))
  const called = inside.flatMap(({ callee }) => handlerFunction(callee, facts) ?? [])
  return [fact, ...new Set(called)].slice(0, MAX_CALLED)
}

const MAX_CALLED = 20

/**
 * Tells before handlers that only put more of the user into the request, `req.user = await profileOf(req.user)`: they neither refuse nor narrow what is asked for, and hand
 * the request to nothing else that may. Fact: capire, "Events" (only `req.reject`, `req.error` and exceptions end a request); what they call is looked at once.
 */
export function createPreparingReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (handler: HandlerFunction) => boolean {
  const callsIn = createInnerIndex(facts.calls)
  const harmless = new Map<FunctionFact, boolean>()
  const ownOf = createOwnReader(facts, step)
  let isCaught: ((at: number) => boolean) | undefined
  const judge = (one: FunctionFact): boolean => {
    const code = text.slice(one.start, one.end)
    const calls = callsIn(one)
    step(calls.length)
    if (ENDS.test(code) || calls.some((call) => isError(call) || (ownOf(call) === undefined && mayCheck(call)))) return false
    isCaught ??= createCaughtReader(facts, text, callsIn)
    for (const { index } of code.matchAll(/\bthrow\b/g)) if (!isCaught(one.start + index)) return false
    return true
  }
  const isHarmless = (one: FunctionFact): boolean => {
    const known = harmless.get(one) ?? judge(one)
    harmless.set(one, known)
    return known
  }
  return (handler) => {
    const { phase, fact } = handler
    if (phase !== 'before' || fact === undefined || !PUTS_USER.test(text.slice(fact.start, fact.end))) return false
    const own = reachedFrom(handler, facts, callsIn)
    const reached = new Set(own)
    const isUnseen = (one: FunctionFact | undefined): boolean => one !== undefined && !reached.has(one)
    step(own.length)
    if (!own.every(isHarmless)) return false
    const calls = [...new Set(own.flatMap(callsIn))]
    step(calls.length)
    // beyond so many functions nobody looked; and the profile of the user is read once, at most
    return (
      !calls.some((call) => isUnseen(ownOf(call))) &&
      calls.filter((call) => ownOf(call) === undefined && takesUser(call)).length <= 1
    )
  }
}

const PUTS_USER =
  /\b(?:req|request|oReq|oRequest|ctx|context)\s{0,4}\.\s{0,4}user(?:\s{0,4}\.\s{0,4}\w{1,60}){0,3}\s{0,4}=(?![=>])/
const ENDS =
  /\breject\b|\bassert\b|\b(?:req|request|oReq|oRequest|ctx|context)\s{0,4}\??\.\s{0,4}(?:error|query|data|params|subject|reply|http|res|_)\b|\bnew\s{1,4}\w{0,30}Forbidden/

/** `cds.error(403)`, which throws, and `r.error(403)` of a request under any name; not what is logged. */
function isError(call: CallValue): boolean {
  return lastNameOf(call.callee) === 'error' && !isLogCall(call)
}

/** The function of the file that is called. */
function createOwnReader(facts: ScriptFacts, step: (count?: number) => void): (call: CallValue) => FunctionFact | undefined {
  const known = new Map<CallValue, FunctionFact | undefined>()
  return (call) => {
    if (!known.has(call)) {
      // any assignment may give a method
      step(call.callee.kind === 'member' ? facts.assignments.length : 1)
      known.set(call, functionOf(call.callee) ?? handlerFunction(call.callee, facts))
    }
    return known.get(call)
  }
}

/** What another file holds may refuse where it gets the request or a part of it besides the user, or is called like a check. */
function mayCheck(call: CallValue): boolean {
  return !isLogCall(call) && (isCheck(call) || call.args.some(holdsRequest))
}

/** `req`, `req.headers`, and not `req.user.id`. */
function holdsRequest(value: Value): boolean {
  const owners = new Set<Value>()
  return hasPart(value, (part) => {
    if (part.kind !== 'member') return isContext(part) && !owners.has(part)
    if (OF_USER.test(part.name ?? '')) owners.add(part.object)
    return false
  })
}

const OF_USER = /^(?:user|tenant|locale)$/

/** What another file holds gets the user: of more than one call the others may check. */
function takesUser(call: CallValue): boolean {
  if (isLogCall(call) || builderBehind(call) !== undefined) return false
  if (accessesOf(call.callee).some(({ root }) => BUILT_IN.test(root))) return false
  return call.args.some((one) =>
    hasPart(one, (part) => (part.kind === 'member' || part.kind === 'reference') && part.name === 'user'),
  )
}

const BUILT_IN = /^global:(?:Object|String|Number|Boolean|JSON|Array|encodeURIComponent)$/

/** Of what is written there, and not of what names stand for. */
function hasPart(value: Value, isWanted: (part: Value) => boolean): boolean {
  return findPart(value, (part) => isWithin(part, value) && isWanted(part)) !== undefined
}

/** Tells places whose exceptions are caught where nothing ends the request. */
function createCaughtReader({ partial }: ScriptFacts, text: string, callsIn: CallsIn): (at: number) => boolean {
  const isAnswered = (block: Span): boolean =>
    RETHROWS.test(text.slice(block.start, block.end)) ||
    callsIn(block).some((call) => isError(call) || (!isLogCall(call) && call.args.some(isCaughtError)))
  const caught = createSpanIndex(
    partial.flatMap((block) => (block.tried === undefined || isAnswered(block) ? [] : [block.tried])),
    (tried) => tried,
  )
  return (at) => caught(at).length > 0
}

function isCaughtError(value: Value): boolean {
  return value.kind === 'reference' && value.binding?.kind === 'catch'
}

const RETHROWS = /\b(?:throw|reject|next)\b/
