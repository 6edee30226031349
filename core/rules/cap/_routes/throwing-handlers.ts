import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  excerptOf,
  findPart,
  isOnTheWay,
  pathsOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isAround, isWithin } from '../../../facts/span-index.ts'
import { RESPONSE_NAME } from '../../../flow/tables/requests.ts'
import { VERBS } from '../../../flow/tables/routes.ts'
import { getsVersionsWithin, type NpmProject } from '../../../model/npm/index.ts'
import { isDeveloperFile, isOfUi5App, isRequestName, isToolFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { concerns, createPartReader, fieldName, isSentText, mayBeMissing, type SentPart } from './sent-parts.ts'

/** A place in a handler of a route where a request makes it throw, and nothing catches. */
export interface ThrowingPlace extends Span {
  /** `promise`: an async handler, whose promise Express 4 drops; `callback`: a function that runs when the handler has returned. */
  readonly kind: 'promise' | 'callback'
  readonly code: string
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
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    if (!RESPONDS.test(text) || !REGISTERS.test(text)) return
    const answers = findAnswers(facts)
    if (answers.size === 0) return
    const script = openScript(facts, text, answers)
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
}

/** What throws by itself: the body of an async handler, or of a callback of one. */
interface Unit {
  readonly fact: FunctionFact
  readonly kind: ThrowingPlace['kind']
  readonly isChecked: boolean
  /** The call that runs the callback. */
  readonly later?: CallValue
}

/** `app.post('/x', async (req, res) => …)`, `app.use(async (req, res, next) => …)`: handed over directly, not to a function that catches. */
function findAnswers({ calls }: ScriptFacts): ReadonlyMap<FunctionFact, Answer> {
  const answers = new Map<FunctionFact, Answer>()
  for (const { kind, callee, args } of calls) {
    if (kind !== 'call' || callee.kind !== 'member' || !(callee.name === 'use' || VERBS.has(callee.name ?? ''))) continue
    let isChecked = false
    for (const [index, given] of args.entries()) {
      const fact = functionOf(given)
      const request = fact?.parameters.findIndex((parameter, at) => takesBoth(fact, parameter?.name, at)) ?? -1
      if (fact !== undefined && request >= 0 && !answers.has(fact)) answers.set(fact, { request, isChecked })
      if (index > 0 || constantOf(given) === undefined) isChecked ||= mayCheck(given)
    }
  }
  return answers
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

function* findUnits({ calls }: ScriptFacts, answers: ReadonlyMap<FunctionFact, Answer>): Generator<Unit> {
  for (const [fact, { isChecked }] of answers) if (fact.isAsync) yield { fact, kind: 'promise', isChecked }
  for (const call of calls) {
    const fact = LATER.test(lastNameOf(call.callee) ?? '') ? call.args.map(functionOf).find((it) => it !== undefined) : undefined
    const around = fact && answerAround(call.function, answers)
    if (fact !== undefined && around !== undefined && !fact.isAsync && !answers.has(fact))
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

interface OpenHandlers {
  readonly facts: ScriptFacts
  readonly text: string
  readonly partOf: (value: Value) => SentPart | undefined
  readonly valuesIn: (around: Span) => readonly Value[]
  readonly functionsIn: (around: Span) => readonly FunctionFact[]
  readonly tried: readonly Span[]
}

/** Passes on what it caught. */
const RETHROWS = /\bthrow\s{1,5}[\w.]{1,60}\s{0,9};?\s{0,99}\}$/

function openScript(facts: ScriptFacts, text: string, answers: ReadonlyMap<FunctionFact, Answer>): OpenHandlers {
  return {
    facts,
    text,
    partOf: createPartReader((fact) => answers.get(fact)?.request),
    valuesIn: createInnerIndex(valuesOf(facts).map(({ value }) => value)),
    functionsIn: createInnerIndex(facts.functions),
    tried: facts.partial.flatMap(({ tried, start, end }) =>
      tried === undefined || RETHROWS.test(text.slice(Math.max(start, end - 200), end)) ? [] : tried,
    ),
  }
}

/** The first place for each part of the request. */
function* placesIn(unit: Unit, script: OpenHandlers, step: (count?: number) => void): Generator<ThrowingPlace> {
  const { fact, kind } = unit
  const inner = script.functionsIn(fact).filter((it) => it !== fact)
  const tried = script.tried.filter((span) => isWithin(span, fact))
  const isOwn = (span: Span): boolean =>
    !inner.some((it) => isAround(it, span.start)) && !tried.some((it) => isAround(it, span.start))
  const told = new Set<string>()
  const all = script.valuesIn(fact)
  step(all.length * (1 + ((inner.length + tried.length) >> 4)))
  const values = all.filter(isOwn)
  // what is asked about one part of the request is looked for in the whole handler
  const cost = all.length + script.facts.guards.length + script.facts.assignments.length
  for (const value of values) {
    const [part, throws] = thrownFor(value, unit, script) ?? []
    const key = part?.slice(0, 2).join('.')
    if (key === undefined || throws === undefined || told.has(key)) continue
    step(cost)
    if (!throws()) continue
    told.add(key)
    yield { start: value.start, end: value.end, kind, code: excerptOf(script.text, value) }
  }
  for (const guard of script.facts.guards) {
    if (guard.function !== fact || !isOwn(guard.test) || !isThrown(guard, unit, script)) continue
    const { start, end } = guard.test
    yield { start, end, kind, code: excerptOf(script.text, guard.test) }
  }
}

/** What throws at the first look, where the part of the request is missing, or no JSON, no address; and whether nothing in front of it looks. */
function thrownFor(value: Value, unit: Unit, script: OpenHandlers): readonly [SentPart, () => boolean] | undefined {
  const { partOf } = script
  const unlessAsked = (part: SentPart | undefined): readonly [SentPart, () => boolean] | undefined =>
    part !== undefined && mayBeMissing(part) ? [part, () => !isAsked(part, value, unit, script)] : undefined
  if (value.kind === 'member' && !value.isOptional) return unlessAsked(partOf(value.object))
  if (value.kind !== 'call' && value.kind !== 'new') return undefined
  const paths = pathsOf(value).map((path) => path.join(' '))
  const given = value.args[0]
  if (given === undefined) return undefined
  if (paths.some((path) => NEEDS.test(path))) return unlessAsked(partOf(given))
  if (!paths.some((path) => REFUSES.test(path)) || value.args.some((argument) => functionOf(argument) !== undefined))
    return undefined
  if (value.kind === 'new' && value.args.length > 1 && paths.some((path) => path.includes('URL'))) return undefined
  const part = textIn(given, partOf)
  return part !== undefined && isSentText(part) ? [part, () => !isProven(part, value, unit, script)] : undefined
}

/** Facts: ECMAScript 2025 (JSON.parse, RegExp, BigInt, decodeURIComponent); WHATWG URL; HTML, atob; jsonwebtoken 9, `verify` without a callback. */
const REFUSES =
  /^(?:global:JSON parse \(\)|global:URL new|global:RegExp (?:new|\(\))|global:BigInt \(\)|global:decodeURI(?:Component)? \(\)|global:atob \(\)|module:jsonwebtoken (?:default )?verify \(\))$/
/** They throw for undefined. Facts: ECMAScript 2025 (Object.keys); Node.js 24, Buffer.from. */
const NEEDS = /^global:(?:Buffer from|Object (?:keys|entries|values)) \(\)$/

/** The part of the request that a text is made of: `req.query.doc`, `req.body.x || '{}'`, `req.body.x.toString()`. */
function textIn(value: Value, partOf: OpenHandlers['partOf']): SentPart | undefined {
  const here = resolveValue(value)
  const own = partOf(value)
  if (own !== undefined) return own
  if (here.kind === 'choice') return here.options.map((it) => partOf(it)).find((it) => it !== undefined)
  if (here.kind !== 'call' || here.callee.kind !== 'member') return undefined
  return /^(?:toString|trim)$/.test(here.callee.name ?? '') ? partOf(here.callee.object) : undefined
}

/** A function in front, or a condition before it, asks for it: it may be there for sure. */
function isAsked(part: SentPart, at: Span, unit: Unit, script: OpenHandlers): boolean {
  if (unit.isChecked) return true
  const { facts, partOf } = script
  const isPart = (value: Value): boolean => {
    const known = valueAsked(value, partOf)
    return known !== undefined && known.length >= 2 && concerns(known, part)
  }
  const isFile = (value: Value): boolean => valueAsked(value, partOf)?.join('.') === 'file' && part[0] === 'file'
  const isMet = (test: Value): boolean =>
    askedIn(test, script).some((value) => isPart(value) || isFile(value)) ||
    findPart(test, (value) => isHandedOn(value, part, partOf)) !== undefined
  return (
    guardsBefore(at, unit, facts).some(({ test }) => isMet(test)) ||
    choicesAround(at, unit, script).some(isMet) ||
    facts.assignments.some(({ target, start }) => start < at.start && isWithin(target, unit.fact) && isPart(target))
  )
}

/** What a condition looks at, also by a name, `const isNamed = typeof name === 'string'`; a row that was found by the part says nothing of it. */
function askedIn(test: Value, { valuesIn }: OpenHandlers): readonly Value[] {
  const own = valuesIn(test)
  const named = own.flatMap((value) => {
    const resolved = resolveValue(value)
    return resolved === value || resolved.kind === 'await' ? [] : valuesIn(resolved)
  })
  return [...own, ...named]
}

/** `req.body?.name` asks for it as `req.body.name` does. */
function valueAsked(value: Value, partOf: OpenHandlers['partOf']): SentPart | undefined {
  if (value.kind !== 'member') return partOf(value)
  const before = valueAsked(value.object, partOf)
  return before && [...before, value.name ?? fieldName(value.property)]
}

/** A function is asked about the part, or about all that holds it: `isValid(req.body)`. */
function isHandedOn(value: Value, part: SentPart, partOf: OpenHandlers['partOf']): boolean {
  if (value.kind !== 'call' || /auth|role|scope|permission|admin|tenant|transaction/i.test(lastNameOf(value.callee) ?? ''))
    return false
  return value.args.some((argument) => {
    const known = partOf(argument)
    return known !== undefined && concerns(known, part)
  })
}

/** Only who looks at the text itself knows that it can be read. */
function isProven(part: SentPart, at: Span, unit: Unit, { facts, partOf }: OpenHandlers): boolean {
  return (
    unit.isChecked ||
    guardsBefore(at, unit, facts).some(({ test }) => findPart(test, (value) => isHandedOn(value, part, partOf)) !== undefined)
  )
}

function guardsBefore(at: Span, { fact }: Unit, { guards }: ScriptFacts): readonly Guard[] {
  return guards.filter(
    (guard) =>
      guard.test.start < at.start && (guard.function === fact || isWithin(fact, guard.function)) && isOnTheWay(guard, at.start),
  )
}

/** What `a && b`, `a ? b : c` ask before they come to a place. */
function choicesAround(at: Span, { fact }: Unit, { valuesIn }: OpenHandlers): readonly Value[] {
  return valuesIn(fact).flatMap((value) => {
    if (value.kind !== 'choice' || !isWithin(at, value)) return []
    const tests = [...(value.test === undefined ? [] : [value.test]), ...value.options]
    return tests.filter((test) => test.end <= at.start)
  })
}

const THROWS = /^\{?\s{0,200}throw\b/

/** `if (!req.body.name) throw new Error(…)`; in a callback `if (err) throw err`, where the call was given something of the request. */
function isThrown(guard: Guard, { kind, fact, later }: Unit, { text, partOf }: OpenHandlers): boolean {
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
