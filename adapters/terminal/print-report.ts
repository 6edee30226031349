import { SEVERITIES, type Locale, type Localized, type Report, type ReportFinding, type Severity } from '../../core/index.ts'
import { cleanForTerminal, type Painter } from './paint.ts'

export interface PrintOptions {
  readonly locale: Locale
  readonly paint: Painter
  /** Prints why and fix below each finding. */
  readonly details: boolean
  /** Prints the totals alone. */
  readonly quiet: boolean
  readonly failOn: Severity | undefined
}

const SEVERITY_WORDS: Localized<Readonly<Record<Severity, string>>> = {
  en: { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low', INFO: 'info' },
  fr: { CRITICAL: 'critique', HIGH: 'élevée', MEDIUM: 'moyenne', LOW: 'faible', INFO: 'info' },
}

const WORDS: Localized<
  Readonly<Record<'files' | 'none' | 'suppressed' | 'incomplete' | 'failing' | 'also' | 'why' | 'fix' | 'flow', string>>
> = {
  en: {
    files: '{n} files',
    none: 'No findings.',
    suppressed: '{n} suppressed',
    incomplete: 'Not everything could be looked at:',
    failing: 'Failing: {n} findings at or above "{severity}".',
    also: 'also: ',
    why: 'why: ',
    fix: 'fix: ',
    flow: 'flow: ',
  },
  fr: {
    files: '{n} fichiers',
    none: 'Aucun constat.',
    suppressed: '{n} masqués',
    incomplete: 'Tout n’a pas pu être examiné :',
    failing: 'Échec : {n} constats de gravité « {severity} » ou plus.',
    also: 'aussi : ',
    why: 'pourquoi : ',
    fix: 'correction : ',
    flow: 'flux : ',
  },
}

/** A report as text, one block a file, `line:column  severity  message  rule`: terminals and editors link it. */
export function printReport(report: Report, options: PrintOptions): string {
  const { locale, paint, quiet, failOn } = options
  const words = WORDS[locale]
  const { ui5, cap, secrets, btp, npm, approuter } = report.results
  const findings = [ui5.findings, cap.findings, secrets.findings, btp.issues, npm.findings, approuter.findings].flat()
  const versions = [...new Set(ui5.apps.flatMap(({ version }) => (version === undefined ? [] : [`UI5 ${version}`])))]
  const head = [report.projectName, ...report.projectTypes.filter((type) => type !== 'UI5' || versions.length === 0), ...versions]
  const out = [
    paint.strong([...head, words.files.replace('{n}', String(report.filesScanned))].map(cleanForTerminal).join('  ')),
    '',
  ]
  if (!quiet) for (const block of byFile(findings)) out.push(...printFile(block, options), '')
  out.push(printTotals(report, locale))
  const partial = report.complete ? [] : report.notices
  if (partial.length > 0) out.push('', words.incomplete)
  for (const { file, detail } of report.complete && quiet ? [] : report.notices)
    out.push(paint.faint(cleanForTerminal(file === undefined ? `  ${detail}` : `  ${file}: ${detail}`)))
  if (failOn !== undefined) {
    const count = findings.filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn)).length
    if (count > 0)
      out.push(paint.strong(words.failing.replace('{n}', String(count)).replace('{severity}', SEVERITY_WORDS[locale][failOn])))
  }
  return `${out.join('\n')}\n`
}

function byFile(findings: readonly ReportFinding[]): ReportFinding[][] {
  const blocks = new Map<string, ReportFinding[]>()
  for (const finding of findings) {
    const block = blocks.get(finding.file)
    if (block === undefined) blocks.set(finding.file, [finding])
    else block.push(finding)
  }
  return [...blocks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, block]) => block.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)))
}

function printFile(findings: readonly ReportFinding[], { locale, paint, details }: PrintOptions): string[] {
  const words = WORDS[locale]
  const out = [paint.strong(cleanForTerminal(findings[0]?.file ?? ''))]
  for (const finding of findings) {
    const place = finding.line === undefined ? '-' : `${finding.line}:${finding.column}`
    const severity = paint.severity(finding.severity, SEVERITY_WORDS[locale][finding.severity].padEnd(9))
    const tail = paint.faint(`${finding.ruleId}  ${finding.cwe.join(' ')}`)
    out.push(`  ${place.padStart(7)}  ${severity} ${cleanForTerminal(finding.message)}  ${tail}`)
    const others = (finding.occurrences ?? []).map(({ file, line }) => (line === undefined ? file : `${file}:${line}`))
    if (others.length > 0) out.push(paint.faint(cleanForTerminal(`${' '.repeat(20)}${words.also}${others.join(', ')}`)))
    if (!details) continue
    for (const { file, line, message } of finding.flow ?? [])
      out.push(cleanForTerminal(`${' '.repeat(20)}${words.flow}${file}:${line ?? ''} ${message}`))
    out.push(
      cleanForTerminal(`${' '.repeat(20)}${words.why}${finding.why}`),
      cleanForTerminal(`${' '.repeat(20)}${words.fix}${finding.fix}`),
      paint.faint(`${' '.repeat(20)}${finding.docs}`),
    )
  }
  return out
}

function printTotals({ summary, suppressed }: Report, locale: Locale): string {
  const counts: readonly (readonly [Severity, number])[] = [
    ['CRITICAL', summary.critical],
    ['HIGH', summary.high],
    ['MEDIUM', summary.medium],
    ['LOW', summary.low],
    ['INFO', summary.info],
  ]
  const told = counts.filter(([, count]) => count > 0).map(([severity, count]) => `${count} ${SEVERITY_WORDS[locale][severity]}`)
  const hidden = suppressed.length === 0 ? '' : ` (${WORDS[locale].suppressed.replace('{n}', String(suppressed.length))})`
  return (told.length === 0 ? WORDS[locale].none : told.join(', ')) + hidden
}
