import { functionOf } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import {
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type Definition,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { scriptQueries, termsOf } from '../_handlers/script-queries.ts'
import { valueAsked, type PartScript } from '../_routes/part-guards.ts'
import type { SentPart } from '../_routes/sent-parts.ts'
import type { Span } from '../../../types.ts'

/** A query for rows that the request names: it may name one that does not exist. */
export interface SentRead {
  /** The last part of the name of the entity; empty: that of the request itself (`req.subject`). */
  readonly entity: string
  /** What of the request names the row. */
  readonly by: SentPart
  /** It gives the row or nothing; else a list. */
  readonly isOne: boolean
}

/** A place that reads a member of such a row. */
export interface RowUse extends Span {
  readonly read: SentRead
  /** The name that holds the row, or the list. */
  readonly row: Binding | undefined
}

/** What queries give is never missing where they count or sum up. */
const AGGREGATES = /\b(?:count|sum|min|max|avg|average)\s{0,4}\(|\bfunc\s{0,4}:/i

/** Places where a member of a row is read that a query has found by the request, or not. */
export function* rowUses(facts: ScriptFacts, script: PartScript, step: (count?: number) => void): Generator<RowUse> {
  const reads = readsOf(facts, script, step)
  if (reads.size === 0) return
  const readBy = (value: Value): SentRead | undefined => {
    const query = value.kind === 'await' ? queryIn(value.value) : undefined
    return query && reads.get(keyOf(query))
  }
  const held = new Map<Binding, SentRead>()
  for (const binding of facts.bindings) {
    step()
    const [definition, another] = binding.definitions
    if (definition?.kind !== 'init' || another !== undefined) continue
    const { value, path } = itemOf(definition)
    const read = value && readBy(value)
    if (read === undefined) continue
    const [first, second] = path
    if (first === undefined || (!read.isOne && first === '0' && second === undefined)) held.set(binding, read)
    // const { stock } = await SELECT.one…, const [{ stock }] = await SELECT…
    else if (read.isOne || (first === '0' && second !== undefined))
      yield { start: definition.start, end: definition.end, read, row: undefined }
  }
  const isFirst = ({ definitions: [definition] }: Binding): boolean =>
    definition !== undefined && itemOf(definition).path[0] === '0'
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'member' || value.isOptional) continue
    const list = listBehind(value.object)
    const from = list ?? value.object
    const row = from.kind === 'reference' ? from.binding : undefined
    const read = row === undefined ? readBy(from) : held.get(row)
    if (read === undefined) continue
    const isRow = row === undefined || !isFirst(row) ? read.isOne : true
    if (isRow === (list === undefined)) yield { start: value.start, end: value.end, read, row }
  }
}

/** `rows` of `rows[0]`, `rows.at(0)`. */
function listBehind(row: Value): Value | undefined {
  if (row.kind === 'member' && row.name !== undefined && /^\d{1,3}$/.test(row.name) && !row.isOptional) return row.object
  if (
    row.kind === 'member' &&
    row.name === undefined &&
    row.property?.kind === 'literal' &&
    typeof row.property.value === 'number'
  )
    return row.object
  return row.kind === 'call' && row.callee.kind === 'member' && row.callee.name === 'at' ? row.callee.object : undefined
}

/** What a name is given: of `const [book, author] = await Promise.all([…])` the item. */
function itemOf({ value, path }: Definition): { readonly value: Value | undefined; readonly path: readonly string[] } {
  const all = value?.kind === 'await' ? value.value : undefined
  const items = all?.kind === 'call' && lastNameOf(all.callee) === 'all' ? all.args[0] : undefined
  const [first, ...rest] = path
  const item = items?.kind === 'array' && first !== undefined ? items.items[Number(first)] : undefined
  if (item === undefined) return { value, path }
  return { value: item.kind === 'await' ? item : { kind: 'await', start: item.start, end: item.end, value: item }, path: rest }
}

/** A service that runs queries on the database of the project; what another system answers for a row that it has not, is an error. */
const RUNS = /^(?:cds|db|tx|t|trx|transaction|srv|service|DB)$/

/** The query of `SELECT.one.from(Books)`, `db.run(query)`. */
function queryIn(value: Value): Value | undefined {
  const here = resolveValue(value)
  if (here.kind !== 'call' || lastNameOf(here.callee) !== 'run') return here
  const runner = here.callee.kind === 'member' ? here.callee.object : undefined
  const name = runner && (runner.kind === 'call' ? lastNameOf(runner.callee) : lastNameOf(runner))
  const isOwn = runner?.kind === 'this' || (name !== undefined && RUNS.test(name))
  return isOwn && here.args[0] !== undefined ? resolveValue(here.args[0]) : undefined
}

function keyOf({ start, end }: Span): string {
  return `${start} ${end}`
}

/** Queries that read rows by the request, by their spans. */
function readsOf(facts: ScriptFacts, script: PartScript, step: (count?: number) => void): ReadonlyMap<string, SentRead> {
  const found = new Map<string, SentRead>()
  for (const { base, kind, entity, last } of scriptQueries(facts, step)) {
    if (kind !== 'read' || AGGREGATES.test(script.text.slice(base.start, Math.min(last.end, base.start + MAX_QUERY)))) continue
    const calls = chainOf(last)
    step(calls.length)
    const subject = base.args[0] && script.partOf(base.args[0])
    const isSubject = subject?.length === 1 && subject[0] === 'subject'
    const by = isSubject ? subject : calls.map((call) => sentBy(call, base, script)).find((part) => part !== undefined)
    if (by !== undefined) found.set(keyOf(last), { entity: isSubject ? '' : entity, by, isOne: givesOne(last, base) })
  }
  return found
}

const MAX_QUERY = 3000
const MAX_CHAIN = 20

/** The calls of a chain, the last one first. */
function chainOf(last: CallValue): readonly CallValue[] {
  const found: CallValue[] = []
  let here: Value = last
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind === 'call' || here.kind === 'tagged') {
      found.push(here)
      here = here.callee
    } else if (here.kind === 'member') here = here.object
    else break
  }
  return found
}

/** `SELECT.one`, `.byKey(ID)`, `SELECT.from(Books, ID)`. Fact: capire, "cds.ql" (SELECT.one, the second argument of from). */
function givesOne(last: CallValue, base: CallValue): boolean {
  let here: Value = last
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind === 'call' || here.kind === 'tagged') here = here.callee
    else if (here.kind === 'member') {
      if (here.name === 'one' || here.name === 'byKey') return true
      here = here.object
    } else break
  }
  return keyGiven(base) !== undefined
}

/** The second argument of `from`, where it is no list of columns. */
function keyGiven({ args: [, key], callee }: CallValue): Value | undefined {
  if (key === undefined || lastNameOf(callee) === 'columns') return undefined
  const here = resolveValue(key)
  if (here.kind === 'array' || here.kind === 'function' || functionOf(key) !== undefined) return undefined
  return here.kind === 'literal' || here.kind === 'template' ? undefined : key
}

const CONDITIONS = /^(?:where|and|byKey)$/

/** The part of the request that a call of a chain compares with. */
function sentBy(call: CallValue, base: CallValue, script: PartScript): SentPart | undefined {
  const key = call === base ? keyGiven(call) : CONDITIONS.test(lastNameOf(call.callee) ?? '') ? call.args[0] : undefined
  const whole = key && sentIn(key, script)
  if (whole !== undefined) return whole
  for (const { value } of termsOf(call, base)) {
    const part = sentIn(value, script)
    if (part !== undefined) return part
  }
  return undefined
}

const CONVERTS = /^(?:String|Number|parseInt|trim|toString|toUpperCase|toLowerCase)$/
const TAKES = /^(?:at|slice|pop)$/
const MAX_HOPS = 6

/** What of the request a value is: `req.data.ID`, `req.params[0]?.ID ?? req.params[0]`, `Number(id)`. */
function sentIn(value: Value, script: PartScript, hops = MAX_HOPS): SentPart | undefined {
  if (hops === 0) return undefined
  const own = valueAsked(value, script.partOf)
  if (own !== undefined) return (own[0] === 'data' && own.length === 2) || own[0] === 'params' ? own : undefined
  const here = value.kind === 'reference' ? givenTo(value.binding) : awaited(value)
  if (here === undefined) return undefined
  if (here !== value) return sentIn(here, script, hops - 1)
  if (here.kind === 'choice') return here.options.map((one) => sentIn(one, script, hops - 1)).find((part) => part !== undefined)
  if (here.kind === 'member') return sentIn(here.object, script, hops - 1)
  if (here.kind !== 'call') return undefined
  const name = lastNameOf(here.callee) ?? ''
  const of = here.callee.kind === 'member' ? here.callee.object : undefined
  if (of !== undefined && TAKES.test(name)) return sentIn(of, script, hops - 1)
  return CONVERTS.test(name) ? sentIn(of ?? here.args[0] ?? here, script, hops - 1) : undefined
}

/** What a name is given once, by a pattern too. */
function givenTo(binding: Binding | undefined): Value | undefined {
  const [definition, another] = binding?.definitions ?? []
  return definition?.kind === 'init' && another === undefined ? definition.value : undefined
}
