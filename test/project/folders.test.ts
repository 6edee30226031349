import { zipSync, type Zippable } from 'fflate'
import { expect, test } from 'vitest'
import { openArchive } from '../../core/project/archive.ts'

/** Files in folders that no other file shares. */
function archiveOf(files: number, depth: number): Uint8Array {
  const entries: Zippable = {}
  for (let file = 0; file < files; file++) entries[`${`d${file}/`.repeat(depth)}a.js`] = new Uint8Array()
  return zipSync(entries, { level: 0 })
}

test('folders that no entry names count as entries do', () => {
  expect(openArchive(archiveOf(100, 10), { entries: 1000 }).entries.length).toBe(100)
  expect(() => openArchive(archiveOf(101, 10), { entries: 1000 })).toThrow(
    expect.objectContaining({ code: 'archive-too-large', details: { reason: 'entries', limit: 1000 } }),
  )
})
