import { constantOf } from './constants.ts'
import type { Value } from './types.ts'
import { resolveValue } from './values.ts'

interface RegularExpression {
  readonly pattern: string
  readonly flags: string
}

/** `/x/g`, `new RegExp('x', 'g')` of constants, or a name of one. */
export function regexOf(given: Value): RegularExpression | undefined {
  const regex = resolveValue(given)
  if (regex.kind === 'regex') return regex
  if ((regex.kind !== 'new' && regex.kind !== 'call') || regex.callee.kind !== 'reference') return undefined
  if (regex.callee.name !== 'RegExp' || regex.callee.binding !== undefined) return undefined
  const [pattern, flags] = regex.args.map((part) => constantOf(part))
  if (typeof pattern !== 'string' || (regex.args.length > 1 && typeof flags !== 'string')) return undefined
  return { pattern, flags: typeof flags === 'string' ? flags : '' }
}

/** A pattern that tells what all of a text looks like. */
export function isStrictPattern(given: Value): boolean {
  const regex = regexOf(given)
  return regex !== undefined && !regex.flags.includes('m') && isWhole(regex.pattern) && !isLoose(regex.pattern)
}

/** From the beginning of a text to its end, in each of its alternatives: `^a|b$` finds `a` at the beginning of any text. */
export function isWhole(pattern: string): boolean {
  return alternativesOf(pattern).every((one) => one.startsWith('^') && one.endsWith('$') && !one.endsWith('\\$'))
}

/** The alternatives of a pattern that no parentheses hold together. */
function alternativesOf(pattern: string): readonly string[] {
  const found: string[] = []
  let [from, depth, isClass] = [0, 0, false]
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (isClass) isClass = character !== ']'
    else if (character === '[') isClass = true
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '|' && depth === 0) {
      found.push(pattern.slice(from, at))
      from = at + 1
    }
  }
  return [...found, pattern.slice(from)]
}

/** `.*`, `\S+`: nearly everything. In a class of characters a dot is a dot. */
export function isLoose(pattern: string): boolean {
  // all but a few marks, among them none that ends a text or a name
  const [, refused] = /\[\^((?:\\.|[^\]\\]){1,200})\]/.exec(pattern) ?? []
  if (refused !== undefined && !/['"/<]|\\[WSs]/.test(refused)) return true
  return LOOSE.test(pattern.replace(/\[(?:\\.|[^\]\\]){0,200}\]/g, '[]'))
}

const LOOSE = /(?:^|[^\\])\.(?:[*+]|\{\d{0,4},)|\\S[*+]/
