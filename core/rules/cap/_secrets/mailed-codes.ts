import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  directParts,
  excerptOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { RESPONSE_NAME } from '../../../flow/tables/requests.ts'
import { writtenParts } from '../../../facts/written-parts.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import { spanOf } from '../../../facts/span-index.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import { isAnswer, takesRequest } from '../_routes/route-answers.ts'
import { isSetBody } from '../_xs/statements.ts'

/**
 * What one script has to do with codes that only a mail may tell: `answered` and `returned` name a function that makes one, sends it to a user and answers or gives it back;
 * `asked` a call whose result is answered, by a function of another file where `by` names it; `answers` a function that answers what it is given.
 */
export type CodeUse =
  | { readonly kind: 'answered' | 'returned'; readonly at: Span; readonly name: string; readonly value: string }
  | { readonly kind: 'asked'; readonly at: Span; readonly name: string; readonly by: string }
  | { readonly kind: 'answers'; readonly name: string }

/** Facts: OWASP Forgot Password Cheat Sheet, "URL Tokens" and "PINs" (sent to the user by a side channel). */
export const mailedCodes: Extract<CodeUse> = defineExtract({
  name: 'cap-mailed-codes',
  keywords: ['token', 'otp', 'code', 'recover', 'reset', 'forgot', 'setBody'],
  prefilter: (text) => MAY_SEND.test(text) || ASKS_CODE.test(text) || text.includes('setBody'),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    step(facts.calls.length)
    const answers = answersOf(facts)
    yield* sentCodes({ facts, text, answers, step })
    for (const { function: from, value } of answers) {
      for (const part of writtenParts(value)) {
        const binding = part.kind === 'reference' ? part.binding : undefined
        if (binding?.kind === 'parameter' && ANSWERS.test(lastName(from.name)))
          yield { kind: 'answers', name: lastName(from.name) }
        const asked = askedBy(part)
        if (asked !== undefined) yield { kind: 'asked', at: spanOf(asked), name: lastNameOf(asked.callee) ?? '', by: '' }
      }
    }
    for (const { callee, args } of facts.calls) {
      const by = lastNameOf(callee) ?? ''
      if (!ANSWERS.test(by)) continue
      for (const asked of args.flatMap((given) => askedBy(given) ?? []))
        yield { kind: 'asked', at: spanOf(asked), name: lastNameOf(asked.callee) ?? '', by }
    }
  },
})

const MAY_SEND = /(?:mail|notif|sms|send)\w{0,40}\s{0,4}\(/i
const ASKS_CODE = /(?:recover|reset|forgot|otp|passcode|code|token)\w{0,40}\s{0,4}\(/i
/** Functions that may answer a request, by their names. */
const ANSWERS = /respon|answer|reply|result|^send|json/i
/** Functions that may give a code back. */
const ASKS = /recover|reset|forgot|otp|passcode|code|token/i
const SENDS = /^(?:send|notify|e?mail|sms)(?:[A-Z_]\w{0,40})?$|(?:Mail|Sms|SMS|Email|Otp|OTP)$/
/** No code of an order or an organization: a word says what it is for. */
const CODE =
  /^(?:\w{0,30}_)?(?:otp|token|passcode|pin)$|(?:Otp|OTP|Token|Pin|Passcode)$|(?:verif\w{0,9}|reset|recovery|activation|confirm\w{0,6}|login|auth\w{0,9}|security|one_?time|sms|mail)_?code$/i
const MAKES =
  /^(?:generate|gen|create|make|new|random|get(?:New|Random|Fresh))\w{0,20}(?:token|otp|code|pin|passcode|digits|string|number)s?$|^(?:randomBytes|randomInt|randomUUID|nanoid|uuidv?4?|random)$/i
const OTHER = /invit|share|device|push|csrf|xsrf|access_?token|bearer|jwt|refresh|session|status|country|currency|error/i
const MAX_DEPTH = 4

interface Answered {
  readonly value: Value
  readonly function: FunctionFact
}

interface Asked {
  readonly facts: ScriptFacts
  readonly text: string
  readonly answers: readonly Answered[]
  readonly step: (count?: number) => void
}

function* sentCodes({ facts, text, answers, step }: Asked): Generator<CodeUse> {
  if (!MAY_SEND.test(text)) return
  const codes = facts.bindings.filter(
    ({ name, kind, definitions }) =>
      kind !== 'parameter' &&
      CODE.test(name) &&
      !OTHER.test(name) &&
      definitions.some(({ value }) => value !== undefined && isMade(value, 0)),
  )
  if (codes.length === 0) return
  const isForDevelopers = createDevelopmentReader(facts)
  for (const code of codes) {
    step(facts.calls.length)
    const isSent = facts.calls.some(
      ({ callee, args }) =>
        SENDS.test(lastNameOf(callee) ?? '') &&
        !isResponse(callee) &&
        args.some((given) => mentions(given, code, { step, seen: new Set() })),
    )
    if (!isSent) continue
    const from = code.function
    const name = lastName(from.name)
    const given = from.returns.map((value) => ({
      value,
      kind: takesRequest(from) ? ('answered' as const) : ('returned' as const),
    }))
    const answered = answers.flatMap((one) => (one.function === from ? [{ value: one.value, kind: 'answered' as const }] : []))
    for (const { value, kind } of [...given, ...answered]) {
      const part = writtenParts(value).find((one) => one.kind === 'reference' && one.binding === code)
      if (part === undefined || isForDevelopers(part)) continue
      yield { kind, at: spanOf(part), name, value: excerptOf(text, part) }
    }
  }
}

function isResponse(callee: Value): boolean {
  return callee.kind === 'member' && RESPONSE_NAME.test(lastNameOf(callee.object) ?? '')
}

/** What answers requests, and the function that does. */
function answersOf({ calls }: ScriptFacts): readonly Answered[] {
  return calls.flatMap((call) =>
    isAnswer(call) || isSetBody(call) ? call.args.map((value) => ({ value, function: call.function })) : [],
  )
}

/** The call that gives a value, where its name speaks of codes. */
function askedBy(value: Value): CallValue | undefined {
  const made = resolveValue(value)
  const call = made.kind === 'await' ? made.value : made
  return call.kind === 'call' && ASKS.test(lastNameOf(call.callee) ?? '') ? call : undefined
}

/** A random value, by the function that makes it: `crypto.randomInt(1e6).toString()`, `Math.floor(Math.random() * 9000)`. */
function isMade(value: Value, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  if (value.kind === 'call' && MAKES.test(lastNameOf(value.callee) ?? '')) return true
  const receiver = value.kind === 'call' && value.callee.kind === 'member' ? [value.callee.object] : []
  return [...receiver, ...directParts(value)].some((part) => isMade(part, depth + 1))
}

/** Whether a value is made of what a name holds: a text, a message with a text. */
function mentions(
  value: Value,
  code: Binding,
  met: { readonly step: (count?: number) => void; readonly seen: Set<Binding> },
  depth = 0,
): boolean {
  if (depth > MAX_DEPTH) return false
  met.step()
  if (value.kind !== 'reference') return directParts(value).some((part) => mentions(part, code, met, depth + 1))
  const { binding } = value
  if (binding === code) return true
  if (binding === undefined || met.seen.has(binding)) return false
  met.seen.add(binding)
  return binding.definitions.some((one) => one.value !== undefined && mentions(one.value, code, met, depth + 1))
}
