import type { Report, ReportFinding } from '../../../core/report/types.ts'
import type { RuleFacts, WriterOptions } from '../../../core/report/writers/writer.ts'
import { SEVERITIES } from '../../../core/scales.ts'

/** What a project may put into names, messages and code to fool whoever reads a report. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</textarea></script><!--',
  "' onmouseover='alert(1)",
  ']]><x/>&lt;&#x3c;',
  '[click](javascript:alert(1)) ![i](http://127.0.0.1:9/p.png)',
  '| a | b |\n|---|---|\n# head\n```\n',
  '@everyone https://example.com www.example.com <https://example.com>',
  '\u202egnp.exe\u2066 \u200b\ufeff\u2028',
  '\u001b[31mred\u001b]0;title\u0007\u009b2J\u0000\u0008',
  '\r\n::error file=a::injected\r\n##vso[task.complete]',
  '\ud800 half \udc00 \uffff\ufffe',
  '=cmd|calc!A1 %s {0} {{x}} ${y} $(z)',
  'C:\\a\\..\\b ../../etc/passwd //host/share javascript:x',
  'x'.repeat(10_000),
]

export const RULE: RuleFacts = {
  id: 'ui5/eval',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [95],
  docs: 'https://example.com/eval',
  text: () => ({
    en: {
      title: 'Code injection through {sink}',
      message: '{part} is run',
      why: 'An attacker runs code.',
      fix: 'Remove {sink}.',
    },
    fr: { title: 'Injection de code par {sink}', message: '{part} est exécuté', why: 'Du code.', fix: 'Supprimez {sink}.' },
  }),
}

export const OPTIONS: WriterOptions = { locale: 'en', rules: [RULE], version: '1.2.3' }

export function createFinding(index: number, changes: Partial<ReportFinding> = {}): ReportFinding {
  return {
    id: index.toString(16).padStart(24, '0'),
    ruleId: RULE.id,
    severity: SEVERITIES[index % SEVERITIES.length] ?? 'INFO',
    confidence: 'high',
    title: 'Code injection through eval',
    message: `value ${index} is run`,
    why: 'An attacker runs code.',
    fix: 'Remove eval.',
    cwe: ['CWE-95'],
    docs: RULE.docs,
    file: `webapp/controller/C${index % 50}.controller.js`,
    line: 10 + index,
    column: 5,
    endLine: 10 + index,
    endColumn: 9,
    snippet: Array.from({ length: 7 }, (_, line) => `    eval(value${line}) // line ${line}`).join('\n'),
    flow: [
      { file: 'webapp/Component.js', line: 3, column: 1, message: 'read from the URL' },
      { file: 'webapp/Component.js', line: 10 + index, column: 5, message: 'run' },
    ],
    ...changes,
  }
}

/** A report about these findings, all of the area ui5. */
export function createReport(findings: readonly ReportFinding[], changes: Partial<Report> = {}): Report {
  const of = (severity: string): number => findings.filter((finding) => finding.severity === severity).length
  return {
    scanId: '01900000-0000-7000-8000-000000000000',
    projectName: 'shop',
    scannedAt: '2026-11-20T08:00:00.000Z',
    riskScore: 61,
    riskLevel: 'HIGH',
    summary: {
      critical: of('CRITICAL'),
      high: of('HIGH'),
      medium: of('MEDIUM'),
      low: of('LOW'),
      info: of('INFO'),
      total: findings.length,
    },
    projectTypes: ['UI5', 'CAP'],
    filesScanned: 42,
    complete: true,
    notices: [],
    suppressed: [],
    results: {
      ui5: { findings, apps: [] },
      cap: { findings: [], services: [] },
      secrets: { findings: [] },
      btp: { issues: [] },
      npm: { findings: [], packages: [], upgrades: [], advisories: { source: 'bundled', date: '2026-11-01', complete: true } },
      approuter: { findings: [], routes: [] },
    },
    ...changes,
  }
}

/** A report in which every text of the project is hostile. */
export function createHostileReport(): Report {
  const findings = HOSTILE.flatMap((text, index) => [
    createFinding(2 * index, {
      title: text,
      message: text,
      why: text,
      fix: text,
      file: `webapp/${text}.js`,
      snippet: text,
      flow: [{ file: text, message: text }],
      occurrences: [{ file: text, line: 1 }, { file: text }],
    }),
    createFinding(2 * index + 1, { file: text, line: undefined, column: undefined, endLine: undefined, endColumn: undefined }),
  ])
  const notices = HOSTILE.map((text) => ({ code: 'file-unreadable', file: text, detail: text }) as const)
  const suppressed = HOSTILE.map((text, index) => ({ id: `s${index}`, ruleId: text, file: text, reason: text }))
  const report = createReport(findings, { projectName: HOSTILE.join(' '), complete: false, notices, suppressed })
  const packages = HOSTILE.map((text, index) => ({ name: text, version: text, path: `a > ${text}`, scope: SCOPES[index % 3] }))
  return { ...report, results: { ...report.results, npm: { ...report.results.npm, packages } } }
}

const SCOPES = ['production', 'development', undefined] as const
