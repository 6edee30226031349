import { rowsOf, type GradedRule } from '../../grade/index.ts'
import { LOCALES } from '../../scales.ts'
import type { Locale } from '../../types.ts'
import { SEVERITY_WORDS } from '../words.ts'
import { wordGradeRows } from '../grade-rows.ts'
import { wordByExample } from '../example-words.ts'
import { escapeMarkup } from './characters.ts'
import { writeProse } from './html-prose.ts'
import { REFERENCE_STYLE, REFERENCE_POLICY } from './rule-page-style.ts'
import type { RuleSample } from './rule-samples.ts'
import { say } from './words.ts'
import type { RuleFacts } from './writer.ts'

/** A rule's page: what it looks for in every language, and the samples that its tests run. */
export function renderRulePage(rule: RuleFacts & GradedRule, samples: readonly RuleSample[]): string {
  const { title } = wordByExample(rule, 'en')
  const languages = LOCALES.map((locale) => renderTexts(rule, locale)).join('')
  const sections = (['vulnerable', 'safe', 'missed'] as const).map((kind) => renderSamples(kind, samples))
  return renderPage(`${title} (${rule.id})`, `<p><a href="../index.html">Rules</a></p>\n${languages}${sections.join('')}`)
}

/** The list of all rules, by area. */
export function renderRuleIndex(rules: readonly RuleFacts[]): string {
  const rows = rules.map(
    ({ id, severity, cwe, text }) =>
      `<tr><td><a href="${escapeMarkup(id)}.html">${escapeMarkup(id)}</a></td><td>${SEVERITY_WORDS.en[severity]}</td>` +
      `<td>${cwe.map((number) => `CWE-${number}`).join(' ')}</td><td>${escapeMarkup(wordByExample({ id, text }, 'en').title)}</td></tr>\n`,
  )
  const head = '<thead><tr><th>Rule</th><th>Severity</th><th>CWE</th><th>Looks for</th></tr></thead>'
  return renderPage('Rules of Parapet', `<p>${rules.length}</p>\n<table>${head}<tbody>\n${rows.join('')}</tbody></table>\n`)
}

function renderPage(title: string, content: string): string {
  return (
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${REFERENCE_POLICY}">\n` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>${escapeMarkup(title)}</title>\n<style>${REFERENCE_STYLE}</style>\n` +
    `</head>\n<body>\n<main>\n<h1>${escapeMarkup(title)}</h1>\n${content}</main>\n</body>\n</html>\n`
  )
}

function renderTexts(rule: RuleFacts & GradedRule, locale: Locale): string {
  const { title, message, why, fix } = wordByExample(rule, locale)
  const cwe = rule.cwe.map((number) => `<a href="https://cwe.mitre.org/data/definitions/${number}.html">CWE-${number}</a>`)
  const facts = [SEVERITY_WORDS[locale][rule.severity], say(locale, 'confidence', { level: rule.confidence }), ...cwe].join(' · ')
  const rows = wordGradeRows(rowsOf(rule), locale).map((row) => `<li>${escapeMarkup(row)}</li>`)
  const grades = `<dt>${say(locale, 'grade')}</dt><dd><ul>${rows.join('')}</ul></dd>`
  return (
    `<section lang="${locale}">\n<h2>${escapeMarkup(title)}</h2>\n<p>${facts}</p>\n<p>${writeProse(message)}</p>\n` +
    `<dl><dt>${say(locale, 'why')}</dt><dd>${writeProse(why)}</dd><dt>${say(locale, 'fix')}</dt><dd>${writeProse(fix)}</dd>${grades}</dl>\n` +
    `<p><a href="${escapeMarkup(rule.docs)}">${escapeMarkup(rule.docs)}</a></p>\n</section>\n`
  )
}

const HEADINGS: Readonly<Record<RuleSample['kind'], string>> = {
  vulnerable: 'Vulnerable',
  safe: 'Safe',
  missed: 'Known to be missed',
}

function renderSamples(wanted: RuleSample['kind'], samples: readonly RuleSample[]): string {
  const shown = samples.filter(({ kind }) => kind === wanted)
  if (shown.length === 0) return ''
  const items = shown.map(({ title, notes, files }) => {
    const text = notes.map((note) => `<p>${escapeMarkup(note)}</p>\n`).join('')
    const code = files.map(
      (file) =>
        `<p><code>${escapeMarkup(file.path)}</code></p>\n<pre><code translate="no">${escapeMarkup(file.text)}</code></pre>\n`,
    )
    return `<h3>${escapeMarkup(title)}</h3>\n${text}${code.join('')}`
  })
  return `<section class="${wanted}">\n<h2>${HEADINGS[wanted]}</h2>\n${items.join('')}</section>\n`
}
