import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  excerptOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { RESPONSE_NAME } from '../../../flow/tables/requests.ts'
import { VERBS } from '../../../flow/tables/routes.ts'
import { getsVersionsWithin, type NpmProject } from '../../../model/npm/index.ts'
import { isDeployedCode, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isAsked, isProven, neededBy, openPartScript, type PartScript, type ThrowingCalls } from './part-guards.ts'
import { failingRowIn, isFoundBefore, isRowAsked, rowReadIn } from './missing-route-rows.ts'
import { rejectedFor, type RejectedCall } from './rejected-calls.ts'
import { isOfTexts, isTruthAlone, mayBeNoText } from './text-needs.ts'
import { isSentText, mayBeMissing, type SentPart } from './sent-parts.ts'

/** A place in a handler of a route where a request makes it throw, and nothing catches. */
export interface ThrowingPlace extends Span {
  /** `promise`: an async handler, whose promise Express 4 drops; `callback`: a function that runs when the handler has returned. */
  readonly kind: 'promise' | 'callback'
  readonly code: string
  /** It rejects where this package is installed. */
  readonly by?: RejectedCall['by']
  /** The file of the model that rejects, as the script imports it. */
  readonly source?: string
  /** `type`: what was sent is there, and no text; `row`: there is no such row. Else it is missing, or malformed. */
  readonly why?: 'type' | 'row'
  /** All requests come there, and nothing in front of it asks who calls. */
  readonly isBeforeLogin?: true
}

/** Packages that hand the rejections of handlers to Express 4. Facts: README of each. */
const PATCHES: readonly string[] = ['express-async-errors', 'express-promise-router', '@awaitjs/express', 'express-async-router']

/** Whether what an async handler of a file rejects with gets nowhere: Express 4 without a package that hands it on. Fact: Express 5, "Moving to Express 5". */
export function dropsRejections(file: string, npm: NpmProject): boolean {
  return getsVersionsWithin(file, 'express', '<5.0.0', npm) && !PATCHES.some((name) => getsVersionsWithin(file, name, '*', npm))
}

const MAX_FOUND = 60
const REGISTERS = /\.\s{0,20}(?:get|post|put|patch|delete|all|use)\s{0,5}\(/
const RESPONDS = /\bre(?:s|sp|sponse)\b/

export const throwingPlaces: Extract<ThrowingPlace> = defineExtract({
  name: 'cap-throwing-places',
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    if (!RESPONDS.test(text) || !REGISTERS.test(text)) return
    const answers = findAnswers(facts, step)
    if (answers.size === 0) return
    const script = openPartScript(facts, text, (fact) => answers.get(fact)?.request)
    let left = MAX_FOUND
    for (const unit of findUnits(facts, answers)) {
      step(1 + facts.guards.length + script.tried.length)
      for (const place of placesIn(unit, script, step)) {
        yield place
        if (--left === 0) return
      }
    }
  },
})

/** A function that Express calls with a request. */
interface Answer {
  readonly request: number
  /** A function in front of it may check what was sent. */
  readonly isChecked: boolean
  readonly isBeforeLogin?: true
  /** An async handler runs it, and rejects with what it throws. */
  readonly isRun?: true
}

/** What throws by itself: the body of an async handler, or of a callback of one. */
interface Unit {
  readonly fact: FunctionFact
  readonly kind: ThrowingPlace['kind']
  readonly isChecked: boolean
  readonly isBeforeLogin?: true
  /** The call that runs the callback. */
  readonly later?: CallValue
}

/** `app.post('/x', async (req, res) => …)`, `app.use(async (req, res, next) => …)`: handed over directly, not to a function that catches. */
function findAnswers(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<FunctionFact, Answer> {
  const { calls } = facts
  const uses = calls.filter(({ callee }) => lastNameOf(callee) === 'use')
  const answers = new Map<FunctionFact, Answer>()
  for (const call of calls) {
    const { kind, callee, args } = call
    if (kind !== 'call' || callee.kind !== 'member' || !(callee.name === 'use' || VERBS.has(callee.name ?? ''))) continue
    let isChecked = false
    let isBeforeLogin: boolean | undefined
    for (const [index, given] of args.entries()) {
      const fact = functionOf(given)
      const request = fact?.parameters.findIndex((parameter, at) => takesBoth(fact, parameter?.name, at)) ?? -1
      if (fact !== undefined && request >= 0 && !answers.has(fact)) {
        step(uses.length)
        isBeforeLogin ??= callee.name === 'use' && isInFront(call, uses)
        answers.set(fact, { request, isChecked, ...(isBeforeLogin && { isBeforeLogin }) })
      }
      if (index > 0 || constantOf(given) === undefined) isChecked ||= mayCheck(given)
    }
  }
  addRun(facts, answers, step)
  return answers
}

/** Whether an application was given nothing before a middleware that may ask who calls. */
function isInFront(call: CallValue, uses: readonly CallValue[]): boolean {
  const app = appOf(call)
  return app !== undefined && !uses.some((one) => one.start < call.start && appOf(one) === app && !one.args.every(asksNobody))
}

/** `app` of `app.use(…)`, where it is `express()`. */
function appOf({ callee }: CallValue): Binding | undefined {
  if (!('object' in callee) || !('binding' in callee.object)) return undefined
  const isApp = accessesOf(callee.object).some(({ root, steps }) => root === 'module:express' && steps.join(' ') === '()')
  return isApp ? callee.object.binding : undefined
}

const MAY_ASK = /auth|passport|xssec|jwt|login|session|token|user|secur|guard/i

/** A path, or a middleware of a package for something else. */
function asksNobody(given: Value): boolean {
  if (constantOf(given) !== undefined) return true
  const made = resolveValue(given)
  return accessesOf('callee' in made ? made.callee : made).some(
    ({ root, steps }) => /^module:(?!\.)/.test(root) && !MAY_ASK.test([root, ...steps].join(' ')),
  )
}

/** `app.use(async (req, res, next) => { await readToken(req, res, next) })`: what an async handler runs without a condition, and without catching. */
function addRun(
  { calls, guards, partial, values }: ScriptFacts,
  answers: Map<FunctionFact, Answer>,
  step: (count?: number) => void,
): void {
  const caught = new Set(values.flatMap(({ value, parent }) => (parent !== undefined && isCatch(parent) ? value : [])))
  for (const call of calls) {
    const around = answers.get(call.function)
    const fact = functionOf(call.callee)
    if (around === undefined || fact === undefined || !call.function.isAsync || answers.has(fact) || caught.has(call)) continue
    const request = fact.parameters.findIndex((parameter, at) => takesBoth(fact, parameter?.name, at))
    const given = call.args[request]
    const isGiven = given !== undefined && 'binding' in given && given.binding === call.function.parameters[around.request]
    step(guards.length + partial.length)
    const isAsked =
      guards.some((guard) => guard.function === call.function && guard.test.start < call.start) ||
      partial.some(({ tried }) => tried !== undefined && isWithin(call, tried))
    if (isGiven && given.binding !== undefined && !isAsked) answers.set(fact, { ...around, request, isRun: true })
  }
}

/** `readToken(req, res).catch` */
function isCatch(value: Value): boolean {
  return 'object' in value && (value.name === 'catch' || value.name === 'then')
}

/** A parameter of the request, `req` or a pattern, before that of the response. */
function takesBoth({ parameters }: FunctionFact, name: string | undefined, at: number): boolean {
  return (name === undefined || isRequestName(name)) && RESPONSE_NAME.test(parameters[at + 1]?.name ?? '')
}

/** Names of functions in front of a handler that leave what was sent unchecked: they parse it, or ask who calls. */
const UNCHECKED =
  /json|urlencoded|raw|text|pars|upload|multer|single|array|fields|any|none|auth|jwt|token|login|session|role|scope|permission|admin|cors|limit|csrf|log|middlewares|secure|protect|guard/i
const CHECKS = /valid|schema|celebrate|\bbody\b|sanit/i

function mayCheck(given: Value): boolean {
  const here = given.kind === 'spread' ? given.value : given
  if (here.kind === 'array') return here.items.some(mayCheck)
  const named = here.kind === 'call' ? here.callee : here
  const name = lastNameOf(named) ?? ''
  return CHECKS.test(name) || !UNCHECKED.test(name)
}

/** What runs a function after the one around it has returned. Facts: Node.js 24, timers, fs, child_process, EventEmitter; mysql2 3, pg 8, @sap/hana-client 2, bcrypt 6, nodemailer 7 (callbacks). */
const LATER =
  /^(?:setTimeout|setInterval|setImmediate|nextTick|readFile|writeFile|appendFile|unlink|rename|mkdir|stat|lstat|access|readdir|copyFile|exec|execFile|on|once|query|execute|prepare|connect|hash|compare|sendMail)$/

/** Facts: sqlite3 5, API (`get`, `all`, `run`, `each` of a statement). */
function runsLater({ callee, args: [first] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (LATER.test(name)) return true
  const text = /^(?:get|all|run|each)$/.test(name) && first !== undefined ? constantOf(first) : undefined
  return typeof text === 'string' && /^\s{0,99}(?:select|insert|update|delete|replace|with)\s/i.test(text)
}

/** What gets an async function as a callback of errors, a timer or a listener does not wait for it. */
function dropsPromise({ callee }: CallValue, { parameters: [first] }: FunctionFact): boolean {
  return TIMERS.test(lastNameOf(callee) ?? '') || /^_?(?:e|er|err|error)$/i.test(first?.name ?? '')
}

const TIMERS = /^(?:setTimeout|setInterval|setImmediate|nextTick|on|once)$/

function* findUnits({ calls }: ScriptFacts, answers: ReadonlyMap<FunctionFact, Answer>): Generator<Unit> {
  for (const [fact, { isChecked, isBeforeLogin, isRun }] of answers)
    if (fact.isAsync || isRun === true) yield { fact, kind: 'promise', isChecked, ...(isBeforeLogin && { isBeforeLogin }) }
  for (const call of calls) {
    const fact = runsLater(call) ? call.args.map(functionOf).find((it) => it !== undefined) : undefined
    const around = fact && answerAround(call.function, answers)
    if (fact !== undefined && around !== undefined && !answers.has(fact) && (!fact.isAsync || dropsPromise(call, fact)))
      yield { fact, kind: 'callback', isChecked: around.isChecked, later: call }
  }
}

function answerAround(from: FunctionFact, answers: ReadonlyMap<FunctionFact, Answer>): Answer | undefined {
  for (let here: FunctionFact | undefined = from; here !== undefined; here = here.parent) {
    const answer = answers.get(here)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** The first place for each part of the request. */
function* placesIn(unit: Unit, script: PartScript, step: (count?: number) => void): Generator<ThrowingPlace> {
  const { fact, kind, isBeforeLogin } = unit
  const early = isBeforeLogin === true ? { isBeforeLogin } : {}
  const inner = script.functionsIn(fact).filter((it) => it !== fact)
  const tried = script.tried.filter((span) => isWithin(span, fact))
  const isOwn = (span: Span): boolean =>
    !inner.some((it) => isAround(it, span.start)) && !tried.some((it) => isAround(it, span.start))
  const told = new Set<unknown>()
  const all = script.valuesIn(fact)
  step(all.length * (1 + ((inner.length + tried.length) >> 4)))
  const values = all.filter(isOwn)
  // what is asked about one part of the request is looked for in the whole handler
  const cost = all.length + script.facts.guards.length + script.facts.assignments.length
  for (const value of values) {
    const found = thrownFor(value, unit, script) ?? rejectedIn(value, unit, script) ?? missingRowIn(value, unit, script)
    const key = found && (found.row ?? found.part.slice(0, 2).join('.'))
    if (found === undefined || key === undefined || told.has(key)) continue
    step(cost)
    const why = found.throws()
    if (why === false) continue
    told.add(key)
    yield {
      start: value.start,
      end: value.end,
      kind,
      code: excerptOf(script.text, value),
      ...early,
      ...(found.by !== undefined && { by: found.by }),
      ...(found.source !== undefined && { source: found.source }),
      ...(why !== true && { why }),
    }
  }
  for (const guard of script.facts.guards) {
    if (guard.function !== fact || !isOwn(guard.test) || !isThrown(guard, unit, script)) continue
    const { start, end } = guard.test
    yield { start, end, kind, code: excerptOf(script.text, guard.test), ...early }
  }
}

/** What throws for a part of the request, and whether nothing in front of it looks. */
interface Thrown {
  readonly part: SentPart
  readonly throws: () => boolean | 'type' | 'row'
  readonly by?: RejectedCall['by']
  readonly source?: string
  readonly row?: Binding
}

/** What throws at the first look, where the part of the request is missing, or no JSON, no address. */
function thrownFor(value: Value, { fact, isChecked, isBeforeLogin }: Unit, script: PartScript): Thrown | undefined {
  const { part, what } = neededBy(value, script, THROWING) ?? {}
  if (part === undefined) return undefined
  if (what === 'presence') {
    if (!mayBeMissing(part)) return undefined
    const needsText = isOfTexts(value) && mayBeNoText(part)
    return {
      part,
      throws: () => {
        if (isChecked) return false
        return !isAsked(part, value, fact, script) || (needsText && isTruthAlone(part, value, fact, script) && 'type')
      },
    }
  }
  // a login in front of it has read the token already
  if (isBeforeLogin !== true && part.join(' ') === 'headers authorization') return undefined
  return isSentText(part) ? { part, throws: () => !isChecked && !isProven(part, value, fact, script) } : undefined
}

/** What is awaited and rejects for some texts. */
function rejectedIn(value: Value, { fact, kind, isChecked }: Unit, script: PartScript): Thrown | undefined {
  const { part, by, source, isMissing } = (kind === 'promise' || fact.isAsync ? rejectedFor(value, script) : undefined) ?? {}
  if (part === undefined || by === undefined) return undefined
  if (isMissing === true) return { part, throws: () => !isChecked && !isAsked(part, value, fact, script), by }
  return {
    part,
    throws: () => !isChecked && !isProven(part, value, fact, script) && !PARAM.test(script.text),
    by,
    ...(source !== undefined && { source }),
  }
}

/** A member of a row that the request names, or a query that rejects where there is none. */
function missingRowIn(value: Value, { fact, isChecked }: Unit, script: PartScript): Thrown | undefined {
  const mayThrow = !isChecked && !PARAM.test(script.text)
  const read = rowReadIn(value, script)
  if (read !== undefined)
    return { part: read.part, row: read.row, throws: () => mayThrow && !isRowAsked(read, value, fact, script) && 'row' }
  const failing = failingRowIn(value, script)
  return failing && { part: failing.part, throws: () => mayThrow && !isFoundBefore(failing, value, fact, script) && 'row' }
}

/** `router.param('id', check)`, `app.use('/orders/:id', check)`, `app.get('/orders/:id([0-9a-f]{24})', …)`. Fact: Express 4, "Route parameters". */
const PARAM =
  /\.param\s{0,4}\(|\.use\s{0,4}\(\s{0,4}["'`][^"'`]{0,80}\/:|["'`]\/[^"'`\s]{0,80}:\w{1,40}\(|axios\.(?:interceptors\.response|defaults\.validateStatus)\b/

/**
 * Facts: ECMAScript 2025 (JSON.parse, RegExp, BigInt, decodeURIComponent; Object.keys); WHATWG URL; HTML, atob; Node.js 24, Buffer.from; jsonwebtoken 9, `verify` without a
 * callback.
 */
const THROWING: ThrowingCalls = {
  malformed:
    /^(?:global:JSON parse \(\)|global:URL new|global:RegExp (?:new|\(\))|global:BigInt \(\)|global:decodeURI(?:Component)? \(\)|global:atob \(\)|module:jsonwebtoken (?:default )?verify \(\))$/,
  missing: /^global:(?:Buffer from|Object (?:keys|entries|values)) \(\)$/,
}

const THROWS = /^\{?\s{0,200}throw\b/

/** `if (!req.body.name) throw new Error(…)`; in a callback `if (err) throw err`, where the call was given something of the request. */
function isThrown(guard: Guard, { kind, fact, later }: Unit, { text, partOf }: PartScript): boolean {
  const { test, inside, caughtAt } = guard
  if (caughtAt !== undefined || !THROWS.test(text.slice(inside.start, inside.end))) return false
  const isSent = (value: Value): boolean => {
    const part = partOf(value)
    return part !== undefined && (isSentText(part) || part[0] === 'file')
  }
  if (findPart(test, isSent) !== undefined) return true
  const [error] = fact.parameters
  if (kind !== 'callback' || error === undefined || later === undefined) return false
  const asksError = test.kind === 'reference' && test.binding === error
  return (
    asksError && later.args.some((argument) => functionOf(argument) === undefined && findPart(argument, isSent) !== undefined)
  )
}
