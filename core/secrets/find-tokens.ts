import type { Budget } from '../budget.ts'
import type { Candidate } from './candidate.ts'
import { gradeAt } from './beside.ts'
import type { Grade } from './grade.ts'
import { isForBilling, isOfPage } from './in-pages.ts'
import type { Layer } from './layers.ts'
import { expiryOf, failsChecksum, isSampleToken, isServiceRole } from './shapes.ts'
import { ROW_BY_NAME } from './table/index.ts'
import { shapesOf } from './token-table.ts'
import { findTokens, type Token, type TokenShape } from './tokens.ts'

/** Of a token whose checksum is wrong: an example, mostly, and yet reported, since real ones were mangled too. */
const MANGLED = { evidence: 'guessed', confidence: 'low' } as const

export interface ShapedToken {
  readonly shape: TokenShape
  readonly token: Token
}

/** Tokens of all shapes with a keyword in the layer, each place once: the first row of the table that fits has it. */
export function findShapedTokens(layer: Layer, keywords: Iterable<string>, budget: Budget): readonly ShapedToken[] {
  const byStart = new Map<number, ShapedToken>()
  for (const shape of shapesOf(keywords)) {
    for (const token of findTokens(layer, shape, budget)) {
      const known = byStart.get(token.span.start)
      if (known === undefined) byStart.set(token.span.start, { shape, token })
    }
  }
  return [...byStart.values()].sort((a, b) => a.token.span.start - b.token.span.start)
}

/** The file that a token stands in. */
export interface TokenFile {
  readonly path: string
  readonly text: string
  readonly isSample: boolean
}

/** What the names of a parameter need. */
const BEHIND = 32

/** A token of the table as a candidate. Undefined: its row has a rule of its own, or it was meant to be shown. */
export function toCandidate(
  { shape, token: { value, span } }: ShapedToken,
  { path, text, isSample }: TokenFile,
  budget: Budget,
): Candidate | undefined {
  const known = ROW_BY_NAME.get(shape.name)
  const row = known?.check === 'jwt' && isServiceRole(value) ? (ROW_BY_NAME.get('supabase-token') ?? known) : known
  if (row === undefined) return undefined
  if (row.check === 'jwt' && isSampleToken(value)) return undefined
  const { start } = span
  if (row.publicBehind?.test(text.slice(Math.max(0, start - BEHIND), start)) === true) return undefined
  const mangled = failsChecksum(value, row)
  const isInPage = isOfPage(row, path, text, span)
  const isTest = row.lesser?.when.test(value) === true
  const lesser = isTest ? row.lesser : isInPage ? row.inPages : isForBilling(row, text, span) ? row.billing : undefined
  const impact = lesser?.impact ?? row.impact
  const evidence = lesser !== undefined && !isTest ? 'shown' : (row.evidence ?? 'shown')
  const grade: Grade = { impact, evidence, confidence: row.confidence ?? 'high' }
  const expires = row.check === 'jwt' ? expiryOf(value) : undefined
  return {
    row: row.name,
    rank: 'shape',
    value,
    span,
    ...(mangled ? { ...grade, ...MANGLED } : gradeAt(grade, row.needs, { text, ...span, isSample }, budget)),
    ...(isTest && { variant: 'test' }),
    ...(isInPage && { variant: 'browser' }),
    ...(mangled && { variant: 'checksum' }),
    ...(expires !== undefined && { expires }),
  }
}
