import type { Budget } from '../budget.ts'
import type { Span } from '../types.ts'
import { readEscapes } from './escapes.ts'
import { countLook, permitted, mergeOffsets, type Layer } from './layers.ts'

/** A credential that its shape alone gives away: one row of the token table. */
export interface TokenShape {
  /** Of its rule: `secrets/<name>`. */
  readonly name: string
  /** Hits of these are the only places where the pattern is tried. */
  readonly keywords: readonly string[]
  /** How many characters of the token stand before a keyword. */
  readonly lead: number
  /** The whole token; sticky, with bounded quantifiers only, and no look-around: boundaries are tested in code. */
  readonly pattern: RegExp
  /** Its characters at most. */
  readonly longest: number
  /** One of these right before or after makes it a part of something longer. */
  readonly before: RegExp
  readonly after: RegExp
  /** Must stand within a few hundred characters. */
  readonly near?: RegExp
  /** What a shape can't say: a checksum, a header that decodes. A value that fails is none. */
  readonly accepts?: (value: string) => boolean
}

export interface Token {
  /** As it reads once decoded. */
  readonly value: string
  /** As it is written. */
  readonly span: Span
}

/** Left and right boundary of tokens that begin with a prefix of their own and go on in letters, digits, `_` and `-`. */
export const WORD: RegExp = /[A-Za-z0-9_]/
export const WORD_OR_DASH: RegExp = /[A-Za-z0-9_-]/

/** What escapes add to a token: letters and digits are never escaped, the few other signs are (`\u003d`). */
const ESCAPES = 40

/** Finds the tokens of one shape in a layer, escaped ones too. At most one window is looked at for each keyword. */
export function findTokens(layer: Layer, shape: TokenShape, budget: Budget): readonly Token[] {
  const found = new Map<number, Token>()
  const reach = shape.lead + shape.longest + ESCAPES
  const mayBeEscaped = createEscapeTest(layer.text, shape.longest, budget)
  // up to here every token was seen, in a window whose escapes were read
  let seenUntil = -1
  for (const hit of permitted(layer, mergeOffsets(shape.keywords.map((keyword) => layer.offsets(keyword))))) {
    const plain = tokenAt(layer, hit - shape.lead, shape, budget)
    if (plain !== undefined) {
      found.set(plain.span.start, plain)
      continue
    }
    if (hit < seenUntil || !mayBeEscaped(hit - shape.lead)) continue
    const window = readEscapes(layer, hit - reach, hit + 2 * reach)
    // three times as many characters are read, each as an escape or none, twice
    budget.step(3 * reach)
    seenUntil = hit + reach
    if (window === undefined) continue
    for (const keyword of shape.keywords) {
      for (const inside of window.offsets(keyword)) {
        const token = tokenAt(window, inside - shape.lead, shape, budget)
        if (token !== undefined) found.set(token.span.start, token)
      }
    }
  }
  return [...found.values()].sort((a, b) => a.span.start - b.span.start)
}

function tokenAt(layer: Layer, start: number, shape: TokenShape, budget: Budget): Token | undefined {
  budget.step()
  if (start < 0) return undefined
  if (start > 0 && shape.before.test(layer.text[start - 1] ?? '')) return undefined
  // one that fails does so within a few characters: what may follow a boundary is no part of a class
  countLook(budget, Math.min(shape.longest, LONGEST_FAILURE))
  shape.pattern.lastIndex = start
  const value = shape.pattern.exec(layer.text)?.[0]
  if (value === undefined) return undefined
  // to decode and check it takes longer than to find it
  budget.step(shape.accepts === undefined ? 4 + value.length : 40 + 2 * value.length)
  const end = start + value.length
  if (end < layer.text.length && shape.after.test(layer.text[end] ?? '')) return undefined
  if (shape.accepts?.(value) === false) return undefined
  if (shape.near !== undefined && !shape.near.test(layer.text.slice(Math.max(0, start - NEAR), end + NEAR))) return undefined
  return { value, span: layer.spanOf(start, end) }
}

const NEAR = 400
const LONGEST_FAILURE = 128

/**
 * Tells whether an escape stands in the way of a token that starts at an offset: in the run of characters that it may have, or right before it. Saves most
 * windows. Asked in the order of the text, so that each run is looked at once.
 */
function createEscapeTest(text: string, longest: number, budget: Budget): (start: number) => boolean {
  let runEnd = -1
  let isRunEscaped = false
  return (start) => {
    // what looks like its first characters are digits of `\u00d6`
    if (text[start - 2] === '\\' && UNICODE_ESCAPE.test(text.slice(start - 1, start + 2))) return false
    if (text[start - 2] === '\\' || text[start - 3] === '%' || text[start - 1] === ';' || text[start - 6] === '\\') return true
    if (start < runEnd) return isRunEscaped
    const end = Math.min(text.length, start + longest)
    let at = Math.max(0, start)
    while (at < end && TOKEN_CODES[text.charCodeAt(at)] === 1) at++
    countLook(budget, at - start)
    runEnd = at
    const code = text.charCodeAt(at)
    isRunEscaped = code === BACKSLASH || code === PERCENT || code === AMPERSAND
    return isRunEscaped
  }
}

const UNICODE_ESCAPE = /^[ux][0-9a-f]{2}/i
const BACKSLASH = 0x5c
const PERCENT = 0x25
const AMPERSAND = 0x26

/** Letters, digits and the signs of the table's shapes. */
const TOKEN_CODES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.=+/~$:@!|-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
