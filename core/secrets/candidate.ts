import type { Span } from '../types.ts'
import type { Grade } from './grade.ts'

/** How specific a finder is: of candidates at one place the first stays. */
export const RANKS = ['shape', 'structure', 'key', 'provider', 'command', 'generic'] as const
export type Rank = (typeof RANKS)[number]

/** A value that a finder takes for a credential. */
export interface Candidate extends Grade {
  /** Of the row in the token table. */
  readonly row: string
  readonly rank: Rank
  /** Decoded. */
  readonly value: string
  /** As written in the file. */
  readonly span: Span
  /** That it is given; read from the text where nothing is said. */
  readonly name?: string
  /** A password that everybody tries first; a token whose checksum is wrong; a key of a test environment, or of a page. */
  readonly variant?: 'weak' | 'checksum' | 'test' | 'browser'
  /** Only who is in the network of its host can try it. */
  readonly reach?: 'user'
  /** When it ends by itself, in seconds since 1970. */
  readonly expires?: number
}
