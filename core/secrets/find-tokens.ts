import type { Budget } from '../budget.ts'
import type { Candidate } from './candidate.ts'
import { gradeAt } from './beside.ts'
import { isInSampleFolder, type Grade } from './grade.ts'
import { isForBilling, isOfPage } from './in-pages.ts'
import { countLook, type Layer } from './layers.ts'
import { classifyHost } from '../hosts.ts'
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
  const isOfSample = isSample && !isSentBy(path, text, span, budget)
  return {
    row: row.name,
    rank: 'shape',
    value,
    span,
    ...(mangled ? { ...grade, ...MANGLED } : gradeAt(grade, row.needs, { text, path, ...span, isSample: isOfSample }, budget)),
    ...(isTest && { variant: 'test' }),
    ...(isInPage && { variant: 'browser' }),
    ...(mangled && { variant: 'checksum' }),
    ...(expires !== undefined && { expires }),
  }
}

const SCRIPT = /\.[cm]?[jt]s$/i
const SENDS = /\b(?:axios|fetch|got|needle|superagent|https)\b\s{0,4}(?:\.\s{0,4}\w{1,20}\s{0,4})?\(/
/** Frames of tests, and what stands for a server in them. */
const FRAME =
  /\b(?:describe|it|test|expect|suite|beforeEach|jest|vi|sinon|nock|QUnit|assert)\s{0,4}(?:\.\s{0,4}\w{1,30}\s{0,4})?\(/
const HOST = /\bhttps:\/\/([\w-]{1,63}(?:\.[\w-]{1,63}){1,6})/g
/** From a key to the address that it is sent to. */
const SENT_REACH = 600
const MOST_TEXT = 50_000

/** A script that tries a key out at its public host, `test-api.js`: no test with a key of nobody. What lies in a folder of samples is one, wherever it sends. */
function isSentBy(path: string, text: string, { start, end }: Token['span'], budget: Budget): boolean {
  if (!SCRIPT.test(path) || isInSampleFolder(path) || text.length > MOST_TEXT) return false
  countLook(budget, text.length * 2)
  if (!SENDS.test(text) || FRAME.test(text)) return false
  const around = text.slice(Math.max(0, start - SENT_REACH), end + SENT_REACH)
  return [...around.matchAll(HOST)].some(([, host = '']) => classifyHost(host) === 'public')
}
