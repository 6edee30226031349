import type { Budget } from '../budget.ts'
import type { Candidate } from './candidate.ts'
import { lowerGrade } from './grade.ts'
import type { Layer } from './layers.ts'
import { expiryOf, failsChecksum, isServiceRole } from './shapes.ts'
import { ROW_BY_NAME } from './table/index.ts'
import { shapesOf } from './token-table.ts'
import { findTokens, type Token, type TokenShape } from './tokens.ts'

/** Of a token whose checksum is wrong: an example, mostly, and yet reported, since real ones were mangled too. */
const MANGLED = { severity: 'LOW', confidence: 'low' } as const

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

/** A token of the table as a candidate. Undefined: its row has a rule of its own. */
export function toCandidate({ shape, token: { value, span } }: ShapedToken, isSample: boolean): Candidate | undefined {
  const known = ROW_BY_NAME.get(shape.name)
  const row = known?.check === 'jwt' && isServiceRole(value) ? (ROW_BY_NAME.get('supabase-token') ?? known) : known
  if (row === undefined) return undefined
  const mangled = failsChecksum(value, row)
  const isTest = row.lesser?.when.test(value) === true
  const severity = isTest ? (row.lesser?.severity ?? row.severity) : row.severity
  const grade = mangled ? MANGLED : { severity, confidence: row.confidence ?? 'high' }
  const expires = row.check === 'jwt' ? expiryOf(value) : undefined
  return {
    row: row.name,
    rank: 'shape',
    value,
    span,
    ...(isSample && !mangled ? lowerGrade(grade) : grade),
    ...(isTest && { variant: 'test' }),
    ...(mangled && { variant: 'checksum' }),
    ...(expires !== undefined && { expires }),
  }
}
