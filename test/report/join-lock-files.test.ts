import { expect, test } from 'vitest'
import { createFindingCollector, type SortedFindings } from '../../core/report/collect-findings.ts'
import { isKnownFinding } from '../../core/report/known-findings.ts'
import type { ReportFinding } from '../../core/report/types.ts'
import type { Finding } from '../../core/types.ts'

function inLock(folder: string, changes: Partial<Finding> = {}): Finding {
  return {
    id: `id of ${folder}`,
    ruleId: 'npm/known-vulnerability',
    severity: 'LOW',
    claim: { impact: 'hygiene' },
    confidence: 'high',
    at: { file: `${folder}/package-lock.json` },
    args: { package: 'markdown-tool', path: `${folder} > markdown-tool` },
    acrossFiles: 'markdown-tool@1.2.0',
    ...changes,
  }
}

function sort(findings: readonly Finding[], ...ids: readonly string[]): SortedFindings {
  const suppressions = ids.map((id) => ({ id, reason: 'a tool of development' }))
  const collector = createFindingCollector({ suppressions })
  collector.add(findings)
  return collector.sorted()
}

test('a version that hardly matters is one finding for all lock files, by an id of its own', () => {
  const { shown } = sort([inLock('west'), inLock('east'), inLock('north')])
  expect(shown).toEqual([
    {
      ...inLock('east'),
      id: 'markdown-tool@1.2.0',
      replaces: ['id of east', 'id of north', 'id of west'],
      occurrences: [{ file: 'north/package-lock.json' }, { file: 'west/package-lock.json' }],
    },
  ])
})

test('what matters, what is told otherwise and what stands alone keep their ids', () => {
  const apart = [inLock('east', { severity: 'MEDIUM' }), inLock('north', { severity: 'MEDIUM' })]
  expect(sort(apart).shown.map(({ id }) => id)).toEqual(['id of east', 'id of north'])
  expect(sort([inLock('east'), inLock('north', { variant: 'own' })]).shown).toHaveLength(2)
  expect(sort([inLock('east')]).shown).toEqual([inLock('east')])
})

test('the id stays whichever lock files come and go, and hides all of them', () => {
  const idOf = (...folders: readonly string[]): readonly string[] =>
    sort(folders.map((folder) => inLock(folder))).shown.map(({ id }) => id)
  expect(idOf('east', 'north')).toEqual(idOf('atoll', 'north', 'west'))
  const { shown, hidden, notices } = sort([inLock('east'), inLock('north')], 'markdown-tool@1.2.0')
  expect([shown, notices]).toEqual([[], []])
  expect(hidden).toMatchObject([{ id: 'markdown-tool@1.2.0', suppressed: 'a tool of development' }])
})

test('what one lock file hid before hides no other, and a baseline that knows all of them knows the one', () => {
  const { shown } = sort([inLock('east'), inLock('north'), inLock('west')], 'id of east')
  expect(shown).toMatchObject([{ id: 'markdown-tool@1.2.0', replaces: ['id of north', 'id of west'] }])
  const told = { id: 'markdown-tool@1.2.0', formerIds: shown[0]?.replaces, advisories: [] } satisfies Partial<ReportFinding>
  const isKnown = (...ids: readonly string[]): boolean => isKnownFinding({ ...told, ...REST }, new Set(ids))
  expect(isKnown('id of north', 'id of west')).toBe(true)
  expect(isKnown('id of north')).toBe(false)
})

const REST: Omit<ReportFinding, 'id' | 'formerIds' | 'advisories'> = {
  ruleId: 'npm/known-vulnerability',
  severity: 'LOW',
  confidence: 'high',
  title: '',
  message: '',
  why: '',
  fix: '',
  cwe: [],
  docs: '',
  file: 'north/package-lock.json',
}
