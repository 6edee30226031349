import { rowsOf, RULES, wordByExample, wordGradeRows } from '../../core/scanner.ts'
import { ruleUrl, SEVERITY_WORDS, type Locale, type ReportFinding } from '../../core/index.ts'
import { say } from '../terminal/words.ts'

/** A finding as an editor shows it beside the line: what, why, how to repair it, in Markdown. */
export function describeFinding(finding: ReportFinding, locale: Locale, rulesUrl: string | undefined): string {
  const { severity, title, message, why, fix, grade, ruleId, docs, cwe } = finding
  const link = ruleUrl(ruleId, docs, { rulesUrl })
  return [
    `**${SEVERITY_WORDS[locale][severity]}: ${toMarkdown(title)}**`,
    toMarkdown(message),
    `**${say(locale, 'why').trim()}** ${toMarkdown(why)}`,
    `**${say(locale, 'fix').trim()}** ${toMarkdown(fix)}`,
    ...(grade === undefined ? [] : [toMarkdown(grade.because)]),
    `[${ruleId}](${encodeURI(link)}) ${cwe.join(' ')}`,
  ].join('\n\n')
}

/** The same for an editor that shows text as it is. */
export function describeFindingPlainly(finding: ReportFinding, locale: Locale, rulesUrl: string | undefined): string {
  const { severity, title, message, why, fix, grade, ruleId, docs, cwe } = finding
  return [
    `${SEVERITY_WORDS[locale][severity]}${locale === 'fr' ? ' : ' : ': '}${title}`,
    message,
    say(locale, 'why') + why,
    say(locale, 'fix') + fix,
    ...(grade === undefined ? [] : [grade.because]),
    `${ruleId} ${cwe.join(' ')} ${ruleUrl(ruleId, docs, { rulesUrl })}`,
  ].join('\n\n')
}

/** A rule, without any finding of it. Undefined where there is none of that name. */
export function describeRule(id: string, locale: Locale, rulesUrl: string | undefined): string | undefined {
  const rule = RULES.find((other) => other.id === id)
  if (rule === undefined) return undefined
  const { title, message, why, fix } = wordByExample(rule, locale)
  const rows = wordGradeRows(rowsOf(rule), locale).map((row) => `- ${toMarkdown(row)}`)
  const links = [...new Set([ruleUrl(id, rule.docs, { rulesUrl }), rule.docs])].map((link) => `<${encodeURI(link)}>`)
  return `${[
    `# ${toMarkdown(title)}`,
    `${id}, ${SEVERITY_WORDS[locale][rule.severity]}, ${rule.cwe.map((number) => `CWE-${number}`).join(' ')}`,
    toMarkdown(message),
    `**${say(locale, 'why').trim()}** ${toMarkdown(why)}`,
    `**${say(locale, 'fix').trim()}** ${toMarkdown(fix)}`,
    rows.join('\n'),
    ...links,
  ].join('\n\n')}\n`
}

/**
 * Text of a finding as Markdown: code in backticks stays, all else is text. A name that a project chose must not become a link or an image that the editor loads.
 */
export function toMarkdown(text: string): string {
  return text
    .split(/(`[^`\n]{1,300}`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[\\`*_[\]{}()<>#|~!]/g, '\\$&')))
    .join('')
}
