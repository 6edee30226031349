import type { Log, Run } from 'sarif'
import { expect, test } from 'vitest'
import { writeSarif } from '../../../core/report/writers/sarif.ts'
import { listFindings } from '../../../core/report/list-findings.ts'
import type { Report } from '../../../core/report/types.ts'
import type { WriterOptions } from '../../../core/report/writers/writer.ts'
import { createFinding, createHostileReport, createReport, HOSTILE, OPTIONS, RULE } from './reports.ts'

function runOf(report: Report, options: Partial<WriterOptions> = {}): Run {
  const log: Log = JSON.parse([...writeSarif(report, { ...OPTIONS, ...options })].join(''))
  expect(log.runs).toHaveLength(1)
  const [run] = log.runs
  if (run === undefined) throw new Error('no run')
  return run
}

test('every finding and every step of its flow is accounted for, the most severe first', () => {
  const report = createReport(Array.from({ length: 10 }, (_, index) => createFinding(index)))
  const { results = [], tool } = runOf(report)
  expect(results.map((result) => result.partialFingerprints?.['parapetFingerprint/v1'])).toEqual(
    listFindings(report).map(({ id }) => id),
  )
  expect(results.map(({ level }) => level)).toEqual([
    ...Array<string>(4).fill('error'),
    ...Array<string>(2).fill('warning'),
    ...Array<string>(4).fill('note'),
  ])
  for (const { ruleIndex = -1, ruleId, codeFlows } of results) {
    expect(tool.driver.rules?.[ruleIndex]?.id).toBe(ruleId)
    expect(codeFlows?.[0]?.threadFlows[0]?.locations.map(({ location }) => location?.message?.text)).toEqual([
      'read from the URL',
      'run',
    ])
  }
})

test('a rule brings its help, its weaknesses as taxa, and the number that code scanning gates by', () => {
  const { tool, taxonomies, results } = runOf(createReport([createFinding(1)]))
  const [rule] = tool.driver.rules ?? []
  expect(rule).toMatchObject({
    id: 'ui5/eval',
    shortDescription: { text: 'Code injection through SINK' },
    helpUri: 'https://example.com/eval',
    defaultConfiguration: { level: 'error' },
    properties: { 'security-severity': '8.0', tags: ['security', 'ui5', 'external/cwe/cwe-095'] },
    relationships: [{ target: { id: '95', index: 0 }, kinds: ['superset'] }],
  })
  expect(rule?.help?.text).toContain('Remove SINK.')
  expect(taxonomies?.[0]?.taxa?.[0]?.id).toBe('95')
  expect(results?.[0]?.taxa).toMatchObject([{ id: '95', index: 0, toolComponent: { name: 'CWE' } }])
  const one = createReport([createFinding(1)])
  expect(runOf(one, { rulesUrl: 'https://docs.example/rules/' }).tool.driver.rules?.[0]?.helpUri).toBe(
    'https://docs.example/rules/ui5/eval',
  )
  expect(runOf(one, { locale: 'fr' }).tool.driver.rules?.[0]?.shortDescription?.text).toBe('Injection de code par SINK')
})

test('a rule has the severity of its worst finding, by which code scanning shows all of them', () => {
  const severityOf = (report: Report): unknown => {
    const [rule] = runOf(report).tool.driver.rules ?? []
    return [rule?.defaultConfiguration?.level, rule?.properties?.['security-severity']]
  }
  const [low, critical, info] = (['LOW', 'CRITICAL', 'INFO'] as const).map((severity, at) => createFinding(at, { severity }))
  if (low === undefined || critical === undefined || info === undefined) throw new Error('no finding')
  expect(severityOf(createReport([low, info]))).toEqual(['note', '2.5'])
  expect(severityOf(createReport([low, critical, info]))).toEqual(['error', '9.5'])
  // without a finding its own
  expect(severityOf(createReport([]))).toEqual(['error', '8.0'])
})

test('a rule that found nothing is listed in short; the weaknesses are those of what is told', () => {
  const quiet = { ...RULE, id: 'cap/quiet', severity: 'LOW' as const, cwe: [1188] }
  const rules = [quiet, RULE]
  const { tool, taxonomies, results } = runOf(createReport([createFinding(1)]), { rules })
  expect(tool.driver.rules).toEqual([
    {
      id: 'cap/quiet',
      shortDescription: { text: 'Code injection through SINK' },
      defaultConfiguration: { level: 'note' },
      properties: { 'security-severity': '2.5' },
    },
    expect.objectContaining({ id: 'ui5/eval', help: expect.anything() }),
  ])
  expect(taxonomies?.[0]?.taxa?.map(({ id }) => id)).toEqual(['95'])
  expect(results?.[0]?.ruleIndex).toBe(1)
  const suppressed = [{ id: 's1', ruleId: 'cap/quiet', file: 'a.js', reason: 'checked before' }]
  const told = runOf(createReport([], { suppressed }), { rules, includeSuppressed: true })
  expect(told.tool.driver.rules?.map(({ help }) => help !== undefined)).toEqual([true, false])
})

test('a finding whose rule is gone describes it itself', () => {
  const { tool, results } = runOf(createReport([createFinding(1, { ruleId: 'cap/gone', cwe: ['CWE-89'] })]))
  expect(tool.driver.rules?.map(({ id }) => id)).toEqual([RULE.id, 'cap/gone'])
  expect(results?.[0]).toMatchObject({ ruleIndex: 1, taxa: [{ id: '89', index: 0 }] })
})

test('places are relative, and a context holds its region', () => {
  const file = 'web app/ä:b/100%#?.js'
  const { results, originalUriBaseIds } = runOf(createReport([createFinding(1, { file, line: 2, endLine: 2 })]))
  const place = results?.[0]?.locations?.[0]?.physicalLocation
  expect(place?.artifactLocation).toEqual({ uri: 'web%20app/%C3%A4%3Ab/100%25%23%3F.js', uriBaseId: '%SRCROOT%' })
  expect(place?.region).toEqual({ startLine: 2, startColumn: 5, endLine: 2, endColumn: 9 })
  expect(place?.contextRegion).toMatchObject({ startLine: 1, endLine: 7 })
  expect(JSON.stringify(originalUriBaseIds)).not.toContain('file:')
})

test('suppressed findings are told only where they are asked for', () => {
  const suppressed = [{ id: 's1', ruleId: 'ui5/eval', file: 'a.js', reason: 'checked before' }]
  expect(runOf(createReport([], { suppressed })).results).toEqual([])
  expect(runOf(createReport([], { suppressed }), { includeSuppressed: true }).results).toMatchObject([
    { ruleIndex: 0, suppressions: [{ kind: 'external', justification: 'checked before' }] },
  ])
})

test('what is left out is told', () => {
  const many = Array.from({ length: 5003 }, (_, index) => createFinding(index, { severity: index < 3 ? 'INFO' : 'LOW' }))
  many.push(createFinding(9999, { severity: 'HIGH', occurrences: Array.from({ length: 1002 }, () => ({ file: 'a', line: 1 })) }))
  const { results, invocations } = runOf(createReport(many))
  expect(results).toHaveLength(5000)
  expect(results?.some(({ properties }) => properties?.['severity'] === 'INFO')).toBe(false)
  expect(results?.[0]?.relatedLocations).toHaveLength(1000)
  expect(invocations?.[0]?.toolExecutionNotifications?.map(({ message }) => message.text)).toEqual([
    'Less severe findings left out, because code scanning takes 5000: 4.',
    expect.stringMatching(/: 2\.$/),
  ])
})

test('an incomplete scan says so, with its notices', () => {
  const notices = [{ code: 'file-too-large', file: 'a b.js', detail: 'too large' }] as const
  expect(runOf(createReport([], { complete: false, notices })).invocations).toMatchObject([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ descriptor: { id: 'file-too-large' }, level: 'warning', message: { text: 'too large' } }],
    },
  ])
})

test('hostile texts stay texts', () => {
  const text = [...writeSarif(createHostileReport(), { ...OPTIONS, includeSuppressed: true })].join('')
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/)
  const log: Log = JSON.parse(text)
  const results = log.runs[0]?.results ?? []
  expect(results).toHaveLength(HOSTILE.length * 3)
  for (const { message } of results) expect(message.text).not.toMatch(/(?<!\\)\]\(|\u202e|\u001b/)
})
