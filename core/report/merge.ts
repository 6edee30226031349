import { MAX_FINDINGS } from '../limits.ts'
import { compareTexts, groupBy } from '../lists.ts'
import { createGlobMatcher, type GlobMatcher } from '../project/glob.ts'
import type { ConfiguredSuppression } from '../project/config.ts'
import { SEVERITIES } from '../scales.ts'
import type { Rule } from '../rules/rule.ts'
import type { Finding, Notice } from '../types.ts'

/** What is told and what the project hides, each sorted by severity, then place. */
export interface SortedFindings {
  readonly shown: readonly Finding[]
  readonly hidden: readonly Finding[]
  readonly notices: readonly Notice[]
}

/** For the paths of all suppressions: they come from the scanned project. Findings are asked in their order, the most severe first. */
const GLOB_STEPS = 50_000_000

/** What is asked of rules: ids that they had before, and which others say more of one place. */
export type RuleRelations = ReadonlyMap<string, Pick<Rule, 'formerIds' | 'yieldsTo'>>

/** Findings of a scan to those of its report: those that yield to another left out, equal ones joined with occurrences, the project's suppressions applied,
 *  caps kept. */
export function mergeFindings(
  all: readonly Finding[],
  suppressions: readonly ConfiguredSuppression[],
  rules: RuleRelations = new Map(),
): SortedFindings {
  const notices: Notice[] = []
  const joined = joinGroups(dropYielding(dropWithoutFlow(all), rules)).sort(bySeverity)
  const used = new Set<ConfiguredSuppression>()
  const partial = new Set<ConfiguredSuppression>()
  const globs = createGlobMatcher(GLOB_STEPS)
  const shown: Finding[] = []
  const hidden: Finding[] = []
  for (const finding of joined) {
    const reason = finding.suppressed ?? configuredReason(finding, suppressions, { used, partial, globs, rules })
    if (reason === undefined) shown.push(finding)
    else hidden.push({ ...finding, suppressed: reason })
  }
  if (globs.isSpent)
    notices.push({ code: 'suppressions-ignored', reason: 'config-too-costly', file: 'parapet.config.json', partial: false })
  for (const suppression of suppressions) {
    if (used.has(suppression)) continue
    const name = suppression.id ?? suppression.rule ?? ''
    notices.push({
      code: 'suppressions-ignored',
      reason: partial.has(suppression) ? 'config-partial' : 'config-unused',
      file: 'parapet.config.json',
      args: { name },
      partial: false,
    })
  }
  if (shown.length > MAX_FINDINGS) {
    notices.push({
      code: 'findings-capped',
      reason: 'report',
      args: { count: String(shown.length - MAX_FINDINGS) },
      partial: true,
    })
    shown.length = MAX_FINDINGS
  }
  return { shown, hidden, notices }
}

interface SuppressionState {
  /** Those that hide something. */
  readonly used: Set<ConfiguredSuppression>
  /** Those that name a part of a finding alone. */
  readonly partial: Set<ConfiguredSuppression>
  readonly globs: GlobMatcher
  readonly rules: RuleRelations
}

function configuredReason(
  finding: Finding,
  suppressions: readonly ConfiguredSuppression[],
  { used, partial, globs, rules }: SuppressionState,
): string | undefined {
  let reason: string | undefined
  const parts = new Map<string, ConfiguredSuppression>()
  for (const suppression of suppressions) {
    const { id, rule } = suppression
    if (id !== undefined && finding.replaces?.includes(id) === true) parts.set(id, suppression)
    if (id !== undefined && id !== finding.id && finding.formerIds?.includes(id) !== true) continue
    if (rule !== undefined && rule !== finding.ruleId && rules.get(finding.ruleId)?.formerIds?.includes(rule) !== true) continue
    if (suppression.path !== undefined && !globs.matches(suppression.path, finding.at.file)) continue
    used.add(suppression)
    reason ??= suppression.reason
  }
  return reason ?? reasonOfParts(finding, parts, { used, partial })
}

/** One finding now stands for several: what hid each of them hides it; what hid some must not hide the others. */
function reasonOfParts(
  { replaces = [] }: Finding,
  parts: ReadonlyMap<string, ConfiguredSuppression>,
  { used, partial }: Pick<SuppressionState, 'used' | 'partial'>,
): string | undefined {
  const isWhole = replaces.every((id) => parts.has(id))
  for (const suppression of parts.values()) (isWhole ? used : partial).add(suppression)
  return isWhole ? parts.values().next().value?.reason : undefined
}

const placeOf = ({ at }: Finding): string => JSON.stringify([at.file, at.line, at.column, at.endLine, at.endColumn])

/** What a rule finds in a file alone is left out where it also knows what flows there. */
function dropWithoutFlow(findings: readonly Finding[]): readonly Finding[] {
  const keyOf = (finding: Finding): string => `${finding.ruleId} ${placeOf(finding)}`
  const flowing = new Set(findings.flatMap((finding) => (finding.flow === undefined ? [] : [keyOf(finding)])))
  return findings.filter((finding) => finding.flow !== undefined || !flowing.has(keyOf(finding)))
}

/** A finding is left out where one of a rule that its own yields to stands at the very same place. */
function dropYielding(findings: readonly Finding[], rules: RuleRelations): readonly Finding[] {
  const told = new Map<string, Set<string>>()
  for (const finding of findings) {
    const place = placeOf(finding)
    const known = told.get(place)
    if (known === undefined) told.set(place, new Set([finding.ruleId]))
    else known.add(finding.ruleId)
  }
  return findings.filter((finding) => {
    const { yieldsTo } = rules.get(finding.ruleId) ?? {}
    return yieldsTo?.some((other) => told.get(placeOf(finding))?.has(other)) !== true
  })
}

function joinGroups(findings: readonly Finding[]): Finding[] {
  const groups = groupBy(findings, ({ id, group, suppressed }) =>
    // what is hidden inline hides its own place, not the value's other places
    group === undefined ? id : `${group} ${suppressed ?? ''}`,
  )
  return [...groups.values()].map(joinGroup)
}

function joinGroup(group: readonly Finding[]): Finding {
  const [first, ...rest] = [...group].sort(bySeverity)
  if (first === undefined) throw new Error('an empty group')
  if (rest.length === 0) return first
  const occurrences = rest.map(({ at: { file, line } }) => (line === undefined ? { file } : { file, line }))
  return { ...first, occurrences }
}

function bySeverity(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareTexts(a.at.file, b.at.file) ||
    (a.at.line ?? 0) - (b.at.line ?? 0) ||
    (a.at.column ?? 0) - (b.at.column ?? 0) ||
    compareTexts(a.ruleId, b.ruleId) ||
    compareTexts(a.id, b.id)
  )
}
