import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isAnswer, takesRequest } from '../_routes/route-answers.ts'

/** Scripts with a handler of errors that sends their message: `app.use((error, req, res, next) => res.status(500).json(error.message))`. Fact: Express 5, "Error handling". */
export const errorSenders: Extract<true> = defineExtract({
  name: 'cap-error-senders',
  keywords: ['err', 'next'],
  prefilter: (text) => SENDS_MESSAGE.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path) && !isOfUi5App(path),
  collect: ({ facts, step }) => {
    const handlers = facts.functions.filter(({ parameters }) => parameters.length === 4)
    step(1 + (handlers.length * facts.calls.length) / 8)
    const sends = handlers.some(({ parameters: [error], ...span }) =>
      facts.calls.some((call) => error !== undefined && isAround(span, call.start) && sendsMessageOf(call, error)),
    )
    return sends ? [true as const] : []
  },
})

const SENDS_MESSAGE = /\.message\b/

function sendsMessageOf(call: CallValue, error: Binding): boolean {
  const isMessage = (part: Value): boolean =>
    'object' in part && part.name === 'message' && part.object.kind === 'reference' && part.object.binding === error
  return isAnswer(call) && call.args.some((given) => findPart(given, isMessage) !== undefined)
}

/** What a handler of a route fails with: what its caller gets to see of it is in the value. */
interface Failure {
  readonly value: Value
  /** A handler of errors has to send it, not the handler itself. */
  readonly isPassedOn: boolean
}

/** `throw { statusCode: 409, message: '…' }`, `throw createError(404, '…')`, `return next(new Error('…'))`: the last one that a condition leads to. */
export function failureIn(
  around: FunctionFact,
  isOwn: (at: Span) => boolean,
  { calls, partial, functions }: ScriptFacts,
  text: string,
): Failure | undefined {
  if (!takesRequest(around) || around.parameters.length < 2) return undefined
  const handed = calls.findLast((one) => isOwn(one) && one.function === around && handsOn(one))
  if (handed !== undefined) return { value: handed, isPassedOn: true }
  const thrown = around.thrown?.findLast((one) => isOwn(one) && isMade(one))
  if (thrown === undefined) return undefined
  const inner = functions.filter((one) => one !== around && isWithin(one, around))
  const catching = partial
    .filter(({ tried }) => tried !== undefined && isAround(tried, thrown.start) && isWithin(tried, around))
    .filter((one) => !inner.some((fact) => isWithin(one, fact)))
  const nearest = catching.reduce<Span | undefined>(
    (best, one) => (best === undefined || isWithin(one, best) ? one : best),
    undefined,
  )
  if (nearest === undefined) return { value: thrown, isPassedOn: true }
  const caught = text.slice(nearest.start, nearest.end)
  if (PASSES_ON.test(caught)) return { value: thrown, isPassedOn: true }
  return SENDS_CAUGHT.test(caught) ? { value: thrown, isPassedOn: false } : undefined
}

/** `next(error)`, `throw error`: all that a block does with what it has caught. */
const PASSES_ON = /\bnext\s{0,5}\(\s{0,5}[\w$]{1,40}\s{0,5}\)|\bthrow\s{1,5}[\w$]{1,40}\s{0,5};?\s{0,99}\}$/
const SENDS_CAUGHT = /\.(?:json|send)\s{0,5}\([^;]{0,200}\.message\b/

/** An error of the code's own: an object, `new AppError('…')`, `createError(404, '…')`; not one that it has got. */
function isMade(value: Value): boolean {
  const made = resolveValue(value)
  return 'fields' in made || 'args' in made
}

function handsOn({ callee, args: [first] }: CallValue): boolean {
  return callee.kind === 'reference' && callee.name === 'next' && first !== undefined && isMade(first)
}
