import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from 'unstorage'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { createHistory } from '../../core/history.ts'
import type { Outcome } from '../../core/types.ts'

let folder: string
let storage: Storage

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-store-'))
  storage = createDurableStorage(join(folder, 'reports'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const outcome = (number: number): Outcome => ({
  entry: {
    scanId: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    projectName: `p${number}`,
    scannedAt: '2026-11-20T12:00:00.000Z',
    riskScore: 0,
    riskLevel: 'NONE',
    summary: { critical: 0, high: 0, medium: 0, low: 0, info: 0, total: 0 },
    projectTypes: [],
  },
  records: { en: new TextEncoder().encode(`{"en":${number}}`), fr: new TextEncoder().encode(`{"fr":${number}}`) },
})

test('bytes come back as they were, also for another process', async () => {
  await storage.setItemRaw('a:b:c', new Uint8Array([0, 255, 10]))
  expect(new Uint8Array((await createDurableStorage(join(folder, 'reports')).getItemRaw('a:b:c')) ?? [])).toEqual(
    new Uint8Array([0, 255, 10]),
  )
  expect(await storage.getItemRaw('a:missing')).toBe(null)
  expect(await storage.hasItem('a:b:c')).toBe(true)
  expect(await storage.hasItem('a:b')).toBe(false)
})

test('lists keys below a prefix, but no half-written values', async () => {
  for (const key of ['s:1', 's:2', 'r:1:en']) await storage.setItem(key, '{}')
  writeFileSync(join(folder, 'reports/s/3.abc.tmp'), 'half')
  expect((await storage.getKeys('s')).sort()).toEqual(['s:1', 's:2'])
  expect((await storage.getKeys()).sort()).toEqual(['r:1:en', 's:1', 's:2'])
  await storage.removeItem('s:1')
  expect(await storage.getKeys('s')).toEqual(['s:2'])
  expect(await createDurableStorage(join(folder, 'none')).getKeys()).toEqual([])
})

test('a history in it lists, reads and deletes; 50 at once lose nothing', async () => {
  const history = createHistory(storage)
  await Promise.all(Array.from({ length: 50 }, (_, index) => history.save(outcome(index))))
  const again = createHistory(createDurableStorage(join(folder, 'reports')))
  expect((await again.list()).length).toBe(50)
  const { bytes } = await again.read(outcome(7).entry.scanId, 'fr')
  expect(new TextDecoder().decode(bytes)).toBe('{"fr":7}')
  await again.remove(outcome(7).entry.scanId)
  await expect(history.read(outcome(7).entry.scanId, 'en')).rejects.toMatchObject({ code: 'scan-not-found' })
})

test('a value that another hand damaged is not found, and no error', async () => {
  const history = createHistory(storage, { log: () => {} })
  await history.save(outcome(1))
  const [record] = readdirSync(join(folder, 'reports/reports', outcome(1).entry.scanId))
  writeFileSync(join(folder, 'reports/reports', outcome(1).entry.scanId, record ?? ''), '{"torn"')
  await expect(history.read(outcome(1).entry.scanId, record === 'fr' ? 'fr' : 'en')).rejects.toMatchObject({
    code: 'scan-not-found',
  })
})
