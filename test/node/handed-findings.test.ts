import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createHandedFindings, packFindings } from '../../adapters/node/handed-findings.ts'
import { createFindingCollector } from '../../core/report/collect-findings.ts'
import { MAX_FINDINGS } from '../../core/limits.ts'
import type { Finding } from '../../core/types.ts'

function finding(index: number, severity: Finding['severity'] = 'LOW'): Finding {
  const file = `srv/${String(index).padStart(6, '0')}.js`
  return {
    id: `id-${index}`,
    ruleId: 'cap/ssrf',
    severity,
    claim: { impact: 'data' },
    confidence: 'high',
    at: { file, line: 1 },
    args: {},
  }
}

const range = (from: number, to: number): Finding[] => Array.from({ length: to - from }, (_, index) => finding(from + index))

test('what was handed over is what a collector keeps of it', () => {
  const handed = createHandedFindings()
  const collector = createFindingCollector()
  for (const findings of [range(0, 3), [finding(9, 'HIGH')], range(2, 5)]) {
    handed.add(packFindings(findings))
    collector.add(findings)
  }
  expect(handed.kept()).toEqual(collector.kept())
  expect(handed.kept().findings).toHaveLength(6)
})

test('more than a report shows is thinned out, in turns, and counted', async () => {
  const handed = createHandedFindings(MAX_FINDINGS + 1)
  const batches = Array.from({ length: 30 }, (_, index) => range(index * 1000, (index + 1) * 1000))
  for (const findings of batches) {
    handed.add(packFindings(findings))
    await setTimeout(1)
  }
  handed.add(packFindings([finding(99_999, 'CRITICAL')]))
  await setTimeout(50)
  const { findings, leftOut } = handed.kept()
  expect(findings).toHaveLength(MAX_FINDINGS)
  expect(findings[0]).toMatchObject({ id: 'id-99999', severity: 'CRITICAL' })
  expect(findings.at(-1)).toMatchObject({ id: `id-${MAX_FINDINGS - 2}` })
  expect(leftOut).toEqual({ findings: 30_001 - MAX_FINDINGS, suppressed: 0, places: 0 })
})

test('what is added while others are read stays', async () => {
  const handed = createHandedFindings(10)
  handed.add(packFindings(range(0, 8)))
  handed.add(packFindings(range(8, 16)))
  handed.add(packFindings([finding(50, 'HIGH')]))
  const ids = (): (string | undefined)[] => handed.kept().findings.map(({ id }) => id)
  const before = ids()
  await setTimeout(20)
  expect(before).toHaveLength(17)
  expect(ids()).toEqual(before)
})
