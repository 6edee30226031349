import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  findPart,
  isNullish,
  type Assignment,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { toWords } from '../../../model/cap/index.ts'
import { isContextRoot, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import { holds } from './computed-elements.ts'

/** A total or amount of the data of a request that a handler works out only where the client sends what it is made of. */
export interface ConditionalTotal extends Span, EventNames {
  readonly element: string
  /** The elements without which nothing is worked out. */
  readonly needs: readonly string[]
  /** Where the handler is registered. */
  readonly handlerStart: number
}

/** `if (quantity && price) req.data.amount = quantity * price`, and what follows `if (!req.data.items) return`. */
export const conditionalTotals: Extract<ConditionalTotal> = defineExtract({
  name: 'cap-conditional-totals',
  keywords: ['.before('],
  prefilter: (text) => TOTAL_IN_TEXT.test(text) && /\bif\s{0,4}\(/.test(text) && /\bdata\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const { handlers } = findHandledFunctions(facts)
    const refuses = createRefusalReader(facts, text)
    const guardsOf = groupBy(facts.guards, (guard) => guard.function)
    for (const handler of handlers) {
      const { phase, fact, call } = handler
      if (fact === undefined || phase !== 'before') continue
      const guards = guardsOf.get(fact) ?? []
      const made = facts.assignments.filter((one) => one.function === fact && isTotal(one))
      step(facts.assignments.length + guards.length * made.length)
      for (const one of made) {
        const needs = needsOf(one, guards, { facts, text, refuses })
        if (needs === undefined) continue
        const { start, end } = one.target
        yield { ...eventNamesOf(handler), start, end, element: one.target.name ?? '', needs, handlerStart: call.start }
      }
    }
  },
})

const TOTAL_IN_TEXT = /total|amount|price|sum|cost|net|gross|betrag|summe|preis|importe|montant|valor|preco/i
/** Money, in words. */
const TOTAL =
  /(?:^| )(?:(?:sub|grand)? ?totals?|amount|price|sum|cost|net|gross|betrag|summe|gesamt\w{0,10}|preis|importe|montant|valor|preco)(?: |$)/

/** `req.data.amount = quantity * price`, `order.total = sum.toFixed(2)`. */
function isTotal({ target, operator, value }: Assignment): boolean {
  const { name, object } = target
  if (operator !== '=' || name === undefined || !TOTAL.test(toWords(name)) || !isAllData(object)) return false
  return constantOf(value) === undefined && !holds(value, name) && findPart(value, isWorkedOut) !== undefined
}

function isAllData(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => isContextRoot(root) && steps.length === 1 && steps[0] === 'data')
}

/** A product, a sum that grows in a loop, and what `reduce` gives. */
function isWorkedOut(part: Value): boolean {
  if (part.kind === 'operation') return part.operator === '*'
  if (part.kind === 'call') return lastNameOf(part.callee) === 'reduce'
  return (
    part.kind === 'reference' && part.binding?.definitions.slice(0, MOST_GIVEN).some(({ operator }) => operator === '+=') === true
  )
}

/** A name may be given values in thousands of places. */
const MOST_GIVEN = 8

interface Reading {
  readonly facts: ScriptFacts
  readonly text: string
  readonly refuses: (guard: Guard) => boolean
}

/** What has to be sent so that the total is worked out; undefined where it always is, or where nobody can tell. */
function needsOf(one: Assignment, guards: readonly Guard[], { facts, text, refuses }: Reading): readonly string[] | undefined {
  const needs = guards.flatMap((guard) => {
    const isInside = isWithin(one, guard.inside)
    const isBehind = guard.exits && guard.end <= one.start && !refuses(guard)
    if (!isInside && !isBehind) return []
    const names = presenceOf(guard.test)
    // behind a condition of another kind nothing changes; within one, or where something else happens, nobody can tell
    if (isInside && (names === undefined || ELSE.test(text.slice(guard.inside.end, guard.inside.end + MAX_BEHIND)))) return OPEN
    return names ?? []
  })
  const name = one.target.name ?? ''
  if (needs.length === 0 || needs.includes('') || needs.includes(name)) return undefined
  const isRefused = guards.some(
    (guard) => refuses(guard) && (presenceOf(guard.test) ?? []).some((asked) => needs.includes(asked)),
  )
  return isRefused || isSetElsewhere(one, facts, one.function) || mayRefuse(facts.calls, one.function)
    ? undefined
    : [...new Set(needs)]
}

const OPEN: readonly string[] = ['']
const ELSE = /^[\s}]{0,20}else\b/
const MAX_BEHIND = 30

/** The elements of the data of which a condition asks only whether they are there. */
function presenceOf(test: Value): readonly string[] | undefined {
  if (test.kind === 'choice') {
    const found = test.options.map(presenceOf)
    return found.some((one) => one === undefined) ? undefined : found.flatMap((one) => one ?? [])
  }
  if (test.kind === 'operation') {
    const [first, second] = test.operands
    if (test.operator === '!' && first !== undefined) return presenceOf(first)
    if (!/^(?:[!=]==?|>)$/.test(test.operator) || first === undefined || second === undefined) return undefined
    return isNullish(second) || constantOf(second) === 0 || constantOf(second) === '' ? presenceOf(first) : undefined
  }
  if (test.kind === 'call') {
    const [given] = test.args
    return given !== undefined && /^(?:isArray|Boolean)$/.test(lastNameOf(test.callee) ?? '') ? presenceOf(given) : undefined
  }
  const name = accessesOf(test).flatMap(({ root, steps }) => {
    const path = steps.at(-1) === 'length' ? steps.slice(0, -1) : steps
    return isContextRoot(root) && path[0] === 'data' && path.length === 2 ? (path[1] ?? []) : []
  })[0]
  return name === undefined ? undefined : [name]
}

/** It is set or deleted at another place of the handler, too. */
function isSetElsewhere(one: Assignment, { assignments, deletions }: ScriptFacts, fact: FunctionFact): boolean {
  const isSame = (target: Value): boolean => isWithin(target, fact) && lastNameOf(target) === one.target.name
  return deletions.some(isSame) || assignments.some((other) => other !== one && isSame(other.target))
}

/** A function gets all that the client sends: it may check it. */
function mayRefuse(calls: readonly CallValue[], fact: FunctionFact): boolean {
  return calls.some(
    (call) =>
      call.function === fact &&
      !PLAIN.test(lastNameOf(call.callee) ?? '') &&
      call.args.some((given) =>
        accessesOf(given).some(
          ({ root, steps }) => isContextRoot(root) && (steps.length === 0 || (steps.length === 1 && steps[0] === 'data')),
        ),
      ),
  )
}

const PLAIN = /^(?:log|info|debug|warn|error|trace|stringify|keys|entries|values|tx|transaction|next)$/
