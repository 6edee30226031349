import { functionOf } from '../../../facts/callbacks.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { FunctionFact, ScriptFacts } from '../../../facts/index.ts'
import { handlerFunction, type HandlerFunction } from '../../../model/cap/index.ts'
import { isContext, isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A function, and those of its file that it calls. */
export function codeOf(fact: FunctionFact, facts: ScriptFacts): readonly FunctionFact[] {
  const inside = facts.calls.filter((span) => isWithin(span, fact))
  const called = inside.flatMap(({ callee }) => handlerFunction(callee, facts) ?? [])
  return [fact, ...new Set(called)].slice(0, MAX_CALLED)
}

const MAX_CALLED = 20

/**
 * Tells before handlers that only put more of the user into the request, `req.user = await profileOf(req.user)`: they neither refuse nor narrow what is asked for, and hand
 * the request to nothing else that may. Fact: capire, "Events" (only `req.reject`, `req.error` and exceptions end a request).
 */
export function createPreparingReader(facts: ScriptFacts, text: string): (handler: HandlerFunction) => boolean {
  let caught: readonly Span[] | undefined
  const isCaught = (at: number): boolean =>
    (caught ??= caughtBlocks(facts, text)).some(({ start, end }) => start <= at && at < end)
  return ({ phase, fact }) => {
    if (phase !== 'before' || fact === undefined || !PUTS_USER.test(text.slice(fact.start, fact.end))) return false
    const own = codeOf(fact, facts)
    return own.every((one) => {
      const code = text.slice(one.start, one.end)
      return (
        !ENDS.test(code) &&
        [...code.matchAll(/\bthrow\b/g)].every(({ index }) => isCaught(one.start + index)) &&
        !handsOn(one, facts)
      )
    })
  }
}

const PUTS_USER = /\b(?:req|request|ctx|context)\s{0,4}\.\s{0,4}user(?:\s{0,4}\.\s{0,4}\w{1,60}){0,3}\s{0,4}=(?![=>])/
const ENDS =
  /\breject\b|\bassert\b|\b(?:req|request|ctx|context)\s{0,4}\??\.\s{0,4}(?:error|query|data|subject|reply|http|res|_)\b|\bnew\s{1,4}\w{0,30}Forbidden/

/** Something of another file gets the request. */
function handsOn(around: FunctionFact, { calls }: ScriptFacts): boolean {
  return calls.some(
    (call) => isWithin(call, around) && !isLogCall(call) && call.args.some(isContext) && functionOf(call.callee) === undefined,
  )
}

/** Blocks whose exceptions are caught, and end nothing. */
function caughtBlocks({ partial }: ScriptFacts, text: string): readonly Span[] {
  return partial.flatMap(({ tried, start, end }) =>
    tried !== undefined && !RETHROWS.test(text.slice(start, end)) ? [tried] : [],
  )
}

const RETHROWS = /\b(?:throw|reject|next)\b|\b(?:req|request|ctx|context)\s{0,4}\??\.\s{0,4}error\b/
