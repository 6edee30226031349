import { accessesOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { findCallbacks, functionOf, methodOf, type Callback } from '../../../facts/callbacks.ts'
import { asksForToken, sendsCredentials } from '../../../flow/index.ts'

/** The request behind a logged value, and the steps from its response to the value. */
interface Answer {
  readonly request: CallValue
  readonly steps: readonly string[]
}

/**
 * Tells what a log statement writes of the response of a request: `answer` is the whole of one that was sent with credentials, `result` the body of a token endpoint.
 * Fact: axios 1 (README, "Response Schema"): a response holds `config` with the headers, login and data that were sent, and `request`.
 */
export function createAnswerReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (value: Value) => 'answer' | 'result' | undefined {
  if (!facts.imports.some(({ source }) => source === 'axios')) return () => undefined
  const callbacks = findCallbacks(facts)
  const reader = { facts, step }
  return (value) => {
    const answer = answerOf(value, callbacks, 0)
    if (answer === undefined) return undefined
    const { request, steps } = answer
    const [first, ...others] = steps
    if (first === undefined || (others.length === 0 && SENT.test(first)))
      return sendsCredentials(request, reader) ? 'answer' : undefined
    return first === 'data' && others.length === 0 && asksForToken(request, reader) ? 'result' : undefined
  }
}

const SENT = /^(?:config|request)$/
const MAX_HOPS = 6

function answerOf(value: Value, callbacks: ReadonlyMap<FunctionFact, Callback>, hops: number): Answer | undefined {
  if (hops > MAX_HOPS) return undefined
  const deeper = (next: Value, added: readonly string[]): Answer | undefined => {
    const found = answerOf(next, callbacks, hops + 1)
    return found && { request: found.request, steps: [...found.steps, ...added] }
  }
  const made = awaited(value)
  if ('callee' in made) return isRequest(made) ? { request: made, steps: [] } : undefined
  if ('object' in made) return made.name === undefined ? undefined : deeper(made.object, [made.name])
  const binding = 'binding' in made ? made.binding : undefined
  const [definition] = binding?.definitions ?? []
  if (binding?.definitions.length !== 1 || definition === undefined) return undefined
  if (definition.value !== undefined) return deeper(definition.value, definition.path)
  // axios.get(url, config).then((response) => …)
  const callback = definition.parameter === 0 ? callbacks.get(binding.function) : undefined
  const then = callback?.index === 0 && methodOf(callback) === 'then' ? callback.call.callee : undefined
  return then !== undefined && 'object' in then ? deeper(then.object, definition.path) : undefined
}

function isRequest({ callee }: CallValue): boolean {
  return functionOf(callee) === undefined && accessesOf(callee).some(({ root }) => root === 'module:axios')
}
