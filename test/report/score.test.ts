import { expect, test } from 'vitest'
import { countSeverities, riskLevel, riskScore } from '../../core/report/score.ts'
import type { Finding, Severity } from '../../core/types.ts'

const finding = (ruleId: string, severity: Severity): Finding => ({
  id: '',
  ruleId,
  severity,
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
