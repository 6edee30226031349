import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStorage } from 'unstorage'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { createBlobs, type BlobName } from '../../adapters/node/queue/blobs.ts'
import { openBlobs } from '../../adapters/node/queue/open-blobs.ts'
import { packOutcome, unpackOutcome } from '../../adapters/node/queue/outcome-bytes.ts'
import { tellProgress } from '../../adapters/node/queue/progress.ts'
import type { ScanProgress } from '../../core/types.ts'
import { createOutcome } from '../api/sample.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const OTHER = '0198c0de-0000-7000-8000-000000000002'
const PIECE = 4 * 1024 * 1024
const KEY = 'k'.repeat(32)

const nameOf = (bytes: Uint8Array, id = ID): BlobName => ({ id, part: 'archive', size: bytes.byteLength })
const bytesOf = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 9)) & 0xff)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'parapet-blobs-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

describe.each([
  ['plain', undefined],
  ['sealed', KEY],
])('blobs, %s', (_, key) => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 77])(
    '%i bytes come back as they were, and leave nothing',
    async (size) => {
      const path = folder()
      const blobs = createBlobs(createDurableStorage(path), key)
      const bytes = bytesOf(size)
      await blobs.write(nameOf(bytes), bytes)
      expect(Buffer.from((await blobs.read(nameOf(bytes))) ?? []).equals(Buffer.from(bytes))).toBe(true)
      await blobs.remove(nameOf(bytes))
      expect(await blobs.read(nameOf(bytes))).toBeUndefined()
      // what is gone may be removed once more
      await blobs.remove(nameOf(bytes))
      expect(readdirSync(join(path, 'blobs'))).toEqual([])
    },
  )

  test('of shared memory is read and written', async () => {
    const shared = (bytes: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(bytes))
    const blobs = createBlobs(createStorage(), key, shared)
    const bytes = shared(PIECE + 5).fill(7)
    await blobs.write(nameOf(bytes), bytes)
    const read = await blobs.read(nameOf(bytes))
    expect(read?.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(read?.every((byte) => byte === 7)).toBe(true)
  })

  test('one that is cut, or lacks a piece, is gone', async () => {
    const storage = createStorage()
    const blobs = createBlobs(storage, key)
    const bytes = bytesOf(PIECE + 10)
    await blobs.write(nameOf(bytes), bytes)
    const piece = (await storage.getKeys()).find((name) => name.endsWith('-1')) ?? ''
    const stored = await storage.getItemRaw<Uint8Array>(piece)
    await storage.setItemRaw(piece, (stored ?? new Uint8Array()).slice(0, -1))
    expect(await blobs.read(nameOf(bytes))).toBeUndefined()
    await storage.removeItem(piece)
    expect(await blobs.read(nameOf(bytes))).toBeUndefined()
  })
})

test('what is sealed is not read without its key, in another place, or once it was changed', async () => {
  const path = folder()
  const storage = createDurableStorage(path)
  const bytes = new TextEncoder().encode('a text that nobody shall read '.repeat(10))
  const blobs = createBlobs(storage, KEY)
  await blobs.write(nameOf(bytes), bytes)
  await blobs.write(nameOf(bytes, OTHER), bytes)
  const files = [ID, OTHER].map((id) => readFileSync(join(path, 'blobs', id, 'archive-0')))
  for (const file of files) expect(file.includes('nobody')).toBe(false)
  expect(files[0]?.equals(files[1] ?? Buffer.alloc(0))).toBe(false)
  expect(await createBlobs(storage, `${KEY}x`).read(nameOf(bytes))).toBeUndefined()
  await storage.setItemRaw(`blobs:${ID}:archive-0`, files[1])
  expect(await blobs.read(nameOf(bytes))).toBeUndefined()
  expect(await blobs.read(nameOf(bytes, OTHER))).toBeDefined()
  const changed = Buffer.from(files[1] ?? [])
  changed[40] = (changed[40] ?? 0) ^ 1
  await storage.setItemRaw(`blobs:${OTHER}:archive-0`, changed)
  expect(await blobs.read(nameOf(bytes, OTHER))).toBeUndefined()
})

test('a storage that keeps nothing, or does not answer, is no place', async () => {
  const bytes = bytesOf(10)
  const storage = createStorage()
  await expect(createBlobs({ ...storage, setItemRaw: async () => undefined }, KEY).write(nameOf(bytes), bytes)).rejects.toThrow(
    'did not keep',
  )
  const log = (): void => undefined
  await expect(openBlobs({ place: undefined, key: undefined, s3: undefined }, log)).rejects.toThrow('memory is none')
  await expect(openBlobs({ place: 's3://bucket/x', key: undefined, s3: undefined }, log)).rejects.toThrow('AWS_ACCESS_KEY_ID')
})

test('an outcome is packed and unpacked whole; anything else throws', () => {
  const facts = { complete: true, marks: 'f1 2', branch: 'main', scannerVersion: '0.1.0' }
  const outcome = { ...createOutcome({ scanId: ID, scannedAt: '2026-11-20T08:00:00.000Z', projectName: 'é→' }), facts }
  const packed = packOutcome(outcome)
  expect(unpackOutcome(packed)).toEqual(outcome)
  const shifted = new Uint8Array(packed.byteLength + 3)
  shifted.set(packed, 3)
  expect(unpackOutcome(shifted.subarray(3))).toEqual(outcome)
  expect(() => unpackOutcome(packed.subarray(0, 20))).toThrow()
  expect(() => unpackOutcome(new Uint8Array(3))).toThrow()
})

test('progress: the first word of a phase at once, one after the other, and none of the own queue', async () => {
  const sent: string[] = []
  const { tell, flush } = tellProgress(async ({ phase, done }: ScanProgress) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    sent.push(`${phase} ${done}`)
    if (phase === 'asking') throw new Error('Redis is away')
  })
  tell({ phase: 'waiting', done: 0, total: 3 })
  for (let done = 0; done < 50; done++) tell({ phase: 'reading', done, total: 50 })
  for (const phase of ['asking', 'checking', 'reporting'] as const) tell({ phase, done: 0, total: 1 })
  await flush()
  expect(sent).toEqual(['reading 0', 'asking 0', 'checking 0', 'reporting 0'])
})
