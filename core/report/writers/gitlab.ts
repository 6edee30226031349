import type { Severity } from '../../types.ts'
import { toJsonText } from '../json-text.ts'
import { listFindings } from '../list-findings.ts'
import type { Report } from '../types.ts'
import { toLine, toVisible } from './characters.ts'

const SEVERITIES: Readonly<Record<Severity, string>> = {
  CRITICAL: 'blocker',
  HIGH: 'critical',
  MEDIUM: 'major',
  LOW: 'minor',
  INFO: 'info',
}

/** GitLab's code quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format. */
export function* writeGitlab(report: Report): Iterable<string> {
  yield '['
  let separator = ''
  for (const { id, ruleId, severity, message, file, line } of listFindings(report)) {
    yield (
      separator +
        toJsonText({
          description: toLine(message),
          check_name: toLine(ruleId),
          fingerprint: id,
          severity: SEVERITIES[severity],
          location: { path: toVisible(file), lines: { begin: line ?? 1 } },
        })
    )
    separator = ','
  }
  yield ']\n'
}
