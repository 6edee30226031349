import { expect, test, vi } from 'vitest'
import { createPackedMemory } from '../../adapters/node/packed-memory.ts'

const text = (length: number): Uint8Array => new TextEncoder().encode('{"id":"a"},'.repeat(length / 11))

test('records are read as they were written, packed or not yet', async () => {
  const storage = createPackedMemory()
  const records = new Map([10, 100_000, 3_000_000].map((length) => [`reports:${length}`, text(length)]))
  for (const [key, record] of records) await storage.setItemRaw(key, record)
  const all = async (): Promise<void> => {
    for (const [key, record] of records) {
      const read = await storage.getItemRaw<Uint8Array>(key)
      expect(Buffer.compare(read ?? new Uint8Array(0), record)).toBe(0)
    }
  }
  await all()
  // a packed one is unpacked into other memory; compared here, since a difference of megabytes is not worth telling
  const isPacked = async (key: string): Promise<boolean> => (await storage.getItemRaw(key)) !== records.get(key)
  await vi.waitFor(async () => expect(await isPacked('reports:3000000')).toBe(true), 10_000)
  await all()
  expect(await isPacked('reports:10')).toBe(false)
  expect((await storage.getKeys('reports')).length).toBe(3)
})

test('what is removed or written anew while it is packed stays so', async () => {
  const storage = createPackedMemory()
  await Promise.all([storage.setItemRaw('a', text(2_000_000)), storage.setItemRaw('b', text(2_000_000))])
  const later = text(1000)
  await Promise.all([storage.removeItem('a'), storage.setItemRaw('b', later)])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await storage.hasItem('a')).toBe(false)
  expect(await storage.getItemRaw('b')).toBe(later)
})

test('nothing but reports changes its form', async () => {
  const storage = createPackedMemory()
  await storage.setItem('summaries:a', { entry: { scanId: 'a' } })
  expect(await storage.getItem('summaries:a')).toEqual({ entry: { scanId: 'a' } })
  expect(await storage.getItemRaw('none')).toBeNull()
})
