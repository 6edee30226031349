import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks, functionOf, type Callback } from '../../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  directParts,
  excerptOf,
  findPart,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type Guard,
  type MemberValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin, spanOf } from '../../../facts/span-index.ts'
import { LOOKS_AT_CALLER } from '../../../flow/tables/routes.ts'
import { isDeployedCode, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isAnswer, takesRequest } from '../_routes/route-answers.ts'
import { createFailureReader, type FailureReader } from './failed-answers.ts'

/** An answer that a handler gives only for an account that exists, or only for one that does not. */
export interface AccountAnswer {
  readonly at: Span
  /** A handler of errors has to send it, which gets it by `next` or, with a router that takes promises, as what a handler rejects with. */
  readonly passing?: 'handed' | 'rejected'
  readonly status?: number
  readonly kind: 'login' | 'registration' | 'reset'
  /** What callers without a login get to see by its purpose, or a route that asks nobody. */
  readonly isOpen: boolean
  /** The event of CAP, or the address of the route. */
  readonly event: string
  readonly answer: string
  /** Of a login: what a wrong password is answered with. */
  readonly other: string
}

/** Answers of handlers for logins, registrations and forgotten passwords that tell whether an account exists. */
export const accountAnswers: Extract<AccountAnswer> = defineExtract({
  name: 'cap-account-answers',
  keywords: ['password', 'passwd', 'pwd'],
  prefilter: (text) =>
    ACCOUNT_WORD.test(text) && /\.(?:status|sendStatus|error|reject)\s{0,5}\(|Exception\(|\b(?:throw|next)\b/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const callbacks = findCallbacks(facts)
    const reader = createAccountReader(callbacks)
    let failures: FailureReader | undefined
    const failureIn: FailureReader = (around, isOwn) =>
      (failures ??= createFailureReader(facts, text, callbacks, step))(around, isOwn)
    const gates = facts.guards.flatMap((guard) => {
      step()
      return gateOf(guard, facts, reader, { text, step, failureIn }) ?? []
    })
    if (gates.length === 0) return
    const eventOf = createEventReader(facts, callbacks)
    yield* loginAnswers(gates, eventOf)
    yield* otherAnswers(gates, facts, { eventOf, text, step })
  },
})

const ACCOUNT_WORD = /mail|user_?name|login|usuario|correo/i
/** By what an account is found. */
const ACCOUNT =
  /^(?:(?:user|customer|account|member|employee|driver|login|normali[sz]ed|lower)_?)?(?:e_?mail(?:_?address)?|mail|user_?name|login(?:_?(?:name|id))?|usuario|correo)$/i
const PASSWORD =
  /^(?:(?:user|old|current|plain|stored|hashed)_?)?(?:password|passwd|pwd)(?:_?(?:hash|hashed))?$|^hashed_?password$/i
/** What finds a row, by its name. */
const LOOKS_UP = /^(?:find|get|fetch|select|query|run|exec|one|read|load|look_?up|search)/i
/** What is no account although it is found by one: counters of attempts, codes, sessions. */
const OF_SOMETHING_ELSE =
  /attempt|limit|lock|rate|otp|code|token|captcha|cache|session|block|domain|valid|check|verif|invit|throttl/i
const COMPARES = /^(?:compare|verify|check|validate|match|matches|is|authenticate)/i
/** Deliberate answers for an account under attack. */
const OF_ATTACK = /attempt|lock|too many|throttl|captcha|wait|try again/i

/** What tells accounts and the checks of their passwords in one file. */
export interface AccountReader {
  /** A value that an account was read into, or is made of it. */
  isAccount(value: Value): boolean
  /** The row itself, not what is made of it. */
  isRow(value: Value): boolean
  isPasswordCheck(value: Value): boolean
}

export function createAccountReader(callbacks: ReadonlyMap<FunctionFact, Callback>): AccountReader {
  /** `(error, rows) => …` of a query, `user => …` of `.then`. */
  const callOf = (value: Value): CallValue | undefined => {
    if (!('binding' in value)) return undefined
    const definition = value.binding?.definitions[0]
    const given = value.binding === undefined ? undefined : callbacks.get(value.binding.function)
    return definition?.parameter === undefined || /^e(?:rr(?:or)?)?$/i.test(value.name) ? undefined : given?.call
  }
  const isLookup = (value: Value): boolean => {
    if (!('callee' in value)) return false
    const names = chainNames(value)
    if (!names.some((name) => LOOKS_UP.test(name)) || names.some((name) => OF_SOMETHING_ELSE.test(name))) return false
    const given = argumentsOf(value)
    return given.some((part) => holdsName(part, ACCOUNT)) && !given.some((part) => holdsName(part, PASSWORD))
  }
  const isAccountPart = (value: Value): boolean => {
    if (isLookup(value)) return true
    const call = callOf(value)
    return (
      call !== undefined &&
      (isLookup(call) || ('object' in call.callee && lastNameOf(call.callee) === 'then' && isLookup(call.callee.object)))
    )
  }
  const isAccount = (value: Value): boolean => findPart(value, isAccountPart) !== undefined
  const isCheckCall = (value: Value): boolean => {
    if (!('callee' in value) || !COMPARES.test(lastNameOf(value.callee) ?? '')) return false
    return /passw|pwd|hash/i.test(lastNameOf(value.callee) ?? '') || value.args.some((part) => holdsName(part, PASSWORD))
  }
  const isPasswordPart = (value: Value): boolean => {
    if (isCheckCall(value)) return true
    const call = callOf(value)
    if (call !== undefined && isCheckCall(call)) return true
    if (!('operands' in value) || !/^[!=]==?$/.test(value.operator)) return false
    const [left, right] = value.operands
    if (left === undefined || right === undefined || constantOf(left) !== undefined || constantOf(right) !== undefined)
      return false
    return [left, right].some((side) => PASSWORD.test(lastNameOf(side) ?? '')) && [left, right].some(isAccount)
  }
  return {
    isAccount,
    isRow(value) {
      let here = resolveValue(value)
      for (let hops = 0; hops < MAX_HOPS; hops++) {
        if (isAccountPart(here)) return true
        const inner = 'value' in here && typeof here.value === 'object' && here.value !== null ? here.value : undefined
        const next = inner ?? ('object' in here ? rowsOf(here) : patternOf(here))
        if (next === undefined) return false
        here = resolveValue(next)
      }
      return false
    },
    isPasswordCheck: (value) => findPart(value, isPasswordPart) !== undefined,
  }
}

const MAX_HOPS = 6

/** `result.rows`, `rows[0]`, `rows.length`; no column of a row. */
function rowsOf({ object, name, property }: MemberValue): Value | undefined {
  const isItem = property !== undefined && typeof constantOf(property) === 'number'
  return isItem || /^(?:rows|recordset|length|0)$/.test(name ?? '') ? object : undefined
}

/** `const [user] = await …`, `const { rows } = await …` */
function patternOf(value: Value): Value | undefined {
  return 'binding' in value && value.binding?.definitions.length === 1 ? value.binding.definitions[0]?.value : undefined
}

function chainNames(call: Value): readonly string[] {
  const names: string[] = []
  let here: Value | undefined = call
  for (let links = 0; links < 2 * MAX_HOPS && here !== undefined; links++) {
    const name = lastNameOf(here)
    if (name !== undefined) names.push(name)
    here = 'callee' in here ? here.callee : 'object' in here ? here.object : undefined
  }
  return names
}

/** Of all calls of a chain. */
function argumentsOf(call: Value): readonly Value[] {
  const given: Value[] = []
  let here: Value | undefined = call
  for (let links = 0; links < 2 * MAX_HOPS && here !== undefined; links++) {
    if ('args' in here) given.push(...here.args)
    here = 'callee' in here ? here.callee : 'object' in here ? here.object : undefined
  }
  return given
}

/** A name in what stands there, or in a query of the same call. */
function holdsName(value: Value, pattern: RegExp, depth = 0): boolean {
  if (depth > MAX_HOPS) return false
  if (pattern.test(lastNameOf(value) ?? '')) return true
  if ('fields' in value && value.fields.some(({ key }) => key !== undefined && pattern.test(key))) return true
  return directParts(value).some((part) => holdsName(part, pattern, depth + 1))
}

/** A condition of the file that is about an account or a password, with the answer that is given where it holds. */
interface Gate {
  readonly guard: Guard
  readonly answer: Answer
  readonly isPassword: boolean
  readonly isAbsent: boolean
  readonly isPresent: boolean
}

interface Answer extends Span {
  readonly status: number | undefined
  readonly said: string
  readonly shown: string
  readonly passing?: 'handed' | 'rejected'
}

function gateOf(
  guard: Guard,
  facts: ScriptFacts,
  { isAccount, isRow, isPasswordCheck }: AccountReader,
  { text, step, failureIn }: Omit<Around, 'eventOf'> & { readonly failureIn: FailureReader },
): Gate | undefined {
  const isPassword = isPasswordCheck(guard.test)
  if (!isPassword && !isAccount(guard.test)) return undefined
  step((facts.calls.length + facts.guards.length) >> 3)
  const answer = answerIn(guard, facts, text, failureIn)
  if (answer === undefined) return undefined
  const polarity = polarityOf(guard.test, isRow)
  return { guard, answer, isPassword, isAbsent: polarity === false, isPresent: polarity === true }
}

/** `!user`, `rows.length === 0`: false; `user`, `rows.length > 0`: true; undefined: it says more. */
function polarityOf(test: Value, isRow: (value: Value) => boolean): boolean | undefined {
  if (!('operands' in test)) return isRow(test) ? true : undefined
  const [left, right] = test.operands
  if (left === undefined) return undefined
  if (test.operator === '!') {
    const inner = polarityOf(left, isRow)
    return inner === undefined ? undefined : !inner
  }
  if (right === undefined || !isRow(left)) return undefined
  const bound = right.kind === 'literal' ? right.value : lastNameOf(right) === 'undefined' ? null : undefined
  if (bound !== null && bound !== 0 && bound !== 1) return undefined
  if (/^===?$/.test(test.operator)) return bound === 1
  if (/^!==?$/.test(test.operator)) return bound !== 1
  if (test.operator === '<') return false
  return test.operator === '>' ? true : undefined
}

/** The first answer where a condition holds; what is asked in another condition there is that one's. */
function answerIn(
  { inside, test, function: around }: Guard,
  facts: ScriptFacts,
  text: string,
  failureIn: FailureReader,
): Answer | undefined {
  const nested = facts.guards.filter(
    (one) => one.inside.start > inside.start && one.inside.end <= inside.end && one.test !== test,
  )
  const isOwn = (at: Span): boolean => isWithin(at, inside) && !nested.some((one) => isWithin(at, one.inside))
  const call = facts.calls.findLast((one) => isOwn(one) && one.function === around && isSent(one))
  const given = around.returns.find((one) => 'fields' in one && isOwn(one) && takesRequest(around))
  const left = call ?? given
  const failure = left === undefined ? failureIn(around, isOwn) : undefined
  const found = left ?? failure?.value
  if (found === undefined) return undefined
  const said: string[] = []
  const status = saidIn(found, said)
  if (status === undefined && said.length === 0) return undefined
  const words = said.join(' ').trim()
  const shown = said.at(0) ?? excerptOf(text, found)
  return {
    ...spanOf(found),
    status,
    said: words,
    shown,
    ...(failure?.passing !== undefined && { passing: failure.passing }),
  }
}

/** `res.status(404).json(…)`, `req.reject(404, …)`, `new NotFoundException(…)` */
export function isSent(call: CallValue): boolean {
  const name = lastNameOf(call.callee) ?? ''
  if (call.kind === 'new') return /Exception$|^(?:Http|Api|App)Error$/.test(name)
  if (isAnswer(call)) return true
  if (!('object' in call.callee)) return false
  const receiver = lastNameOf(call.callee.object) ?? ''
  return /^(?:error|reject)$/.test(name) ? isRequestName(receiver) : name === 'sendStatus' && /^_?res/i.test(receiver)
}

/** Texts and names of constants in an answer; gives its status. */
function saidIn(value: Value, said: string[], depth = 0): number | undefined {
  if (depth > 2 * MAX_HOPS) return undefined
  const constant = constantOf(value)
  if (typeof constant === 'number') return constant >= 100 && constant < 600 ? constant : undefined
  if (typeof constant === 'string') {
    if (/[a-z]/i.test(constant)) said.push(constant)
    return undefined
  }
  if ('texts' in value && value.texts !== undefined) said.push(...value.texts)
  const parts = 'args' in value ? ['object' in value.callee ? value.callee.object : undefined, ...value.args] : directParts(value)
  let status: number | undefined
  for (const part of parts) if (part !== undefined) status = saidIn(part, said, depth + 1) ?? status
  return status
}

function differ(one: Answer, other: Answer): boolean {
  if (one.said !== '' && other.said !== '' && one.said !== other.said) return true
  return one.status !== undefined && other.status !== undefined && one.status !== other.status
}

/** What nobody looks at, or is meant for an account under attack. */
function isTelling({ status = 400, said }: Answer): boolean {
  return status >= 200 && status < 500 && status !== 429 && status !== 423 && !OF_ATTACK.test(said)
}

/** Answers before a password is compared that another one is given behind it. */
function* loginAnswers(gates: readonly Gate[], eventOf: EventReader): Generator<AccountAnswer> {
  const done = new Set<FunctionFact>()
  for (const { guard, answer, isPassword, isAbsent } of gates) {
    if (isPassword || done.has(guard.function) || !isTelling(answer)) continue
    const wrong = gates.filter((one) => one.isPassword && isWithin(one.guard, guard.function))
    const [first] = wrong
    if (first === undefined || !wrong.every((one) => differ(one.answer, answer))) continue
    // what is told with the right password only tells nothing
    if (!isAbsent && guard.start > first.guard.start) continue
    done.add(guard.function)
    const { shown } = answer
    yield {
      ...passedOn(answer),
      kind: 'login',
      isOpen: true,
      event: eventOf(guard.function).event,
      answer: shown,
      other: first.answer.shown,
    }
  }
}

function passedOn({ passing, status, ...answer }: Answer): Pick<AccountAnswer, 'at' | 'passing' | 'status'> {
  return { at: spanOf(answer), ...(passing !== undefined && { passing }), ...(status !== undefined && { status }) }
}

const REGISTERS = /register|sign_?-?up|create_?account/i
const FORGOTTEN = /(?:forg[oe]t|reset|recover)\w{0,20}[_-]?(?:passw|pwd)|(?:passw\w{0,10}|pwd)[_-]?(?:reset|recover)/i
const CREATES = /^(?:insert|create|save|add|register|into|entries|run|query|exec)/i

type EventReader = (around: FunctionFact) => { readonly event: string; readonly isAlone: boolean }

/** What a function answers: `app.post('/register', …)`, `this.on('register', this.registerKeeper)`; otherwise its own name. */
export function createEventReader({ calls, classes }: ScriptFacts, callbacks: ReadonlyMap<FunctionFact, Callback>): EventReader {
  return (around) => {
    const member = classes.flatMap(({ members }) => members).find(({ value }) => functionOf(value) === around)
    const own = member?.name ?? around.name.slice(Math.max(around.name.lastIndexOf('.'), around.name.lastIndexOf('#')) + 1)
    const call =
      callbacks.get(around)?.call ??
      calls.find(({ args }) => own !== '' && args.length > 1 && args.slice(1).some((one) => lastNameOf(one) === own))
    const [first] = call?.args ?? []
    const event = stringConstantOf(first)
    return { event: event !== undefined && event !== '' ? event : own, isAlone: call?.args.length === 2 }
  }
}

interface Around {
  readonly eventOf: EventReader
  readonly text: string
  readonly step: (count?: number) => void
}

function* otherAnswers(gates: readonly Gate[], facts: ScriptFacts, { eventOf, text, step }: Around): Generator<AccountAnswer> {
  let passwords: readonly Value[] | undefined
  for (const { guard, answer, isAbsent, isPresent, isPassword } of gates) {
    const { function: around } = guard
    step(1 + (facts.calls.length >> 3))
    if (isPassword || !isTelling(answer) || answer.said === '' || (!isAbsent && !isPresent)) continue
    if (gates.some((one) => one.isPassword && one.guard.function === around)) continue
    const { event, isAlone } = eventOf(around)
    const asksCaller = LOOKS_AT_CALLER.test(text.slice(around.start, around.end))
    const { end, shown } = answer
    const found = { ...passedOn(answer), event, answer: shown, other: '' }
    if (isAbsent && FORGOTTEN.test(event) && !asksCaller && !isAnsweredAlike(answer, guard, facts))
      yield { ...found, kind: 'reset', isOpen: true }
    if (!isPresent || !REGISTERS.test(event)) continue
    passwords ??= [...valuesOf(facts)].flatMap(({ value }) => (PASSWORD.test(lastNameOf(value) ?? '') ? value : []))
    const takesPassword = passwords.some((value) => isWithin(value, around))
    const creates = facts.calls.some(
      (one) => one.start > end && isWithin(one, around) && CREATES.test(lastNameOf(one.callee) ?? ''),
    )
    if (takesPassword && creates)
      yield { ...found, kind: 'registration', isOpen: event.startsWith('/') && isAlone && !asksCaller }
  }
}

/** The same text elsewhere in the function, by a call or as what it gives back. */
function isAnsweredAlike({ said }: Answer, { function: around, inside }: Guard, { calls }: ScriptFacts): boolean {
  const answers = [...calls.filter((one) => isWithin(one, around) && isSent(one)), ...around.returns]
  return answers.some((one) => !isWithin(one, inside) && wordsOf(one) === said)
}

function wordsOf(value: Value): string {
  const said: string[] = []
  saidIn(value, said)
  return said.join(' ').trim()
}
