import { listOtherPlaces, ruleUrl, type ReportFinding } from '../../core/index.ts'
import { printCodeFrame } from './code-frame.ts'
import { cleanForTerminal } from './paint.ts'
import type { PrintOptions } from './print-report.ts'
import { suppressionLine } from './suppression-line.ts'
import { say, SEVERITY_WORDS } from './words.ts'
import { wrapLine } from './wrap.ts'

const INDENT = ' '.repeat(20)

/** One finding: its title with place and grade, what was seen, and with `details` what a reader needs to judge, repair or suppress it. */
export function printFinding(
  finding: ReportFinding,
  { locale, paint, details, rulesUrl, width }: Pick<PrintOptions, 'locale' | 'paint' | 'details' | 'rulesUrl' | 'width'>,
): string[] {
  const place = finding.line === undefined ? '-' : `${finding.line}:${finding.column ?? 1}`
  const severity = paint.severity(finding.severity, SEVERITY_WORDS[locale][finding.severity].padEnd(9))
  const tail = paint.faint(cleanForTerminal(`${finding.ruleId}  ${finding.cwe.join(' ')}`))
  const indented = (text: string): string => wrapLine(INDENT + cleanForTerminal(text), width).join('\n')
  const out = [`  ${place.padStart(7)}  ${severity} ${cleanForTerminal(finding.title)}  ${tail}`, indented(finding.message)]
  const others = listOtherPlaces(finding).map(({ file, line }) => (line === undefined ? file : `${file}:${line}`))
  if (others.length > 0) out.push(paint.faint(indented(say(locale, 'also') + others.join(', '))))
  if (!details) return out
  out.push(...printCodeFrame(finding, paint, INDENT))
  for (const { file, line, message } of finding.flow ?? [])
    out.push(indented(`${say(locale, 'flow')}${file}${line === undefined ? '' : `:${line}`} ${message}`))
  for (const { id, severity, title, url } of finding.advisories ?? [])
    out.push(indented(`${id}  ${SEVERITY_WORDS[locale][severity]}  ${title}  ${url}`))
  if (finding.grade !== undefined) out.push(indented(finding.grade.because))
  out.push(
    indented(say(locale, 'why') + finding.why),
    indented(say(locale, 'fix') + finding.fix),
    paint.faint(indented(say(locale, 'suppress') + suppressionLine(finding, `<${say(locale, 'reason')}>`))),
    paint.faint(indented(ruleUrl(finding.ruleId, finding.docs, { rulesUrl }))),
  )
  return out
}
