import { groupBy } from '../../lists.ts'
import { listFindings } from '../list-findings.ts'
import type { Report, ReportFinding } from '../types.ts'
import { escapeMarkup, toLine } from './characters.ts'
import { say } from './words.ts'
import type { WriterOptions } from './writer.ts'

/** JUnit XML as Jenkins, Azure and GitLab read it: each finding is a failed test of its file, an incomplete scan an error. */
export function* writeJunit(report: Report, { locale, selection }: WriterOptions): Iterable<string> {
  const findings = listFindings(report)
  const errors = report.complete ? 0 : 1
  const failures = findings.length
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="parapet" tests="${failures + 1}" failures="${failures}" errors="${errors}">\n`
  // a suite that can pass: without any test a build server takes the file for broken
  const notices = report.notices.map(({ file, detail }) => toLine(file === undefined ? detail : `${file}: ${detail}`))
  const told = selection === undefined ? [] : [toLine(selection.remark)]
  yield `  <testsuite${attributes({ name: 'parapet', tests: 1, failures: 0, errors, timestamp: report.scannedAt.slice(0, 19) })}>\n`
  yield `    <testcase${attributes({ classname: 'parapet', name: toLine(report.projectName) })}>`
  if (errors > 0) yield `<error${attributes({ message: say(locale, 'incomplete'), type: 'incomplete' })}/>`
  yield `<system-out>${escapeMarkup([...told, ...notices].join('\n'))}</system-out></testcase>\n  </testsuite>\n`
  for (const [file, group] of groupBy(findings, (finding) => finding.file)) {
    yield `  <testsuite${attributes({ name: toLine(file), tests: group.length, failures: group.length, errors: 0 })}>\n`
    for (const finding of group) yield toTestCase(finding, locale)
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

function toTestCase(finding: ReportFinding, locale: WriterOptions['locale']): string {
  const { id, ruleId, severity, title, message, why, fix, file, line, column } = finding
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
  const details = [place, message, `${say(locale, 'why')}: ${why}`, `${say(locale, 'fix')}: ${fix}`].map((text) => toLine(text))
  const test = attributes({ classname: toLine(ruleId), name: `${toLine(title)} (${line ?? '-'}) [${toLine(id)}]` })
  const failure = attributes({ message: toLine(message), type: severity })
  return `    <testcase${test}><failure${failure}>${escapeMarkup(details.join('\n'))}</failure></testcase>\n`
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`)
    .join('')
}
