import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Callback } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  constantOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createSpanIndex, isAround } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isAnswer, takesRequest } from '../_routes/route-answers.ts'

/** A handler of errors that sends their message; `codes`: only of errors that it tells apart by these numbers. */
export interface ErrorSender {
  readonly codes?: readonly number[]
}

/** `app.use((error, req, res, next) => res.status(500).json(error.message))`. Fact: Express 5, "Error handling". */
export const errorSenders: Extract<ErrorSender> = defineExtract({
  name: 'cap-error-senders',
  keywords: ['err', 'next'],
  prefilter: (text) => SENDS_MESSAGE.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, step }) => {
    const handlers = facts.functions.filter(({ parameters }) => parameters.length === 4)
    step(1 + (handlers.length * facts.calls.length) / 8)
    const isForDevelopers = createDevelopmentReader(facts)
    return handlers.flatMap(({ parameters: [error], ...span }) => {
      const sending = facts.calls.filter(
        (call) => error !== undefined && isAround(span, call.start) && sendsMessageOf(call, error, isForDevelopers),
      )
      step(sending.length * facts.guards.length)
      return sending.map((call) => codesFor(call, facts.guards))
    })
  },
})

const SENDS_MESSAGE = /\.message\b/

function sendsMessageOf(call: CallValue, error: Binding, isForDevelopers: (place: Span) => boolean): boolean {
  const isMessage = (part: Value): boolean =>
    'object' in part &&
    part.name === 'message' &&
    part.object.kind === 'reference' &&
    part.object.binding === error &&
    !isForDevelopers(part)
  return isAnswer(call) && !isForDevelopers(call) && call.args.some((given) => findPart(given, isMessage) !== undefined)
}

/** `if (error.statusCode === 400) return res.json(error.message)`: a comparison with a name tells apart errors that a login has none of. */
function codesFor({ start }: CallValue, guards: readonly Guard[]): ErrorSender {
  const first = guards.find(({ inside, test }) => isAround(inside, start) && comparedIn(test) !== undefined)
  return first === undefined ? {} : { codes: comparedIn(first.test) ?? [] }
}

/** The numbers of `code === 400 || code === 404`; none where something else is compared. */
function comparedIn(test: Value): readonly number[] | undefined {
  const parts = 'options' in test ? test.options : [test]
  const compared = parts.flatMap((part) => ('operator' in part && /^===?$/.test(part.operator) ? [part.operands] : []))
  if (compared.length === 0) return undefined
  return compared.flatMap((sides) => sides.map(constantOf).filter((side) => typeof side === 'number'))
}

/** What a handler of a route fails with: what its caller gets to see of it is in the value. */
interface Failure {
  readonly value: Value
  /** A handler of errors has to send it, not the handler itself: what `next` gets, or what an async function rejects with. */
  readonly passing?: 'handed' | 'rejected'
}

export type FailureReader = (around: FunctionFact, isOwn: (at: Span) => boolean) => Failure | undefined

/** Finds `throw { statusCode: 409, message: '…' }`, `throw createError(404, '…')`, `return next(new Error('…'))`: the last one that a condition leads to. */
export function createFailureReader(
  facts: ScriptFacts,
  text: string,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  step: (count?: number) => void,
): FailureReader {
  const { calls, partial, functions } = facts
  step(calls.length + partial.length + functions.length)
  const handedBy = groupBy(calls.filter(handsOn), (call) => call.function)
  const catches = partial.flatMap(({ tried, start, end }) => (tried === undefined ? [] : [{ tried, start, end }]))
  const catchesAt = createSpanIndex(catches, ({ tried }) => tried)
  const functionsAt = createSpanIndex(functions, (fact) => fact)
  const doings = new Map<Span, Doing>()
  const doingOf = (caught: Span): Doing => {
    const known = doings.get(caught)
    if (known !== undefined) return known
    const found = doingIn(text.slice(caught.start, caught.end))
    doings.set(caught, found)
    return found
  }
  return (around, isOwn) => {
    if (!takesRequest(around) || around.parameters.length < 2) return undefined
    const given = handedBy.get(around) ?? []
    step(1 + ((given.length + (around.thrown?.length ?? 0)) >> 3))
    const handed = given.findLast(isOwn)
    if (handed !== undefined) return { value: handed, passing: 'handed' }
    const value = around.thrown?.findLast((one) => isOwn(one) && isMade(one))
    if (value === undefined) return undefined
    const caught = catchesAt(value.start).find((one) => functionsAt(one.start)[0] === around)
    const doing = caught === undefined ? 'throws' : doingOf(caught)
    // asyncHandler(async (req, res) => …) hands on itself what its function rejects with
    const isLeft = around.isAsync && !WRAPS.test(lastNameOf(callbacks.get(around)?.call.callee ?? value) ?? '')
    if (doing === 'throws') return { value, passing: isLeft ? 'rejected' : 'handed' }
    if (doing === 'hands') return { value, passing: 'handed' }
    return doing === 'sends' ? { value } : undefined
  }
}

const WRAPS = /async|catch|wrap|handle|safe|try/i

/** What a block does with what it has caught. */
type Doing = 'hands' | 'throws' | 'sends' | 'other'

function doingIn(caught: string): Doing {
  if (HANDS_ON.test(caught)) return 'hands'
  if (THROWS.test(caught)) return 'throws'
  return SENDS_CAUGHT.test(caught) ? 'sends' : 'other'
}

const HANDS_ON = /\bnext\s{0,5}\(\s{0,5}[\w$]{1,40}\s{0,5}\)/
const THROWS = /\bthrow\s{1,5}[\w$]{1,40}\s{0,5};?\s{0,99}\}$/
const SENDS_CAUGHT = /\.(?:json|send)\s{0,5}\([^;]{0,200}\.message\b/

/** An error of the code's own: an object, `new AppError('…')`, `createError(404, '…')`; not one that it has got. */
function isMade(value: Value): boolean {
  const made = resolveValue(value)
  return 'fields' in made || 'args' in made
}

function handsOn({ callee, args: [first] }: CallValue): boolean {
  return callee.kind === 'reference' && callee.name === 'next' && first !== undefined && isMade(first)
}
