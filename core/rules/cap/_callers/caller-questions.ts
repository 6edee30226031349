import { accessesOf, functionAround, valuesOf, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, createSpanIndex, isWithin } from '../../../facts/span-index.ts'
import type { HandlerFunction } from '../../../model/cap/index.ts'
import { isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isCommented } from './caller-checks.ts'
import { handsOn, reachedFrom } from '../_rows/decided-states.ts'

/** Whether functions ask who calls; `unknown`: another file gets the request. To write down who it was is no question. */
export type CallerQuestion = 'yes' | 'no' | 'unknown'

/** Tells it of the handler that a place runs in, or of the function around it where no handler of the script leads there. */
export type QuestionReader = (handler: HandlerFunction | undefined, place: Span) => CallerQuestion

export function createQuestionReader(facts: ScriptFacts, text: string, step: (count?: number) => void): QuestionReader {
  const callsIn = createInnerIndex(facts.calls)
  let asksIn: ((around: Span) => boolean) | undefined
  const known = new Map<HandlerFunction | FunctionFact, CallerQuestion>()
  const read = (handler: HandlerFunction | undefined, around: FunctionFact): CallerQuestion => {
    asksIn ??= createMentionReader(facts, text, step)
    if (handler === undefined) return asksIn(around) ? 'yes' : 'unknown'
    if (reachedFrom(handler, facts, callsIn).some(asksIn)) return 'yes'
    return handler.fact === undefined || handsOn(handler, facts, callsIn) ? 'unknown' : 'no'
  }
  return (handler, place) => {
    const around = functionAround(facts, place.start)
    if (around === undefined) return 'unknown'
    const found = known.get(handler ?? around) ?? read(handler, around)
    known.set(handler ?? around, found)
    return found
  }
}

const CALLER =
  /\buser\b|\b(?:current|logged\w{0,4}|session)_?user\w{0,20}|\buser_?(?:id|name|e?mail|roles?|info)\b|\b40[13]\b|forbidden|unauthori[sz]ed|\b(?:token|auth)info\b|\b(?:check|assert|verify|ensure|require|has|is|can)\w{0,30}(?:auth|permission|allowed|access|privileg|role|owner|admin)/gi
/** What asks for rows, or compares with what is given. */
const ASKS = /^(?:where|and|or|having|find|findOne|filter|some|every|includes|is|has|indexOf|SELECT|from|byKey|equals)$/

/** Tells whether a part of a script speaks of the caller in another way than to log or to write down who it was. */
function createMentionReader(facts: ScriptFacts, text: string, step: (count?: number) => void): (around: Span) => boolean {
  const given = new Map(
    facts.bindings.flatMap((binding) =>
      binding.definitions.flatMap(({ start, value, path }) =>
        value !== undefined && (path.includes('user') || isOfUser(value)) ? [[binding, { start, end: value.end }] as const] : [],
      ),
    ),
  )
  const objects: Span[] = []
  const references: Span[] = []
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind === 'object' || value.kind === 'template') objects.push(value)
    // under a name that does not say what it is
    if (value.kind === 'reference' && value.binding !== undefined && given.has(value.binding)) references.push(value)
  }
  const noteAt = createSpanIndex([...objects, ...given.values(), ...facts.calls.filter(isLogCall)], (note) => note)
  const questions = facts.calls.flatMap(({ callee, args }) => (ASKS.test(lastNameOf(callee) ?? '') ? args : []))
  const questionAt = createSpanIndex<Span>(questions, (asked) => asked)
  return (around) => {
    const spoken = [...text.slice(around.start, around.end).matchAll(CALLER)].map(({ index }) => around.start + index)
    const named = references.flatMap((one) => (isWithin(one, around) ? [one.start] : []))
    step(spoken.length + references.length)
    return [...spoken, ...named].some((at) => !isCommented(text, at) && (noteAt(at).length === 0 || questionAt(at).length > 0))
  }
}

/** `req.user.id`, `cds.context.user`, one of several: not what is made of a comparison with it. */
function isOfUser(value: Value): boolean {
  return accessesOf(value).some(({ steps }) => steps.includes('user') && !steps.includes('()'))
}
