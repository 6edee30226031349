import { SEVERITIES } from '../../scales.ts'
import { wordAssumed } from '../assumed-words.ts'
import { listFindings } from '../list-findings.ts'
import { listFirstRepairs } from '../repair-first.ts'
import type { Report, ReportFinding } from '../types.ts'
import { summarizeUpgrades } from '../upgrade-words.ts'
import { toSourceLink } from '../source-link.ts'
import { SEVERITY_WORDS } from '../words.ts'
import { escapeMarkdown, toLine } from './characters.ts'
import { say, sayRisk } from './words.ts'
import { ruleUrl, type WriterOptions } from './writer.ts'

const MAX_TEXT = 300
/** A fix holds code: cut, it would be another one. */
const MAX_FIX = 1000

/** A summary for a pull request, a job or a ticket: counts, and every finding on one line. */
export function* writeMarkdown(report: Report, given: WriterOptions): Iterable<string> {
  const options = { ...given, sourceUrl: given.sourceUrl ?? report.sourceUrl }
  const { locale, selection } = options
  const findings = listFindings(report)
  yield `# Parapet: ${escapeMarkdown(toLine(report.projectName, MAX_TEXT))}\n\n`
  if (!report.complete) yield `> ${say(locale, 'incomplete')}\n\n`
  if (selection !== undefined) yield `> ${selection.remark}\n\n`
  const assumed = wordAssumed(report, locale)
  const told = [`${sayRisk(locale, report)}.`, ...(assumed === '' ? [] : [assumed])]
  yield `${told.join(' ')} ${say(locale, 'files', { n: report.filesScanned })}.\n\n`
  const upgrades = summarizeUpgrades(report, locale)
  if (upgrades !== '') yield `${escapeMarkdown(upgrades)}\n\n`
  yield `| ${say(locale, 'severity')} | ${say(locale, 'count')} |\n|---|---:|\n`
  for (const severity of SEVERITIES)
    yield `| ${SEVERITY_WORDS[locale][severity]} | ${findings.filter((finding) => finding.severity === severity).length} |\n`
  yield* writeFirst(findings, options)
  yield `\n## ${say(locale, 'findings')}\n\n`
  if (findings.length === 0) yield `${selection?.none ?? say(locale, 'noFindings')}\n`
  else
    yield `| ${(['severity', 'place', 'finding', 'rule'] as const).map((word) => say(locale, word)).join(' | ')} | Id |\n|---|---|---|---|---|\n`
  for (const finding of findings) yield toRow(finding, options)
  yield* writeFixed(options)
  if (report.notices.length > 0) yield `\n## ${say(locale, 'notices')}\n\n`
  for (const { file, detail } of report.notices)
    yield `- ${file === undefined ? '' : `${toCode(file)}: `}${escapeMarkdown(toLine(detail, MAX_TEXT))}\n`
}

/** Where a reader should begin, and with what: the table has no room for it. */
function* writeFirst(findings: readonly ReportFinding[], options: WriterOptions): Iterable<string> {
  const { locale } = options
  const first = listFirstRepairs(findings)
  if (first.length === 0) return
  yield `\n## ${say(locale, 'first')}\n\n`
  for (const { finding, alike } of first) {
    const more = alike > 1 ? ` ${say(locale, 'alike', { n: alike })}` : ''
    const title = `${SEVERITY_WORDS[locale][finding.severity]}: **${escapeMarkdown(toLine(finding.title, MAX_TEXT))}**`
    yield `1. ${title} ${toPlace(finding, options)}  \n   **${say(locale, 'fix')}**: ${escapeMarkdown(toLine(finding.fix, MAX_FIX))}${more}\n`
  }
}

/** What is no longer there, most severe first. */
function* writeFixed({ locale, selection }: WriterOptions): Iterable<string> {
  if (selection?.fixed === undefined) return
  const { head, findings } = selection.fixed
  yield `\n## ${head}\n\n`
  for (const { severity, title, file, line } of findings)
    yield `- ${SEVERITY_WORDS[locale][severity]}: **${escapeMarkdown(toLine(title, MAX_TEXT))}** ${toCode(line === undefined ? file : `${file}:${line}`)}\n`
}

function toRow(finding: ReportFinding, options: WriterOptions): string {
  const { severity, title, message, ruleId, id, docs } = finding
  const text = `**${escapeMarkdown(toLine(title, MAX_TEXT))}**: ${escapeMarkdown(toLine(message, MAX_TEXT))}`
  const rule = `[${escapeMarkdown(toLine(ruleId, MAX_TEXT))}](<${ruleUrl(ruleId, docs, options).replaceAll(/[<>\s|\\]/g, encodeURIComponent)}>)`
  return `| ${SEVERITY_WORDS[options.locale][severity]} | ${toPlace(finding, options)} | ${text} | ${rule} | ${toCode(id)} |\n`
}

/** The file and line, which lead to the source where that is known. */
function toPlace({ file, line }: ReportFinding, { sourceUrl }: WriterOptions): string {
  const code = toCode(line === undefined ? file : `${file}:${line}`)
  const link = sourceUrl === undefined ? undefined : toSourceLink(sourceUrl, file, line)
  return link === undefined ? code : `[${code}](<${link.replaceAll(/[<>\s|\\]/g, encodeURIComponent)}>)`
}

/** Code that neither ends early nor leaves its cell. */
function toCode(text: string): string {
  return `<code>${escapeMarkdown(toLine(text, MAX_TEXT)).replaceAll(/\\([<>&])/g, (_, character: string) => ENTITIES[character] ?? '')}</code>`
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }
