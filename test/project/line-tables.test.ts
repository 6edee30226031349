import { expect, test } from 'vitest'
import { createLineTables } from '../../core/phases/line-tables.ts'
import { createLineTable } from '../../core/parse/position.ts'
import type { ProjectFile } from '../../core/files.ts'
import type { PlannedFile } from '../../core/project/open.ts'
import { toSource } from '../scan-files.ts'

const KIND = { language: 'text', test: false } as const

test('beyond a limit tables of lines are made again where they are asked for', () => {
  let reads = 0
  const tables = createLineTables(10)
  const keep = (path: string, text: string): ProjectFile => {
    const [entry] = toSource(new Map([[path, text]])).entries
    if (entry === undefined) throw new Error('no entry')
    const counted = { ...entry, read: () => (reads++, entry.read()) }
    const planned: PlannedFile = { path, entry: counted, kind: KIND, scope: 'all' }
    return tables.keep({ path, kind: KIND, scope: 'all', content: { as: 'text' }, lines: createLineTable(text) }, planned)
  }
  const [small, large] = [keep('a.txt', 'a\nb'), keep('b.txt', '\n'.repeat(20))]
  expect(small.lines).toEqual(createLineTable('a\nb'))
  expect(reads).toBe(0)
  expect(large.lines).toEqual(createLineTable('\n'.repeat(20)))
  expect(large.lines.length).toBe(21)
  expect(reads).toBe(1)
})
