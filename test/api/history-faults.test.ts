import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStorage, type Storage } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs-lite'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createHistory, type HistoryOptions } from '../../core/history.ts'
import type { LogEntry } from '../../core/log.ts'
import type { Outcome } from '../../core/types.ts'
import { createScanIds } from '../../handlers/_scan-id.ts'
import { describeMatrix } from './matrix.ts'
import { NOW, createFixture, createOutcome, createUpload } from './sample.ts'

const createId = createScanIds(() => NOW)
const create = (projectName = 'shop', padding = ''): Outcome =>
  createOutcome({ scanId: createId(), scannedAt: NOW.toISOString(), projectName }, padding)
const open = (storage: Storage, options: HistoryOptions = {}): ReturnType<typeof createHistory> =>
  createHistory(storage, { now: () => NOW, log: () => undefined, ...options })

const folders: string[] = []
const createFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'history-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

describe('records that are damaged or foreign', () => {
  async function damage(
    change: (storage: Storage, scanId: string) => Promise<unknown>,
  ): Promise<{ log: LogEntry[]; listed: number; read: string }> {
    const storage = createStorage()
    const log: LogEntry[] = []
    const history = open(storage, { log: (entry) => log.push(entry) })
    const [outcome, other] = [create(), create()]
    await history.save(other)
    await history.save(outcome)
    await change(storage, outcome.entry.scanId)
    const read = await history.read(outcome.entry.scanId, 'en').then(
      () => 'read',
      (error: Error) => error.message,
    )
    const listed = (await history.list()).length
    await expect(history.read(other.entry.scanId, 'en')).resolves.toBeDefined()
    return { log, listed, read }
  }

  test.each([
    ['a torn summary', '{"entry":{"scanId":"01'],
    ['a summary of another version', { entry: {}, records: {} }],
    ['a list', []],
    ['a number', 7],
  ])('%s is skipped, and said', async (_, value) => {
    const { log, listed, read } = await damage((storage, id) => storage.setItem(`summaries:${id}`, value))
    expect({ listed, read }).toEqual({ listed: 1, read: 'scan-not-found' })
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', event: 'record-damaged' }))
  })

  test('a summary under the key of another scan', async () => {
    const { listed, read } = await damage(async (storage, id) =>
      storage.setItem(
        `summaries:${id}`,
        await storage.getItem(
          `summaries:${(await storage.getKeys('summaries')).map((key) => key.slice(10)).find((other) => other !== id)}`,
        ),
      ),
    )
    expect({ listed, read }).toEqual({ listed: 1, read: 'scan-not-found' })
  })

  test.each([
    ['torn', (bytes: Uint8Array) => bytes.subarray(0, 100)],
    ['changed in one byte', (bytes: Uint8Array) => bytes.map((byte, index) => (index === 50 ? byte ^ 1 : byte))],
    ['text', () => 'text'],
    ['empty', () => new Uint8Array(0)],
  ])('a record that is %s is not there, and said', async (_, change) => {
    const { log, read } = await damage(async (storage, id) => {
      const bytes = new Uint8Array((await storage.getItemRaw(`reports:${id}:en`)) as Uint8Array)
      await storage.setItemRaw(`reports:${id}:en`, change(bytes))
    })
    expect(read).toBe('scan-not-found')
    expect(log).toContainEqual(expect.objectContaining({ event: 'record-damaged', locale: 'en' }))
  })

  test('a record that is gone is no damage', async () => {
    const { log, read } = await damage((storage, id) => storage.removeItem(`reports:${id}:en`))
    expect(read).toBe('scan-not-found')
    expect(log).toEqual([])
  })

  test('what others keep in the same place is not touched', async () => {
    const storage = createStorage()
    await storage.setItem('summaries:notes', 'mine')
    await storage.setItem('other', 'mine')
    const history = open(storage, { limit: 1 })
    await history.save(create())
    await history.save(create())
    expect(await history.list()).toHaveLength(1)
    expect(await storage.getItem('summaries:notes')).toBe('mine')
    expect(await storage.getItem('other')).toBe('mine')
  })

  test('a damaged scan can be deleted', async () => {
    const storage = createStorage()
    const history = open(storage)
    const { entry, records } = create()
    await history.save({ entry, records })
    await storage.setItem(`summaries:${entry.scanId}`, '{"torn')
    await history.remove(entry.scanId)
    expect(await storage.getKeys()).toEqual([])
  })

  test('torn files on a disk', async () => {
    const base = await createFolder()
    const history = open(createStorage({ driver: fsDriver({ base }) }))
    const [torn, whole] = [create(), create()]
    await history.save(torn)
    await history.save(whole)
    const file = (await readdir(join(base, 'summaries'))).find((name) => name.includes(torn.entry.scanId)) ?? ''
    const text = await readFile(join(base, 'summaries', file), 'utf8')
    for (let length = 0; length < text.length; length += 7) {
      await writeFile(join(base, 'summaries', file), text.slice(0, length))
      expect(await history.list()).toEqual([whole.entry])
      await expect(history.read(torn.entry.scanId, 'fr')).rejects.toThrow('scan-not-found')
    }
  })
})

describeMatrix('a storage that fails', (send) => {
  const broken = (fail: () => Promise<never>, every = 1): Storage => {
    const storage = createStorage()
    let calls = 0
    const maybe =
      <Args extends unknown[], Result>(step: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        calls++ % every === 0 ? fail() : step(...args)
    return {
      ...storage,
      getKeys: maybe(storage.getKeys) as Storage['getKeys'],
      getItems: maybe(storage.getItems) as Storage['getItems'],
      getItemRaw: maybe(storage.getItemRaw) as Storage['getItemRaw'],
      hasItem: maybe(storage.hasItem) as Storage['hasItem'],
      setItem: maybe(storage.setItem) as Storage['setItem'],
      setItemRaw: maybe(storage.setItemRaw) as Storage['setItemRaw'],
    }
  }
  const failing = (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'))
  const id = '0198c0de-0000-7000-8000-000000000000'

  test('always: 503 everywhere but health, and the report is not lost', async () => {
    const { app } = createFixture({ storage: broken(failing) })
    const response = await send(app, '/api/scan/upload?lang=fr', createUpload())
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'storage-unavailable', report: { projectName: 'shop' } })
    for (const [method, path] of [
      ['GET', '/api/scan/history'],
      ['GET', `/api/scan/${id}`],
      ['DELETE', `/api/scan/${id}`],
    ] as const) {
      expect((await send(app, path, { method })).status).toBe(503)
    }
    expect((await send(app, '/api/health')).status).toBe(200)
  })

  test('sometimes: what is acknowledged is there, and it recovers by itself', async () => {
    const { app } = createFixture({ storage: broken(failing, 11) })
    const statuses: number[] = []
    for (let index = 0; index < 30; index++) {
      const response = await send(app, '/api/scan/upload', createUpload())
      statuses.push(response.status)
      if (response.status !== 201) continue
      const path = response.headers.get('location') ?? ''
      await vi.waitFor(async () => expect((await send(app, path)).status).toBe(200))
    }
    expect(new Set(statuses)).toEqual(new Set([201, 503]))
  })

  test('by hanging: one attempt of two seconds', async () => {
    const { app } = createFixture({ storage: broken(() => new Promise<never>(() => undefined)) })
    const start = performance.now()
    const [created, listed, health] = await Promise.all([
      send(app, '/api/scan/upload', createUpload()),
      send(app, '/api/scan/history'),
      send(app, '/api/health'),
    ])
    expect([created.status, listed.status, health.status]).toEqual([503, 503, 200])
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  test('by keeping nothing, and saying nothing', async () => {
    for (const forgotten of ['summaries:', 'reports:']) {
      const storage = createStorage()
      const { app } = createFixture({
        storage: {
          ...storage,
          hasItem: (key: string) => (key.startsWith(forgotten) ? Promise.resolve(false) : storage.hasItem(key)),
        } as Storage,
      })
      expect((await send(app, '/api/scan/upload', createUpload())).status).toBe(503)
    }
  })

  test('late: what was given up is not written afterwards', async () => {
    vi.useFakeTimers()
    try {
      const storage = createStorage()
      let release = (): void => undefined
      const gate = new Promise<void>((resolve) => (release = resolve))
      const slow = {
        ...storage,
        setItemRaw: (key: string, value: unknown) => gate.then(() => storage.setItemRaw(key, value)),
      } as Storage
      const history = open(slow)
      const saved = expect(history.save(create())).rejects.toThrow('storage-unavailable')
      await vi.advanceTimersByTimeAsync(2001)
      await saved
      release()
      await vi.advanceTimersByTimeAsync(100)
      expect(await history.list()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test('an eviction that fails does not take back what is stored', async () => {
    const storage = createStorage()
    storage.removeItem = () => Promise.reject(new Error('down'))
    const { app, log } = createFixture({ storage, retention: { limit: 1 } })
    expect((await send(app, '/api/scan/upload', createUpload())).status).toBe(201)
    expect((await send(app, '/api/scan/upload', createUpload())).status).toBe(201)
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', event: 'purge-failed' }))
  })
})
