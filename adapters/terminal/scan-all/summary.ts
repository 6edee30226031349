import { SEVERITIES, wordCounted, type Locale, type Severity } from '../../../core/index.ts'
import { cleanForTerminal, type Painter } from '../paint.ts'
import { say, SEVERITY_WORDS } from '../words.ts'
import type { SeverityCounts } from './state.ts'

/** `done`: everything was looked at. `cancelled`: the run was interrupted before. */
export type ProjectOutcome = 'done' | 'incomplete' | 'failed' | 'cancelled'

/** What became of a project, as `summary.json` tells it. */
export interface SummaryRow {
  readonly project: string
  /** As it was named. */
  readonly source: string
  readonly outcome: ProjectOutcome
  /** The reports are those of an earlier run. */
  readonly resumed: boolean
  readonly counts?: SeverityCounts
  /** Files within the output folder. */
  readonly reports: readonly string[]
  /** Milliseconds. */
  readonly duration: number
  /** Why there is no report. */
  readonly code?: string
  readonly detail?: string
}

/** The name of the summary in the output folder. */
export const SUMMARY_FILE = 'summary.json'

const NAME_WIDTH = 40

/** All rows with their totals, as JSON. */
export function toSummaryJson(
  rows: readonly SummaryRow[],
  facts: { readonly version: string; readonly duration: number },
): string {
  const count = (outcome: ProjectOutcome): number => rows.filter((row) => row.outcome === outcome).length
  const totals = {
    projects: rows.length,
    done: count('done'),
    incomplete: count('incomplete'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    resumed: rows.filter(({ resumed }) => resumed).length,
    counts: sumCounts(rows),
  }
  return `${JSON.stringify({ ...facts, totals, projects: rows }, undefined, 2)}\n`
}

/** A table with a line for each project, and the totals; `quiet`: these alone. */
export function printSummary(
  rows: readonly SummaryRow[],
  { locale, paint, quiet }: { readonly locale: Locale; readonly paint: Painter; readonly quiet: boolean },
): string {
  const lines = quiet ? [] : [...printTable(rows, locale, paint), '']
  return `${[...lines, printTotals(rows, locale)].join('\n')}\n`
}

function printTable(rows: readonly SummaryRow[], locale: Locale, paint: Painter): string[] {
  const heads = [
    say(locale, 'project'),
    ...SEVERITIES.map((severity) => SEVERITY_WORDS[locale][severity]),
    say(locale, 'outcome'),
    say(locale, 'duration'),
    say(locale, 'report'),
  ]
  const cells = rows.map((row) => [
    shorten(cleanForTerminal(row.project)),
    ...SEVERITIES.map((severity) => String(row.counts?.[severity] ?? '-')),
    describeOutcome(row, locale),
    say(locale, 'seconds', { n: formatSeconds(row.duration, locale) }),
    row.reports.join(', '),
  ])
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((line) => line[column]?.length ?? 0)))
  const isNumber = (column: number): boolean => column >= 1 && column <= SEVERITIES.length
  const pad = (text: string, column: number): string =>
    isNumber(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)
  const lines = cells.map((line) =>
    line
      .map((text, column) => {
        const severity: Severity | undefined = SEVERITIES[column - 1]
        return severity !== undefined && /[1-9]/.test(text) ? paint.severity(severity, pad(text, column)) : pad(text, column)
      })
      .join('  ')
      .trimEnd(),
  )
  return [paint.strong(heads.map(pad).join('  ').trimEnd()), ...lines]
}

function describeOutcome({ outcome, resumed, code = '' }: SummaryRow, locale: Locale): string {
  if (outcome === 'failed') return say(locale, 'outcomeFailed', { code: cleanForTerminal(code) })
  if (outcome === 'cancelled') return say(locale, 'outcomeCancelled')
  const told = say(locale, outcome === 'done' ? 'outcomeDone' : 'outcomeIncomplete')
  return resumed ? say(locale, 'outcomeResumed', { outcome: told }) : told
}

function printTotals(rows: readonly SummaryRow[], locale: Locale): string {
  const counts = sumCounts(rows)
  const found = SEVERITIES.filter((severity) => counts[severity] > 0)
  const findings = found.map((severity) => `${counts[severity]} ${wordCounted(severity, counts[severity], locale)}`).join(', ')
  const how = [
    ['allIncomplete', rows.filter(({ outcome }) => outcome === 'incomplete').length],
    ['allFailed', rows.filter(({ outcome }) => outcome === 'failed').length],
    ['allResumed', rows.filter(({ resumed }) => resumed).length],
    ['allCancelled', rows.filter(({ outcome }) => outcome === 'cancelled').length],
  ] as const
  const told = how.flatMap(([word, n]) => (n > 0 ? [say(locale, word, { n })] : []))
  const head = say(locale, 'allProjects', { n: rows.length })
  const projects = [head, ...told].join(', ')
  // of what was not scanned nobody knows that it has none
  if (rows.every(({ counts: found }) => found === undefined)) return projects
  return say(locale, 'allTotals', { projects, findings: findings === '' ? say(locale, 'none') : findings })
}

function sumCounts(rows: readonly SummaryRow[]): SeverityCounts {
  const sum = (severity: Severity): number => rows.reduce((all, { counts }) => all + (counts?.[severity] ?? 0), 0)
  return {
    CRITICAL: sum('CRITICAL'),
    HIGH: sum('HIGH'),
    MEDIUM: sum('MEDIUM'),
    LOW: sum('LOW'),
    INFO: sum('INFO'),
  }
}

function shorten(name: string): string {
  return name.length > NAME_WIDTH ? `${name.slice(0, NAME_WIDTH - 1)}…` : name
}

function formatSeconds(ms: number, locale: Locale): string {
  return (ms / 1000).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}
