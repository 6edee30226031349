import {
  accessesOf,
  constantOf,
  fieldOf,
  isNullish,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Guard,
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
export function* findOpenRefusals(
  text: string,
  { calls, guards, partial }: ScriptFacts,
  step: (count: number) => void,
): Generator<OpenRefusal> {
  for (const call of calls) {
    const status = refusingStatus(call)
    if (status === undefined || !isStatement(call, text) || isOfException(call.function)) continue
    step(guards.length + calls.length + partial.length)
    if (partial.some((part) => part.tried !== undefined && isWithin(call, part))) continue
    const around = guards.filter(({ function: own, inside }) => own === call.function && isWithin(call, inside))
    if (around.some(({ test }) => isOfFailure(test, text))) continue
    // the innermost one decides; behind the others lies what their own branches leave out
    const guard = around.toSorted((one, other) => other.inside.start - one.inside.start)[0]
    if (guard?.exits === true || endsBlock(call, guard, text)) continue
    const after = Math.max(call.end, ...around.map(({ end }) => end))
    const names = guard === undefined ? undefined : namesIn(guard, text)
    const isOther = ({ test }: Guard): boolean => {
      step(STEPS_OF_TEST)
      return names !== undefined && isAbout(test, names, text)
    }
    if (guards.some((one) => one.function === call.function && one.exits && one.start >= after && isOther(one))) continue
    const change = calls.find(
      (one) =>
        one.start >= after &&
        isWithin(one, call.function) &&
        isChange(one, call) &&
        !guards.some((other) => isWithin(one, other.inside) && other.inside.start >= after && isOther(other)),
    )
    if (change === undefined || isOfAnotherPart(text.slice(call.end, change.start))) continue
    if (guard !== undefined && isReadBehind(guard.test, text.slice(after, change.end))) continue
    const isOfCaller = /^40[13]$/.test(status) || (guard !== undefined && CALLER.test(written(guard.test, text)))
    yield { at: { start: call.start, end: call.end }, change, isOfCaller }
  }
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
  return 'binding' in made && body !== undefined && fieldOf(body, 'error') !== undefined ? 'error' : undefined
}

function refusing(value: Value | undefined): string | undefined {
  const status = String((value && constantOf(value)) ?? '')
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
function endsBlock({ start, end }: CallValue, guard: Guard | undefined, text: string): boolean {
  // `if (…) res.sendStatus(403)`: what follows is no part of it
  if (guard !== undefined && guard.inside.start >= start - 1 && guard.inside.end <= end + 2) return false
  let depth = 0
  const rest = text.slice(end, end + MAX_BLOCK)
  for (let at = 0; at < rest.length; at++) {
    const mark = rest[at]
    if (mark === '{') depth++
    else if (mark === '}' && --depth < 0) return LEAVES.test(rest.slice(0, at))
  }
  return LEAVES.test(rest)
}

const MAX_BLOCK = 4000
const LEAVES = /\b(?:return|throw|break|continue)\b|\bprocess\.exit\b/

/** Another `case` of a `switch`. */
function isOfAnotherPart(between: string): boolean {
  return /\b(?:case\b[^:\n]{0,80}|default\s{0,4}):/.test(between)
}

/** What a condition asks, and what is set where it holds. */
function namesIn({ test, inside }: Guard, text: string): ReadonlySet<string> {
  const set = [...text.slice(inside.start, Math.min(inside.end, inside.start + MAX_BLOCK)).matchAll(SETS)]
  return new Set([...(written(test, text).match(NAMES) ?? []), ...set.flatMap(([, name]) => name ?? [])])
}

/** It asks for one of these, so that one condition may hold where the other does not; or whether an answer was sent. */
function isAbout(test: Value, names: ReadonlySet<string>, text: string): boolean {
  const asked = written(test, text)
  if (/headersSent|writableEnded|\bfinished\b/.test(asked)) return true
  return (asked.match(NAMES) ?? []).some((name) => names.has(name) && !COMMON.has(name))
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
  if (name === 'next' && args.length === 0) return isNextOf(callee, refusal)
  const statement = args[0] && constantOf(args[0])
  if (typeof statement === 'string' && STATEMENT.test(statement)) return true
  if (!('object' in callee)) return WRITING.has(name)
  const owner = lastNameOf(callee.object) ?? ('name' in callee.object ? (callee.object.name ?? '') : '')
  if (NOTES.test(owner)) return false
  if (WRITING.has(lastNameOf(callee.object) ?? '')) return true
  if (STORES_ALONE.test(name)) return true
  if (!CHANGES.test(name)) return false
  return KEEPS.test(owner) || accessesOf(callee).some(({ root }) => root.startsWith('module:.'))
}

function isNextOf(callee: Value, { function: handler }: CallValue): boolean {
  return 'binding' in callee && callee.binding !== undefined && callee.binding === handler.parameters[2]
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

/** What a condition on the caller speaks of. */
const CALLER =
  /\buser\b|[uU]ser(?:Id|Name|Role)|[rR]ole|[aA]uth|[tT]oken|[sS]ession|[pP]ermi[st]|[oO]wner|[aA]dmin|[sS]cope|[jJ]wt/

function written({ start, end }: Span, text: string): string {
  return text.slice(start, Math.min(end, start + MAX_GAP))
}
