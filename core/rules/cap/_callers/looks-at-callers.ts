import {
  accessesOf,
  constantOf,
  findPart,
  isOnTheWay,
  valuesOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { LOOKS_AT_RIGHTS } from '../../../flow/tables/routes.ts'
import { isContextName, isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { baseOf } from '../_handlers/query-chains.ts'
import { clientData, type ClientData } from '../_rows/client-data.ts'
import { isKeyed } from '../_rows/column-pairs.ts'
import { rolesAsked } from './asked-users.ts'

/** The function looks at who calls: it may compare. */
export const CALLER: RegExp =
  /\b(?:req|request|oReq|oRequest|ctx|context)\s{0,4}[!?]?\.\s{0,4}(?:user\b|authInfo|tokenInfo|auth\b|session|securityContext|currentUser)|\$user|\bcurrentUser|\bgetUser|\bdecoded\b|\blocals\b/
/** The user is who a password or a code says. */
const LOGS_IN = /passw|bcrypt|log_?in|sign_?in|\botp\b|reset|verif(?:y|ication)_?code/i

/** The function that gets the request looks at who calls. */
export function looksAtCaller({ function: { start, end } }: Pick<Binding, 'function'>, text: string): boolean {
  return isAboutCaller(text.slice(start, end))
}

function isAboutCaller(around: string): boolean {
  return CALLER.test(around) || LOOKS_AT_RIGHTS.test(around) || LOGS_IN.test(around)
}

/** The function looks at who calls, and not only at a role that holds for others than those who come to the place. */
export function isCallerAsked(
  { request, client }: ClientData,
  place: CallValue,
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): boolean {
  if (!looksAtCaller(request, text)) return false
  const around = request.function
  const ignored = [...rolesOfOthers(around, place, facts.guards, step)]
  if (isAboutCaller(without(ignored, around, text))) {
    ignored.push(...defaultPlaces(around, client, facts, text, step))
    if (isAboutCaller(without(ignored, around, text))) return true
  }
  return isHandedBefore(place, request, client, facts, text, step)
}

/** On the way to a place, another function gets the request or what the client sent, and may compare; or a condition compares that. */
function isHandedBefore(
  place: CallValue,
  request: Binding,
  client: string,
  { calls, guards }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): boolean {
  const isSent = (value: Value): boolean => clientData(value)?.client === client
  step(calls.length + guards.length)
  const within = guards.filter(({ function: own }) => own === request.function)
  const isOfOthers = ({ start }: Span): boolean =>
    within.some(({ inside }) => isWithin({ start, end: start }, inside) && !isWithin(place, inside))
  for (const call of calls) {
    if (call.function !== request.function || call.end > place.start || clientData(call) !== undefined) continue
    if (!call.args.some((one) => isWholeRequest(one) || isSent(one)) || isLogCall(call)) continue
    const name = lastNameOf(call.callee) ?? ''
    if (baseOf(call) !== undefined || isKeyed(call, name) || isOfOthers(call)) continue
    step(guards.length)
    const called = functionOf(call.callee)
    if (called === undefined || isAboutCaller(text.slice(called.start, called.end))) return true
  }
  const isComparison = (part: Value): boolean =>
    part.kind === 'operation' &&
    /^[!=]==?$/.test(part.operator) &&
    part.operands.some(isSent) &&
    part.operands.every((side) => isSent(side) || (constantOf(side) === undefined && !isNothing(side)))
  return within.some((guard) => isOnTheWay(guard, place.start) && findPart(guard.test, isComparison) !== undefined)
}

/** The text of a function with blanks for some places. */
function without(places: readonly Span[], around: Span, text: string): string {
  let kept = text.slice(around.start, around.end)
  for (const place of places) {
    const [start, end] = [place.start - around.start, place.end - around.start]
    kept = kept.slice(0, start) + ' '.repeat(end - start) + kept.slice(end)
  }
  return kept
}

/** Conditions on a role which hold for those who lack it, where a place is: `if (req.user.is('Deputy')) { … } else { place }` limits nobody there. */
function* rolesOfOthers(
  around: Span,
  place: Span,
  guards: ScriptFacts['guards'],
  step: (count?: number) => void,
): Generator<Span> {
  step(guards.length)
  for (const { test, inside } of guards) {
    if (test.kind !== 'operation' || test.operator !== '!' || !isWithin(place, inside) || !isWithin(test, around)) continue
    const [asked] = test.operands
    if (asked === undefined || (asked.kind === 'operation' && asked.operator === '!') || rolesAsked(asked) === undefined) continue
    yield test
  }
}

/** What runs only where the client sends no user, and so says nothing of one that it sends: `if (!userId) userId = req.user.id`, `req.data.userId || req.user.id`. */
function defaultPlaces(
  around: Span,
  client: string,
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): readonly Span[] {
  const isSent = (value: Value | undefined): boolean => value !== undefined && clientData(value)?.client === client
  step(facts.guards.length + facts.values.length)
  const places: Span[] = []
  for (const { test, inside } of facts.guards) if (isWithin(inside, around) && isAbsence(test, isSent)) places.push(test, inside)
  const values = valuesOf(facts).flatMap(({ value }) => (isWithin(value, around) ? [value] : []))
  for (const value of values) {
    if (value.kind !== 'choice' || value.isAnd === true || (value.test !== undefined && !isSent(value.test))) continue
    const [first, ...others] = value.options
    if (isSent(first)) places.push(...others)
  }
  return places.length === 0 ? [] : [...places, ...namesIn(places, values, around, facts, text, step)]
}

/** `!userId`, `userId === undefined`, either of them with more. */
function isAbsence(test: Value, isSent: (value: Value | undefined) => boolean): boolean {
  if (test.kind === 'choice') return test.isAnd === true && test.options.some((option) => isAbsence(option, isSent))
  if (test.kind !== 'operation') return false
  if (test.operator === '!') return isSent(test.operands[0])
  return /^===?$/.test(test.operator) && test.operands.some(isSent) && test.operands.some((side) => isNothing(side))
}

/** `const caller = req.user`, where nothing but such places reads the name. */
function* namesIn(
  places: readonly Span[],
  values: readonly Value[],
  around: Span,
  { bindings }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): Generator<Span> {
  step(bindings.length)
  for (const binding of bindings) {
    const [only, other] = binding.definitions
    if (only?.value === undefined || other !== undefined || !isWithin(binding, around)) continue
    const { start, end } = only.value
    if (!CALLER.test(text.slice(start, end))) continue
    step(values.length)
    const isRead = (value: Value): boolean =>
      value.kind === 'reference' && value.binding === binding && !places.some((place) => isWithin(value, place))
    if (!values.some(isRead)) yield only.value
  }
}

/** The request itself, from which another function may take the user. */
export function isWholeRequest(value: Value): boolean {
  return accessesOf(value).some(
    ({ binding, steps }) => binding?.kind === 'parameter' && isContextName(binding.name) && steps.length === 0,
  )
}
