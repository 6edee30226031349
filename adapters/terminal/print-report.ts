import {
  listFindings,
  listFirstRepairs,
  SEVERITIES,
  wordCounted,
  type Locale,
  type Report,
  type ReportFinding,
  type Severity,
} from '../../core/index.ts'
import { summarizeUpgrades } from '../../core/host.ts'
import { cleanForTerminal, type Painter } from './paint.ts'
import { printFinding } from './print-finding.ts'
import { isOfNew, wordLeftOut, type Selection } from './selection.ts'
import { countIn, isSummed, sumUpgrades, type Upgrade } from './upgrades.ts'
import { say, SEVERITY_WORDS } from './words.ts'

export interface PrintOptions {
  readonly locale: Locale
  readonly paint: Painter
  /** Prints why, fix, flow and suppression below each finding, and every advisory. */
  readonly details: boolean
  /** Prints the totals alone. */
  readonly quiet: boolean
  readonly failOn: Severity | undefined
  /** Where the rule reference is published; without it the document that a rule rests on is named. */
  readonly rulesUrl?: string
  /** Characters in a line of the terminal; without, lines are as long as they are. */
  readonly width?: number
  /** Where findings are left out of the report. */
  readonly selection?: Selection
}

const MAX_UPGRADES = 10
const MAX_DEMOS = 5

/** A report as text, one block a file, `line:column  severity  message  rule`: terminals and editors link it. */
export function printReport(report: Report, options: PrintOptions): string {
  const { locale, paint, details, quiet, failOn } = options
  const findings = listFindings(report)
  const out = [printHead(report, options), '']
  if (!quiet) {
    out.push(...printFirst(findings, options))
    const listed = details ? findings : findings.filter((finding) => !isSummed(finding))
    for (const block of groupByFile(listed)) out.push(...printFile(block, options), '')
    out.push(...printUpgrades(report, findings, options))
  }
  if (!quiet) out.push(...printFixed(options))
  out.push(printTotals(report, options))
  if (!quiet) out.push(...printDemos(report, options))
  if (isOtherFolder(report, options.selection)) out.push(say(locale, 'otherFolder'))
  out.push(...(report.complete && quiet ? [] : printUnseen(report, options)))
  const failing = failOn === undefined ? 0 : countAtLeast(findings, failOn)
  if (failOn !== undefined && failing > 0)
    out.push(paint.strong(say(locale, 'failing', { n: failing, severity: SEVERITY_WORDS[locale][failOn] })))
  return `${out.join('\n')}\n`
}

/** The notices of a report, under a heading where something was not looked at. */
export function printUnseen(report: Report, options: Pick<PrintOptions, 'locale' | 'paint'>): string[] {
  const lines = printNotices(report, options)
  return report.complete ? lines : ['', say(options.locale, 'incomplete'), ...lines]
}

/** A line for each notice of a report. */
export function printNotices({ notices }: Report, { paint }: Pick<PrintOptions, 'paint'>): string[] {
  return notices.map(({ file, detail }) =>
    paint.faint(`  ${file === undefined ? '' : `${cleanForTerminal(file)}: `}${cleanForTerminal(detail)}`),
  )
}

/** What is graded lower because its data are for demonstrations: who has put real data there must hear of it. */
function printDemos({ results }: Report, { locale, paint }: PrintOptions): string[] {
  const names = results.cap.services.filter(({ exposure }) => exposure?.demo === true).map(({ name }) => name)
  if (names.length === 0 || results.cap.findings.length === 0) return []
  const shown = names.slice(0, MAX_DEMOS).join(', ') + (names.length > MAX_DEMOS ? ', …' : '')
  return [paint.faint(`  ${say(locale, 'demos', { n: names.length, names: cleanForTerminal(shown) })}`)]
}

/** A folder that was named by mistake has no findings either, and must not pass for a good project. */
export function isOtherFolder({ projectTypes, summary, suppressed, results }: Report, selection?: Selection): boolean {
  const found = selection?.total ?? summary.total
  return projectTypes.length === 0 && found + suppressed.length + results.approuter.routes.length === 0
}

/** How many findings are of this severity or a worse one. */
export function countAtLeast(findings: readonly ReportFinding[], severity: Severity): number {
  return findings.filter((finding) => SEVERITIES.indexOf(finding.severity) <= SEVERITIES.indexOf(severity)).length
}

function printHead({ projectName, projectTypes, filesScanned, results }: Report, { locale, paint }: PrintOptions): string {
  const versions = [...new Set(results.ui5.apps.flatMap(({ version }) => (version === undefined ? [] : [`UI5 ${version}`])))]
  const types = projectTypes.filter((type) => type !== 'UI5' || versions.length === 0)
  const parts = [projectName, ...types, ...versions, say(locale, 'files', { n: filesScanned })]
  return paint.strong(parts.map(cleanForTerminal).join('  '))
}

/** Where a reader should begin. */
function printFirst(findings: readonly ReportFinding[], { locale, paint }: PrintOptions): string[] {
  const first = listFirstRepairs(findings)
  if (first.length === 0) return []
  const lines = first.flatMap(({ finding: { severity, title, file, line, fix } }) => [
    `  ${paint.severity(severity, SEVERITY_WORDS[locale][severity].padEnd(9))} ${cleanForTerminal(title)}  ${cleanForTerminal(file)}${line === undefined ? '' : `:${line}`}`,
    `            ${say(locale, 'fix')}${cleanForTerminal(fix)}`,
  ])
  return [paint.strong(say(locale, 'first')), ...lines, '']
}

/** The findings of each file under one heading, the file with the most severe one first. */
function groupByFile(findings: readonly ReportFinding[]): readonly (readonly ReportFinding[])[] {
  const blocks = new Map<string, ReportFinding[]>()
  for (const finding of findings) blocks.set(finding.file, [...(blocks.get(finding.file) ?? []), finding])
  return [...blocks.values()]
}

function printFile(findings: readonly ReportFinding[], options: PrintOptions): string[] {
  const head = options.paint.strong(cleanForTerminal(findings[0]?.file ?? ''))
  return [head, ...findings.flatMap((finding) => printFinding(finding, options))]
}

function printUpgrades(report: Report, findings: readonly ReportFinding[], options: PrintOptions): string[] {
  const { locale, paint, details } = options
  const { production, development } = sumUpgrades(report, findings)
  if (production.length + development.length === 0) return []
  const shown = details ? production : production.slice(0, MAX_UPGRADES)
  const summary = summarizeUpgrades(report, locale)
  const out = [paint.strong(`${say(locale, 'upgrades')}${summary}`), ...shown.map((upgrade) => printUpgrade(upgrade, options))]
  if (shown.length < production.length) out.push(`  ${say(locale, 'more', { n: production.length - shown.length })}`)
  if (development.length > 0) {
    const packages = new Set(development.map(({ package: affected }) => affected?.name)).size
    out.push(
      paint.faint(
        `  ${say(locale, 'development', { n: countIn(development), packages: say(locale, 'packages', { n: packages }) })}`,
      ),
    )
  }
  return [...out, '']
}

const MAX_NAMES = 3

function printUpgrade(upgrade: Upgrade, { locale, paint }: PrintOptions): string {
  const { name, from, to = '', kind, breaking, severity, title, packages, advisories } = upgrade
  const others = packages.filter((other) => other !== name)
  const names = others.slice(0, MAX_NAMES).join(', ') + (others.length > MAX_NAMES ? ', …' : '')
  const parts = [
    say(locale, kind, { name, from: from.join(', '), to, names }),
    ...(kind === 'move' && breaking ? [say(locale, 'breaking')] : []),
    ...(kind === 'move' && names !== '' ? [say(locale, 'below', { names })] : []),
  ]
  const text = say(locale, 'about', { subject: parts.join(', '), facts: say(locale, 'advisories', { n: advisories, title }) })
  return `  ${paint.severity(severity, SEVERITY_WORDS[locale][severity].padEnd(9))} ${cleanForTerminal(text)}`
}

/** What an earlier report has and this one has not. */
function printFixed({ locale, paint, selection }: PrintOptions): string[] {
  const { fixed = [] } = selection ?? {}
  if (fixed.length === 0) return []
  const lines = fixed.map(({ severity, title, file, line, ruleId }) => {
    const place = cleanForTerminal(`${title}  ${file}${line === undefined ? '' : `:${line}`}`)
    const level = paint.severity(severity, SEVERITY_WORDS[locale][severity].padEnd(9))
    return `  ${level} ${place}  ${paint.faint(cleanForTerminal(ruleId))}`
  })
  return [paint.strong(say(locale, 'fixed', { n: fixed.length })), ...lines, '']
}

function printTotals({ summary, suppressed }: Report, { locale, selection = { total: summary.total } }: PrintOptions): string {
  const counts: readonly (readonly [Severity, number])[] = [
    ['CRITICAL', summary.critical],
    ['HIGH', summary.high],
    ['MEDIUM', summary.medium],
    ['LOW', summary.low],
    ['INFO', summary.info],
  ]
  const told = counts
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${wordCounted(severity, count, locale)}`)
  const hidden = [
    ...(suppressed.length > 0 ? [say(locale, 'suppressed', { n: suppressed.length })] : []),
    ...wordLeftOut(selection, locale),
  ]
  const none = say(locale, isOfNew(selection) ? 'nothingNew' : 'none')
  return (told.length === 0 ? none : told.join(', ')) + (hidden.length === 0 ? '' : ` (${hidden.join(', ')})`)
}
