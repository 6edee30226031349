import {
  accessesOf,
  functionAround,
  valuesOf,
  type Binding,
  type Definition,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { findCallbacks, functionOf, methodOf } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, createSpanIndex, isWithin } from '../../../facts/span-index.ts'
import { append } from '../../../lists.ts'
import { handlerFunction, type HandlerFunction } from '../../../model/cap/index.ts'
import { isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isCommented } from './caller-checks.ts'
import { handsOn } from '../_handlers/handed-requests.ts'
import { reachedFrom } from '../_rows/decided-states.ts'

/** Whether functions ask who calls; `unknown`: another file gets the request. To write down who it was is no question. */
export type CallerQuestion = 'yes' | 'no' | 'unknown'

/** Tells it of the handler that a place runs in, or of the function around it where no handler of the script leads there. */
export type QuestionReader = (handler: HandlerFunction | undefined, place: Span) => CallerQuestion

export function createQuestionReader(facts: ScriptFacts, text: string, step: (count?: number) => void): QuestionReader {
  const callsIn = createInnerIndex(facts.calls)
  let mentions: Mentions | undefined
  const known = new Map<HandlerFunction | FunctionFact, CallerQuestion>()
  const read = (handler: HandlerFunction | undefined, around: FunctionFact): CallerQuestion => {
    const { asksIn, isNoted } = (mentions ??= createMentionReader(facts, text, step))
    if (handler === undefined) return asksIn(around) ? 'yes' : 'unknown'
    const reached = reachedFrom(handler, facts, callsIn)
    if (reached.some((one) => asksIn(one) && (one === handler.fact || !isNoted(one, reached)))) return 'yes'
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

/** What of the caller is more than the row that is theirs. */
const RIGHTS = /\b403\b|forbidden|role|admin|permission|privileg|allowed|\buser\s{0,4}\.\s{0,4}is\b/i

interface Mentions {
  /** Whether a part of the script speaks of the caller in another way than to log or to write down who it was. */
  readonly asksIn: (around: Span) => boolean
  /** Whether a function gives the row of the caller, and those of these functions that call it only write down what they get: "changed by " with a name of it. */
  readonly isNoted: (fact: FunctionFact, callers: readonly FunctionFact[]) => boolean
}

function createMentionReader(facts: ScriptFacts, text: string, step: (count?: number) => void): Mentions {
  const given = new Map(
    facts.bindings.flatMap((binding) =>
      binding.definitions.flatMap(({ start, value, path }) =>
        value !== undefined && (path.includes('user') || isOfUser(value)) ? [[binding, { start, end: value.end }] as const] : [],
      ),
    ),
  )
  const results = resultsOf(facts, step)
  const isOfList = createItemReader(facts)
  const ofLists = new Set<number>()
  for (const binding of facts.bindings) if (isOfList(binding)) for (const { start } of binding.definitions) ofLists.add(start)
  const objects: Span[] = []
  const sent = new Set<number>()
  const references: Span[] = []
  const uses = new Map<Binding, number[]>(
    [...results.values()].flat().flatMap(({ binding }) => (binding === undefined ? [] : [[binding, []]])),
  )
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind === 'object' || value.kind === 'template') objects.push(value)
    if (value.kind === 'object') for (const field of value.fields) if (isPartOfData(field.value)) sent.add(field.value.start)
    if (value.kind !== 'reference' || value.binding === undefined) continue
    if (isOfList(value.binding)) ofLists.add(value.start)
    // under a name that does not say what it is
    if (given.has(value.binding)) references.push(value)
    uses.get(value.binding)?.push(value.start)
  }
  const noteAt = createSpanIndex([...objects, ...given.values(), ...facts.calls.filter(isLogCall)], (note) => note)
  const questions = facts.calls.flatMap(({ callee, args }) => (ASKS.test(lastNameOf(callee) ?? '') ? args : []))
  const questionAt = createSpanIndex<Span>(questions, (asked) => asked)
  const isQuestion = (at: number): boolean =>
    noteAt(at).length === 0 || (questionAt(at).length > 0 && !sent.has(valueBehind(text, at)))
  return {
    asksIn(around) {
      const spoken = [...text.slice(around.start, around.end).matchAll(CALLER)].map(({ index }) => around.start + index)
      const named = references.flatMap((one) => (isWithin(one, around) ? [one.start] : []))
      step(spoken.length + references.length)
      return [...spoken, ...named].some((at) => !ofLists.has(at) && !isCommented(text, at) && isQuestion(at))
    },
    isNoted(fact, callers) {
      if (RIGHTS.test(text.slice(fact.start, fact.end))) return false
      const given = results.get(fact) ?? []
      step(given.length)
      const here = given.filter(({ at }) => callers.some(({ start, end }) => start <= at && at < end))
      return (
        here.length > 0 && here.every(({ binding }) => binding !== undefined && uses.get(binding)?.every((at) => !isQuestion(at)))
      )
    },
  }
}

const PASSES_ITEMS = /^(?:map|forEach|filter|flatMap|find|findIndex|some|every)$/

/** `rows.map((user) => …)`: an item of a list, whoever that is. */
function createItemReader(facts: ScriptFacts): (binding: Binding) => boolean {
  const callbacks = findCallbacks(facts)
  return ({ name, kind, function: around }) => {
    const callback = kind === 'parameter' && name === 'user' ? callbacks.get(around) : undefined
    if (callback === undefined || callback.index !== 0 || !PASSES_ITEMS.test(methodOf(callback) ?? '')) return false
    const { callee } = callback.call
    return callee.kind === 'member' && !isOfUser(callee.object)
  }
}

/** A call of a function, and the name of what it gives; undefined: it has none. */
interface Result {
  readonly at: number
  readonly binding: Binding | undefined
}

function resultsOf(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<FunctionFact, readonly Result[]> {
  const named = new Map<number, Binding>()
  for (const binding of facts.bindings)
    for (const { value, path, kind } of binding.definitions) {
      step()
      const given = value === undefined || path.length > 0 || kind !== 'init' ? undefined : awaited(value)
      if (given?.kind === 'call') named.set(given.start, binding)
    }
  const found = new Map<FunctionFact, Result[]>()
  for (const { callee, start } of facts.calls) {
    // a method of `this` may be assigned anywhere in the script
    step(callee.kind === 'member' && callee.object.kind === 'this' ? facts.assignments.length : 1)
    const fact = functionOf(callee) ?? handlerFunction(callee, facts)
    if (fact !== undefined) append(found, fact, { at: start, binding: named.get(start) })
  }
  return found
}

/** `const { nurse } = item`, `({ nurse }) => …`: not of the user, and of no call, which may read them. */
function isPartOfData(value: Value): boolean {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  const isOfData = ({ value: whole, path, parameter }: Definition): boolean =>
    path.length > 0 && !path.includes('user') && (whole === undefined ? parameter !== undefined : isData(whole))
  return definitions.length > 0 && definitions.every(isOfData)
}

/** `req.data`, `item`, an entry of a list. */
function isData(value: Value): boolean {
  if (value.kind === 'reference') return value.binding?.kind === 'parameter'
  return accessesOf(value).every(({ steps }) => steps.at(-1) === 'data' && !steps.includes('()'))
}

/** Where the value of a column begins that is named here: `USER_ID: nurse`. */
function valueBehind(text: string, at: number): number {
  const [key] = /^\w{1,60}['"`]?\s{0,10}:\s{0,10}/.exec(text.slice(at, at + MAX_KEY)) ?? []
  return key === undefined ? -1 : at + key.length
}

const MAX_KEY = 90

/** `req.user.id`, `cds.context.user`, one of several: not what is made of a comparison with it. */
function isOfUser(value: Value): boolean {
  return accessesOf(value).some(({ steps }) => steps.includes('user') && !steps.includes('()'))
}
