import { AREAS, SEVERITIES } from '../../../core/scales.ts'
import type { Report, ReportFinding, Severity } from '../../../core/index.ts'

export const GROUPINGS = ['rule', 'file', 'severity', 'area'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** What the address says is to be shown. */
export interface Filter {
  readonly severities: readonly Severity[]
  readonly area: string
  readonly rule: string
  readonly file: string
  readonly cwe: string
  readonly text: string
  /** How it is over time. */
  readonly status: string
  readonly group: Grouping
}

export interface Group {
  readonly key: string
  readonly findings: readonly ReportFinding[]
}

export function readFilter(query: URLSearchParams): Filter {
  const wanted = (query.get('sev') ?? '').toUpperCase().split(',')
  return {
    severities: SEVERITIES.filter((severity) => wanted.includes(severity)),
    area: query.get('area') ?? '',
    rule: query.get('rule') ?? '',
    file: query.get('file') ?? '',
    cwe: query.get('cwe') ?? '',
    text: query.get('q') ?? '',
    status: query.get('status') ?? '',
    group: GROUPINGS.find((grouping) => grouping === query.get('group')) ?? 'rule',
  }
}

export const isFiltered = ({ severities, area, rule, file, cwe, text, status }: Filter): boolean =>
  severities.length > 0 || [area, rule, file, cwe, text, status].some((part) => part !== '')

export const areaOf = ({ ruleId }: Pick<ReportFinding, 'ruleId'>): string => ruleId.slice(0, ruleId.indexOf('/'))

/** All findings, the most severe first, then by place. */
export function collectFindings({ results }: Report): readonly ReportFinding[] {
  const { ui5, cap, secrets, btp, npm, approuter } = results
  const all = [ui5.findings, cap.findings, secrets.findings, btp.issues, npm.findings, approuter.findings].flat()
  return all.sort(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      compare(one.file, other.file) ||
      (one.line ?? 0) - (other.line ?? 0),
  )
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const texts = new WeakMap<ReportFinding, string>()

/** What a search looks at; made once a finding, because it is looked at with every key. */
function textOf(finding: ReportFinding): string {
  const known = texts.get(finding)
  if (known !== undefined) return known
  const { title, message, file, ruleId, cwe, snippet = '', id, advisories = [] } = finding
  const ids = advisories.flatMap((advisory) => [advisory.id, ...advisory.aliases])
  const text = [title, message, file, ruleId, ...cwe, snippet, id, ...ids].join('\n').toLowerCase()
  texts.set(finding, text)
  return text
}

export function selectFindings(findings: readonly ReportFinding[], filter: Filter): readonly ReportFinding[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return findings.filter(
    (finding) =>
      (filter.severities.length === 0 || filter.severities.includes(finding.severity)) &&
      (filter.area === '' || areaOf(finding) === filter.area) &&
      (filter.rule === '' || finding.ruleId === filter.rule) &&
      (filter.file === '' || finding.file === filter.file) &&
      (filter.cwe === '' || finding.cwe.includes(filter.cwe)) &&
      (filter.status === '' || isOf(finding, filter.status)) &&
      words.every((word) => textOf(finding).includes(word)),
  )
}

/** Over time: since when it is there, and what was decided. One whose decision has expired is undecided again. */
function isOf({ status, decision }: ReportFinding, wanted: string): boolean {
  if (wanted === 'decided') return decision?.expired === false
  if (wanted === 'undecided') return decision?.expired !== false
  if (wanted === 'expired') return decision?.expired === true
  return wanted === status || wanted === decision?.state
}

/** In groups, the one with the most severe finding first. Within one the order stays. */
export function groupFindings(findings: readonly ReportFinding[], grouping: Grouping): readonly Group[] {
  const keyOf: Record<Grouping, (finding: ReportFinding) => string> = {
    rule: ({ ruleId }) => ruleId,
    file: ({ file }) => file,
    severity: ({ severity }) => severity,
    area: areaOf,
  }
  const groups = new Map<string, ReportFinding[]>()
  for (const finding of findings) {
    const key = keyOf[grouping](finding)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [finding])
    else group.push(finding)
  }
  const list = [...groups].map(([key, found]) => ({ key, findings: found }))
  if (grouping === 'area') return list.sort((one, other) => areaRank(one.key) - areaRank(other.key))
  return list
}

const areaRank = (key: string): number => AREAS.findIndex((area) => area === key)

/** The values that a filter offers, with how many findings each has. */
export function countBy(
  findings: readonly ReportFinding[],
  keysOf: (finding: ReportFinding) => readonly string[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const finding of findings) for (const key of keysOf(finding)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([one], [other]) => compare(one, other))
}
