import type { Span } from '../../types.ts'
import type { PhpToken } from './tokens.ts'
import type { PhpFunction } from './types.ts'

/** Where a reader of tokens stands, and what it has found on the way. */
export interface Cursor {
  readonly tokens: readonly PhpToken[]
  at: number
  /** How many constructs are open around it. */
  depth: number
  /** The class around it. */
  owner: string | undefined
  readonly functions: PhpFunction[]
}

/** Deeper code is skipped: nobody writes it by hand, and the stack ends somewhere. */
export const MOST_DEPTH = 120

export function peek(cursor: Cursor, ahead = 0): PhpToken | undefined {
  return cursor.tokens[cursor.at + ahead]
}

export function isSymbol(cursor: Cursor, text: string, ahead = 0): boolean {
  const token = peek(cursor, ahead)
  return token?.kind === 'symbol' && token.text === text
}

/** The word that stands there, in lower case. */
export function wordAt(cursor: Cursor, ahead = 0): string | undefined {
  const token = peek(cursor, ahead)
  return token?.kind === 'word' ? token.text.toLowerCase() : undefined
}

export function take(cursor: Cursor, text: string): boolean {
  if (!isSymbol(cursor, text)) return false
  cursor.at++
  return true
}

/** From a token to where the reader has come. */
export function spanFrom(cursor: Cursor, from: number): Span {
  const start = cursor.tokens[from]?.start ?? 0
  return { start, end: Math.max(start, cursor.tokens[Math.max(from, cursor.at - 1)]?.end ?? start) }
}

/** Behind the bracket that closes the one that stands there; a token further where none does. */
export function skipBrackets(cursor: Cursor): void {
  cursor.at = (peek(cursor)?.closes ?? cursor.at) + 1
}

/** `App\Models\User` to `user`. */
export function plainName(name: string): string {
  return name.slice(name.lastIndexOf('\\') + 1).toLowerCase()
}
