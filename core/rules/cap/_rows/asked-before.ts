import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../../facts/index.ts'
import { blankComments } from '../../../model/reach/index.ts'

/** Where a handler first asks for something. */
export interface Asked {
  /** For rows that were made before, or by a function that checks them. */
  readonly otherwise: number
  /** Where its code says a name, what its updates set aside; before all of it where another function says it. */
  readonly nameAt: (name: string) => number
}

/** Reads the code of a handler once, for whatever is asked about places in it. `updates` are those of the handler, `words` those of functions that it calls. */
export function askedIn(
  fact: FunctionFact,
  updates: readonly CallValue[],
  { guards }: ScriptFacts,
  text: string,
  words: readonly ReadonlySet<string>[],
): Asked {
  const code = codeOf(fact, updates, text)
  const first = new Map<string, number>()
  for (const { 0: word, index } of code.matchAll(/[\w$]+/g)) if (!first.has(word)) first.set(word, fact.start + index)
  const named = ASKS_OTHERWISE.exec(code)
  let otherwise = named === null ? Infinity : fact.start + named.index
  for (const { exits, inside, test } of guards)
    if (exits && inside.start < otherwise && isWithin(inside, fact) && asksForRow(test)) otherwise = inside.start
  return {
    otherwise,
    nameAt: (name) => (words.some((one) => one.has(name)) ? -1 : (first.get(name) ?? Infinity)),
  }
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
  return /^[>!]==?$|^>$/.test(test.operator) && first?.kind === 'member' && first.name === 'length'
}

const ASKS_NO_ROW = /^(?:is|isArray|isInteger|isNaN|isFinite|hasRole)$/
