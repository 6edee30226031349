import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  excerptOf,
  findPart,
  pathsOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { RESPONSE_NAME } from '../../../flow/tables/requests.ts'
import { isDeployedCode, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** Where the answer of another system is read as JSON, when nobody is left to catch that it is none. */
export interface ThrowingAnswer extends Span {
  readonly code: string
}

const ASKS = /^module:(?:node:)?https? (?:get|request)$/

/**
 * `https.get(url, (answer) => answer.on('end', () => JSON.parse(text)))` in what answers a request, where the request decides what is asked for.
 * Facts: Node.js 24, "events" and "http.get": listeners run when all functions around them have returned, so no `try` and no promise around the call catches what they throw.
 */
export const throwingAnswers: Extract<ThrowingAnswer> = defineExtract({
  name: 'cap-throwing-answers',
  keywords: ['JSON.parse'],
  prefilter: (text) => /["'`](?:node:)?https?["'`]/.test(text) && /["'`]end["'`]/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    for (const call of facts.calls) {
      const answered = pathsOf(call.callee).some((path) => ASKS.test(path.join(' ')))
        ? call.args.map(functionOf).find(Boolean)
        : undefined
      if (answered === undefined) continue
      const request = requestAround(call.function)
      step(1 + facts.calls.length)
      if (request === undefined || !call.args.some((given) => isChosenBy(request, given))) continue
      for (const parsing of parsedAtEnd(answered, facts))
        yield { start: parsing.start, end: parsing.end, code: excerptOf(text, parsing) }
    }
  },
})

/** The parameter of the request, before that of the response, of the function around. */
function requestAround(from: FunctionFact): Binding | undefined {
  for (let here: FunctionFact | undefined = from; here !== undefined; here = here.parent) {
    const { parameters } = here
    const request = parameters.find((one, at) => isRequestName(one?.name) && RESPONSE_NAME.test(parameters[at + 1]?.name ?? ''))
    if (request !== undefined) return request
  }
  return undefined
}

function isChosenBy(request: Binding, given: Value): boolean {
  if (constantOf(given) !== undefined || functionOf(given) !== undefined) return false
  return findPart(given, (part) => 'name' in part && accessesOf(part).some(({ binding }) => binding === request)) !== undefined
}

/** What the listener of the end parses, unless it catches itself. */
function parsedAtEnd({ parameters: [answer] }: FunctionFact, { calls, partial }: ScriptFacts): readonly CallValue[] {
  const isOfAnswer = (value: Value): boolean =>
    'object' in value && accessesOf(value.object).some(({ binding, steps }) => binding === answer && steps.every(isChained))
  const ends = calls.flatMap(({ callee, args: [event, listener] }) => {
    const isEnd = lastNameOf(callee) === 'on' && isOfAnswer(callee) && event !== undefined && constantOf(event) === 'end'
    return answer === undefined || !isEnd ? [] : (functionOf(listener) ?? [])
  })
  return ends.flatMap((end) => {
    const caught = partial.flatMap(({ tried }) => (tried !== undefined && isWithin(tried, end) ? tried : []))
    return calls
      .filter((one) => one.function === end && lastNameOf(one.callee) === 'parse' && isJson(one))
      .filter(({ start }) => !caught.some((span) => isAround(span, start)))
      .slice(0, 1)
  })
}

/** `answer.on('data', …).on('end', …)` */
const isChained = (step: string): boolean => step === 'on' || step === '()'

function isJson(call: CallValue): boolean {
  return pathsOf(call.callee).some((path) => path.join(' ') === 'global:JSON parse')
}
