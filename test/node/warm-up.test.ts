import { expect, test } from 'vitest'
import { scanSample } from '../../adapters/node/warm-up.ts'
import { createEngine } from '../../core/engine.ts'
import { RULES } from '../../core/rules/index.ts'

test('the sample has something for every part of a scan', async () => {
  const faults: unknown[] = []
  const { records, entry } = await scanSample(createEngine(RULES), (fault) => faults.push(fault))
  const report: { projectTypes: string[]; notices: unknown[]; sections: unknown } = JSON.parse(
    new TextDecoder().decode(records.en),
  )
  expect(faults).toEqual([])
  expect(report.notices).toEqual([])
  expect(report.projectTypes).toEqual(['UI5', 'CAP'])
  expect(entry.summary.total).toBeGreaterThan(5)
  for (const area of ['cap', 'ui5', 'npm', 'approuter', 'btp']) expect(JSON.stringify(report)).toContain(`"${area}/`)
})
