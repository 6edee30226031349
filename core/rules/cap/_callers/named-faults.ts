import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks, functionOf } from '../../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  excerptOf,
  findPart,
  type Binding,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin, spanOf } from '../../../facts/span-index.ts'
import { LOGIN_FORMS } from '../../../flow/models/callback-sources.ts'
import { handedParameters } from '../../../flow/sources/callback-sources.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { takesRequest } from '../_routes/route-answers.ts'
import { createEventReader, isSent, type AccountAnswer } from './account-answers.ts'

/** A login whose answers name what was wrong: the account in one text, the password in another, whatever decides between them. */
export interface NamedFault extends Pick<AccountAnswer, 'at' | 'event' | 'answer' | 'other'> {
  /** Passport gets it as a reason, and the application has to send that. */
  readonly isReason?: true
}

export const namedFaults: Extract<NamedFault> = defineExtract({
  name: 'cap-named-faults',
  keywords: ['password', 'passwd', 'pwd'],
  prefilter: (text) => /incorrect|wrong|\bbad\b|invalid|match/i.test(text) && /log_?[io]n|sign_?in|passport-local/i.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    yield* faultsOfStrategies(facts, text, step)
    const eventOf = createEventReader(facts, findCallbacks(facts))
    for (const around of facts.functions) {
      step()
      if (!takesRequest(around)) continue
      step((around.end - around.start + facts.calls.length) >> 6)
      if (!OF_PASSWORD.test(text.slice(around.start, around.end))) continue
      step(facts.calls.length)
      if (!LOGS_IN.test(eventOf(around).event)) continue
      const sent = facts.calls.filter((call) => isWithin(call, around) && isSent(call))
      const fault = faultIn(
        sent.flatMap(({ args }) => args),
        text,
      )
      if (fault !== undefined) yield { ...fault, event: eventOf(around).event }
    }
  },
})

/** What the application does with the reasons that a strategy of Passport gives. */
export const sentReasons: Extract<true> = defineExtract({
  name: 'cap-sent-reasons',
  keywords: ['passport'],
  prefilter: (text) => /\.authenticate\s{0,4}\(/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    for (const { callee, args } of facts.calls) {
      step()
      if (lastNameOf(callee) !== 'authenticate') continue
      step(facts.calls.length)
      const reason = args.map(functionOf).find((one) => one !== undefined)?.parameters[2]
      const isShown = args.some((given) => findPart(given, isFlash) !== undefined)
      if (isShown || (reason !== undefined && isHandedOn(reason, facts))) yield true
    }
  },
})

const LOGS_IN = /(?:^|[^a-z])(?:log|sign)_?[io]n|(?:Log|Sign)[IiOo]n|authenticate/

/** Facts: passport 0.7, `failureFlash`, `failureMessage` (lib/middleware/authenticate.js). */
function isFlash(part: Value): boolean {
  return (
    'fields' in part &&
    part.fields.some(({ key = '', value }) => /^failure(?:Flash|Message)$/.test(key) && constantOf(value) === true)
  )
}

function isHandedOn(reason: Binding, { calls }: ScriptFacts): boolean {
  return calls.some(
    ({ callee, args }) =>
      !/^(?:log|debug|info|warn|error|trace)$/.test(lastNameOf(callee) ?? '') &&
      args.some((given) => findPart(given, (part) => 'binding' in part && part.binding === reason) !== undefined),
  )
}

/** `done(null, false, { message: 'There is no such user' })`. Fact: passport-local 1.0 (README, "Configure Strategy"). */
function* faultsOfStrategies(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<NamedFault> {
  const verifying = new Set<FunctionFact>()
  for (const call of facts.calls) {
    step()
    for (const { function: one } of handedParameters(call, LOGIN_FORMS)) verifying.add(one)
  }
  for (const one of verifying) {
    const done = one.parameters.at(-1)
    step(facts.calls.length)
    const reasons = facts.calls.flatMap(({ callee, args: [, user, reason] }) =>
      done !== undefined && bindingOf(callee) === done && user !== undefined && constantOf(user) === false ? (reason ?? []) : [],
    )
    const fault = faultIn(reasons, text)
    if (fault !== undefined) yield { ...fault, event: '', isReason: true }
  }
}

const OF_ACCOUNT = /\b(?:user|user ?name|user ?id|e-?mail|account|login)\b/i
const IS_UNKNOWN = /incorrect|wrong|unknown|not (?:found|registered|exist)|(?:does ?n.t|not) exist|no (?:such )?(?:user|account)/i
const OF_PASSWORD = /passw|\bpwd\b/i
const IS_WRONG = /incorrect|wrong|invalid|mismatch|\bbad\b|(?:does ?n.t|not) (?:match|correct)/i
/** What a password has to look like. */
const IS_OF_FORM = /format|charact|at least|\bmust\b|too (?:short|long)|required|confirm/i

/** A text on an unknown account, and one on a wrong password. */
function faultIn(given: readonly Value[], text: string): Pick<NamedFault, 'at' | 'answer' | 'other'> | undefined {
  const texts = given.flatMap((value) => textsIn(value))
  const accounts = texts.filter(({ said }) => OF_ACCOUNT.test(said) && IS_UNKNOWN.test(said) && !OF_PASSWORD.test(said))
  // what stands for both is often said of nobody
  const account = accounts.find(({ said }) => /incorrect|wrong/i.test(said)) ?? accounts[0]
  const password = texts.find(
    ({ said }) => OF_PASSWORD.test(said) && IS_WRONG.test(said) && !IS_OF_FORM.test(said) && !OF_ACCOUNT.test(said),
  )
  if (account === undefined || password === undefined) return undefined
  return { at: spanOf(account.value), answer: shownOf(account, text), other: shownOf(password, text) }
}

interface Text {
  readonly said: string
  readonly value: Value
}

function shownOf({ value }: Text, text: string): string {
  return stringConstantOf(value) ?? excerptOf(text, value)
}

const MAX_DEPTH = 4

/** Texts that a value holds, or that its name was given one after the other. */
function textsIn(value: Value, depth = 0): readonly Text[] {
  if (depth > MAX_DEPTH) return []
  const constant = stringConstantOf(value)
  if (constant !== undefined) return [{ said: constant, value }]
  if ('texts' in value && value.texts !== undefined) return [{ said: value.texts.join(' … '), value }]
  if ('fields' in value) return value.fields.flatMap((field) => textsIn(field.value, depth + 1))
  if ('options' in value) return value.options.flatMap((option) => textsIn(option, depth + 1))
  if ('args' in value) return value.args.flatMap((given) => textsIn(given, depth + 1))
  return (bindingOf(value)?.definitions ?? []).flatMap((one) => (one.value === undefined ? [] : textsIn(one.value, depth + 1)))
}
