import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isComparing } from '../../../facts/values.ts'
import {
  constantOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { importedNames } from '../../../facts/paths.ts'
import { lastName } from '../../../paths.ts'
import { blankComments } from '../../../model/reach/index.ts'

/** Where a handler first asks for something. */
export interface Asked {
  /** For rows that were made before, or by a function that checks them. */
  readonly otherwise: number
  /** Where its code says a name, what its updates set aside; before all of it where another function says it. */
  readonly nameAt: (name: string) => number
  /** The last parts of the names of entities that it reads before a place. */
  readonly readBefore: (end: number) => readonly string[]
}

/** What is asked of a handler, all of it within the handler. */
export interface AskedCode {
  readonly fact: FunctionFact
  readonly updates: readonly CallValue[]
  readonly calls: readonly CallValue[]
  readonly facts: ScriptFacts
  readonly text: string
  /** Of the functions that it calls. */
  readonly words: readonly ReadonlySet<string>[]
}

/** Reads the code of a handler once, for whatever is asked about places in it. */
export function askedIn({ fact, updates, calls, facts, text, words }: AskedCode): Asked {
  const code = codeOf(fact, updates, text)
  const first = new Map<string, number>()
  for (const { 0: word, index } of code.matchAll(/[\w$]+/g)) if (!first.has(word)) first.set(word, fact.start + index)
  const named = ASKS_OTHERWISE.exec(code)
  let otherwise = named === null ? Infinity : fact.start + named.index
  for (const { exits, inside, test } of facts.guards)
    if (exits && inside.start < otherwise && isWithin(inside, fact) && asksForRow(test)) otherwise = inside.start
  const caught = facts.partial.filter(({ tried, start }) => tried !== undefined && isWithin({ start, end: start }, fact))
  for (const call of calls) {
    // what tells of an exception asks for nothing
    const isOfFault = caught.some((part) => isWithin(call, part))
    if (call.start < otherwise && !isOfFault && mayAsk(call)) otherwise = call.start
    for (const name of conditionNames(call)) first.set(name, Math.min(first.get(name) ?? Infinity, call.start))
  }
  const reads = calls.flatMap((call) => readIn(call) ?? [])
  return {
    otherwise,
    nameAt: (name) => (words.some((one) => one.has(name)) ? -1 : (first.get(name) ?? Infinity)),
    readBefore: (end) => reads.filter(({ at }) => at < end).map(({ name }) => name),
  }
}

/** A function of another file of the project that learns which row it is may look at its state. */
function mayAsk({ callee, args }: CallValue): boolean {
  return (
    args.some((one) => constantOf(one) === undefined) &&
    !/^(?:log|info|debug|warn|error|trace)$/.test(lastNameOf(callee) ?? '') &&
    importedNames(callee).length > 0
  )
}

/** `state` of `.where({ ID, ...OPEN })` with `const OPEN = { state: 'OPEN' }` elsewhere. */
function conditionNames({ callee, args }: CallValue): readonly string[] {
  if (!/^(?:where|and)$/.test(lastNameOf(callee) ?? '')) return []
  return args.flatMap((given) => {
    const row = resolveValue(given)
    const fields = row.kind === 'object' ? row.fields : []
    const spread = fields.flatMap(({ key, value }) => (key === undefined ? resolveValue(value) : []))
    return [...fields, ...spread.flatMap((one) => (one.kind === 'object' ? one.fields : []))].flatMap(({ key }) => key ?? [])
  })
}

/** `SELECT.one.from('S.OpenJobs', ID)`, `tx.read(OpenJobs)`. */
function readIn({ start, callee, args }: CallValue): { readonly at: number; readonly name: string } | undefined {
  const [first] = args
  if (first === undefined || !/^(?:from|read|one|SELECT)$/.test(lastNameOf(callee) ?? '')) return undefined
  const text = stringConstantOf(first)
  const name = text ?? lastNameOf(first)
  return name === undefined ? undefined : { at: start, name: lastName(name) }
}

export function wordsOf(code: string): ReadonlySet<string> {
  return new Set(code.match(/[\w$]+/g))
}

/** Without comments and without what updates set, each place where it was. */
function codeOf({ start, end }: FunctionFact, updates: readonly CallValue[], text: string): string {
  const parts: string[] = []
  let from = start
  for (const span of updates.flatMap(({ args }) => args).toSorted((one, other) => one.start - other.start)) {
    if (span.start < from) continue
    parts.push(text.slice(from, span.start), ' '.repeat(span.end - span.start))
    from = span.end
  }
  return blankComments(parts.join('') + text.slice(from, end))
}

/** Functions that check rows, rows that were made before, and rows that are gone afterwards. */
const ASKS_OTHERWISE =
  /\b(?:check|validate|assert|ensure|verify|guard|can[A-Z])\w{0,60}\s{0,9}\(|already|duplicat|\bexist|idempot|processed|\bDELETE\b|\.delete\s{0,9}\(/i

/** `if (existing) return req.reject(409)`, `if (receipts.length > 0) throw …`. */
function asksForRow(test: Value): boolean {
  if (test.kind === 'choice') return test.options.some(asksForRow)
  if (test.kind === 'reference' || test.kind === 'await') return true
  if (test.kind === 'member') return test.name === 'length'
  if (test.kind === 'call') return !ASKS_NO_ROW.test(lastNameOf(test.callee) ?? '')
  if (test.kind !== 'operation') return false
  const [first] = test.operands
  if (test.operator === '!' && first?.kind === 'call') return asksForRow(first)
  if (isComparing(test.operator) && test.operands.some(isCount) && test.operands.some(isAwaited)) return true
  return /^[>!]==?$|^>$/.test(test.operator) && first?.kind === 'member' && first.name === 'length'
}

function isCount(value: Value): boolean {
  return typeof constantOf(value) === 'number'
}

/** What an UPDATE gives back, how many rows it has changed: `if (changed === 0) return req.reject(409)`. */
function isAwaited(value: Value): boolean {
  if (value.kind === 'await') return true
  return value.kind === 'reference' && value.binding?.definitions.some(({ value: given }) => given?.kind === 'await') === true
}

const ASKS_NO_ROW = /^(?:is|isArray|isInteger|isNaN|isFinite|hasRole)$/
