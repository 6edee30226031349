import { lstatSync, mkdtempSync, rmSync, utimesSync, writeFileSync, type BigIntStats } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../core/index.ts'
import { openDirectory } from '../../adapters/node/directory.ts'
import { rememberFiles } from '../../adapters/node/remembered-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-remembered-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const OLD = new Date('2026-01-02')
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A state of a file whose times lie back: those of a real one are of this moment. */
function statOf(path: string, changes: Partial<Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>> = {}): BigIntStats {
  const before = 1_700_000_000_000_000_000n
  return Object.assign(lstatSync(path, { bigint: true }), { mtimeNs: before, ctimeNs: before, ...changes })
}

describe('files of a folder that is scanned again and again', () => {
  test('are read once, and again when anything of their state is another', () => {
    const path = join(folder, 'a.js')
    writeFileSync(path, 'one')
    const files = rememberFiles()
    let reads = 0
    const ask = (changes?: Parameters<typeof statOf>[1]): unknown => {
      const found = files.bytesOf(path, statOf(path, changes), () => bytesOf(`read ${++reads}`))
      files.finish()
      return new TextDecoder().decode(found)
    }
    expect([ask(), ask(), ask()]).toEqual(['read 1', 'read 1', 'read 1'])
    expect(ask({ size: 9n })).toBe('read 2')
    expect(ask({ size: 9n, mtimeNs: 1_700_000_000_000_000_001n })).toBe('read 3')
    expect(ask({ size: 9n, ctimeNs: 1_700_000_000_000_000_002n })).toBe('read 4')
    expect(ask({ ino: 7n })).toBe('read 5')
    expect(ask({ ino: 7n })).toBe('read 5')
  })

  test('are read again while they are new: a second change may leave no other time', () => {
    const path = join(folder, 'a.js')
    writeFileSync(path, 'one')
    const files = rememberFiles()
    const ask = (text: string): unknown => files.bytesOf(path, lstatSync(path, { bigint: true }), () => bytesOf(text))
    ask('one')
    files.finish()
    expect(ask('two')).toEqual(bytesOf('two'))
  })

  test('are forgotten when a scan did not ask for them, and where there is no room', () => {
    const path = join(folder, 'a.js')
    writeFileSync(path, 'one')
    const files = rememberFiles(4)
    const ask = (name: string, text: string): unknown => files.bytesOf(name, statOf(path), () => bytesOf(text))
    ask('a', 'abc')
    ask('b', 'bcd')
    files.finish()
    expect([ask('a', 'new'), ask('b', 'new')]).toEqual([bytesOf('abc'), bytesOf('new')])
    files.finish()
    files.finish()
    expect(ask('a', 'new')).toEqual(bytesOf('new'))
  })

  test('what a folder gives is what lies there', () => {
    const path = join(folder, 'a.js')
    const files = rememberFiles()
    const read = (): string => {
      const { entries } = openDirectory(folder, DEFAULT_LIMITS, files)
      const text = new TextDecoder().decode(entries[0]?.read())
      files.finish()
      return text
    }
    for (const text of ['one', 'two', 'six']) {
      writeFileSync(path, text)
      // whoever sets a time back changes that of the inode
      utimesSync(path, OLD, OLD)
      expect(read()).toBe(text)
    }
  })
})
