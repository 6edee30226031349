import type { ReportAdvisory, ReportFinding } from '../types.ts'
import { firstLineOf, splitAtMatch } from '../code-lines.ts'
import { readCodeTokens, type CodeToken } from '../code-tokens.ts'
import { listOtherPlaces } from '../list-findings.ts'
import { toSourceLink } from '../source-link.ts'
import { SEVERITY_WORDS } from '../words.ts'
import { escapeMarkup } from './characters.ts'
import { writeProse } from './html-prose.ts'
import { say, type Word } from './words.ts'
import { ruleUrl, type WriterOptions } from './writer.ts'

/** One finding, open: what a reader without scripts, or on paper, needs of it. */
export function writeArticle(finding: ReportFinding, options: WriterOptions): string {
  const { locale } = options
  const { id, ruleId, severity, title, message, snippet, flow = [], advisories = [], cwe } = finding
  const others = listOtherPlaces(finding)
  const name = escapeMarkup(id)
  const area = escapeMarkup(ruleId.slice(0, ruleId.indexOf('/')))
  const head = [ruleId, ...cwe, say(locale, 'confidence', { level: finding.confidence }), id]
  const detail = (word: Word, text: string): string => `<dt>${say(locale, word)}</dt><dd>${text}</dd>`
  return (
    `<article id="f-${name}" class="${severity.toLowerCase()}" data-severity="${severity}" data-area="${area}">\n` +
    `<h3><b class="level">${SEVERITY_WORDS[locale][severity]}</b> ${escapeMarkup(title)}</h3>\n<p><small>${head.map(escapeMarkup).join(' · ')}</small></p>\n` +
    `<p>${linkPlace(finding.file, finding.line, finding.column, options)}</p>\n<p>${writeProse(message)}</p>\n` +
    (snippet === undefined ? '' : `<pre><code translate="no">${writeCode(snippet, finding)}</code></pre>\n`) +
    `<dl>${finding.grade === undefined ? '' : detail('grade', escapeMarkup(finding.grade.because))}${detail('why', writeProse(finding.why))}${detail('fix', writeProse(finding.fix))}` +
    (flow.length === 0
      ? ''
      : detail(
          'flow',
          `<ol>${flow.map((step) => `<li>${linkPlace(step.file, step.line, step.column, options)} ${escapeMarkup(step.message)}</li>`).join('')}</ol>`,
        )) +
    (others.length === 0
      ? ''
      : detail(
          'also',
          `<ul>${others.map(({ file, line }) => `<li>${linkPlace(file, line, undefined, options)}</li>`).join('')}</ul>`,
        )) +
    (advisories.length === 0
      ? ''
      : detail('advisories', `<ul>${advisories.map((advisory) => `<li>${toAdvisory(advisory, locale)}</li>`).join('')}</ul>`)) +
    `</dl>\n<p>${toLink(say(locale, 'more'), ruleUrl(ruleId, finding.docs, options))}</p>\n</article>\n`
  )
}

/** Code in colours, with the numbers of its lines and the finding marked. The numbers are no text: they are neither searched nor copied. */
function writeCode(snippet: string, finding: ReportFinding): string {
  const { file, line, endLine = line } = finding
  const lines = readCodeTokens(snippet, file)
  if (line === undefined || endLine === undefined) return lines.map(colour).join('\n')
  const rows = lines.map((tokens, index) => {
    const number = firstLineOf(line) + index
    const parts = number === line ? splitAtMatch(tokens, finding) : undefined
    const code = parts === undefined ? colour(tokens) : `${colour(parts[0])}<mark>${colour(parts[1])}</mark>${colour(parts[2])}`
    return `<span data-line="${number}"${number >= line && number <= endLine ? ' class="match"' : ''}>${code}\n</span>`
  })
  return rows.join('')
}

/** Code with its comments, strings, keywords, numbers and names in colours. */
function colour(tokens: readonly CodeToken[]): string {
  return tokens
    .map(({ kind, text }) => (kind === 'plain' ? escapeMarkup(text) : `<i class="${kind}">${escapeMarkup(text)}</i>`))
    .join('')
}

function toAdvisory({ id, severity, title, fixedIn, url }: ReportAdvisory, locale: WriterOptions['locale']): string {
  const parts = [
    SEVERITY_WORDS[locale][severity],
    title,
    ...(fixedIn === undefined ? [] : [say(locale, 'fixedIn', { version: fixedIn })]),
  ]
  return `${toLink(id, url)} ${escapeMarkup(parts.join(' · '))}`
}

function toPlace(file: string, line?: number, column?: number): string {
  return escapeMarkup([file, line, column].filter((part) => part !== undefined).join(':'))
}

function linkPlace(file: string, line: number | undefined, column: number | undefined, { sourceUrl }: WriterOptions): string {
  const place = `<code translate="no">${toPlace(file, line, column)}</code>`
  const link = sourceUrl === undefined ? undefined : toSourceLink(sourceUrl, file, line)
  return link === undefined ? place : `<a href="${escapeMarkup(link)}" rel="noopener noreferrer">${place}</a>`
}

/** Links to the web alone: whatever else stands where an address should be is text. */
function toLink(text: string, url: string): string {
  return /^https?:\/\//.test(url)
    ? `<a href="${escapeMarkup(url)}" rel="noopener noreferrer">${escapeMarkup(text)}</a>`
    : escapeMarkup(`${text}: ${url}`)
}
