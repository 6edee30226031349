import { expect, test } from 'vitest'
import { createWatchedChanges } from '../../adapters/terminal/watched-changes.ts'
import type { Report, ReportNotice } from '../../core/report/types.ts'
import { createFinding, createReport } from '../report/writers/reports.ts'

const UNREAD: ReportNotice = { code: 'file-unreadable', file: 'srv/halls.js', detail: 'The file can’t be parsed.' }

function reportOf(numbers: readonly number[], notices: readonly ReportNotice[] = []): Report {
  const report = createReport(numbers.map((number) => createFinding(number)))
  return { ...report, notices, complete: notices.length === 0 }
}

/** New, unchanged and gone findings of each scan, by their numbers. */
function changesOf(reports: readonly Report[]): readonly string[] {
  const changeOf = createWatchedChanges()
  return reports.map((report) => {
    const { comparison, isCutShort } = changeOf(report)
    if (comparison === undefined) return 'first'
    const counts = [comparison.found, comparison.same, comparison.gone].map((list) => list.map(({ id }) => Number(id)).join())
    return `${counts.join('/')}${isCutShort ? ' cut short' : ''}`
  })
}

test('what is new and what is gone', () => {
  expect(changesOf([reportOf([1, 2]), reportOf([2, 3]), reportOf([2, 3])])).toEqual(['first', '3/2/1', '/2,3/'])
})

test('a file that can’t be read for a while fixes nothing: what it held is neither gone nor new again', () => {
  expect(changesOf([reportOf([1, 2]), reportOf([2], [UNREAD]), reportOf([2, 3], [UNREAD]), reportOf([1, 2, 3])])).toEqual([
    'first',
    '/2/ cut short',
    '3/2/ cut short',
    '/2,3,1/',
  ])
})

test('what is still lacking once the file can be read again is gone', () => {
  expect(changesOf([reportOf([1, 2]), reportOf([2], [UNREAD]), reportOf([2])])).toEqual(['first', '/2/ cut short', '/2/1'])
})

test('a file that could never be read keeps nothing from being gone', () => {
  expect(changesOf([reportOf([1, 2], [UNREAD]), reportOf([2], [UNREAD])])).toEqual(['first', '/2/1'])
})
