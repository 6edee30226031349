import type { Report, ReportFinding } from '../../core/report/types.ts'
import { SEVERITIES } from '../../core/scales.ts'

export const MADE_ID = '01900000-0000-7000-8000-00000000abcd'

const finding = (index: number): ReportFinding => {
  const severity = SEVERITIES[index % 5] ?? 'INFO'
  return {
    id: index.toString(16).padStart(24, '0'),
    ruleId: `ui5/rule-${index % 40}`,
    severity,
    confidence: 'high',
    title: `Finding of rule ${index % 40}`,
    message: `Value number ${index} reaches a sink.`,
    why: 'An attacker can do harm.',
    fix: 'Write something else.',
    cwe: [`CWE-${79 + (index % 7)}`],
    docs: 'https://example.org/docs',
    file: `webapp/folder-${index % 90}/File${index}.controller.js`,
    line: index + 10,
    column: 3,
    endLine: index + 10,
    endColumn: 9,
    snippet: 'one\ntwo\nthree\n  evil(value)\nfive\nsix\nseven',
  }
}

/** A report of any size, with the changes that a test needs. */
export function makeReport(
  findings: number,
  change: (finding: ReportFinding, index: number) => ReportFinding = (one) => one,
): Report {
  const all = Array.from({ length: findings }, (_, index) => change(finding(index), index))
  const count = (severity: string): number => all.filter((one) => one.severity === severity).length
  return {
    scanId: MADE_ID,
    projectName: 'made',
    projectTypes: ['UI5'],
    scannedAt: '2026-11-20T12:00:00.000Z',
    filesScanned: 12,
    riskScore: 80,
    riskLevel: 'CRITICAL',
    summary: {
      critical: count('CRITICAL'),
      high: count('HIGH'),
      medium: count('MEDIUM'),
      low: count('LOW'),
      info: count('INFO'),
      total: all.length,
    },
    complete: true,
    notices: [],
    suppressed: [],
    results: {
      ui5: { findings: all, apps: [] },
      cap: { findings: [], services: [] },
      secrets: { findings: [] },
      btp: { issues: [] },
      npm: { findings: [], packages: [], upgrades: [], advisories: { source: 'bundled', date: '2026-11-01', complete: true } },
      approuter: { findings: [], routes: [] },
    },
  }
}
