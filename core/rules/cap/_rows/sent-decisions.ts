import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  accessesOf,
  excerptOf,
  findPart,
  resolveValue,
  valuesOf,
  type Binding,
  type OperationValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { CRUD_EVENT } from '../../../model/cap/index.ts'
import { isContextRoot, isOfUi5App, isSentData } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import { isState } from './decided-states.ts'

/** A comparison of what the client sends, by which an operation sets the state of a row that it has read and that may hold the same. */
export interface SentDecision extends Span, EventNames {
  /** The last part of the name of the entity, the element, and its state. */
  readonly entity: string
  readonly element: string
  readonly state: string
  /** As it is written: `totalPrice`. */
  readonly text: string
}

/** `if (req.data.total > limit) reject` in an action that reads an order by a key, and sets its status. */
export const sentDecisions: Extract<SentDecision> = defineExtract({
  name: 'cap-sent-decisions',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => /\.on\s{0,4}\(/.test(text) && /[<>]/.test(text) && /\bdata\b/.test(text) && /SELECT|\.read\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const { handlerOf, handlers } = findHandledFunctions(facts)
    if (handlers.every(({ events }) => events.every((event) => event === undefined || CRUD_EVENT.test(event)))) return
    let partsOf: ((around: Span) => Parts) | undefined
    const told = new Set<string>()
    for (const { value } of valuesOf(facts)) {
      step()
      if (value.kind !== 'operation' || !/^[<>]=?$/.test(value.operator)) continue
      const compared = sentIn(value)
      const handler = compared && handlerOf(value)
      const events = handler?.events.flatMap((event) => event ?? []) ?? []
      if (compared === undefined || handler?.fact === undefined || handler.phase === 'after') continue
      if (events.length === 0 || events.some((name) => CRUD_EVENT.test(name))) continue
      partsOf ??= createPartsReader(facts, step)
      const decided = decidedBy(compared, partsOf(handler.fact), step)
      const key = `${handler.fact.start} ${compared.element}`
      if (decided === undefined || told.has(key)) continue
      told.add(key)
      const { start, end } = compared.at
      yield { ...eventNamesOf(handler), start, end, element: compared.element, text: excerptOf(text, compared.at), ...decided }
    }
  },
})

/** A number that the client sends, and what it is compared with. */
interface Compared {
  readonly at: Value
  readonly element: string
  readonly other: Value
}

function sentIn({ operands: [first, second] }: OperationValue): Compared | undefined {
  if (first === undefined || second === undefined) return undefined
  for (const [at, other] of [[first, second] as const, [second, first] as const]) {
    const element = sentElement(at)
    // that it is a number above zero is asked of everything
    const isLimit = !isNothing(other) && !(other.kind === 'literal' && other.value === 1)
    if (element !== undefined && isLimit && sentElement(other) === undefined) return { at, element, other }
  }
  return undefined
}

/** `total` of `req.data.total`, also where it was taken out or converted. */
function sentElement(value: Value): string | undefined {
  const [given] = value.kind === 'call' && CONVERTS.test(lastNameOf(value.callee) ?? '') ? value.args : [value]
  for (const { root, steps } of given === undefined ? [] : accessesOf(given))
    if (isContextRoot(root) && steps[0] === 'data' && steps.length === 2) return steps[1]
  return undefined
}

const CONVERTS = /^(?:Number|parseFloat|parseInt)$/

/** What a handler does. */
interface Parts {
  readonly queries: readonly ScriptQuery[]
  readonly values: readonly Value[]
  readonly bindings: readonly Binding[]
}

function createPartsReader(facts: ScriptFacts, step: (count?: number) => void): (around: Span) => Parts {
  const queriesIn = createInnerIndex(
    scriptQueries(facts, step).map((query) => ({ query, start: query.base.start, end: query.last.end })),
  )
  const valuesIn = createInnerIndex(valuesOf(facts).map(({ value }) => value))
  const known = new Map<number, Parts>()
  return (around) => {
    const parts = known.get(around.start) ?? {
      queries: queriesIn(around).map(({ query }) => query),
      values: valuesIn(around),
      bindings: facts.bindings.filter((binding) => isWithin(binding, around)),
    }
    known.set(around.start, parts)
    step(parts.values.length + facts.bindings.length)
    return parts
  }
}

/** The row whose state is set, although nothing looks at its own element: neither in this comparison nor elsewhere. */
function decidedBy(
  { element, other }: Compared,
  { queries, values, bindings }: Parts,
  step: (count?: number) => void,
): Pick<SentDecision, 'entity' | 'state'> | undefined {
  const isSent = (value: Value): boolean => sentElement(value) === element
  for (const read of queries) {
    step(1 + queries.length)
    const { entity } = read
    if (read.kind !== 'read' || !read.terms.some(({ value }) => sentElement(value) !== undefined && !isSent(value))) continue
    const updates = queries.filter((one) => one.kind === 'update' && one.entity === entity)
    const state = updates.flatMap(({ given }) => given.flatMap(({ column }) => (isState(column) ? [column] : [])))[0]
    if (state === undefined) continue
    // what is sent is what the row, or another one, shall hold
    const isStored = queries.some(
      (one) =>
        (one.kind === 'update' || one.entity !== entity) &&
        [...one.given, ...(one.kind === 'insert' ? one.terms : [])].some(
          ({ column, value }) => column === element || isMadeOf(value, isSent),
        ),
    )
    const rows = new Set(
      bindings.filter(({ definitions }) => definitions.some((one) => one.value && isWithin(read.base, one.value))),
    )
    const isRow = (value: Value): boolean => 'binding' in value && value.binding !== undefined && rows.has(value.binding)
    step(values.length)
    if (isStored || findPart(resolveValue(other), isRow) !== undefined) continue
    if (
      values.some((value) => looksAt(value, element, isSent, isRow)) ||
      bindings.some((one) => isTakenOut(one, element, isSent))
    )
      continue
    return { entity, state }
  }
  return undefined
}

/** It is what the client sends, or worked out from that. */
function isMadeOf(value: Value, isSent: (value: Value) => boolean): boolean {
  const made = resolveValue(value)
  const isWorkedOut = made.kind === 'operation' || made.kind === 'concat' || made.kind === 'call'
  return isSent(value) || (isWorkedOut && findPart(made, isSent) !== undefined)
}

/** It reads the element of something else than the request, or hands the row to a function that may. */
function looksAt(value: Value, element: string, isSent: (value: Value) => boolean, isRow: (value: Value) => boolean): boolean {
  if (value.kind === 'member') return value.name === element && !isSent(value)
  return value.kind === 'call' && !TELLS.test(lastNameOf(value.callee) ?? '') && value.args.some(isRow)
}

const TELLS = /^(?:log|info|debug|warn|error|notify|stringify|isArray|reply)$/

/** `const { total } = await SELECT.one.from(Orders)` */
function isTakenOut({ definitions }: Binding, element: string, isSent: (value: Value) => boolean): boolean {
  return definitions.some(({ path, value, ...one }) => {
    if (path.at(-1) !== element) return false
    return value === undefined ? !('parameter' in one) : !isSentData(value) && !isSent(value)
  })
}
