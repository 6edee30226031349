import { expect, test } from 'vitest'
import { endedNodeOf, NODE_TARGET, toNodeRange } from '../../../core/model/npm/index.ts'

test.each([
  ['18.x', '2026-11-20', 18],
  ['18.x || 20.x', '2026-11-20', 20],
  ['^18 || ^22', '2026-11-20', undefined],
  ['>=18', '2026-11-20', undefined],
  ['>=18 <21', '2026-11-20', 20],
  ['25', '2026-06-01', undefined],
  ['25', '2026-06-02', 25],
  ['0.12', '2026-11-20', 0],
  ['3', '2026-11-20', 3],
  ['26', '2030-01-01', undefined],
  ['*', '2026-11-20', undefined],
  ['', '2026-11-20', undefined],
  ['eighteen', '2026-11-20', undefined],
  ['1 '.repeat(500), '2026-11-20', undefined],
])('%j on %s', (range, day, major) => {
  expect(endedNodeOf(range, day)?.major).toBe(major)
})

test.each([
  ['v18.17.0', '18.17.0'],
  ['18', '18'],
  ['18.x', '18'],
  ['18-alpine', '18'],
  ['18.20.1-bookworm-slim', '18.20.1'],
  ['lts/hydrogen', '18'],
  ['hydrogen-slim', '18'],
  ['lts/*', undefined],
  ['lts', undefined],
  ['current-alpine', undefined],
  ['', undefined],
  ['1.2.3.4', undefined],
])('%j is a range', (version, range) => {
  expect(toNodeRange(version)).toBe(range)
})

test('advice names a line with long-term support that is maintained', () => {
  expect(Number(NODE_TARGET) % 2).toBe(0)
  expect(endedNodeOf(NODE_TARGET, new Date().toISOString())).toBeUndefined()
  expect(endedNodeOf(String(Number(NODE_TARGET) - 4), '2027-01-01')).toBeDefined()
})
