import { expect, test } from 'vitest'
import { scanFiles } from '../scan-files.ts'
import { countSeverities, riskLevel, riskScore } from '../../core/report/score.ts'
import type { Finding, Severity } from '../../core/types.ts'

const finding = (ruleId: string, severity: Severity): Finding => ({
  id: '',
  ruleId,
  severity,
  claim: { impact: 'data' },
  confidence: 'high',
  at: { file: 'a' },
  args: {},
})

test.each<[string, Finding[], number, string]>([
  ['nothing', [], 0, 'NONE'],
  ['INFO alone counts nothing', [finding('a/b', 'INFO')], 0, 'NONE'],
  ['one LOW', [finding('a/b', 'LOW')], 2, 'LOW'],
  ['one MEDIUM', [finding('a/b', 'MEDIUM')], 10, 'LOW'],
  ['one HIGH is MEDIUM at least', [finding('a/b', 'HIGH')], 26, 'MEDIUM'],
  ['one CRITICAL is HIGH at least', [finding('a/b', 'CRITICAL')], 55, 'HIGH'],
  ['many of one rule are worth two', Array.from({ length: 50 }, () => finding('a/b', 'HIGH')), 45, 'HIGH'],
  ['many rules of HIGH stay under the cap', Array.from({ length: 50 }, (_, index) => finding(`a/${index}`, 'HIGH')), 74, 'HIGH'],
  ['LOW never gets above LOW', Array.from({ length: 500 }, (_, index) => finding(`a/${index}`, 'LOW')), 19, 'LOW'],
  ['the worst severity of a rule counts for all', [finding('a/b', 'HIGH'), finding('a/b', 'LOW')], 36, 'MEDIUM'],
  [
    'a missing lock file counts like an advisory',
    [{ ...finding('npm/lockfile-missing', 'LOW'), assumes: { severity: 'HIGH', count: 1 } }],
    27,
    'MEDIUM',
  ],
  [
    'or like those that may apply, of which the known ones are a part',
    [
      { ...finding('npm/lockfile-missing', 'LOW'), assumes: { severity: 'CRITICAL', count: 3 } },
      finding('npm/known-vulnerability', 'HIGH'),
    ],
    76,
    'CRITICAL',
  ],
  ['two CRITICAL rules', [finding('a/b', 'CRITICAL'), finding('a/c', 'CRITICAL')], 80, 'CRITICAL'],
])('%s', (_, findings, score, level) => {
  expect(riskScore(findings)).toBe(score)
  expect(riskLevel(score)).toBe(level)
})

test('the total is the sum of the five', () => {
  const counts = countSeverities([
    finding('a/b', 'HIGH'),
    finding('a/b', 'INFO'),
    finding('a/b', 'LOW'),
    finding('a/c', 'CRITICAL'),
  ])
  expect(counts).toEqual({ critical: 1, high: 1, medium: 0, low: 1, info: 1, total: 4 })
})

test('a lock file never makes the score worse than none', async () => {
  const dependencies = { lodash: '^4.17.4', express: '^4.16.0' }
  const manifest = JSON.stringify({ name: 'shop', dependencies })
  const packages = {
    '': { name: 'shop', dependencies },
    'node_modules/lodash': { version: '4.17.4' },
    'node_modules/express': { version: '4.16.0' },
  }
  const lock = JSON.stringify({ name: 'shop', lockfileVersion: 3, packages })
  const files: [string, string][] = [['package.json', manifest]]
  const without = (await scanFiles(new Map(files))).en
  const withOne = (await scanFiles(new Map([...files, ['package-lock.json', lock]]))).en
  expect(withOne.results.npm.findings.map(({ ruleId }) => ruleId)).toContain('npm/known-vulnerability')
  expect(without.results.npm.findings.find(({ ruleId }) => ruleId === 'npm/lockfile-missing')?.assumes).toEqual({
    severity: 'CRITICAL',
    count: 3,
  })
  expect(without.riskScore).toBeGreaterThanOrEqual(withOne.riskScore)
})
