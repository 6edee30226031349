import { describe, expect, test } from 'vitest'
import { compareRuns, wordComparison } from './causes.ts'
import type { FindingLine, ProjectLine } from './lines.ts'

const FINDING: FindingLine = {
  rule: 'cap/path-traversal',
  file: 'srv/files.js',
  line: 4,
  column: 10,
  severity: 'HIGH',
  confidence: 'high',
  id: 'a1',
  shape: 'fs.readFile receives the value.',
  path: ['srv/files.js:2 The request brings the value.', 'srv/files.js:4 fs.readFile receives the value.'],
}

function runOf(projects: Readonly<Record<string, readonly FindingLine[]>>): ReadonlyMap<string, ProjectLine> {
  return new Map(
    Object.entries(projects).map(([name, findings]) => [
      name,
      { name, digest: JSON.stringify(findings), findings: [...findings], notices: [] },
    ]),
  )
}

describe('two runs compared', () => {
  test('no difference is no cause', () => {
    const run = runOf({ shop: [FINDING] })
    expect(compareRuns(run, run)).toEqual({ causes: [], otherwiseDifferent: [], onlyBefore: [], onlyAfter: [] })
  })

  test('findings of one rule that changed in the same way at the same sink are one cause, over projects', () => {
    const before = runOf({ shop: [FINDING, { ...FINDING, line: 9 }], orders: [FINDING] })
    const after = runOf({
      shop: [
        { ...FINDING, severity: 'LOW' },
        { ...FINDING, line: 9, severity: 'LOW' },
      ],
      orders: [],
    })
    const { causes } = compareRuns(before, after)
    expect(causes.map(({ change, places }) => [change, places.length])).toEqual([
      ['HIGH -> LOW', 2],
      ['gone HIGH', 1],
    ])
  })

  test('another path to the same place is told with both paths', () => {
    const after = { ...FINDING, path: ['srv/files.js:1 The query brings the value.', ...FINDING.path.slice(1)] }
    const [cause] = compareRuns(runOf({ shop: [FINDING] }), runOf({ shop: [after] })).causes
    expect(cause?.change).toBe('path')
    expect(cause?.places[0]).toContain('- srv/files.js:2')
    expect(cause?.places[0]).toContain('+ srv/files.js:1')
  })

  test('what is new, another sink and projects that come and go are told apart', () => {
    const other = { ...FINDING, shape: 'res.sendFile receives the value.', line: 7 }
    const comparison = compareRuns(runOf({ shop: [], gone: [] }), runOf({ shop: [FINDING, other], added: [] }))
    expect(comparison.causes.map(({ change }) => change)).toEqual(['new HIGH', 'new HIGH'])
    expect([...comparison.onlyBefore, ...comparison.onlyAfter]).toEqual(['gone', 'added'])
  })

  test('a long list of places is cut short, and says so', () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ ...FINDING, line: index + 1 }))
    const lines = [...wordComparison(compareRuns(runOf({ shop: [] }), runOf({ shop: many })), 5)]
    expect(lines[0]).toMatch(/^8 x cap\/path-traversal/)
    expect(lines.join('\n')).toContain('… 3 more')
  })
})
