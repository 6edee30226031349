import { expect, test } from 'vitest'
import { listOtherPlaces } from '../../core/report/list-findings.ts'
import { createFinding } from './writers/reports.ts'

test('where else a finding repeats is told once a line, and not for the line of the finding itself', () => {
  const occurrences = [
    { file: 'a.cds', line: 1 },
    { file: 'a.cds', line: 2 },
    { file: 'a.cds', line: 2 },
    { file: 'b.cds', line: 1 },
    { file: 'c.cds' },
  ]
  expect(listOtherPlaces(createFinding(0, { file: 'a.cds', line: 1, occurrences }))).toEqual([
    { file: 'a.cds', line: 2 },
    { file: 'b.cds', line: 1 },
    { file: 'c.cds' },
  ])
  expect(listOtherPlaces(createFinding(0, { file: 'a.cds', line: 1, occurrences: [{ file: 'a.cds', line: 1 }] }))).toEqual([])
  expect(listOtherPlaces(createFinding(0, { occurrences: undefined }))).toEqual([])
})
