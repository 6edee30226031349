import { expect, test } from 'vitest'
import { createPainter } from '../../adapters/terminal/paint.ts'
import { printReport, type PrintOptions } from '../../adapters/terminal/print-report.ts'
import { printComparison } from '../../adapters/terminal/print-comparison.ts'
import { createProgress } from '../../adapters/terminal/progress.ts'
import { suppressionLine } from '../../adapters/terminal/suppression-line.ts'
import { compareReports } from '../../core/report/compare-reports.ts'
import { selectFindings } from '../../core/report/select-findings.ts'
import type { Report, ReportFinding, ReportPackage } from '../../core/report/types.ts'
import { createFinding, createHostileReport, createReport } from '../report/writers/reports.ts'

const PLAIN: PrintOptions = { locale: 'en', paint: createPainter({}, {}), details: false, quiet: false, failOn: undefined }

function advisory(index: number, name: string, to: string | undefined, changes: Partial<ReportFinding> = {}): ReportFinding {
  return createFinding(index, {
    ruleId: 'npm/known-vulnerability',
    severity: 'HIGH',
    file: 'package-lock.json',
    flow: undefined,
    package: { name, version: '1.0.0' },
    advisories: [1, 2].map((number) => ({
      id: `GHSA-${index}-${number}`,
      aliases: [],
      severity: 'HIGH',
      title: `flaw ${number} of ${name}`,
      url: 'https://example.com',
    })),
    ...(to !== undefined && { upgrade: { package: name, from: '1.0.0', to, direct: true, breaking: !to.startsWith('1.') } }),
    ...changes,
  })
}

/** A report whose findings are of the area npm, as the engine would sum them. */
function createNpmReport(findings: readonly ReportFinding[], packages: readonly ReportPackage[] = []): Report {
  const report = createReport([])
  const { npm } = report.results
  return selectFindings({ ...report, results: { ...report.results, npm: { ...npm, findings, packages } } }, () => true)
}

test('begins with what to repair first: at most three, one of each rule', () => {
  const findings = ['a', 'a', 'b', 'c', 'd'].map((rule, index) =>
    createFinding(index, { ruleId: `ui5/${rule}`, title: `title of ${rule}`, severity: 'HIGH' }),
  )
  const text = printReport(createReport(findings), PLAIN)
  const first = text.slice(text.indexOf('Repair first'), text.indexOf('\n\nwebapp'))
  expect([...first.matchAll(/title of (\w)/g)].map(([, rule]) => rule)).toEqual(['a', 'b', 'c'])
  expect(first).toContain('fix: Remove eval.')
  expect(printReport(createReport(findings.slice(0, 3)), PLAIN)).not.toContain('Repair first')
  expect(printReport(createReport(findings.map((finding) => ({ ...finding, severity: 'LOW' }))), PLAIN)).not.toContain(
    'Repair first',
  )
})

test('a comparison counts what is new, unless the report on the same terminal does', () => {
  const [one, other] = [createReport([createFinding(1)]), createReport([createFinding(1), createFinding(2)])]
  const comparison = compareReports(one, other)
  expect(printComparison(comparison, PLAIN)).toBe('New: 1 · Fixed: 0 · Unchanged: 1\n')
  expect(printComparison(comparison, { ...PLAIN, isToldBelow: true })).toBe('')
})

test('services that are graded lower for their demonstration data are named', () => {
  const report = createReport([createFinding(1)])
  const services = ['Books', 'Admin', 'Own'].map((name) => ({
    name,
    file: 'srv/a.cds',
    line: 1,
    path: `/${name}`,
    access: 'anyone',
    entities: [],
    exposure: { reach: 'anyone' as const, ...(name !== 'Own' && { demo: true as const }) },
  }))
  const withCap = (some: typeof services): Report => ({
    ...report,
    results: { ...report.results, cap: { findings: [createFinding(2)], services: some } },
  })
  const text = printReport(withCap(services), PLAIN)
  expect(text).toContain('Graded lower, as their data are for demonstration alone: the services Books, Admin.')
  expect(printReport(withCap(services.slice(0, 1)), { ...PLAIN, locale: 'fr' })).toContain(': le service Books.')
  for (const other of [printReport(withCap(services.slice(2)), PLAIN), printReport(withCap(services), { ...PLAIN, quiet: true })])
    expect(other).not.toContain('Graded lower')
})

test('totals take the plural of the language', () => {
  const of = (...severities: readonly ReportFinding['severity'][]): Report =>
    createReport(severities.map((severity, index) => createFinding(index, { severity })))
  const total = (report: Report, locale: 'en' | 'fr'): string =>
    printReport(report, { ...PLAIN, locale, quiet: true })
      .split('\n')
      .at(-2) ?? ''
  expect(total(of('CRITICAL', 'CRITICAL', 'HIGH', 'INFO', 'INFO'), 'fr')).toBe('2 critiques, 1 élevée, 2 info')
  expect(total(of('MEDIUM', 'MEDIUM', 'LOW', 'LOW'), 'fr')).toBe('2 moyennes, 2 faibles')
  expect(total(of('MEDIUM', 'MEDIUM'), 'en')).toBe('2 medium')
})

test('the file with the worst finding comes first', () => {
  const text = printReport(
    createReport([
      createFinding(1, { file: 'a.js', severity: 'LOW' }),
      createFinding(2, { file: 'z.js', severity: 'CRITICAL' }),
      createFinding(3, { file: 'm.js', severity: 'HIGH' }),
    ]),
    PLAIN,
  )
  expect([...text.matchAll(/^([azm])\.js$/gm)].map(([, name]) => name)).toEqual(['z', 'm', 'a'])
})

test('the findings of a file are under one heading, the most severe first', () => {
  const text = printReport(
    createReport([
      createFinding(1, { file: 'a.js', severity: 'HIGH', title: 'first' }),
      createFinding(2, { file: 'b.js', severity: 'MEDIUM', title: 'second' }),
      createFinding(3, { file: 'a.js', severity: 'LOW', title: 'third' }),
    ]),
    PLAIN,
  )
  expect([...text.matchAll(/first|second|third|^[ab]\.js$/gm)].map(([found]) => found)).toEqual([
    'a.js',
    'first',
    'third',
    'b.js',
    'second',
  ])
})

test('advisories are summed by the package to move, and listed with details', () => {
  const below = { upgrade: { package: 'express', from: '4.16.0', direct: true, breaking: true } }
  const findings = [
    advisory(1, 'qs', '1.2.10'),
    advisory(2, 'qs', '1.10.3', { package: { name: 'qs', version: '1.9.0' } }),
    advisory(3, 'lost', undefined),
    advisory(4, 'old', '2.0.0', { severity: 'MEDIUM' }),
    advisory(5, 'send', undefined, below),
    advisory(6, 'dev', '2.0.0'),
  ]
  const whole = createNpmReport(findings, [{ name: 'dev', version: '1.0.0', scope: 'development' }])
  const text = printReport(whole, PLAIN)
  const [, ...lines] = text.slice(text.indexOf('Upgrades')).split('\n')
  expect(text).toContain('Upgrades: 12 advisories in 6 packages; upgrading 4 direct dependencies repairs 10.')
  expect(lines.slice(0, 5)).toEqual([
    '  high      qs 1.0.0 to 1.10.3 or later: 4 advisories, the most severe: flaw 1 of qs',
    '  high      lost 1.0.0, without a fixed version: 2 advisories, the most severe: flaw 1 of lost',
    '  high      express 4.16.0 to a release that no longer requires these versions of send: 2 advisories, the most severe: flaw 1 of send',
    '  medium    old 1.0.0 to 2.0.0 or later, a major step: 2 advisories, the most severe: flaw 1 of old',
    '  For development only: 2 advisories in 1 package.',
  ])
  expect(text).not.toContain('package-lock.json\n')
  expect(text).toContain('5 high')
  const listed = printReport(whole, { ...PLAIN, details: true })
  for (const index of findings.keys()) expect(listed).toContain(`value ${index + 1} is run`)
  expect(listed).toContain('GHSA-5-2  high  flaw 2 of send  https://example.com')
  expect(listed).toContain('suppress: parapet.config.json: {"suppress":[{"id":"000000000000000000000005"')
  const again = findings.map((finding, index) => ({ ...finding, id: `again ${index}`, file: 'app/package-lock.json' }))
  const twice = printReport(createNpmReport([...findings, ...again], whole.results.npm.packages), PLAIN)
  expect(twice).toContain('Upgrades: 12 advisories in 6 packages; upgrading 4 direct dependencies repairs 10.')
  expect(twice.slice(twice.indexOf('Upgrades')).split('\n').slice(1, 6)).toEqual(lines.slice(0, 5))
  expect(printReport(whole, { ...PLAIN, locale: 'fr' })).toContain(
    'Mises à niveau : 12 avis de sécurité dans 6 paquets ; mettre à niveau 4 dépendances directes en corrige 10.',
  )
  expect(printReport(whole, { ...PLAIN, locale: 'fr' })).toContain(
    'qs 1.0.0 vers 1.10.3 ou plus récent : 4 avis de sécurité, le plus grave : flaw 1 of qs',
  )
})

test('details name the page of the rule, where it is published', () => {
  const options = { ...PLAIN, details: true }
  expect(printReport(createReport([createFinding(1)]), options)).toContain('https://example.com/eval\n')
  expect(printReport(createReport([createFinding(1)]), { ...options, rulesUrl: 'https://r.example/' })).toContain(
    'https://r.example/ui5/eval\n',
  )
})

test('says what was left out, and why it fails', () => {
  const suppressed = [{ id: 's', ruleId: 'ui5/eval', file: 'a.js', reason: 'r' }]
  const text = printReport(createReport([createFinding(1)], { suppressed }), {
    ...PLAIN,
    failOn: 'HIGH',
    selection: { total: 8, inBaseline: 4, onUnchangedLines: 2 },
  })
  expect(text).toContain('1 high (1 suppressed, 4 in the baseline, 2 on unchanged lines)')
  expect(text).toContain('Failing: 1 finding at or above "high".')
})

test.each(['en', 'fr'] as const)('hostile texts do nothing on a terminal or in a build log (%s)', (locale) => {
  const text = printReport(createHostileReport(), { ...PLAIN, locale, details: true })
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/)
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toMatch(/^\s*::/m)
  expect(text).not.toMatch(/##(?:vso)?\[/i)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(5000)
})

test.each([
  ['webapp/a.controller.js', 3, '// parapet-disable-next-line ui5/eval -- why'],
  ['srv/a.cds', 3, '// parapet-disable-next-line ui5/eval -- why'],
  ['webapp/a.view.xml', 3, '<!-- parapet-disable-next-line ui5/eval -- why -->'],
  ['mta.yaml', 3, '# parapet-disable-next-line ui5/eval -- why'],
  ['Dockerfile', 3, '# parapet-disable-next-line ui5/eval -- why'],
  ['xs-app.json', 3, 'parapet.config.json: {"suppress":[{"id":"000000000000000000000001","reason":"why"}]}'],
  ['a.js', undefined, 'parapet.config.json: {"suppress":[{"id":"000000000000000000000001","reason":"why"}]}'],
])('how to suppress a finding in %s:%s', (file, line, wanted) => {
  expect(suppressionLine(createFinding(1, { file, line }), 'why')).toBe(wanted)
})

test('progress is one line on a terminal, and nothing elsewhere', () => {
  const show = (isTTY: boolean, environment: Record<string, string>): string => {
    let written = ''
    let time = 0
    const stream = { isTTY, write: (text: string) => (written += text) }
    const progress = createProgress(stream, environment, 'fr', () => time)
    for (const done of [1, 2, 3]) progress.show({ phase: 'reading', done, total: 3 })
    time = 200
    progress.show({ phase: 'reading', done: 4, total: 5 })
    progress.clear()
    return written
  }
  expect(show(true, {})).toBe('\r\u001b[2KLecture de 1 fichiers sur 3\r\u001b[2KLecture de 4 fichiers sur 5\r\u001b[2K')
  expect([show(false, {}), show(true, { CI: 'true' }), show(true, { TERM: 'dumb' })]).toEqual(['', '', ''])
})

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
  [{ isTTY: false }, {}, false],
  [{ isTTY: false }, { FORCE_COLOR: '1' }, true],
])('colours on %j with %j: %s', (stream, environment, wanted) => {
  expect(createPainter(stream, environment).strong('x') !== 'x').toBe(wanted)
})

test('a folder that holds no project and no finding is told, so that a wrong one does not pass for a good one', () => {
  const empty = { ...createReport([]), projectTypes: [] }
  expect(printReport(empty, PLAIN)).toMatch(
    /^No SAP UI5 or CAP project found\. Parapet looks for manifest\.json, .+ Is it the folder that you meant\?$/m,
  )
  expect(printReport(empty, { ...PLAIN, quiet: true, locale: 'fr' })).toContain('le dossier voulu ?')
  expect(printReport({ ...empty, projectTypes: ['CAP'] }, PLAIN)).not.toContain('folder that you meant')
  expect(printReport({ ...createReport([createFinding(1)]), projectTypes: [] }, PLAIN)).not.toContain('folder that you meant')
})
