import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A call that asks a function who sent the request. */
interface IdentityCall {
  /** The name of the function. */
  readonly name: string
  /** What it gives is only sent back to whoever asked. */
  readonly isShown: boolean
}

/** `const identity = resolveIdentity(req); res.json({ id: identity.user })`: of the caller's own name, the caller alone learns. */
export const identityCalls: Extract<IdentityCall> = defineExtract({
  name: 'cap-identity-calls',
  keywords: ['identity', 'user', 'caller', 'principal'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, step }) {
    const asking = facts.calls.filter(asksWhoCalls).slice(0, MAX_CALLS)
    const answers = asking.length === 0 ? [] : facts.calls.filter(isAnswer)
    for (const call of asking) {
      step(facts.bindings.length + facts.values.length + facts.calls.length)
      yield {
        name: lastNameOf(call.callee) ?? '',
        isShown: usesOf(call, facts).every((use) => isOnlySent(use, answers, facts.calls)),
      }
    }
  },
})

const MAX_CALLS = 50

function asksWhoCalls({ callee, args }: CallValue): boolean {
  return /identity|user|caller|principal/i.test(lastNameOf(callee) ?? '') && args.some(isRequest)
}

/** `req` itself. */
export function isRequest(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => isContextRoot(root) && steps.length === 0)
}

function isAnswer({ callee }: CallValue): boolean {
  return callee.kind === 'member' && /^(?:json|send|render)$/.test(callee.name ?? '')
}

/** Where the result is used by its name, or where the call itself stands. */
function usesOf(call: CallValue, { bindings, values }: ScriptFacts): readonly Span[] {
  const named = bindings.filter(({ definitions }) =>
    definitions.some(({ value }) => value !== undefined && isResult(value, call)),
  )
  if (named.length === 0) return [call]
  return values.flatMap(({ value }) =>
    value.kind === 'reference' && value.binding !== undefined && named.includes(value.binding) ? value : [],
  )
}

function isResult(value: Value, call: CallValue): boolean {
  const made = resolveValue(value)
  return made === call || (made.kind === 'await' && made.value === call)
}

/** In an answer, and not handed to anything that is called there: `res.json(await readTasks(identity.user))`. */
function isOnlySent(use: Span, answers: readonly CallValue[], calls: readonly CallValue[]): boolean {
  const answer = answers.find((call) => isWithin(use, call))
  if (answer === undefined) return false
  const isGivenTo = (call: CallValue): boolean =>
    call !== answer && !isAnswer(call) && isWithin(call, answer) && call.args.some((argument) => isWithin(use, argument))
  return !calls.some(isGivenTo)
}
