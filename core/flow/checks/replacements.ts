import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

/** What a call puts in place of what stands in a text: `text.replace(/'/g, "''")`, `text.split("'").join("''")`. */
export interface Replacement {
  /** The text. */
  readonly of: Value | undefined
  /** What is looked for, a pattern or a text; '' where nobody can tell. */
  readonly found: string
  readonly isPattern: boolean
  /** All places of the text are replaced, not the first one alone. */
  readonly isAll: boolean
  readonly put: Value | undefined
  /** What is put there as it is written; undefined: a function or a value tells. */
  readonly written: string | undefined
}

/** Reads a call of either realm, and by whatever name the pattern is kept; undefined: it replaces nothing. */
export function replacementIn({ callee, args: [first, second] }: CallValue): Replacement | undefined {
  const name = lastNameOf(callee)
  const of = callee.kind === 'member' ? callee.object : undefined
  if (name === 'replace' || name === 'replaceAll') return toReplacement(of, first, second, name === 'replaceAll')
  const parted = name === 'join' && of !== undefined ? resolveValue(of) : undefined
  if (parted?.kind !== 'call' || lastNameOf(parted.callee) !== 'split') return undefined
  return toReplacement(parted.callee.kind === 'member' ? parted.callee.object : undefined, parted.args[0], first, true)
}

function toReplacement(
  of: Value | undefined,
  wanted: Value | undefined,
  put: Value | undefined,
  isEverywhere: boolean,
): Replacement {
  const pattern = wanted && resolveValue(wanted)
  const isPattern = pattern?.kind === 'regex'
  const text = pattern && !isPattern ? constantOf(pattern) : undefined
  const written = put && constantOf(put)
  return {
    of,
    found: isPattern ? pattern.pattern : String(text ?? ''),
    isPattern,
    isAll: isEverywhere || (isPattern && pattern.flags.includes('g')),
    put,
    written: written === undefined ? undefined : String(written),
  }
}

/** What stands in for each character that a list does not have: `text.replace(/[^A-Za-z ]/g, '?')`. */
export function putForUnlisted({ found, isPattern, isAll, written }: Replacement): string | undefined {
  return isPattern && isAll && UNLISTED.test(found) ? written : undefined
}

const UNLISTED = /^(?:\[\^(?:[\w.:, @/+=-]|\\[wd./-]){1,200}\]|\\[WD])[+*]?$/

/** `text.replace(/[&<>]/g, (char) => ENTITIES[char])`: no tag begins in what is left. */
export function escapesTags({ found, isPattern, isAll, put, written }: Replacement): boolean {
  if (!isAll || put === undefined) return false
  if (!isPattern) return found === '<' && written === '&lt;'
  const characters = found === '<' ? '<' : (/^\(?\[([^\]^][^\]]*)\]\)?$/.exec(found)?.[1] ?? '')
  return characters.includes('<') && written?.includes('<') !== true
}
