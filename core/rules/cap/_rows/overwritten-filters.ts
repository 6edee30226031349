import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  excerptOf,
  fieldOf,
  findPart,
  keyOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { findCallbacks } from '../../../facts/callbacks.ts'
import { isAround } from '../../../facts/span-index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isRequestData } from '../../../flow/request-data.ts'
import { isContext, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { asksOfUser, mentionsUser } from '../_callers/asked-users.ts'

/** An assignment of what a client sends to a field of a condition that limits the rows to those of the caller. */
interface OverwrittenFilter extends Span {
  /** The field, as it is assigned: `where.order_ID`. */
  readonly field: string
  /** What the client sends. */
  readonly value: string
}

/** `const where = { order_ID: { in: own } }; if (req.query.order) where.order_ID = req.query.order`: the condition for the caller is gone. */
export const overwrittenFilters: Extract<OverwrittenFilter> = defineExtract({
  name: 'cap-overwritten-filters',
  keywords: ['.where(', 'findAll(', 'findMany('],
  prefilter: (text) => FILTER_FIELD.test(text) && /\b(?:req|oReq)(?:uest)?\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...findOverwritten(facts, text, step)],
})

/** The usual names of conditions that are made in parts. */
const FILTER_FIELD = /\b(?:where|filter|filters|query|cond|condition|conditions|criteria)\.\w{1,60}\s{0,4}=(?!=)/i
const ASKS = /^(?:where|and|find\w{0,10}|count\w{0,10})$/
/** What looks whether the value is one of those of the caller. */
const LOOKS = /^(?:includes|has|some|find|indexOf|filter)$/

function* findOverwritten(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<OverwrittenFilter> {
  let callbacks: ReturnType<typeof findCallbacks> | undefined
  for (const { target, value, operator, start, end, function: around } of facts.assignments) {
    step()
    const { object, name } = target
    const binding = object.kind === 'reference' ? object.binding : undefined
    if (operator !== '=' || binding === undefined || name === undefined || !isOwn(binding, name)) continue
    const known = (callbacks ??= findCallbacks(facts))
    if (!accessesOf(value).some((access) => isRequestData(access, known) && !access.steps.includes('()'))) continue
    step(facts.calls.length)
    const within = facts.calls.filter((call) => call.start >= around.start && call.end <= around.end)
    const isAsked = within.some((call) => call.start > end && ASKS.test(lastNameOf(call.callee) ?? '') && gets(call, binding))
    const looksAt = (given: Value): boolean => findPart(given, (part) => isSame(part, value)) !== undefined
    const isLookedAt = within.some((call) => LOOKS.test(lastNameOf(call.callee) ?? '') && call.args.some(looksAt))
    if (!isAsked || isLookedAt) continue
    step(facts.guards.length)
    // administrators may ask for rows of others; who leaves before has no rows of their own, which says nothing of those of others
    if (!facts.guards.some(({ inside, test }) => isAround(inside, start) && asksOfUser(test)))
      yield { start, end, field: excerptOf(text, target), value: excerptOf(text, value) }
  }
}

/** The object begins with a condition for the caller under this name: what is made of the user, or a list of what is read for the caller. */
function isOwn({ definitions }: Binding, name: string): boolean {
  const [only] = definitions
  if (definitions.length !== 1 || only?.value === undefined || only.path.length > 0 || only.value.kind !== 'object') return false
  const first = fieldOf(only.value, name)?.value
  if (first === undefined) return false
  const list = first.kind === 'object' ? fieldOf(first, 'in')?.value : undefined
  return list === undefined ? mentionsUser(first) : isOfCaller(list)
}

/** `orders.map((order) => order.ID)`, of rows that were read for the user or for what a function tells of the request; not `await openStates()`. */
function isOfCaller(list: Value): boolean {
  return mentionsUser(list) || findPart(list, (part) => part.kind === 'call' && part.args.some(isContext)) !== undefined
}

function gets({ args }: CallValue, binding: Binding): boolean {
  const isIt = (value: Value | undefined): boolean => value?.kind === 'reference' && value.binding === binding
  return args.some((given) => isIt(given) || isIt(fieldOf(given, 'where')?.value))
}

function isSame(one: Value, other: Value): boolean {
  const key = keyOf(one)
  return key !== undefined && key === keyOf(other)
}
