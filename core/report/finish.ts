import { cutText } from '../cut-text.ts'
import { compareTexts, groupBy } from '../lists.ts'
import type { LineTable } from '../parse/position.ts'
import { extentAt } from '../parse/position.ts'
import type { Rule } from '../rules/rule.ts'
import { claimOf } from '../grade/index.ts'
import { SEVERITIES } from '../scales.ts'
import type {
  AffectedPackage,
  Finding,
  GradeClaim,
  Location,
  Marker,
  Match,
  Notice,
  PendingMatch,
  Place,
  Severity,
  Span,
} from '../types.ts'
import type { FindingSketch } from './collect-findings.ts'
import { cappedNotice, mostMatches, placeKey } from './collect-matches.ts'
import { fingerprint, foldSpaces } from './fingerprint.ts'
import { hiddenBy } from './markers.ts'
import { maskSlice, type SecretMasker } from './mask.ts'
import { cutSnippet } from './snippet.ts'
import { isOfCredentials, outranks } from './yielding.ts'

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
  readonly rules: ReadonlyMap<string, Rule>
  /** Notes that a marker hides something. */
  readonly useMarker: (marker: Marker) => void
  readonly secrets: SecretMasker
  readonly fingerprintKey: string | undefined
  /** Line tables of the other files, for the steps of a flow. */
  readonly linesOf: (file: string) => LineTable | undefined
  readonly notice: (notice: Notice) => void
  /** The severity of a claim at a place; that of one which is no finding in the end is of no matter here. */
  readonly severityOf: (claim: GradeClaim, at: Place) => Severity
  /** Whether a finding is worth to be finished; where it is not, it was counted. */
  readonly offer: (sketch: FindingSketch) => boolean
}

const MAX_TEXT = 500
const MAX_ARGUMENT = 300

/** A match beside its rule. */
interface RuleMatch {
  readonly rule: Rule
  readonly match: Match
}

/**
 * Matches in one file to findings: place, fingerprint, snippet, masking, inline suppression. The secrets of the file must be known to the masker already.
 * Equal matches of one rule are one. Throws where a match names a rule that is not among those of the settings.
 */
export function toFindings(matches: readonly PendingMatch[], file: FinishedFile, settings: FinishSettings): Finding[] {
  const ordered = dropYielding(capRules(dropDoubles(withRules(matches, settings)), file, settings), settings).sort(
    (a, b) => startOf(a) - startOf(b) || compareTexts(a.rule.id, b.rule.id),
  )
  const wanted = ordered.map((one) => toSketch(one, file, settings)).map((sketch) => settings.offer(sketch) && sketch)
  const wantedRules = new Set(ordered.flatMap(({ rule }, index) => (wanted[index] === false ? [] : rule.id)))
  const occurrences = new Map<string, number>()
  const findings: Finding[] = []
  const secretsIn = (start: number, end: number): readonly Span[] => settings.secrets.spansIn(file.path, start, end)
  for (const [index, { rule, match }] of ordered.entries()) {
    // those before it count in the id of one that is wanted
    if (!wantedRules.has(rule.id)) continue
    const span = match.at.span
    const quoted = span === undefined || file.text === undefined ? '' : maskSpan(file.text, span, secretsIn)
    const enclosing = span === undefined ? '' : file.contextAt(span.start)
    const [context, text] = match.identity === undefined ? [enclosing, quoted] : ['', match.identity]
    const key = JSON.stringify([rule.id, context, foldSpaces(text), match.key])
    const occurrence = occurrences.get(key) ?? 0
    // places of one identity are one finding
    if (match.identity === undefined) occurrences.set(key, occurrence + 1)
    const sketch = wanted[index]
    if (sketch === undefined || sketch === false) continue
    const identity = {
      ruleId: rule.id,
      file: file.path,
      context,
      text,
      occurrence,
      ...(match.key !== undefined && { key: match.key }),
      ...(match.secret !== undefined && { secret: match.secret }),
    }
    const formerIds = (rule.formerIds ?? []).map((ruleId) => fingerprint({ ...identity, ruleId }, settings.fingerprintKey))
    const replaces = (match.formerly ?? []).map((former) =>
      fingerprint({ ...identity, context: enclosing, text: quoted, ...former }, settings.fingerprintKey),
    )
    findings.push({
      id: fingerprint(identity, settings.fingerprintKey),
      ...(formerIds.length > 0 && { formerIds }),
      ...(replaces.length > 0 && { replaces }),
      ...sketch,
      claim: claimOf(rule, match),
      confidence: match.confidence ?? rule.confidence,
      args: cleanArguments(match.args, settings.secrets),
      ...(match.variant !== undefined && { variant: match.variant }),
      ...(match.assumes !== undefined && { assumes: match.assumes }),
      ...(match.affected !== undefined && { affected: cleanAffected(match.affected, settings.secrets) }),
      ...(span !== undefined &&
        file.text !== undefined && {
          snippet: settings.secrets.maskWhole(cutSnippet(file.text, file.lines, span, secretsIn, settings.secrets.placesIn)),
        }),
      ...(match.alsoAt !== undefined && { occurrences: match.alsoAt.map((place) => locateElsewhere(place, settings)) }),
      ...(match.flow !== undefined && { flow: match.flow.map((step) => finishStep(step, file, settings)) }),
    })
  }
  return findings
}

function toSketch({ rule, match }: RuleMatch, file: FinishedFile, settings: FinishSettings): FindingSketch {
  const at = locate(match.at, file.lines)
  const marker = at.line === undefined ? undefined : hiddenBy(file.markers, [rule.id, ...(rule.formerIds ?? [])], at.line)
  if (marker !== undefined) settings.useMarker(marker)
  const group = groupOf({ rule, match }, file, settings)
  return {
    ruleId: rule.id,
    severity: severityOf({ rule, match }, settings),
    at,
    ...(group !== undefined && { group }),
    ...(marker !== undefined && { suppressed: marker.reason }),
  }
}

/** A match is left out where one of a rule that its own yields to stands at the very same place, unless it outranks that one. Which of two that tell one credential stays, their final severities say. */
function dropYielding(matches: readonly RuleMatch[], settings: FinishSettings): RuleMatch[] {
  const keyOf = (id: string, match: Match): string => `${id} ${placeKey(match.at)}`
  const told = new Map(matches.map((one) => [keyOf(one.rule.id, one.match), one]))
  return matches.filter(
    (one) =>
      one.rule.yieldsTo?.some((id) => {
        if (isOfCredentials(id) && one.match.secret !== undefined) return false
        const other = told.get(keyOf(id, one.match))
        return other !== undefined && !outranks(severityOf(one, settings), severityOf(other, settings), id)
      }) !== true,
  )
}

/** The group that a rule says; else a value is one credential, whichever rules find it. */
function groupOf({ rule, match }: RuleMatch, { path }: FinishedFile, { secrets }: FinishSettings): string | undefined {
  const value = match.secret === undefined ? undefined : `secret ${secrets.add(path, undefined, match.secret)}`
  return match.groupKey === undefined ? value : `${rule.id} ${secrets.mask(match.groupKey)}`
}

/** What a match quotes of its file: part of its identity. */
function maskSpan(text: string, { start, end }: Span, secretsIn: (start: number, end: number) => readonly Span[]): string {
  const to = Math.min(end, start + MAX_TEXT)
  return maskSlice(text, start, to, secretsIn(start, to))
}

function locateElsewhere(place: Place, { linesOf }: FinishSettings): { readonly file: string; readonly line?: number } {
  const lines = linesOf(place.file)
  const { file, line } = lines === undefined ? { file: place.file } : locate(place, lines)
  return line === undefined ? { file } : { file, line }
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

function withRules(matches: readonly PendingMatch[], { rules }: FinishSettings): RuleMatch[] {
  return matches.map(({ ruleId, match }) => {
    const rule = rules.get(ruleId)
    if (rule === undefined) throw new Error(`a match of the unknown rule ${ruleId}`)
    return { rule, match }
  })
}

function dropDoubles(matches: readonly RuleMatch[]): RuleMatch[] {
  const seen = new Set<string>()
  return matches.filter(({ rule, match }) => {
    const double = `${rule.id} ${placeKey(match.at, match.key)}`
    if (seen.has(double)) return false
    seen.add(double)
    return true
  })
}

/** At most 100 findings per rule and file, the most severe first: a hostile file must not buy a fingerprint for each of its million matches. */
function capRules(matches: readonly RuleMatch[], { path, isLock }: FinishedFile, settings: FinishSettings): RuleMatch[] {
  const most = mostMatches(isLock)
  return [...groupBy(matches, ({ rule }) => rule.id)].flatMap(([ruleId, own]) => {
    if (own.length <= most) return own
    settings.notice(cappedNotice(ruleId, path, own.length - most))
    const ranked = own.map((one) => ({ one, rank: SEVERITIES.indexOf(severityOf(one, settings)) }))
    const worst = ranked.sort((a, b) => a.rank - b.rank || startOf(a.one) - startOf(b.one))
    return worst.slice(0, most).map(({ one }) => one)
  })
}

function severityOf({ rule, match }: RuleMatch, { severityOf: ask }: FinishSettings): Severity {
  return ask(claimOf(rule, match), match.at)
}

function startOf({ match }: RuleMatch): number {
  return match.at.span?.start ?? -1
}

/** A place as lines and columns. */
export function locate({ file, span }: Place, lines: LineTable): Location {
  return { file, ...(span !== undefined && extentAt(lines, span)) }
}

/** Name and version come from the project. */
function cleanAffected({ name, version, upgrade, advisories }: AffectedPackage, { mask }: SecretMasker): AffectedPackage {
  return {
    name: mask(name),
    version: mask(version),
    ...(upgrade !== undefined && { upgrade: { ...upgrade, package: mask(upgrade.package), from: mask(upgrade.from) } }),
    advisories,
  }
}

function cleanArguments(args: Match['args'], secrets: SecretMasker): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(args ?? {})) {
    clean[name] = cutText(secrets.mask(value), MAX_ARGUMENT)
  }
  return clean
}
