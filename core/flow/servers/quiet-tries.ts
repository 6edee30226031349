import { pathOf, type CallValue, type ScriptFacts } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'

/** What throws nothing that tells of the server. Facts: SAP HANA XS JavaScript API Reference, "$.response" and "$.request". */
const QUIET =
  /^global:(?:JSON stringify|\$ response (?:setBody|headers set|cacheControl)|\$ request (?:body asString|(?:parameters|headers) get))$/
const THROWS = /\bthrow\b/
const MAX_DEPTH = 3

/**
 * Tells which parts of a script of XS classic throw nothing: they answer with what functions of the script give, and these catch all exceptions by themselves or call
 * nothing.
 */
export function createQuietReader(
  { globals, calls, partial }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (tried: Span) => boolean {
  if (!globals.has('$')) return () => false
  const isQuiet = (part: Span, depth: number): boolean => {
    step(1 + ((calls.length + partial.length) >> 3))
    const caught = partial.flatMap(({ tried }) =>
      tried !== undefined && tried.start > part.start && isWithin(tried, part) ? tried : [],
    )
    const isCaught = (one: Span): boolean => caught.some((tried) => isWithin(one, tried))
    if (caught.length === 0 && THROWS.test(text.slice(part.start, part.end))) return false
    return calls.every((call) => !isWithin(call, part) || isCaught(call) || isQuietCall(call, depth))
  }
  const isQuietCall = (call: CallValue, depth: number): boolean => {
    if (QUIET.test((pathOf(call.callee) ?? []).join(' '))) return true
    const own = functionOf(call.callee)
    return own !== undefined && depth < MAX_DEPTH && isQuiet(own, depth + 1)
  }
  return (tried) => isQuiet(tried, 0)
}
