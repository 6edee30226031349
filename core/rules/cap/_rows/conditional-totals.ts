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
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { toWords } from '../../../model/cap/index.ts'
import { isContextRoot, isLogCall, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import { holds } from './computed-elements.ts'
import { sentParts } from './sent-parts.ts'

/** A total or amount of the data of a request that a handler works out only where the client sends what it is made of. */
export interface ConditionalTotal extends Span, EventNames {
  readonly element: string
  /** The elements without which nothing is worked out. */
  readonly needs: readonly string[]
  /** The elements of which it is worked out, where the client sends all of them. */
  readonly parts?: readonly string[]
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
    const assignmentsOf = groupBy(facts.assignments, (one) => one.function)
    const look = createLook(facts, text, step)
    for (const handler of handlers) {
      const { phase, fact, call } = handler
      if (fact === undefined || phase !== 'before') continue
      const own = assignmentsOf.get(fact) ?? []
      step(own.length)
      const made = own.filter(isTotal)
      if (made.length === 0) continue
      const around = look(fact)
      for (const one of made) {
        const needs = needsOf(one, around, step)
        if (needs === undefined) continue
        const { start, end, name: element = '' } = one.target
        const parts = sentParts(one, facts, step)
        const found = { ...eventNamesOf(handler), start, end, element, needs, handlerStart: call.start }
        yield { ...found, ...(parts !== undefined && { parts }) }
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

/** What the function around a total says, each part read once. */
interface Around {
  readonly guards: readonly AskedGuard[]
  /** How often members of these names are given a value or deleted. */
  readonly changes: ReadonlyMap<string, number>
  /** A function gets all that the client sends: it may check it. */
  readonly isOpen: boolean
}

interface AskedGuard extends Pick<Guard, 'start' | 'end' | 'inside' | 'exits'> {
  /** The elements whose presence alone it asks for. */
  readonly names: readonly string[] | undefined
  readonly refuses: boolean
  /** Something else happens where it doesn't hold: an `else`, or a refusal behind a block that leaves. */
  readonly hasOther: boolean
}

function createLook(facts: ScriptFacts, text: string, step: (count?: number) => void): (fact: FunctionFact) => Around {
  const refuses = createRefusalReader(facts, text)
  const guardsOf = groupBy(facts.guards, (guard) => guard.function)
  const callsOf = groupBy(facts.calls, (call) => call.function)
  const changesIn = createInnerIndex<Value>([...facts.assignments.map(({ target }) => target), ...facts.deletions])
  return (fact) => {
    const calls = callsOf.get(fact) ?? []
    const changed = changesIn(fact)
    step(calls.length + changed.length)
    const changes = new Map<string, number>()
    for (const target of changed) {
      const name = lastNameOf(target)
      if (name !== undefined) changes.set(name, (changes.get(name) ?? 0) + 1)
    }
    const lastRefusal = lastRefusalIn(fact, calls, text)
    const guards = (guardsOf.get(fact) ?? []).map((guard): AskedGuard => {
      const { start, end, inside, exits, test } = guard
      const names = presenceOf(test, step)
      return {
        start,
        end,
        inside,
        exits,
        names: names !== undefined && names.length > MOST_NEEDS ? undefined : names,
        refuses: refuses(guard),
        hasOther: ELSE.test(text.slice(inside.end, inside.end + MAX_BEHIND)) || (exits && lastRefusal >= inside.end),
      }
    })
    return { guards, changes, isOpen: calls.some(mayRefuse) }
  }
}

/** Where a function refuses a request, or throws, for the last time; -1: nowhere. */
function lastRefusalIn({ start, end }: FunctionFact, calls: readonly CallValue[], text: string): number {
  const thrown = [...text.slice(start, end).matchAll(/\bthrow\b/g)].at(-1)?.index
  return calls.reduce(
    (last, call) => (REFUSES.test(lastNameOf(call.callee) ?? '') && !isLogCall(call) ? Math.max(last, call.start) : last),
    thrown === undefined ? -1 : start + thrown,
  )
}

const REFUSES = /^(?:reject|error)$/

/** What has to be sent so that the total is worked out; undefined where it always is, or where nobody can tell. */
function needsOf(
  { start, end, target }: Assignment,
  { guards, changes, isOpen }: Around,
  step: (count?: number) => void,
): readonly string[] | undefined {
  const name = target.name ?? ''
  if (isOpen || (changes.get(name) ?? 0) > 1) return undefined
  step(guards.length)
  const needs = guards.flatMap(({ inside, exits, names, refuses, hasOther, end: guardEnd }) => {
    const isInside = isWithin({ start, end }, inside)
    if (!isInside && !(exits && guardEnd <= start && !refuses)) return []
    // behind a condition of another kind nothing changes; within one, or where something else happens, nobody can tell
    if (isInside && (names === undefined || hasOther)) return OPEN
    return names ?? []
  })
  if (needs.length === 0 || needs.includes('') || needs.includes(name)) return undefined
  const needed = new Set(needs)
  const isRefused = guards.some((guard) => guard.refuses && guard.names?.some((asked) => needed.has(asked)) === true)
  return isRefused ? undefined : [...needed]
}

/** A condition on more elements is none that somebody wrote. */
const MOST_NEEDS = 20
const OPEN: readonly string[] = ['']
const ELSE = /^[\s}]{0,20}else\b/
const MAX_BEHIND = 30

/** The elements of the data of which a condition asks only whether they are there. */
function presenceOf(test: Value, step: (count?: number) => void): readonly string[] | undefined {
  step()
  if (test.kind === 'choice') {
    const found = test.options.map((option) => presenceOf(option, step))
    return found.some((one) => one === undefined) ? undefined : found.flatMap((one) => one ?? [])
  }
  if (test.kind === 'operation') {
    const [first, second] = test.operands
    if (test.operator === '!' && first !== undefined) return presenceOf(first, step)
    if (!/^(?:[!=]==?|>)$/.test(test.operator) || first === undefined || second === undefined) return undefined
    return isNullish(second) || constantOf(second) === 0 || constantOf(second) === '' ? presenceOf(first, step) : undefined
  }
  if (test.kind === 'call') {
    const [given] = test.args
    return given !== undefined && /^(?:isArray|Boolean)$/.test(lastNameOf(test.callee) ?? '')
      ? presenceOf(given, step)
      : undefined
  }
  const name = accessesOf(test).flatMap(({ root, steps }) => {
    const path = steps.at(-1) === 'length' ? steps.slice(0, -1) : steps
    return isContextRoot(root) && path[0] === 'data' && path.length === 2 ? (path[1] ?? []) : []
  })[0]
  return name === undefined ? undefined : [name]
}

function mayRefuse({ callee, args }: CallValue): boolean {
  return (
    !PLAIN.test(lastNameOf(callee) ?? '') &&
    args.some((given) =>
      accessesOf(given).some(
        ({ root, steps }) => isContextRoot(root) && (steps.length === 0 || (steps.length === 1 && steps[0] === 'data')),
      ),
    )
  )
}

const PLAIN = /^(?:log|info|debug|warn|error|trace|stringify|keys|entries|values|tx|transaction|next)$/
