import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type * as Files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { createHistory } from '../../core/history.ts'
import { createScanIds } from '../../handlers/_scan-id.ts'
import { createOutcome } from '../api/sample.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { runs } from '../soak.ts'
import { start, underHealth, upload } from './running.ts'

const REPORTS = runs(10_000)

/** Files that were opened, folders that were listed. */
const asked = { opened: 0, listed: 0 }

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>()
  return {
    ...files,
    open: (...args: Parameters<typeof files.open>) => {
      asked.opened += 1
      return files.open(...args)
    },
    readdir: (path: string) => {
      asked.listed += 1
      return files.readdir(path, { withFileTypes: true })
    },
  }
})

let folder: string
/** Newest first. */
let ids: string[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-many-'))
  const begun = Date.now() - 30 * 24 * 60 * 60 * 1000
  let time = begun
  const createId = createScanIds(() => new Date(time))
  mkdirSync(join(folder, 'summaries'))
  ids = Array.from({ length: REPORTS }, (_, index) => {
    time = begun + index * 1000
    const scan = { scanId: createId(), scannedAt: new Date(time).toISOString(), projectName: `p${index}` }
    const { entry, records } = createOutcome(scan)
    mkdirSync(join(folder, 'reports', scan.scanId), { recursive: true })
    const facts = (['en', 'fr'] as const).map((locale) => {
      writeFileSync(join(folder, 'reports', scan.scanId, locale), records[locale])
      return [locale, { size: records[locale].length, hash: createHash('sha256').update(records[locale]).digest('hex') }]
    })
    writeFileSync(join(folder, 'summaries', scan.scanId), JSON.stringify({ entry, records: Object.fromEntries(facts) }))
    return scan.scanId
  }).reverse()
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  Object.assign(asked, { opened: 0, listed: 0 })
})

test('a page reads its own summaries, and one folder', async () => {
  const history = createHistory(createDurableStorage(folder))
  for (const offset of [0, REPORTS / 2, REPORTS - 50]) {
    Object.assign(asked, { opened: 0, listed: 0 })
    const page = await history.list({ limit: 50, offset })
    expect(page.map(({ scanId }) => scanId)).toEqual(ids.slice(offset, offset + 50))
    expect(asked).toEqual({ opened: 50, listed: 1 })
  }
  expect(await history.list({ limit: 50, offset: REPORTS })).toEqual([])
})

test('all of them are read once, however many ask at once', async () => {
  const history = createHistory(createDurableStorage(folder))
  const lists = await Promise.all(Array.from({ length: 20 }, () => history.list()))
  for (const entries of lists) expect(entries.map(({ scanId }) => scanId)).toEqual(ids)
  expect(asked).toEqual({ opened: REPORTS, listed: 1 })
})

test('who asks after a scan was stored sees it, also where others are still reading', async () => {
  const history = createHistory(createDurableStorage(folder))
  const before = history.list()
  const scan = { scanId: createScanIds(() => new Date())(), scannedAt: new Date().toISOString(), projectName: 'new' }
  await history.save(createOutcome(scan))
  expect((await history.list())[0]?.scanId).toBe(scan.scanId)
  await before
  await history.remove(scan.scanId)
  expect((await history.list({ limit: 1 }))[0]?.scanId).toBe(ids[0])
})

test('a limit in bytes reads each summary once', async () => {
  const history = createHistory(createDurableStorage(folder), { bytes: 1e12 })
  const createId = createScanIds(() => new Date())
  const save = async (): Promise<number> => {
    asked.opened = 0
    const scan = { scanId: createId(), scannedAt: new Date().toISOString(), projectName: 'new' }
    await history.save(createOutcome(scan))
    const { opened } = asked
    await history.remove(scan.scanId)
    return opened
  }
  expect(await save()).toBeGreaterThanOrEqual(REPORTS)
  expect(await save()).toBeLessThan(20)
})

test('the service lists them for many at once, and its health stays', async () => {
  const { url, ...server } = await start({ PARAPET_WORKERS: '1', PARAPET_STORAGE: folder })
  await (await upload(url, zipOf(SHOP))).arrayBuffer()
  await underHealth(`${REPORTS} stored reports`, { url, ...server }, async () => {
    const end = performance.now() + 5000
    const ask = async (query: string, count: number): Promise<void> => {
      while (performance.now() < end) {
        const answer = await fetch(`${url}/api/scan/history${query}`)
        expect(answer.status).toBe(200)
        expect(await answer.json()).toHaveLength(count)
      }
    }
    await Promise.all([ask('?limit=50', 50), ask(`?limit=50&offset=${REPORTS / 2}`, 50), ask('', REPORTS + 1)])
  })
  const begun = performance.now()
  await (await fetch(`${url}/api/scan/history?limit=50`)).arrayBuffer()
  process.stdout.write(`a page of ${REPORTS}: ${(performance.now() - begun).toFixed(0)} ms\n`)
})
