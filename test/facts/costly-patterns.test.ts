import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { lengthThatBlocks } from '../../core/facts/regex/costly.ts'

const checker: unknown = createRequire(import.meta.url)('recheck/lib/browser.js')
const verdict = z.object({ complexity: z.object({ type: z.string() }).optional() })

function isExponential(pattern: string, flags: string): boolean {
  if (typeof checker !== 'object' || checker === null || !('checkSync' in checker) || typeof checker.checkSync !== 'function')
    throw new Error('recheck has no checkSync')
  return verdict.parse(checker.checkSync(pattern, flags, { timeout: 20_000 })).complexity?.type === 'exponential'
}

const COSTLY: readonly RegExp[] = [
  /^\w+([.-]?\w+)*@\w+([.-]?\w+)*(\.\w{2,3})+$/,
  /^(([a-zA-Z0-9_.+-])+@(([a-zA-Z0-9-])+\.)+([a-zA-Z0-9]{2,4})+)$/,
  /^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([/\w .-]*)*\/?$/,
  /^(a+)+$/,
  /(a*)*b/,
  /^(a|a)*$/,
  /^(\w+\s?)*$/,
  /^([a-z]+-?)+$/i,
  /^(\d+,?)+$/,
  /^(a?b?)*$/,
  /^(\w{2,3})+$/,
  /^([a-zA-Z]+ ?)+$/,
  /^(.+)*x$/,
  /^[a-zA-Z]+(([',. -][a-zA-Z ])?[a-zA-Z]*)*$/,
  /^([A-Za-z]+[,.]?[ ]?|[A-Za-z]+['-]?)+$/,
  /^(\s*\S+)*$/,
  /^((\/?)[a-z]+)*$/,
  /^(([a-z])+.)+[A-Z]([a-z])+$/,
  /(x+x+)+y/,
  /^(\p{L}+[ '-]?)+$/u,
  /^(([a-z]*)|([0-9]*))*!$/,
  /^((ab)*|(ba)*)*c$/,
  /^(ab|a|b)*c/,
  /(\d+)*\.(\d+)*$/,
  /(?:\s+|\n)*$/,
  /^(?:[a-z]{1,20}){1,40}$/,
  /^(?:\+?\d{1,3}[-. ]?)?(\d+[-. ]?)+$/,
  /^(?<word>[^,]+,?)*;$/,
  /^([\x41-\x5a]+)+$/,
  /^((?:ab|a)(?:b?))+c$/,
]

const CHEAP: readonly RegExp[] = [
  /(a+)+/,
  /^(a|b)*$/,
  /^(\w+\s)*$/,
  /^([a-z]+-)*[a-z]+$/,
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  /^(([^<>()[\]\\.,;:\s@"]+(\.[^<>()[\]\\.,;:\s@"]+)*)|(".+"))@((\[[0-9]{1,3}\.[0-9]{1,3}\])|(([a-zA-Z\-0-9]+\.)+[a-zA-Z]{2,}))$/,
  /^\d+(,\d+)*$/,
  /^(\w{3})+$/,
  /^(.*?,){11}P/,
  /x(a+)+/,
  /(a+)+b?/,
  /^((\d{1,3}\.){3})\d{1,3}$/,
  /^([01]?\d|2[0-3]):[0-5]\d$/,
  /^(\+\d{1,2}\s)?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}$/,
  /^[A-Z]{1,2}(\d|[A-Z]\d)*$/,
  /^\s*(\S+\s*)*$/,
  /^(\/[a-z]+)*\/?$/,
  /(<[^>]*>)*/,
  /^(<[^>]*>\s*)*$/,
  /^("[^"]*"|[^",]+)(,("[^"]*"|[^",]+))*$/,
  /^[\p{L}]+([ '-][\p{L}]+)*$/u,
  /^([0-9a-fA-F]{2})*$/,
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  /^[\w-]+(\.[\w-]+)*@([\w-]+\.)+[a-z]{2,7}$/,
  /^([a-z]{2,63}\.)*[a-z]{2,63}$/,
  /^\$?(\d{1,3},?(\d{3},?)*\d{3}(\.\d{0,2})?|\d{1,3}(\.\d{0,2})?|\.\d{1,2}?)$/,
  /\s+$/,
  /^.*.*.*=$/,
  /^(a|b|ab)?c$/,
]

/** Exponential ones of which nothing is said: what looks around, refers to what was read, or needs lines. */
const UNTOLD: readonly RegExp[] = [/^(?=.*\d)(a+)+$/, /^(\w+-?)+\b!$/, /^(.)(a+)+\1$/, /^(a+)+$/m]

describe('regular expressions with exponential backtracking', () => {
  test.each(COSTLY.map((regex) => [String(regex), regex] as const))('%s blocks', (_, { source, flags }) => {
    expect(lengthThatBlocks(source, flags)).toBeLessThanOrEqual(102)
    expect(isExponential(source, flags)).toBe(true)
  })

  test.each(CHEAP.map((regex) => [String(regex), regex] as const))('%s does not', (_, { source, flags }) => {
    expect(lengthThatBlocks(source, flags)).toBeUndefined()
    expect(isExponential(source, flags)).toBe(false)
  })

  test.each(UNTOLD.map((regex) => [String(regex), regex] as const))('%s is not told', (_, { source, flags }) => {
    expect(lengthThatBlocks(source, flags)).toBeUndefined()
  })

  test('what no engine takes, or is too large, is not told', () => {
    for (const pattern of ['(a+)+[', '(a+)+$)', '(a+', '(?<n>a+)+(?<n>b)$', String.raw`(\-+)+!`])
      expect(lengthThatBlocks(pattern, 'u')).toBeUndefined()
    expect(lengthThatBlocks(`^(${'(a?'.repeat(200)}${')'.repeat(200)})+$`, '')).toBeUndefined()
    expect(lengthThatBlocks(`^(?:${'[a-z]{0,9}'.repeat(55)})+$`, '')).toBeUndefined()
  })

  test('the work is bounded', () => {
    let steps = 0
    for (const part of ['(a|b|c|d|e|f|g|h)+', '(\\w+\\s*\\w*)+', '([a-c]?[b-d]?[c-e]?)*', '(a+b*c?)+'])
      lengthThatBlocks(`^${part.repeat(Math.floor(500 / part.length))}$`, '', (count) => void (steps += count))
    expect(steps).toBeLessThan(400_000)
  })

  test('so is that for parts which read nothing, and for long rounds, which are counted', () => {
    const nothing = `x${'(?:'.repeat(25)}${'){200}'.repeat(25)}y`
    expect(lengthThatBlocks(nothing, '')).toBeUndefined()
    let steps = 0
    const rounds = `^(?:.{119}|.{59})*x[^]*`
    expect(lengthThatBlocks(rounds, '', (count) => void (steps += count))).toBeUndefined()
    expect(steps).toBeGreaterThan(5000)
    expect(steps).toBeLessThan(400_000)
  })
})
