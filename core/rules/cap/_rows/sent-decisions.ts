import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  accessesOf,
  excerptOf,
  findPart,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type OperationValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { directParts, isComparing, isNothing } from '../../../facts/values.ts'
import { CRUD_EVENT } from '../../../model/cap/index.ts'
import { isContextRoot, isOfUi5App, isSentData } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { baseOf, entityOf, isReadOfService } from '../_handlers/query-chains.ts'
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
    let deedsOf: ((around: Span) => Deeds) | undefined
    const asked = new Set<string>()
    for (const { value } of valuesOf(facts)) {
      step()
      if (value.kind !== 'operation' || !/^[<>]=?$/.test(value.operator)) continue
      const compared = sentIn(value)
      const handler = compared && handlerOf(value)
      const events = handler?.events.flatMap((event) => event ?? []) ?? []
      if (compared === undefined || handler?.fact === undefined || handler.phase === 'after') continue
      if (events.length === 0 || events.some((name) => CRUD_EVENT.test(name))) continue
      const key = `${handler.fact.start} ${compared.element}`
      if (asked.has(key)) continue
      deedsOf ??= createDeedsReader(facts, step)
      const deeds = deedsOf(handler.fact)
      // what it is compared with changes nothing of this
      if (!isIdle(compared.element, deeds)) asked.add(key)
      const decided = asked.has(key) ? undefined : decidedBy(compared, deeds, step)
      if (decided === undefined) continue
      asked.add(key)
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

/** What a handler does, worked out once for all that it compares. */
interface Deeds {
  /** The entities whose row it finds by what is sent, and whose state it sets. */
  readonly decided: ReadonlyMap<string, DecidedRow>
  /** Names that hold rows, with the entities of these. */
  readonly rows: ReadonlyMap<Binding, readonly string[]>
  /** Elements that it reads of something else than the request. */
  readonly lookedAt: ReadonlySet<string>
  /** Elements that it writes into rows, with the entities of these; of an update '': whatever its entity is. */
  readonly written: ReadonlyMap<string, ReadonlySet<string>>
  /** What the client sends for an element is handed to a call that may store or send it. */
  isPassed(element: string): boolean
}

interface DecidedRow {
  readonly state: string
  /** The elements of the request that find the row. */
  readonly keys: ReadonlySet<string>
}

function createDeedsReader(facts: ScriptFacts, step: (count?: number) => void): (around: Span) => Deeds {
  const queriesIn = createInnerIndex(
    scriptQueries(facts, step).map((query) => ({ query, start: query.base.start, end: query.last.end })),
  )
  const valuesIn = createInnerIndex(valuesOf(facts).map(({ value }) => value))
  const bindingsIn = createInnerIndex(facts.bindings)
  const known = new Map<number, Deeds>()
  return (around) => {
    const before = known.get(around.start)
    if (before !== undefined) return before
    const parts = { queries: queriesIn(around).map(({ query }) => query), values: valuesIn(around), bindings: bindingsIn(around) }
    step(parts.queries.length + parts.values.length + parts.bindings.length)
    const deeds = deedsIn(parts, step)
    known.set(around.start, deeds)
    return deeds
  }
}

interface Parts {
  readonly queries: readonly ScriptQuery[]
  readonly values: readonly Value[]
  readonly bindings: readonly Binding[]
}

function deedsIn({ queries, values, bindings }: Parts, step: (count?: number) => void): Deeds {
  const rows = rowsIn(queries, bindings, step)
  const lookedAt = new Set(bindings.flatMap(takenOut))
  const handed = new Set<string>()
  for (const value of values) {
    if (value.kind === 'member' && value.name !== undefined && sentElement(value) !== value.name) lookedAt.add(value.name)
    if (value.kind !== 'call' || TELLS.test(lastNameOf(value.callee) ?? '')) continue
    for (const entity of value.args.flatMap((given) => entitiesOf(given, rows))) handed.add(entity)
  }
  const decided = new Map<string, DecidedRow>()
  const states = statesIn(queries)
  const keys = new Map<string, Set<string>>()
  const written = new Map<string, Set<string>>()
  for (const { kind, entity, terms, given } of queries) {
    step(1 + terms.length + given.length)
    const state = states.get(entity)
    if (kind === 'read' && state !== undefined && !handed.has(entity)) {
      for (const { value } of terms) addTo(keys, entity, sentElement(value))
      decided.set(entity, { state, keys: keys.get(entity) ?? new Set() })
    }
    for (const { column } of kind === 'insert' ? [...given, ...terms] : given)
      addTo(written, column, kind === 'update' ? '' : entity)
  }
  // a new row of the same kind, where there was none, says nothing of the one that is there
  const isStill = (call: CallValue): boolean => {
    const base = baseOf(call)
    const isNew = base?.kind === 'insert' && decided.has(entityOf(base.call.args[0]) ?? '')
    return isNew || base?.kind === 'read' || isReadOfService(call)
  }
  return { decided, rows, lookedAt, written, isPassed: passedIn(values, isStill, step) }
}

function addTo(sets: Map<string, Set<string>>, key: string, item: string | undefined): void {
  const set = sets.get(key) ?? new Set()
  if (item !== undefined) sets.set(key, set.add(item))
}

/** The element that says how far a row has come, by the entity that an update sets it of. */
function statesIn(queries: readonly ScriptQuery[]): ReadonlyMap<string, string> {
  const states = new Map<string, string>()
  for (const { kind, entity, given } of queries) {
    const state = kind !== 'update' || states.has(entity) ? undefined : given.find(({ column }) => isState(column))
    if (state !== undefined) states.set(entity, state.column)
  }
  return states
}

function rowsIn(
  queries: readonly ScriptQuery[],
  bindings: readonly Binding[],
  step: (count?: number) => void,
): ReadonlyMap<Binding, readonly string[]> {
  const basesIn = createInnerIndex(
    queries.flatMap(({ kind, entity, base: { start, end } }) => (kind === 'read' ? [{ entity, start, end }] : [])),
  )
  const rows = new Map<Binding, readonly string[]>()
  for (const binding of bindings) {
    const read = binding.definitions.flatMap(({ value }) => (value === undefined ? [] : basesIn(value)))
    step(1 + read.length)
    if (read.length > 0) rows.set(binding, [...new Set(read.map(({ entity }) => entity))])
  }
  return rows
}

function entitiesOf(value: Value, rows: Deeds['rows']): readonly string[] {
  return ('binding' in value && value.binding !== undefined && rows.get(value.binding)) || []
}

/** Nothing of a handler looks at an element, neither at that of a row nor at that of the request but to compare it. */
function isIdle(element: string, { lookedAt, written, isPassed }: Deeds): boolean {
  return !lookedAt.has(element) && written.get(element)?.has('') !== true && !isPassed(element)
}

/** The row whose state is set, although this comparison doesn't look at it either, and no other row takes what is sent. */
function decidedBy(
  { element, other }: Compared,
  { decided, rows, written }: Deeds,
  step: (count?: number) => void,
): Pick<SentDecision, 'entity' | 'state'> | undefined {
  const writing = [...(written.get(element) ?? [])]
  const looked = new Set<string>()
  findPart(resolveValue(other), (part) => {
    step()
    for (const entity of entitiesOf(part, rows)) looked.add(entity)
    return false
  })
  for (const [entity, { state, keys }] of decided) {
    step()
    const isFound = keys.size > (keys.has(element) ? 1 : 0)
    if (isFound && !looked.has(entity) && writing.every((one) => one === entity)) return { entity, state }
  }
  return undefined
}

/**
 * Tells which elements of the request reach calls that may store or send them, `bank.send('transfer', { amount })`: all of them where its data does as a whole.
 * What is only compared, told or looked up does not.
 */
function passedIn(
  values: readonly Value[],
  isStill: (call: CallValue) => boolean,
  step: (count?: number) => void,
): (element: string) => boolean {
  const open: Value[] = []
  let quiet: Span | undefined
  for (const value of values) {
    if (!('callee' in value) || (quiet !== undefined && isWithin(value, quiet))) continue
    if (TELLS.test(lastNameOf(value.callee) ?? '') || isStill(value)) quiet = value
    else open.push(...value.args)
  }
  const names = new Set<string>()
  // of the data as a whole what was taken out before: `const { ID, ...change } = req.data`
  const wholes: (readonly string[])[] = []
  const seen = new Set<Value | Binding>()
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (seen.has(here)) continue
    seen.add(here)
    step()
    const element = sentElement(here)
    if (element !== undefined) names.add(element)
    else if (isSentData(here)) wholes.push(takenBefore(here))
    else open.push(...('callee' in here && isStill(here) ? [] : givingParts(here, seen)))
  }
  return (element) => names.has(element) || wholes.some((taken) => !taken.includes(element))
}

/** What a value gives on of its parts. */
function givingParts(value: Value, seen: Set<Value | Binding>): readonly Value[] {
  if (value.kind === 'operation' && isComparing(value.operator)) return []
  if (value.kind === 'choice') return value.options
  const binding = bindingOf(value)
  if (binding === undefined || seen.has(binding)) return directParts(value)
  seen.add(binding)
  const given = binding.definitions.flatMap((one) => (one.path.length === 0 && GIVES.has(one.kind) ? (one.value ?? []) : []))
  return [...given, ...binding.additions]
}

const GIVES: ReadonlySet<string> = new Set(['init', 'assign'])

function takenBefore(value: Value): readonly string[] {
  return bindingOf(value)?.definitions[0]?.taken ?? []
}

/** What tells, refuses or converts what it is given, and stores none of it. */
const TELLS =
  /^(?:log|info|debug|trace|warn|error|reject|notify|stringify|isArray|reply|Number|String|Boolean|parseFloat|parseInt|isNaN|isFinite|isInteger|round|floor|ceil|abs|min|max|toFixed|toString|toLocaleString|\w{0,60}Error)$/

/** The names of elements that are read of something else than the request: `const { total } = await SELECT.one.from(Orders)`. */
function takenOut({ definitions }: Binding): readonly string[] {
  return definitions.flatMap(({ path, value, ...one }) => {
    const element = path.at(-1)
    if (element === undefined) return []
    const isOther = value === undefined ? !('parameter' in one) : !isSentData(value) && sentElement(value) !== element
    return isOther ? [element] : []
  })
}
