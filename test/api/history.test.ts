import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { createStorage, type Storage } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs-lite'
import lruDriver from 'unstorage/drivers/lru-cache'
import { afterAll, describe, expect, test } from 'vitest'
import { createHistory, type HistoryOptions } from '../../core/history.ts'
import type { Outcome } from '../../core/types.ts'
import { createScanIds } from '../../handlers/_scan-id.ts'
import { runs } from '../soak.ts'
import { NOW, createOutcome } from './sample.ts'

const createId = createScanIds(() => NOW)
const create = (projectName = 'shop', padding = ''): Outcome =>
  createOutcome({ scanId: createId(), scannedAt: NOW.toISOString(), projectName }, padding)
const open = (storage: Storage, options: HistoryOptions = {}): ReturnType<typeof createHistory> =>
  createHistory(storage, { now: () => NOW, log: () => undefined, ...options })

/** A driver without a form for bytes, as those for databases are. */
function createTextStorage(): Storage {
  const items = new Map<string, string>()
  return createStorage({
    driver: {
      hasItem: (key) => items.has(key),
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
      getKeys: () => [...items.keys()],
    },
  })
}

const folders: string[] = []
const createFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'history-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

const STORAGES: Readonly<Record<string, () => Promise<Storage>>> = {
  memory: () => Promise.resolve(createStorage()),
  'lru-cache': () => Promise.resolve(createStorage({ driver: lruDriver({ max: 10_000 }) })),
  'fs-lite': async () => createStorage({ driver: fsDriver({ base: await createFolder() }) }),
  'text only': () => Promise.resolve(createTextStorage()),
}

describe.each(Object.entries(STORAGES))('in %s', (_, createStore) => {
  test('what is saved is read byte for byte, listed newest first, and removed once', async () => {
    const history = open(await createStore())
    const outcomes = [create('a'), create('b'), create('c')]
    for (const outcome of outcomes) await history.save(outcome)
    expect((await history.list()).map(({ projectName }) => projectName)).toEqual(['c', 'b', 'a'])
    expect(await history.list({ limit: 1, offset: 1 })).toEqual([outcomes[1]?.entry])
    for (const { entry, records } of outcomes) {
      for (const locale of ['en', 'fr'] as const) {
        const { bytes, hash } = await history.read(entry.scanId, locale)
        expect(Buffer.from(bytes).equals(Buffer.from(records[locale]))).toBe(true)
        expect(await history.find(entry.scanId, locale)).toEqual({ hash, size: bytes.byteLength })
      }
      await history.remove(entry.scanId)
      await expect(history.remove(entry.scanId)).rejects.toThrow('scan-not-found')
      await expect(history.read(entry.scanId, 'en')).rejects.toThrow('scan-not-found')
      await expect(history.find(entry.scanId, 'fr')).rejects.toThrow('scan-not-found')
    }
    expect(await history.list()).toEqual([])
  })

  test('nobody else holds the bytes', async () => {
    const history = open(await createStore())
    const outcome = create()
    const { scanId } = outcome.entry
    const before = Buffer.from(outcome.records.en)
    await history.save(outcome)
    outcome.records.en.fill(0)
    const first = await history.read(scanId, 'en')
    expect(before.equals(Buffer.from(first.bytes))).toBe(true)
    first.bytes.fill(0)
    expect(before.equals(Buffer.from((await history.read(scanId, 'en')).bytes))).toBe(true)
    // a view of a pool would let its neighbours go with it
    expect(first.bytes.byteLength).toBe(first.bytes.buffer.byteLength)
  })

  test('bytes that are handed over are kept as they are, or alone', async () => {
    const outcome = create()
    const { scanId } = outcome.entry
    const { en } = outcome.records
    const pool = new Uint8Array(1_000_000)
    pool.set(en, 10)
    const fr = pool.subarray(10, 10 + en.byteLength)
    const history = open(await createStore())
    await history.save({ ...outcome, records: { en, fr } }, true)
    for (const locale of ['en', 'fr'] as const) {
      const { bytes } = await history.read(scanId, locale)
      expect(Buffer.compare(bytes, en)).toBe(0)
    }
  })

  test('50 at once are all there', async () => {
    const history = open(await createStore())
    const outcomes = Array.from({ length: 50 }, (_, index) => create(`p${index}`))
    await Promise.all(outcomes.map((outcome) => history.save(outcome)))
    expect(new Set((await history.list()).map(({ scanId }) => scanId))).toEqual(
      new Set(outcomes.map(({ entry }) => entry.scanId)),
    )
  })

  test('two writers on one storage lose nothing of each other', async () => {
    const storage = await createStore()
    const writers = [open(storage), open(storage)]
    await Promise.all(Array.from({ length: 40 }, (_, index) => writers[index % 2]?.save(create())))
    expect(await open(storage).list()).toHaveLength(40)
  })
})

describe('retention', () => {
  test('by number: the oldest leaves', async () => {
    const storage = createStorage()
    const history = open(storage, { limit: 3 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await history.save(create(name))
    expect((await history.list()).map(({ projectName }) => projectName)).toEqual(['e', 'd', 'c'])
    // no record stays behind, only what the project keeps
    expect(await storage.getKeys('summaries')).toHaveLength(3)
    expect(await storage.getKeys('reports')).toHaveLength(6)
    expect(await storage.getKeys('lines')).toHaveLength(5)
  })

  test('by bytes, both languages counted; the one being acknowledged stays, however large', async () => {
    const size = (({ records }) => records.en.byteLength + records.fr.byteLength)(create('a'))
    const history = open(createStorage(), { bytes: size * 2 })
    for (const name of ['a', 'b', 'c']) await history.save(create(name))
    expect((await history.list()).map(({ projectName }) => projectName)).toEqual(['c', 'b'])
    await history.save(create('huge', 'x'.repeat(size * 3)))
    expect((await history.list()).map(({ projectName }) => projectName)).toEqual(['huge'])
  })

  test('a limit of one never takes a scan before it is acknowledged', async () => {
    const history = open(createStorage(), { limit: 1 })
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const outcome = create()
        const saved = history.save(outcome)
        // as soon as it is acknowledged, with nothing in between
        await saved.then(() => expect(history.find(outcome.entry.scanId, 'en')).resolves.toBeDefined())
      }),
    ).catch(() => undefined)
    await history.save(create('last'))
    expect((await history.list()).map(({ projectName }) => projectName)).toEqual(['last'])
  })

  test('by age: what is too old is not there, and goes with the next scan', async () => {
    let now = NOW.getTime()
    const storage = createStorage()
    const history = createHistory(storage, { age: 60_000, now: () => new Date(now), log: () => undefined })
    const ids = createScanIds(() => new Date(now))
    const make = (): Outcome => createOutcome({ scanId: ids(), scannedAt: new Date(now).toISOString(), projectName: 'x' })
    const old = make()
    await history.save(old)
    now += 60_000
    expect(await history.list()).toHaveLength(1)
    now += 1
    expect(await history.list()).toEqual([])
    await expect(history.read(old.entry.scanId, 'en')).rejects.toThrow('scan-not-found')
    await expect(history.remove(old.entry.scanId)).rejects.toThrow('scan-not-found')
    await history.save(make())
    expect(await storage.getKeys()).toHaveLength(5)
  })

  test('what a crash left without a summary goes once it is a day old; a writer that is still at it loses nothing', async () => {
    const DAY = 24 * 60 * 60 * 1000
    const storage = createStorage()
    const idAt = (time: number): string => createScanIds(() => new Date(time))()
    const [old, young] = [idAt(NOW.getTime() - DAY - 1), idAt(NOW.getTime() - DAY + 1)]
    const foreign = 'reports:notes:en'
    for (const key of [`reports:${old}:en`, `reports:${old}:fr`, `reports:${young}:en`, foreign]) await storage.setItem(key, 'x')
    const whole = createOutcome({ scanId: idAt(NOW.getTime() - 2 * DAY), scannedAt: NOW.toISOString(), projectName: 'x' })
    await open(storage).save(whole)
    expect((await storage.getKeys('reports:')).toSorted()).toEqual(
      [foreign, `reports:${whole.entry.scanId}:en`, `reports:${whole.entry.scanId}:fr`, `reports:${young}:en`].toSorted(),
    )
  })

  test('a scan with an old id that is saved meanwhile is not taken for one', async () => {
    const old = createScanIds(() => new Date(NOW.getTime() - 100 * 24 * 60 * 60 * 1000))
    for (let round = 0; round < runs(100); round++) {
      const storage = createStorage()
      const history = open(storage)
      const outcomes = Array.from({ length: 20 }, () =>
        createOutcome({ scanId: old(), scannedAt: NOW.toISOString(), projectName: 'x' }),
      )
      await Promise.all(outcomes.map((outcome) => history.save(outcome)))
      expect(await storage.getKeys()).toHaveLength(80)
    }
  })

  test('a lifetime is handed to drivers that know it', async () => {
    const lifetimes: unknown[] = []
    const storage = createStorage()
    const setItem = storage.setItem.bind(storage)
    storage.setItem = (key: string, value: string, options?: Record<string, unknown>) => {
      lifetimes.push(options?.['ttl'])
      return setItem(key, value, options)
    }
    await open(storage, { age: 90_500 }).save(create())
    // the line of the project outlives the report
    expect(lifetimes).toEqual([91, undefined])
  })

  test('10,000 scans leave what 200 leave', async () => {
    const storage = createStorage()
    const history = open(storage, { limit: 200 })
    for (let index = 0; index < runs(10_000, 25); index++) await history.save(create())
    expect((await storage.getKeys()).filter((key) => !key.startsWith('lines:'))).toHaveLength(600)
    expect((await storage.getKeys('lines')).length).toBeLessThanOrEqual(2100)
  })
})

describe('interleavings', () => {
  /** A storage each of whose steps takes its turn when the scheduler says so. */
  function createScheduledStorage(scheduler: fc.Scheduler): Storage {
    const storage = createStorage()
    const later = <Args extends unknown[], Result>(step: (...args: Args) => Promise<Result>) => scheduler.scheduleFunction(step)
    return {
      ...storage,
      getItems: later(storage.getItems) as Storage['getItems'],
      getItemRaw: later(storage.getItemRaw) as Storage['getItemRaw'],
      hasItem: later(storage.hasItem) as Storage['hasItem'],
      setItem: later(storage.setItem) as Storage['setItem'],
      setItemRaw: later(storage.setItemRaw) as Storage['setItemRaw'],
      removeItem: later(storage.removeItem) as Storage['removeItem'],
    }
  }

  test('deleting twice while it is read: one 204, whole reads or none, nothing comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const history = open(createScheduledStorage(scheduler))
        const outcome = create()
        const { scanId } = outcome.entry
        await scheduler.waitFor(history.save(outcome))
        const results = await scheduler.waitFor(
          Promise.allSettled([
            history.remove(scanId),
            history.read(scanId, 'en'),
            history.remove(scanId),
            history.read(scanId, 'fr'),
            history.list(),
          ]),
        )
        const removals = [results[0], results[2]].filter(({ status }) => status === 'fulfilled')
        expect(removals).toHaveLength(1)
        for (const result of results) if (result.status === 'rejected') expect(result.reason.message).toBe('scan-not-found')
        expect(await scheduler.waitFor(history.list())).toEqual([])
        await scheduler.waitFor(history.save(create()))
        expect(await scheduler.waitFor(history.list())).toHaveLength(1)
      }),
      { numRuns: runs(500) },
    )
  })

  test('saving at once within a limit: what is acknowledged last is there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const history = open(createScheduledStorage(scheduler), { limit: 2 })
        await scheduler.waitFor(Promise.all([create(), create(), create(), create()].map((outcome) => history.save(outcome))))
        const last = create('last')
        await scheduler.waitFor(history.save(last))
        const listed = await scheduler.waitFor(history.list())
        expect(listed).toHaveLength(2)
        expect(listed[0]).toEqual(last.entry)
      }),
      { numRuns: runs(300) },
    )
  })
})
