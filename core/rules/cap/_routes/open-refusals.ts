import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  isNullish,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ReferenceValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { Span } from '../../../types.ts'
import { isAnswer } from './route-answers.ts'

/** An error that a route answers with, behind which its handler goes on and changes something. */
export interface OpenRefusal {
  readonly at: Span
  /** The call that changes something all the same, or lets the next handler run. */
  readonly change: CallValue
  /** It refuses callers, by its status or its condition; other refusals are of what they send. */
  readonly isOfCaller: boolean
}

/**
 * Refusals of the routes of one script that end nothing: `if (!isOwner) res.status(403).send()`, and then the change.
 * Fact: Express 5, "Response methods": a method of the response ends the request-response cycle, not the function that calls it.
 */
export function* findOpenRefusals(text: string, facts: ScriptFacts, step: (count: number) => void): Generator<OpenRefusal> {
  const { calls, guards, partial } = facts
  const parts = [...guards, ...partial].filter(({ start }) => /^(?:case|default)\b/.test(text.slice(start, start + 8)))
  for (const call of calls) {
    const status = refusingStatus(call)
    if (status === undefined || !isStatement(call, text)) continue
    step(guards.length + calls.length + partial.length + parts.length + facts.functions.length)
    const caught = partial.filter((part) => part.tried !== undefined && isWithin(call, part))
    const around = guards.filter(({ function: own, inside }) => own === call.function && isWithin(call, inside))
    const isFailure = caught.length > 0 || isOfException(call.function) || around.some(({ test }) => isOfFailure(test, text))
    // what went wrong may be anything, but a token that is none
    if (isFailure && !OF_CALLER.test(status)) continue
    const guard = around.toSorted((one, other) => other.inside.start - one.inside.start)[0]
    if (guard?.exits === true || endsBlock(call, guard, text, facts, step)) continue
    const after = Math.max(call.end, guard?.end ?? 0, ...caught.map(({ end }) => end))
    const isLeft = createLeftReader({ call, around, after, guard, guards, isFailure }, text, step)
    const change = calls.find(
      (one) =>
        one.start >= after &&
        isWithin(one, call.function) &&
        (isFailure ? isNext(one, call) : isChange(one, call)) &&
        !isLeft(one) &&
        !isOfAnotherPart(one, call, parts),
    )
    if (change === undefined) continue
    step((change.end - after) >> 4)
    if (guard !== undefined && isReadBehind(guard.test, withoutTexts(text.slice(after, change.end)))) continue
    yield {
      at: { start: call.start, end: call.end },
      change,
      isOfCaller: OF_CALLER.test(status) || isOnCaller(status, guard, text),
    }
  }
}

const OF_CALLER = /^40[13]$/

interface Refusal {
  readonly call: CallValue
  /** Conditions around it, of which the innermost one decides. */
  readonly around: readonly Guard[]
  readonly guard: Guard | undefined
  /** Where what follows begins. */
  readonly after: number
  readonly guards: readonly Guard[]
  /** Of something that went wrong. */
  readonly isFailure: boolean
}

/** Tells calls behind a refusal that its handler does not get to: in another branch, or where another condition may say no as well. */
function createLeftReader(
  { call, around, after, guard, guards, isFailure }: Refusal,
  text: string,
  step: (count: number) => void,
): (one: CallValue) => boolean {
  const names = guard === undefined ? undefined : namesIn(guard, text)
  const isOther = ({ test }: Guard): boolean => {
    step(STEPS_OF_TEST)
    // what is there after a failure is not known
    return isFailure || (names !== undefined && isAbout(test, names, text))
  }
  const others = guards.filter((one) => one.start >= after && one.function === call.function)
  if (others.some((one) => one.exits && isOther(one))) return () => true
  return (one) =>
    around.some(({ inside, end, exits }) => !isWithin(one, inside) && (exits || one.start < end)) ||
    guards.some((other) => other.inside.start >= after && isWithin(one, other.inside) && isOther(other))
}

/** `401` of `res.status(401).json(…)` and `res.sendStatus(401)`; nothing for what is not built yet or not there, which no check is. */
function refusingStatus(call: CallValue): string | undefined {
  const { callee, args } = call
  if (!('object' in callee)) return undefined
  if (callee.name === 'sendStatus') return isOfResponse(callee.object) ? refusing(args[0]) : undefined
  if (!isAnswer(call)) return undefined
  const made = callee.object
  const isStatus = 'callee' in made && /^(?:status|code)$/.test(lastNameOf(made.callee) ?? '')
  if (isStatus) return refusing(made.args[0])
  const body = args[0] && resolveValue(args[0])
  const error = body && fieldOf(body, 'error')?.value
  // `{ error: null, rows }` says that all went well, `{ error: failed, rows }` what went wrong with some
  const isText = error?.kind === 'template' || error?.kind === 'concat' || /[a-z]/i.test(textOf(error))
  return 'binding' in made && error !== undefined && isText ? 'error' : undefined
}

function textOf(value: Value | undefined): string {
  return stringConstantOf(value) ?? ''
}

function refusing(value: Value | undefined): string | undefined {
  const status = String((value && constantOf(value)) ?? '')
  const name = status === '' && value !== undefined ? (lastNameOf(value) ?? '') : ''
  // `StatusCodes.FORBIDDEN`
  if (/^(?:HTTP_)?(?:FORBIDDEN|UNAUTHORIZED)$/i.test(name)) return '403'
  return REFUSING.test(status) ? status : undefined
}

const REFUSING = /^(?:400|401|403|409|410|412|422|423|429|500)$/

function isOfResponse(value: Value): boolean {
  return accessesOf(value).some(
    ({ binding, steps }) =>
      steps.length === 0 && binding?.kind === 'parameter' && /^_?(?:res|resp|response|reply)$/i.test(binding.name),
  )
}

/** It stands for itself: nothing returns it, chooses it or takes it. */
function isStatement({ start, end }: CallValue, text: string): boolean {
  const before = text.slice(Math.max(0, start - MAX_GAP), start).trimEnd()
  return !TAKES.test(before) && !/^\s{0,200}[.,)?:]/.test(text.slice(end, end + MAX_GAP))
}

const TAKES = /(?:\breturn|\bvoid|\byield|\breturn\s{1,9}await|=>|[=(,?:&|!.[])$/
const MAX_GAP = 200

/** `.catch((error) => …)`, `(err, rows) => …`. */
function isOfException({ parameters: [first] }: FunctionFact): boolean {
  return FAILURE.test(first?.name ?? '')
}

const FAILURE = /^_?(?:e|ex|err|error|exception|reason|failure)$/

/** What is caught, or handed to a callback as what went wrong. */
function isOfFailure(test: Value, text: string): boolean {
  return /\b(?:e|ex|err|error|exception|reason|failure)\b/i.test(written(test, text))
}

/** Whether something behind it leaves the block in which it stands. */
function endsBlock(
  { start, end, function: own }: CallValue,
  guard: Guard | undefined,
  text: string,
  { functions }: ScriptFacts,
  step: (count: number) => void,
): boolean {
  // `if (…) res.sendStatus(403)`: what follows is no part of it
  if (guard !== undefined && guard.inside.start >= start - 1 && guard.inside.end <= end + 2) return false
  const last = Math.min(end + MAX_BLOCK, guard?.inside.end ?? own.end)
  step((last - end) >> 4)
  let rest = text.slice(end, last)
  // what leaves a function within it leaves that one alone
  for (const inner of functions)
    if (inner.parent === own && inner.start >= end && inner.end <= last)
      rest = rest.slice(0, inner.start - end) + ' '.repeat(inner.end - inner.start) + rest.slice(inner.end - end)
  rest = withoutTexts(rest)
  let depth = 0
  for (let at = 0; at < rest.length; at++) {
    const mark = rest[at]
    if (mark === '{') depth++
    else if (mark === '}' && --depth < 0) return LEAVES.test(rest.slice(0, at))
  }
  return LEAVES.test(rest)
}

const MAX_BLOCK = 4000
const LEAVES = /\b(?:return|throw|break|continue)\b|\bprocess\.exit\b/

/** Code without its comments and its texts in quotes, which say nothing of what it does. */
function withoutTexts(code: string): string {
  return code.replaceAll(TEXTS, ' ')
}

const TEXTS = /\/\/[^\n]{0,500}|\/\*(?:[^*]|\*(?!\/)){0,500}\*\/|"(?:[^"\\\n]|\\.){0,300}"|'(?:[^'\\\n]|\\.){0,300}'/g

/** Another `case` of the `switch` in which it stands. */
function isOfAnotherPart(one: CallValue, call: CallValue, parts: readonly Span[]): boolean {
  const isIn = (here: Span, there: Span): boolean => parts.some((part) => isWithin(here, part) && !isWithin(there, part))
  return isIn(one, call) && isIn(call, one)
}

/** What a condition asks, and what is set where it holds. */
function namesIn({ test, inside }: Guard, text: string): ReadonlySet<string> {
  const set = [...text.slice(inside.start, Math.min(inside.end, inside.start + MAX_BLOCK)).matchAll(SETS)]
  return new Set([...namesOf(test, text), ...set.flatMap(([, name]) => name ?? [])])
}

/** Names in a condition, and in the conditions whose results they are: `const isPlain = !isAdmin`. */
function namesOf(test: Value, text: string): readonly string[] {
  const results = referencesIn(test).flatMap(({ binding }) => binding?.definitions.slice(0, MAX_RESULTS) ?? [])
  const asked = results.flatMap(({ value }) => (value?.kind === 'operation' || value?.kind === 'choice' ? value : []))
  return [test, ...asked].flatMap((one) => written(one, text).match(NAMES) ?? [])
}

const MAX_RESULTS = 4

/** `isOpen` and `isPlain` of `isOpen && !isPlain`. */
function referencesIn(test: Value): readonly ReferenceValue[] {
  if (test.kind === 'reference') return [test]
  const parts = test.kind === 'operation' ? test.operands : test.kind === 'choice' ? test.options : []
  return parts.slice(0, MAX_RESULTS).flatMap(referencesIn)
}

/** It asks for one of these, so that one condition may hold where the other does not; or whether an answer was sent. */
function isAbout(test: Value, names: ReadonlySet<string>, text: string): boolean {
  const asked = written(test, text)
  if (/headersSent|writableEnded|\bfinished\b/.test(asked)) return true
  return namesOf(test, text).some((name) => names.has(name) && !COMMON.has(name))
}

/** Its text is looked through. */
const STEPS_OF_TEST = 4
const NAMES = /\b[A-Za-z_$][\w$]{0,60}/g
/** `isValid = false` */
const SETS = /\b([A-Za-z_$][\w$]{0,60})\s{0,3}=(?![=>])/g
const COMMON: ReadonlySet<string> = new Set([
  'req',
  'request',
  'body',
  'params',
  'query',
  'length',
  'typeof',
  'undefined',
  'null',
])

/** Where something has to be there, and what follows reads parts of it, what follows throws without it. */
function isReadBehind(test: Value, after: string): boolean {
  const missing = missingOf(test)
  return missing.length > 0 && missing.every((name) => name !== undefined && isRead(name, after))
}

/** `a` and `b` of `!a || b === null`; undefined: a part that asks something else. */
function missingOf(test: Value): readonly (string | undefined)[] {
  if (test.kind === 'choice') return test.options.flatMap(missingOf)
  if (test.kind !== 'operation') return [undefined]
  const isAbsent = test.operator === '!' || /^===?$/.test(test.operator)
  const [one, other] = test.operands
  const asked = isAbsent && one !== undefined && (other === undefined || isNullish(other)) ? one : undefined
  return [asked && (lastNameOf(asked) ?? ('name' in asked ? asked.name : undefined))]
}

function isRead(name: string, after: string): boolean {
  for (let at = after.indexOf(name); at !== -1; at = after.indexOf(name, at + name.length)) {
    const before = after.slice(Math.max(0, at - MAX_GAP), at)
    if (/[\w$]$/.test(before)) continue
    if (/^[.[]/.test(after.slice(at + name.length)) || NEEDS.test(before)) return true
  }
  return false
}

/** What refuses to work on nothing. */
const NEEDS = /\b(?:verify|decode|parse|compare|split|from)\w{0,20}\([^()]{0,80}$/

/** `next()` of a middleware, statements of CAP, and what stores of all kinds and files of the project call what they do. */
function isChange(call: CallValue, refusal: CallValue): boolean {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  if (isNext(call, refusal)) return true
  const statement = stringConstantOf(args[0])
  if (statement !== undefined && STATEMENT.test(statement)) return true
  if (!('object' in callee)) return WRITING.has(name)
  const owner = lastNameOf(callee.object) ?? ('name' in callee.object ? (callee.object.name ?? '') : '')
  if (NOTES.test(owner)) return false
  if (WRITING.has(lastNameOf(callee.object) ?? '')) return true
  if (STORES_ALONE.test(name)) return true
  if (!CHANGES.test(name)) return false
  return KEEPS.test(owner) || accessesOf(callee).some(({ root }) => root.startsWith('module:.'))
}

/** `next()` of the handler, which may be around the function that refuses. */
function isNext({ callee, args }: CallValue, { function: handler }: CallValue): boolean {
  if (args.length > 0 || !('binding' in callee) || callee.binding === undefined) return false
  for (let here: FunctionFact | undefined = handler, depth = 0; here !== undefined && depth < 3; here = here.parent, depth++)
    if (callee.binding === here.parameters[2]) return true
  return false
}

const WRITING: ReadonlySet<string> = new Set(['INSERT', 'UPSERT', 'UPDATE', 'DELETE'])
const STATEMENT = /^\s{0,20}(?:insert\s{1,9}into|update\s{1,9}\S{1,120}\s{1,9}set|delete\s{1,9}from|upsert|merge\s{1,9}into)\b/i
/** Facts: MongoDB driver 6, Mongoose 8, Sequelize 6 (API reference of each). */
const STORES_ALONE =
  /^(?:insert(?:One|Many)|update(?:One|Many)|delete(?:One|Many)|replaceOne|bulk(?:Create|Write)|find(?:ById|One)And(?:Update|Delete|Remove|Replace))$/
const CHANGES =
  /^(?:create|insert|save|add|update|upsert|delete|remove|destroy|store|approve|reject|cancel|transfer|book)(?=[A-Z]|$)/
/** What keeps that somebody was refused. */
const NOTES = /log|audit|attempt|event|metric|history|trace/i
/** `User.create`, `orderService.update`, `db.insert`. */
const KEEPS =
  /^(?:[A-Z][a-z]\w{0,40}|db|database|repo|repository|store|\w{1,40}(?:Repository|Repo|Service|Model|Store|Dao|Collection))$/

/** By a condition on who calls; a number that is taken, or too many of something, is none. */
function isOnCaller(status: string, guard: Guard | undefined, text: string): boolean {
  return /^(?:400|error|500)$/.test(status) && guard !== undefined && CALLER.test(written(guard.test, text))
}

/** What a condition on the caller speaks of. */
const CALLER =
  /\b(?:req|oReq)(?:uest)?\.user\b|[uU]ser(?:Id|Role)|[rR]ole|[aA]uth|[tT]oken|[sS]ession|[pP]ermi[st]|[oO]wner|[aA]dmin|[sS]cope|[jJ]wt/

function written({ start, end }: Span, text: string): string {
  return text.slice(start, Math.min(end, start + MAX_GAP))
}
