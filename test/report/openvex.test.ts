import { expect, test } from 'vitest'
import type { Report, ReportDecision, ReportFinding } from '../../core/report/types.ts'
import { writeOpenVex } from '../../core/report/writers/openvex.ts'
import { writeSbom } from '../../core/report/writers/sbom.ts'

const finding = (id: string, decision?: ReportDecision): ReportFinding => ({
  id,
  ruleId: 'npm/known-vulnerability',
  severity: 'HIGH',
  confidence: 'high',
  ...(decision !== undefined && { decision }),
  title: 'Known vulnerability',
  message: '-',
  why: '-',
  fix: 'Upgrade it.',
  cwe: ['CWE-79'],
  docs: 'https://example.com',
  file: 'package-lock.json',
  package: { name: `@scope/${id}`, version: '1.0.0' },
  advisories: [
    { id: `GHSA-${id}`, aliases: [`CVE-${id}`], severity: 'HIGH', title: '-', url: 'https://example.com', fixedIn: '1.0.1' },
  ],
})

const decision = (state: ReportDecision['state'], expired = false): ReportDecision => ({
  state,
  reason: `because ${state}`,
  by: 'Ada',
  at: '2026-11-20T08:00:00.000Z',
  expired,
  etag: '1-1',
})

const report = (findings: readonly ReportFinding[]): Report => ({
  scanId: '0198c0de-0000-7000-8000-000000000001',
  projectName: 'museum/ü',
  scannedAt: '2026-11-19T08:00:00.000Z',
  riskScore: 1,
  riskLevel: 'LOW',
  summary: { critical: 0, high: findings.length, medium: 0, low: 0, info: 0, total: findings.length },
  projectTypes: [],
  filesScanned: 1,
  complete: true,
  notices: [],
  suppressed: [],
  results: {
    ui5: { findings: [], apps: [] },
    cap: { findings: [], services: [] },
    secrets: { findings: [] },
    btp: { issues: [] },
    npm: { findings, packages: [], upgrades: [], advisories: { source: 'bundled', date: '2026-11-01', complete: true } },
    approuter: { findings: [], routes: [] },
  },
})

const FINDINGS = [
  finding('a', decision('not-affected')),
  finding('b', decision('false-positive')),
  finding('c', decision('accepted')),
  finding('d', decision('will-repair')),
  finding('e', decision('accepted', true)),
  finding('f'),
]

test('OpenVEX: each advisory with its package, and what was decided; one that has expired is open again', () => {
  const document = JSON.parse(writeOpenVex(report(FINDINGS), { version: '0.1.0', now: '2026-11-21T08:00:00.000Z' }))
  expect(document).toMatchObject({ '@context': 'https://openvex.dev/ns/v0.2.0', author: 'Ada', version: 1 })
  expect(document.statements[0]).toEqual({
    vulnerability: { name: 'GHSA-a', aliases: ['CVE-a'] },
    timestamp: '2026-11-20T08:00:00.000Z',
    products: [{ '@id': 'pkg:generic/museum%2F%C3%BC', subcomponents: [{ '@id': 'pkg:npm/%40scope/a@1.0.0' }] }],
    status: 'not_affected',
    impact_statement: 'because not-affected',
  })
  expect(document.statements.map(({ status }: { status: string }) => status)).toEqual([
    'not_affected',
    'not_affected',
    'affected',
    'affected',
    'under_investigation',
    'under_investigation',
  ])
  expect(document.statements[3].action_statement).toBe('because will-repair Upgrade it.')
})

test('CycloneDX: a decision is the analysis of its vulnerability, where it holds for every package', () => {
  const shared = FINDINGS.map((one, index) =>
    index === 2 || index === 5 ? { ...one, advisories: FINDINGS[2]?.advisories ?? [] } : one,
  )
  const read = (findings: readonly ReportFinding[]): unknown[] =>
    JSON.parse([...writeSbom(report(findings), { version: '0.1.0', locale: 'en', rules: [] })].join('')).vulnerabilities.map(
      ({ analysis }: { analysis?: { state: string } }) => analysis?.state,
    )
  expect(read(FINDINGS)).toEqual(['not_affected', 'false_positive', 'exploitable', 'exploitable', undefined, undefined])
  // decided for one of two packages alone
  expect(read(shared)).toEqual(['not_affected', 'false_positive', undefined, 'exploitable', undefined])
})
