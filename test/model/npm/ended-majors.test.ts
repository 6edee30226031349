import { expect, test } from 'vitest'
import { endedMajorOf } from '../../../core/model/npm/index.ts'

/** 1 and 2 have ended. */
const lastDayOf = (major: number): string | undefined => (major <= 2 ? `202${major}-06-30` : undefined)

test.each([
  ['1.4.0', '2026-11-20', 1],
  ['^1 || ^2', '2026-11-20', 2],
  ['^2', '2022-06-30', undefined],
  ['^2', '2022-07-01T08:00:00Z', 2],
  ['>=1', '2026-11-20', undefined],
  ['^3', '2026-11-20', undefined],
  ['2.0.0-rc.1', '2026-11-20', undefined],
  ['>=1.1.0 <2.0.0', '2026-11-20', 1],
  ['^2.0.0-rc.1', '2026-11-20', 2],
  ['<3.0.0', '2026-11-20', 2],
  ['latest', '2026-11-20', undefined],
  ['>=41', '2026-11-20', undefined],
  ['1 '.repeat(500), '2026-11-20', undefined],
])('%j on %s', (range, day, major) => {
  expect(endedMajorOf(range, day, lastDayOf)?.major).toBe(major)
})
