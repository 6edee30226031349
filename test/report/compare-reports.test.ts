import { describe, expect, test } from 'vitest'
import { compareReports } from '../../core/report/compare-reports.ts'
import { wordLevelChange } from '../../core/report/comparison-words.ts'
import { pluralForm } from '../../core/report/plural-form.ts'
import type { Report, ReportFinding, ReportGrade } from '../../core/report/types.ts'
import { createFinding, createReport } from './writers/reports.ts'

const GRADE: ReportGrade = { impact: 'data', reach: 'user', usage: 'deployed', evidence: 'shown', because: 'because' }
const report = (findings: readonly ReportFinding[], scannerVersion?: string): Report =>
  createReport(findings, { ...(scannerVersion !== undefined && { scannerVersion }) })
const affected = (version: string, ids: readonly string[], changes: Partial<ReportFinding> = {}): ReportFinding =>
  createFinding(1, {
    id: `lodash ${version}`,
    file: 'package-lock.json',
    package: { name: 'lodash', version },
    advisories: ids.map((id) => ({ id, aliases: [], severity: 'HIGH', title: id, url: 'https://example.com' })),
    ...changes,
  })

test('what is new, gone and the same, by ids of now and before', () => {
  const before = report([1, 2, 3].map((index) => createFinding(index)))
  const after = report([createFinding(2), createFinding(9, { formerIds: [createFinding(3).id] }), createFinding(4)])
  const { found, gone, same } = compareReports(before, after)
  expect([found, gone, same].map((findings) => findings.map(({ id }) => Number.parseInt(id, 16)))).toEqual([[4], [1], [2, 9]])
})

test('an incomplete later report fixes nothing, and tells what it lacks', () => {
  const before = report([
    createFinding(1),
    createFinding(2),
    affected('1.0.0', ['A']),
    affected('2.0.0', ['B'], { id: 'other', file: 'b/package-lock.json' }),
  ])
  const after = createReport([createFinding(2), affected('1.0.0', [])], { complete: false })
  const { gone, unseen, packages } = compareReports(before, after)
  expect([gone, unseen].map((findings) => findings.map(({ id }) => id))).toEqual([[], ['other', createFinding(1).id]])
  expect(packages).toEqual([])
  expect(compareReports(before, { ...after, complete: true })).toMatchObject({
    gone: [{ id: 'other' }, { id: createFinding(1).id }],
    unseen: [],
  })
})

describe('a severity that changed', () => {
  const changeOf = (one: Partial<ReportFinding>, other: Partial<ReportFinding>, versions = ['1.0.0', '1.0.0']): string => {
    const [before, after] = [one, other].map((changes, index) =>
      report([createFinding(1, { severity: 'LOW', grade: GRADE, ...changes })], versions[index]),
    )
    const [level] = compareReports(before ?? report([]), after ?? report([])).levels
    return level === undefined ? '' : `${level.before.severity} ${level.after.severity} ${wordLevelChange(level, 'en')}`
  }

  test('because of the code, of another version, of what is published', () => {
    const worse = { severity: 'HIGH', grade: { ...GRADE, reach: 'anyone', evidence: 'assumed' } } as const
    expect(changeOf({}, worse)).toBe(
      'LOW HIGH the code changed (who can start it: any user → anyone; evidence: shown by the project → one link assumed)',
    )
    expect(changeOf({}, worse, ['1.0.0', '1.1.0'])).toMatch(/^LOW HIGH another version of Parapet \(who can start it: /)
    expect(changeOf({ grade: undefined }, worse, ['', '1.1.0'])).toBe('LOW HIGH another version of Parapet')
    expect(changeOf({}, { severity: 'HIGH', advisories: affected('1.0.0', ['A']).advisories })).toBe(
      'LOW HIGH what is published about the package changed',
    )
    expect(changeOf({}, { grade: { ...GRADE, reach: 'anyone' } })).toBe('')
  })
})

test('advisories by package: versions that moved, what is new, what is fixed', () => {
  const before = report([
    affected('1.0.0', ['A', 'B']),
    affected('3.0.0', ['C'], { package: { name: 'qs', version: '3.0.0' }, id: 'qs' }),
  ])
  const after = report([
    affected('1.1.0', ['B', 'D']),
    affected('3.0.0', ['C'], { package: { name: 'qs', version: '3.0.0' }, id: 'qs' }),
  ])
  const [change, ...others] = compareReports(before, after).packages
  expect(others).toEqual([])
  expect({ ...change, found: change?.found.map(({ id }) => id), fixed: change?.fixed.map(({ id }) => id) }).toEqual({
    name: 'lodash',
    file: 'package-lock.json',
    before: ['1.0.0'],
    after: ['1.1.0'],
    found: ['D'],
    fixed: ['A'],
    unchanged: 1,
  })
})

test('the form that a number asks for: none is one in French', () => {
  const form = (number: number | undefined, locale: 'en' | 'fr'): string => pluralForm('one|other', number, locale)
  expect([0, 1, 2].map((number) => [form(number, 'en'), form(number, 'fr')])).toEqual([
    ['other', 'one'],
    ['one', 'one'],
    ['other', 'other'],
  ])
  expect([form(undefined, 'en'), pluralForm('all', 1, 'en')]).toEqual(['other', 'all'])
})
