import { compareTexts, groupBy } from '../lists.ts'
import type { LineTable } from '../parse/position.ts'
import { positionAt } from '../parse/position.ts'
import { MAX_FINDINGS_PER_RULE_AND_FILE, MAX_FINDINGS_PER_RULE_AND_LOCK } from '../limits.ts'
import type { Rule } from '../rules/rule.ts'
import { SEVERITIES } from '../scales.ts'
import type { Finding, Location, Match, Notice, Place, Span } from '../types.ts'
import { fingerprint } from './fingerprint.ts'
import { hiddenBy, type Marker } from './markers.ts'
import { maskSlice, type SecretMasker } from './mask.ts'
import { cutSnippet } from './snippet.ts'

/** A match and the rule that yielded it. */
export interface Draft {
  readonly rule: Rule
  readonly match: Match
}

/** A file with its text at hand, as its findings are finished. */
export interface FinishedFile {
  readonly path: string
  readonly lines: LineTable
  /** Undefined where the text can't be had again: no snippet then. */
  readonly text: string | undefined
  /** What encloses an offset: part of the fingerprint. */
  readonly contextAt: (offset: number) => string
  readonly markers: readonly Marker[]
  readonly isLock: boolean
}

export interface FinishSettings {
  readonly secrets: SecretMasker
  readonly fingerprintKey: string | undefined
  /** Line tables of the other files, for the steps of a flow. */
  readonly linesOf: (file: string) => LineTable | undefined
  readonly notice: (notice: Notice) => void
}

const MAX_TEXT = 500
const MAX_ARGUMENT = 300

/**
 * Matches in one file to findings: place, fingerprint, snippet, masking, inline suppression. The secrets of the file must be known to the masker already.
 * A generic rule's match is dropped where another rule of one of its CWEs matches the same place; equal matches of one rule are one.
 */
export async function finishMatches(drafts: readonly Draft[], file: FinishedFile, settings: FinishSettings): Promise<Finding[]> {
  const ordered = capRules(dropDoubles(drafts), file, settings).sort(
    (a, b) => startOf(a) - startOf(b) || compareTexts(a.rule.id, b.rule.id),
  )
  const occurrences = new Map<string, number>()
  const findings: Finding[] = []
  const secretsIn = (start: number, end: number): readonly Span[] => settings.secrets.spansIn(file.path, start, end)
  for (const { rule, match } of ordered) {
    const span = match.at.span
    const text = span === undefined || file.text === undefined ? '' : maskSpan(file.text, span, secretsIn)
    const context = span === undefined ? '' : file.contextAt(span.start)
    const key = JSON.stringify([rule.id, context, text, match.key])
    const occurrence = occurrences.get(key) ?? 0
    occurrences.set(key, occurrence + 1)
    const identity = {
      ruleId: rule.id,
      file: file.path,
      context,
      text,
      occurrence,
      ...(match.key !== undefined && { key: match.key }),
      ...(match.secret !== undefined && { secret: match.secret }),
    }
    const at = locate(match.at, file.lines)
    const suppressed = at.line === undefined ? undefined : hiddenBy(file.markers, rule.id, at.line)
    const group = match.secret === undefined ? match.sameAs : String(settings.secrets.add(file.path, undefined, match.secret))
    findings.push({
      id: await fingerprint(identity, settings.fingerprintKey),
      ruleId: rule.id,
      severity: match.severity ?? rule.severity,
      confidence: match.confidence ?? rule.confidence,
      at,
      args: cleanArguments(match.args, settings.secrets),
      ...(match.variant !== undefined && { variant: match.variant }),
      ...(span !== undefined &&
        file.text !== undefined && { snippet: settings.secrets.mask(cutSnippet(file.text, file.lines, span, secretsIn)) }),
      ...(match.flow !== undefined && { flow: match.flow.map((step) => finishStep(step, file, settings)) }),
      ...(group !== undefined && { group }),
      ...(suppressed !== undefined && { suppressed }),
    })
  }
  return findings
}

/** What a match quotes of its file: part of its identity. */
function maskSpan(text: string, { start, end }: Span, secretsIn: (start: number, end: number) => readonly Span[]): string {
  const to = Math.min(end, start + MAX_TEXT)
  return maskSlice(text, start, to, secretsIn(start, to))
}

function finishStep(
  step: NonNullable<Match['flow']>[number],
  file: FinishedFile,
  settings: FinishSettings,
): NonNullable<Finding['flow']>[number] {
  const lines = step.at.file === file.path ? file.lines : settings.linesOf(step.at.file)
  const at = lines === undefined ? { file: step.at.file } : locate(step.at, lines)
  return { at, step: step.step, args: cleanArguments(step.args, settings.secrets) }
}

function dropDoubles(drafts: readonly Draft[]): Draft[] {
  const seen = new Set<string>()
  const specific = drafts.filter(({ rule }) => rule.generic !== true)
  const spoken = groupBy(specific, ({ match }) => placeKey(match.at))
  return drafts.filter(({ rule, match }) => {
    const place = placeKey(match.at)
    const double = `${rule.id} ${place} ${match.key ?? ''}`
    if (seen.has(double)) return false
    seen.add(double)
    if (rule.generic !== true) return true
    return !(spoken.get(place) ?? []).some((other) => other.rule.cwe.some((cwe) => rule.cwe.includes(cwe)))
  })
}

/** At most 100 findings per rule and file, the most severe first: a hostile file must not buy a fingerprint for each of its million matches. */
function capRules(drafts: readonly Draft[], { path, isLock }: FinishedFile, settings: FinishSettings): Draft[] {
  const most = isLock ? MAX_FINDINGS_PER_RULE_AND_LOCK : MAX_FINDINGS_PER_RULE_AND_FILE
  return [...groupBy(drafts, ({ rule }) => rule.id)].flatMap(([ruleId, own]) => {
    if (own.length <= most) return own
    const args = { count: String(own.length - most) }
    settings.notice({ code: 'findings-capped', reason: 'rule-and-file', file: path, ruleId, args, partial: true })
    const worst = own.sort((a, b) => rank(a) - rank(b) || startOf(a) - startOf(b))
    return worst.slice(0, most)
  })
}

function rank({ rule, match }: Draft): number {
  return SEVERITIES.indexOf(match.severity ?? rule.severity)
}

function placeKey({ file, span }: Place): string {
  return span === undefined ? file : `${file}:${span.start}:${span.end}`
}

function startOf({ match }: Draft): number {
  return match.at.span?.start ?? -1
}

/** A place as lines and columns. */
export function locate({ file, span }: Place, lines: LineTable): Location {
  if (span === undefined) return { file }
  const start = positionAt(lines, span.start)
  const end = positionAt(lines, span.end)
  return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}

function cleanArguments(args: Match['args'], secrets: SecretMasker): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(args ?? {})) {
    const masked = secrets.mask(value)
    clean[name] = masked.length > MAX_ARGUMENT ? `${masked.slice(0, MAX_ARGUMENT)}…` : masked
  }
  return clean
}
