import { expect, test } from 'vitest'
import { isKnownFinding } from '../../core/report/known-findings.ts'
import { createFinding } from './writers/reports.ts'

const advisories = ['GHSA-1', 'GHSA-2'].map(
  (id) => ({ id, aliases: [], severity: 'HIGH', title: 't', url: 'https://example.com' }) as const,
)

test.each([
  ['its own id', { id: 'now' }, ['now'], true],
  ['another id', { id: 'now' }, ['then'], false],
  ['an id that it had before its rule was renamed', { id: 'now', formerIds: ['before', 'then'] }, ['then'], true],
  ['no id that it ever had', { id: 'now', formerIds: ['then'] }, ['other'], false],
  ['every finding that it stands for', { id: 'now', formerIds: ['a', 'b'], advisories }, ['a', 'b'], true],
  [
    'one of the findings that it stands for: the other advisory is new',
    { id: 'now', formerIds: ['a', 'b'], advisories },
    ['a'],
    false,
  ],
])('a baseline that has %s', (_, changes, known, expected) => {
  expect(isKnownFinding(createFinding(1, changes), new Set(known))).toBe(expected)
})
