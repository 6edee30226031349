import { expect, test } from 'vitest'
import { MAX_FINDINGS, MAX_OCCURRENCES } from '../../core/limits.ts'
import { createMatchCollector } from '../../core/report/collect-matches.ts'
import type { PendingMatch, Severity } from '../../core/types.ts'

const severityOf = ({ match }: PendingMatch): Severity => match.advisory ?? 'HIGH'
const MOST = MAX_FINDINGS + MAX_OCCURRENCES

function matchIn(file: number, index: number, severity: Severity = 'HIGH', secret?: string): PendingMatch {
  const at = { file: `${file}.js`, span: { start: index * 2, end: index * 2 + 1 } }
  return { ruleId: 'ui5/eval', match: { at, advisory: severity, ...(secret !== undefined && { secret }) } }
}

/** A hundred in each file, as many as one file may have. */
function* matchesIn(files: number, severity: Severity): Iterable<PendingMatch> {
  for (let file = 0; file < files; file++) for (let index = 0; index < 100; index++) yield matchIn(file, index, severity)
}

test('of more matches than a report shows the most severe stay, then the first ones; each of the others counts once', () => {
  const collector = createMatchCollector(severityOf, () => false)
  for (const match of matchesIn(900, 'LOW')) collector.add(match)
  for (const match of matchesIn(900, 'LOW')) collector.add(match)
  collector.add(matchIn(2000, 1, 'LOW', 'a credential'))
  collector.add(matchIn(2000, 2, 'CRITICAL'))
  const { matches, notices, left } = collector.take()
  expect(notices).toEqual([])
  expect(left).toBe(90_001 - MOST)
  expect(matches.length).toBe(MOST + 1)
  expect(matches.slice(0, -2)).toEqual([...matchesIn(900, 'LOW')].slice(0, MOST - 1))
  expect(matches.slice(-2)).toEqual([matchIn(2000, 1, 'LOW', 'a credential'), matchIn(2000, 2, 'CRITICAL')])
})

test('as many as a report shows all stay', () => {
  const collector = createMatchCollector(severityOf, () => false)
  for (const match of matchesIn(MOST / 100, 'LOW')) collector.add(match)
  expect(collector.take()).toEqual({ matches: [...matchesIn(MOST / 100, 'LOW')], notices: [], left: 0 })
})
