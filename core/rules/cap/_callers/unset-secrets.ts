import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { constantOf, findPart, resolveValue, type Guard, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isDeveloperFile, isOfUi5App, runsInBrowser } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'

/** A check of a secret that is left out where nobody has set the secret. */
export interface UnsetSecret extends Span {
  /** As it is written: `process.env.HOOK_SECRET`. */
  readonly setting: string
  /** It stands in the handler of a route, in a script that asks for no login. */
  readonly isOnly?: true
}

/** Checks of secrets that scripts of servers leave out; whether anything sets the secret, the whole project tells. */
export const unsetSecretChecks: Extract<UnsetSecret> = defineExtract({
  name: 'cap-unset-secret-checks',
  // names of tokens and keys are many: the prefilter asks for them
  keywords: ['process.env.'],
  prefilter: (text) => OF_TEXT.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ path, facts, text, step }) {
    if (runsInBrowser(path, facts)) return
    yield* unsetSecrets(facts, text, step)
  },
})

/**
 * `if (secret && signature !== secret) return res.sendStatus(401)` and, in a function that says whether a request is genuine, `if (!secret) return true`: what is not set, passes.
 * Fact: Node.js 24, `process.env`: a variable that is not set is undefined.
 */
function* unsetSecrets(facts: ScriptFacts, text: string, step: (count: number) => void): Generator<UnsetSecret> {
  const { guards } = facts
  for (const guard of guards) {
    const found = guard.exits ? (comparedIfSet(guard, text) ?? trueIfUnset(guard, text)) : undefined
    if (found === undefined) continue
    step(guards.length)
    // it ends, or refuses, where the secret is missing
    if (guards.some((other) => other !== guard && other.exits && refusesWithout(other, found, text))) continue
    const { start, end } = guard.test
    step(facts.calls.length * 2)
    const isOnly = isOnlyCheck(guard, facts, text)
    yield { start, end, setting: found.setting, ...(isOnly && { isOnly }) }
  }
}

/** What else may ask who calls. */
const LOGS_IN =
  /passport|authenticat|authori[sz]|xssec|is_?auth|require_?(?:auth|login|user)|verify_?token|middlewares\.(?:before|auth)|\.user\b|check_?\w{0,10}caller/i
const REGISTERS = /^(?:use|all)$/
const VERBS = /^(?:get|post|put|patch|delete|all)$/
/** Handlers that read what is sent, and refuse nobody. Facts: Express 5, body-parser 2. */
const PARSERS = /^(?:json|urlencoded|text|raw|cors|helmet|compression)$/

/** The check is the one that refuses, in the one handler of a route with no middleware of the script in front of it. */
function isOnlyCheck(guard: Guard, { calls, guards }: ScriptFacts, text: string): boolean {
  if (LOGS_IN.test(text)) return false
  const { function: around } = guard
  const isAlone = calls.some(
    ({ callee, args: [path, ...handlers] }) =>
      path !== undefined &&
      typeof constantOf(path) === 'string' &&
      'object' in callee &&
      VERBS.test(lastNameOf(callee) ?? '') &&
      handlers.some((one) => functionOf(one) === around) &&
      handlers.every((one) => functionOf(one) === around || isParser(one)),
  )
  if (!isAlone) return false
  const hasMiddleware = calls.some(
    ({ callee, args }) =>
      'object' in callee &&
      REGISTERS.test(lastNameOf(callee) ?? '') &&
      args.some((one) => typeof constantOf(one) !== 'string' && !isParser(one)),
  )
  return !hasMiddleware && !guards.some((other) => other !== guard && other.function === around && refuses(other, text))
}

function isParser(handler: Value): boolean {
  const made = resolveValue(handler)
  return 'callee' in made && PARSERS.test(lastNameOf(made.callee) ?? '')
}

function refuses({ exits, inside }: Guard, text: string): boolean {
  return exits && REFUSES.test(text.slice(inside.start, inside.end))
}

interface Asked {
  readonly value: Value
  readonly setting: string
}

function comparedIfSet({ test, inside }: Guard, text: string): Asked | undefined {
  const [asked, compared, ...others] = 'options' in test && test.isAnd === true ? test.options : []
  if (asked === undefined || compared === undefined || others.length > 0) return undefined
  const setting = settingOf(asked, text)
  if (setting === undefined || !REFUSES.test(text.slice(inside.start, inside.end))) return undefined
  return isComparison(compared, { value: asked, setting }, text) ? { value: asked, setting } : undefined
}

/** `signature !== secret`, `signature !== sign(body, secret)`, `!isGenuine(req, secret)`. */
function isComparison(compared: Value, asked: Asked, text: string): boolean {
  if (compared.kind !== 'operation' || !/^(?:!==?|!)$/.test(compared.operator)) return false
  const [first, second] = compared.operands
  if (compared.operator === '!') return first?.kind === 'call' && holds(first, asked, text)
  const sides = [first, second].filter((side) => side !== undefined)
  return sides.some((side) => holds(side, asked, text)) && !sides.some((side) => constantOf(side) !== undefined)
}

function holds(value: Value, asked: Asked, text: string): boolean {
  return [value, resolveValue(value)].some((one) => findPart(one, (part) => isSame(part, asked, text)) !== undefined)
}

function isSame(part: Value, { value, setting }: Asked, text: string): boolean {
  if (part.kind === 'reference' && value.kind === 'reference') return part.binding !== undefined && part.binding === value.binding
  return part.kind === 'member' && text.slice(part.start, part.end) === setting
}

/** Of a function that tells whether a request is genuine. */
function trueIfUnset({ test, inside, function: around }: Guard, text: string): Asked | undefined {
  const asked = test.kind === 'operation' && test.operator === '!' ? test.operands[0] : undefined
  const setting = asked && settingOf(asked, text)
  if (asked === undefined || setting === undefined || !TELLS.test(lastName(around.name))) return undefined
  const opens = around.returns.filter((value) => constantOf(value) === true)
  const isOpened = opens.some((value) => isWithin(value, inside))
  return isOpened && around.returns.length > opens.length ? { value: asked, setting } : undefined
}

/** `if (!secret) throw new Error(…)`, `if (!secret) return res.sendStatus(503)`. */
function refusesWithout({ test, inside }: Guard, asked: Asked, text: string): boolean {
  const parts = 'options' in test ? test.options : [test]
  const isAsked = parts.some((part) => part.kind === 'operation' && part.operator === '!' && holds(part, asked, text))
  return isAsked && REFUSES.test(text.slice(inside.start, inside.end))
}

const REFUSES = /\b(?:40[0-3]|50[0-3])\b|\bthrow\b|\bexit\(|\breject\(|\bfalse\b|nauthori[sz]ed|orbidden/
/** `verifySignature`, `isValidWebhook`, `canActivate` of NestJS. */
const TELLS =
  /^canActivate$|^(?:is_?)?(?:verif(?:y|ied)|valid(?:ate)?|check|genuine|authentic(?:ate)?)_?\w{0,20}(?:signature|webhook|hmac|secret|token|api_?key|request|auth)/i

/** A secret of the environment, by its name. */
function settingOf(asked: Value, text: string): string | undefined {
  const made = resolveValue(asked)
  const [setting] = OF_ENVIRONMENT.exec(text.slice(made.start, made.end)) ?? []
  return setting !== undefined && SECRET.test(setting) && !/NODE_ENV/.test(setting) ? setting : undefined
}

const OF_ENVIRONMENT = /^process\.env\.\w{1,60}$/
const SECRET =
  /SECRET|API_?KEY|(?:HOOK|ACCESS|AUTH|VERIFY|VERIFICATION|API|SERVICE)_?TOKEN|_TOKEN$|SIGNING_?KEY|WEBHOOK_?(?:KEY|TOKEN|PASSWORD)/i
/** A script that may hold one. */
const OF_TEXT = /process\.env\.\w{0,50}(?:SECRET|KEY|TOKEN|PASSWORD)/i
