import type { Budget } from '../budget.ts'
import { createLineTable, positionAt } from '../parse/position.ts'
import { countLook, type Layer } from './layers.ts'
import { readNameBefore } from './name-before.ts'
import type { Pair } from './pairs.ts'

/** Characters around a keyword whose pairs are read. */
const REACH = 2048
/** Lines around a pair in which its siblings stand. */
const SIBLING_LINES = 15
const LONGEST_VALUE = 4096

interface Region {
  readonly start: number
  readonly end: number
}

/**
 * Pairs of text without a tree, around the hits of keywords: `key: value`, `key = value`, `export KEY=value`, `"key": "value"`, JSON on one line, `<key>value</key>`.
 * Regions that touch are read once, so that a file full of a keyword costs one pass.
 */
export function readTextPairs(layer: Layer, keywords: readonly string[], budget: Budget): readonly Pair[] {
  const hits = keywords.flatMap((keyword) => layer.offsets(keyword)).sort((a, b) => a - b)
  return joinRegions(hits, layer.text.length).flatMap((region) => readRegion(layer, region, budget))
}

function joinRegions(hits: readonly number[], length: number): readonly Region[] {
  const regions: { start: number; end: number }[] = []
  for (const hit of hits) {
    const start = Math.max(0, hit - REACH)
    const end = Math.min(length, hit + REACH)
    const last = regions.at(-1)
    if (last !== undefined && start <= last.end) last.end = end
    else regions.push({ start, end })
  }
  return regions
}

function readRegion(layer: Layer, { start, end }: Region, budget: Budget): readonly Pair[] {
  const text = layer.text.slice(start, end)
  countLook(budget, text.length)
  const lines = createLineTable(text)
  const pairs: { readonly line: number; readonly pair: Pair }[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign !== '=' && sign !== ':' && sign !== '>') continue
    budget.step()
    const found = sign === '>' ? readElementAt(text, at) : readPairAt(text, at)
    if (found === undefined) continue
    const { line } = positionAt(lines, at)
    const index = pairs.length
    const pair: Pair = {
      name: found.name,
      value: found.value,
      span: layer.spanOf(start + found.start, start + found.end),
      isQuoted: found.isQuoted,
      siblings: () => siblingsOf(pairs, index, line),
    }
    pairs.push({ line, pair })
    // JSON in quotes has pairs of its own
    if (!/^\s{0,8}[{[]/.test(found.value)) at = found.end - 1
  }
  return pairs.map(({ pair }) => pair)
}

function siblingsOf(
  pairs: readonly { readonly line: number; readonly pair: Pair }[],
  index: number,
  line: number,
): readonly Pair[] {
  const isNear = (at: number): boolean => Math.abs((pairs[at]?.line ?? Infinity) - line) <= SIBLING_LINES
  let first = index
  while (first > 0 && isNear(first - 1)) first--
  let last = index
  while (last + 1 < pairs.length && isNear(last + 1)) last++
  return pairs.slice(first, last + 1).flatMap(({ pair }, offset) => (first + offset === index ? [] : [pair]))
}

interface FoundPair {
  readonly name: string
  readonly value: string
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

const OPENING = /\\{0,4}["'`]/y

/** The pair whose separator stands at `at`. Undefined: a comparison, a scheme, an object that opens, nothing. */
function readPairAt(text: string, at: number): FoundPair | undefined {
  let start = at + 1
  if (text[at] === '=' && /[=!<>+*|&^%-]/.test(text[at - 1] ?? '')) return undefined
  if (text[start] === '=' || text.startsWith('//', start)) {
    if (text[at] !== ':' || text[start] !== '=') return undefined
    start++
  }
  if (text[start] === '>') start++
  while (text[start] === ' ' || text[start] === '\t') start++
  const name = readNameBefore(text, start)
  if (name === undefined) return undefined
  OPENING.lastIndex = start
  const quote = OPENING.exec(text)?.[0]
  if (quote !== undefined) {
    const from = start + quote.length
    const to = closingOf(text, from, quote)
    return to === undefined ? undefined : { name, value: text.slice(from, to), start: from, end: to, isQuoted: true }
  }
  let end = start
  while (end < text.length && end < start + LONGEST_VALUE && !/[\s,;"'`{}()]/.test(text[end] ?? '')) end++
  return end === start ? undefined : { name, value: text.slice(start, end), start, end, isQuoted: false }
}

const START_TAG = /<[A-Za-z_][\w.:-]{0,63}>$/

/** `<name>value</name>`, the start tag's end at `at`. */
function readElementAt(text: string, at: number): FoundPair | undefined {
  const tag = START_TAG.exec(text.slice(Math.max(0, at - 65), at + 1))?.[0]
  if (tag === undefined) return undefined
  const start = at + 1
  // the next tag ends the search of this one
  const end = text.indexOf('<', start)
  if (end <= start || end > start + LONGEST_VALUE || text[end + 1] !== '/') return undefined
  const value = text.slice(start, end)
  if (/[\r\n]/.test(value)) return undefined
  return { name: tag.slice(1, -1), value, start, end, isQuoted: true }
}

/** The same quote with as many backslashes, on the same line. */
function closingOf(text: string, from: number, quote: string): number | undefined {
  for (let at = from; at < text.length && at < from + LONGEST_VALUE; at++) {
    const sign = text[at]
    if (sign === '\n' || sign === '\r') return undefined
    if (sign === '\\' && quote.length === 1) at++
    else if (sign === quote[0] && text.startsWith(quote, at)) return at
  }
  return undefined
}
