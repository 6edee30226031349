import { isConstant } from '../../../facts/is-constant.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { findPart, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { withoutComments } from '../../../model/cap/index.ts'

/** What a server knows a caller by later. */
const KEEPS = /\bsign\w{0,20}\s{0,4}\(|token|jwt|session|cookie|passport/i
/** The caller of a request as CAP and Express know it, and what runs behind a middleware. Facts: capire, "Authentication", "Custom Authentication"; Express 5, "Using middleware". */
const SETS_CALLER = /\bcds\s{0,4}\.\s{0,4}User\b|\.\s{0,4}user\s{0,4}=(?!=)|\bnext\s{0,4}\(/
/** Calls that may be given the row and tell nobody who it is: they run the query, compare, write a log or refuse. */
const HARMLESS: ReadonlySet<string | undefined> = new Set(
  'Boolean Number run tx log info debug warn error reject compare compareSync timingSafeEqual isArray keys'.split(' '),
)
const REFUSES: ReadonlySet<string | undefined> = new Set(['error', 'reject'])

/**
 * Tells whether a server may know the caller of a login by it later. Not where the handler answers with nothing but whether the password fits: then no token, no user of CAP, nothing that a
 * middleware goes on with, and no other function gets the row.
 */
export function createKeepingReader(facts: ScriptFacts, text: string, step: (count?: number) => void): (sent: Value) => boolean {
  const ofFile = KEEPS.test(withoutComments(text))
  const known = new Map<FunctionFact, boolean>()
  return (sent) => {
    if (ofFile) return true
    const handler = handlerOf(sent)
    if (handler === undefined) return true
    const before = known.get(handler)
    if (before !== undefined) return before
    step(facts.calls.length + facts.assignments.length)
    const isKept = keeps(handler, facts, text)
    known.set(handler, isKept)
    return isKept
  }
}

/** The function whose request holds the password that was sent. */
function handlerOf(sent: Value): FunctionFact | undefined {
  const request = findPart(sent, (part) => 'binding' in part && part.binding?.kind === 'parameter')
  return request !== undefined && 'binding' in request ? request.binding?.function : undefined
}

function keeps(handler: FunctionFact, { calls, assignments }: ScriptFacts, text: string): boolean {
  if (SETS_CALLER.test(withoutComments(text.slice(handler.start, handler.end)))) return true
  const saysAll = handler.returns.length > 0 && handler.returns.every((value) => isConstant(value, isRefusal))
  if (!saysAll) return true
  return (
    calls.some((call) => isWithin(call, handler) && takesRow(call)) ||
    assignments.some((assignment) => isWithin(assignment, handler) && holdsRow(assignment.value))
  )
}

/** `return req.reject(401)` */
function isRefusal(value: Value): true | undefined {
  return 'callee' in value && REFUSES.has(lastNameOf(value.callee)) ? true : undefined
}

function takesRow({ callee, args }: CallValue): boolean {
  return !HARMLESS.has(lastNameOf(callee)) && args.some(holdsRow)
}

/** It is made of what a query gives. */
function holdsRow(value: Value): boolean {
  return findPart(value, (part) => 'name' in part && part.name === 'SELECT') !== undefined
}
