import { AREAS, SEVERITIES } from '../../scales.ts'
import { wordAssumed } from '../assumed-words.ts'
import { listFindings } from '../list-findings.ts'
import { listFirstRepairs } from '../repair-first.ts'
import type { Report, ReportExposure, ReportFinding } from '../types.ts'
import { summarizeUpgrades } from '../upgrade-words.ts'
import { REACH_WORDS, SEVERITY_WORDS, wordCounted } from '../words.ts'
import { escapeMarkup } from './characters.ts'
import { writeArticle } from './html-finding.ts'
import { writeProse } from './html-prose.ts'
import { HTML_POLICY, SCRIPT, STYLE } from './html-parts.ts'
import { say, sayRisk } from './words.ts'
import type { WriterOptions } from './writer.ts'

/** A page in one file that opens from a disk, is readable without scripts, filters with them, and prints. */
export function* writeHtml(report: Report, given: WriterOptions): Iterable<string> {
  const options = { ...given, sourceUrl: given.sourceUrl ?? report.sourceUrl }
  const { locale, version } = options
  const findings = listFindings(report)
  const title = `${escapeMarkup(report.projectName)} - ${say(locale, 'report')}`
  yield `<!DOCTYPE html>\n<html lang="${locale}">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${HTML_POLICY}">\n`
  yield '<meta name="viewport" content="width=device-width,initial-scale=1">\n<meta name="referrer" content="no-referrer">\n'
  yield `<title>${title}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<header>\n<h1>${title}</h1>\n`
  yield writeSummary(report, options)
  yield writeFirst(findings, options)
  yield writeUpgrades(report, options)
  yield `</header>\n<main>\n<h2>${say(locale, 'findings')}</h2>\n${writeForm(findings.length, options)}`
  if (findings.length === 0) yield `<p>${escapeMarkup(options.selection?.none ?? say(locale, 'noFindings'))}</p>\n`
  for (const finding of findings) yield writeArticle(finding, options)
  yield* writeFixed(options)
  yield* writeInventory(report, options)
  yield* writeLists(report, options)
  yield `</main>\n<footer><p>${say(locale, 'made', { version: escapeMarkup(version) })}</p></footer>\n`
  yield `<script>${SCRIPT}</script>\n</body>\n</html>\n`
}

/** What is no longer there. */
function* writeFixed({ locale, selection }: WriterOptions): Iterable<string> {
  if (selection?.fixed === undefined) return
  yield `<h2>${escapeMarkup(selection.fixed.head)}</h2>\n`
  if (selection.fixed.findings.length === 0) return
  yield '<ul>\n'
  for (const { severity, title, file, line } of selection.fixed.findings)
    yield toItem([SEVERITY_WORDS[locale][severity], title, line === undefined ? file : `${file}:${line}`])
  yield '</ul>\n'
}

function writeSummary(report: Report, { locale, selection }: WriterOptions): string {
  const { summary, scannedAt, filesScanned } = report
  const counts = { CRITICAL: summary.critical, HIGH: summary.high, MEDIUM: summary.medium, LOW: summary.low, INFO: summary.info }
  const heads = SEVERITIES.map((severity) => `<th scope="col">${wordCounted(severity, counts[severity], locale)}</th>`).join('')
  const cells = SEVERITIES.map((severity) => `<td>${counts[severity]}</td>`).join('')
  const upgrades = summarizeUpgrades(report, locale)
  const assumed = wordAssumed(report, locale)
  const types = report.projectTypes.map(escapeMarkup).join(' ')
  return (
    (report.complete ? '' : `<p class="banner">${say(locale, 'incomplete')}</p>\n`) +
    (selection === undefined ? '' : `<p class="banner">${escapeMarkup(selection.remark)}</p>\n`) +
    `<p>${types} · ${say(locale, 'files', { n: filesScanned })} · ${say(locale, 'scanned')} <time datetime="${escapeMarkup(scannedAt)}">${escapeMarkup(scannedAt.slice(0, 16).replace('T', ' '))} UTC</time></p>\n` +
    `<p>${sayRisk(locale, report)}${assumed === '' ? '' : `. ${escapeMarkup(assumed)}`}</p>\n${upgrades === '' ? '' : `<p>${escapeMarkup(upgrades)}</p>\n`}<table><thead><tr>${heads}</tr></thead><tbody><tr>${cells}</tr></tbody></table>\n`
  )
}

function writeFirst(findings: readonly ReportFinding[], { locale }: WriterOptions): string {
  const first = listFirstRepairs(findings)
  if (first.length === 0) return ''
  const items = first.map(({ finding: { id, severity, title, file, line, fix }, alike }) => {
    const place = escapeMarkup(line === undefined ? file : `${file}:${line}`)
    const more = alike > 1 ? ` <small>${say(locale, 'alike', { n: alike })}</small>` : ''
    return (
      `<li><p>${SEVERITY_WORDS[locale][severity]} <a href="#f-${escapeMarkup(id)}">${escapeMarkup(title)}</a> ` +
      `<code translate="no">${place}</code></p><p>${writeProse(fix)}${more}</p></li>\n`
    )
  })
  return `<h2>${say(locale, 'first')}</h2>\n<ol>\n${items.join('')}</ol>\n`
}

function writeUpgrades({ results }: Report, { locale }: WriterOptions): string {
  // a report that an older version kept has none
  const { upgrades = [] } = results.npm
  if (upgrades.length === 0) return ''
  const heads = (['package', 'step', 'compatibility', 'repairs', 'place'] as const).map(
    (word) => `<th scope="col">${say(locale, word)}</th>`,
  )
  const rows = upgrades.map(({ package: name, from, to, breaking, repairs, file }) => {
    const step = `${from} → ${to ?? say(locale, 'laterRelease')}`
    const cells = [
      name,
      step,
      say(locale, breaking ? 'breaks' : 'keeps'),
      say(locale, 'advisoryCount', { n: repairs.advisories }),
      file,
    ]
    return `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}</tr>\n`
  })
  return `<h2>${say(locale, 'upgrades')}</h2>\n<table class="upgrades"><thead><tr>${heads.join('')}</tr></thead><tbody>\n${rows.join('')}</tbody></table>\n`
}

function writeForm(total: number, { locale }: WriterOptions): string {
  const all = `<option value="">${say(locale, 'all')}</option>`
  const severities = SEVERITIES.map((severity) => `<option value="${severity}">${SEVERITY_WORDS[locale][severity]}</option>`)
  const areas = AREAS.map((area) => `<option value="${area}">${area}</option>`)
  return (
    `<form hidden><label>${say(locale, 'severity')}<select name="severity">${all}${severities.join('')}</select></label>` +
    `<label>${say(locale, 'area')}<select name="area">${all}${areas.join('')}</select></label>` +
    `<label>${say(locale, 'search')}<input name="search" type="search"></label>` +
    `<output data-words="${say(locale, 'shown', { n: '#', total })}"></output></form>\n`
  )
}

function* writeInventory({ results }: Report, { locale }: WriterOptions): Iterable<string> {
  const { apps } = results.ui5
  const { services } = results.cap
  const { routes } = results.approuter
  if (apps.length + services.length + routes.length === 0) return
  yield `<h2>${say(locale, 'looked')}</h2>\n<ul>\n`
  for (const { id, root, version, support } of apps)
    yield toItem([id ?? root, ...(version === undefined ? [] : [`UI5 ${version}`]), ...(support === undefined ? [] : [support])])
  const reached = (exposure: ReportExposure | undefined): readonly string[] =>
    exposure === undefined ? [] : [`${say(locale, 'reachedBy')} ${REACH_WORDS[locale][exposure.reach]}`]
  for (const { name, file, access, exposure } of services) yield toItem([name, file, ...reached(exposure), access])
  for (const { file, source, target, authentication, exposure } of routes)
    yield toItem([file, `${source} → ${target ?? '-'}`, ...reached(exposure), authentication])
  yield '</ul>\n'
}

function* writeLists({ notices, suppressed }: Report, { locale }: WriterOptions): Iterable<string> {
  if (notices.length > 0) yield `<h2>${say(locale, 'notices')}</h2>\n<ul>\n`
  for (const { code, file, detail } of notices) yield toItem([code, ...(file === undefined ? [] : [file]), detail])
  if (notices.length > 0) yield '</ul>\n'
  if (suppressed.length > 0) yield `<h2>${say(locale, 'suppressed')}</h2>\n<ul>\n`
  for (const { id, ruleId, file, reason } of suppressed) yield toItem([ruleId, file, reason, id])
  if (suppressed.length > 0) yield '</ul>\n'
}

const toItem = (parts: readonly string[]): string => `<li>${parts.map(escapeMarkup).join(' · ')}</li>\n`
