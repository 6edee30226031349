import { listFindings, type Comparison, type Report, type ReportFinding } from '../../core/index.ts'
import { cleanForTerminal } from './paint.ts'
import { printComparison } from './print-comparison.ts'
import { printFinding } from './print-finding.ts'
import type { PrintOptions } from './print-report.ts'
import { say, SEVERITY_WORDS } from './words.ts'

/** What a change brought: how many findings are new, gone and as before; then the new ones, as a report tells them, and where the others were. */
export function printChange(comparison: Comparison, options: PrintOptions): string {
  const { found, gone } = comparison
  const out = found.flatMap((finding) => [
    options.paint.strong(cleanForTerminal(finding.file)),
    ...printFinding(finding, options),
  ])
  return [
    printComparison(comparison, options),
    ...[...out, ...gone.map((finding) => printGone(finding, options))].map((line) => `${line}\n`),
  ].join('')
}

function printGone({ file, line, title, severity, ruleId }: ReportFinding, { locale, paint }: PrintOptions): string {
  const place = line === undefined ? file : `${file}:${line}`
  return paint.faint(cleanForTerminal(`${say(locale, 'gone')}${SEVERITY_WORDS[locale][severity]}  ${title}  ${place}  ${ruleId}`))
}

/** The same for tools: one line of JSON. Of the first report everything is new. */
export function toChangeLine(comparison: Comparison | undefined, report: Report): string {
  const { found, gone, levels } = comparison ?? { found: listFindings(report), gone: [], levels: [] }
  const change = {
    scannedAt: report.scannedAt,
    complete: report.complete,
    summary: report.summary,
    new: found,
    gone: gone.map(({ id, ruleId, severity, title, file, line }) => ({ id, ruleId, severity, title, file, line })),
    severityChanged: levels.map(({ before: { severity }, after }) => ({ id: after.id, before: severity, after: after.severity })),
  }
  return `${JSON.stringify(change)}\n`
}
