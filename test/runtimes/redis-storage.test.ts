import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../adapters/node/open-storage.ts'
import { createHistory, type History, type HistoryOptions } from '../../core/history.ts'
import type { LogEntry } from '../../core/log.ts'
import { createOutcome } from '../api/sample.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { runs } from '../soak.ts'
import { startRedis, type TestRedis } from './redis.ts'
import { isHealthy, start, upload } from '../node/running.ts'
import { hashOf, startSaver } from '../node/savers.ts'

const log: LogEntry[] = []

async function openHistory({ url }: TestRedis, options: HistoryOptions = {}): Promise<History> {
  const storage = await openStorage(url, (entry) => log.push(entry))
  onTestFinished(() => storage?.dispose())
  return createHistory(storage, { log: (entry) => log.push(entry), ...options })
}

/** Ids in the order of their numbers. */
const idOf = (number: number): string => `0198c0de-${String(number).padStart(4, '0')}-7000-8000-000000000000`

const outcome = (number: number, padding = ''): ReturnType<typeof createOutcome> =>
  createOutcome({ scanId: idOf(number), scannedAt: '2026-11-20T12:00:00.000Z', projectName: `p${number}` }, padding)

const listIds = async (history: History): Promise<string[]> => (await history.list()).map(({ scanId }) => scanId)

test('the service keeps its reports in Redis: they outlive it, and another one has them at once', async () => {
  const redis = await startRedis()
  const first = await start({ PARAPET_STORAGE: redis.url })
  const second = await start({ PARAPET_STORAGE: redis.url })
  const answer = await upload(first.url, zipOf(SHOP))
  expect(answer.status).toBe(201)
  const report = await answer.text()
  const path = answer.headers.get('location') ?? ''
  first.child.kill('SIGKILL')
  expect(await (await fetch(second.url + path)).text()).toBe(report)
  expect(await (await fetch(`${second.url}/api/scan/history`)).json()).toHaveLength(1)
  const third = await start({ PARAPET_STORAGE: redis.url })
  expect((await fetch(third.url + path, { method: 'DELETE' })).status).toBe(204)
  expect((await fetch(second.url + path)).status).toBe(404)
})

test('a Redis that is down or hangs: 503 with the report within 3 s, and no restart when it is back', async () => {
  const redis = await startRedis()
  const { url, stderr } = await start({ PARAPET_STORAGE: redis.url.replace('//', '//:secret-word@'), PARAPET_LOG: 'json' })
  const faults: Readonly<Record<string, readonly [() => unknown, () => unknown]>> = {
    hangs: [redis.freeze, redis.thaw],
    down: [redis.kill, redis.start],
  }
  const zip = zipOf(SHOP)
  await redis.client.call('ACL', 'SETUSER', 'default', 'on', 'nopass', '~*', '+@all')
  for (const [name, [fail, recover]] of Object.entries(faults)) {
    const started = Date.now()
    const made = await upload(url, zip)
    expect(made.status, name).toBe(201)
    await made.arrayBuffer()
    const whole = Date.now() - started
    const path = made.headers.get('location') ?? ''
    await fail()
    const asked = Date.now()
    const failed = await upload(url, zip)
    const problem = await failed.json()
    // beyond the scan itself
    expect(Date.now() - asked, name).toBeLessThan(whole + 3000)
    expect([failed.status, problem.code], name).toEqual([503, 'storage-unavailable'])
    expect(problem.report.summary.total, name).toBeGreaterThan(0)
    for (const [method, target] of [
      ['GET', path],
      ['GET', '/api/scan/history'],
      ['DELETE', path],
    ] as const) {
      const begun = Date.now()
      const answer = await fetch(url + target, { method })
      expect([answer.status, (await answer.json()).code], `${name}: ${method} ${target}`).toEqual([503, 'storage-unavailable'])
      expect(Date.now() - begun, name).toBeLessThan(3000)
    }
    expect(await isHealthy(url)).toBe(true)
    await recover()
    await expect.poll(async () => (await fetch(url + path)).status, { timeout: 5000 }).toBe(200)
    expect((await upload(url, zip)).status, name).toBe(201)
  }
  expect(stderr()).not.toContain('secret-word')
})

test('what is torn, foreign or of another type breaks neither a list nor a sweep', async () => {
  const redis = await startRedis()
  const history = await openHistory(redis, { now: () => new Date('2030-01-01') })
  await history.save(outcome(1))
  const { client } = redis
  await client.set('somebody:else', 'x')
  await client.set(`parapet:summaries:${idOf(2)}`, '{"entry":{"scanId":"0198')
  await client.set(`parapet:summaries:${idOf(3)}`, Buffer.from([0, 159, 146, 150, 255]))
  await client.rpush(`parapet:summaries:${idOf(4)}`, 'a', 'b')
  await client.set('parapet:summaries:notes', '{}')
  await client.set(`parapet:reports:${idOf(5)}:en`, 'left behind')
  expect(await listIds(history)).toEqual([idOf(1)])
  for (const number of [2, 3, 4, 5])
    await expect(history.read(idOf(number), 'en')).rejects.toMatchObject({ code: 'scan-not-found' })
  // a record that is not what was stored
  await client.set(`parapet:reports:${idOf(1)}:en`, 'base64:AAAA')
  await expect(history.read(idOf(1), 'en')).rejects.toMatchObject({ code: 'scan-not-found' })
  expect((await history.read(idOf(1), 'fr')).bytes).toEqual(outcome(1).records.fr)
  expect(await client.get('somebody:else')).toBe('x')
})

test('retention by count, bytes and age; age also by Redis itself', async () => {
  const redis = await startRedis()
  const times = { now: () => new Date('2026-11-20T12:00:00.000Z') }
  const byCount = await openHistory(redis, { ...times, limit: 2 })
  for (const number of [1, 2, 3]) await byCount.save(outcome(number))
  expect(await listIds(byCount)).toEqual([idOf(3), idOf(2)])
  const byBytes = await openHistory(redis, { ...times, bytes: 150_000 })
  await byBytes.save(outcome(4, 'x'.repeat(40_000)))
  await byBytes.save(outcome(5, 'x'.repeat(40_000)))
  expect(await listIds(byBytes)).toEqual([idOf(5)])
  const byAge = await openHistory(redis, { age: 60_000 })
  const { entry, records } = outcome(6)
  const scanId = `${Date.now()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
  await byAge.save({ entry: { ...entry, scanId }, records })
  expect(await listIds(byAge)).toEqual([scanId])
  for (const key of [`summaries:${scanId}`, `reports:${scanId}:fr`]) {
    expect(await redis.client.ttl(`parapet:${key}`)).toBeGreaterThan(50)
  }
  // the line of a scan outlives its report
  expect((await redis.client.keys('*')).filter((key) => !key.includes(':lines:'))).toHaveLength(3)
})

test('four processes on one Redis: every list agrees', async () => {
  const redis = await startRedis()
  const savers = Array.from({ length: 4 }, () => startSaver(redis.url, runs(250)))
  const readers = [await openHistory(redis), await openHistory(redis)]
  await Promise.all(savers.map(({ exit }) => exit))
  const kept = new Map(savers.flatMap(({ saved, removed }) => [...saved].filter(([id]) => !removed.has(id))))
  const removed = savers.reduce((sum, saver) => sum + saver.removed.size, 0)
  expect([kept.size + removed, removed]).toEqual([4 * runs(250), 4 * Math.ceil(runs(250) / 5)])
  for (const reader of readers) expect(await listIds(reader)).toEqual([...kept.keys()].toSorted().toReversed())
  for (const [id, hash] of kept) for (const reader of readers) expect(await hashOf(reader, id)).toBe(hash)
  expect(await redis.client.keys('parapet:*')).toHaveLength(kept.size * 4)
  process.stdout.write(
    `four processes on one Redis: ${kept.size + removed} scans, ${removed} deletes, ${kept.size} listed by all\n`,
  )
})

test('what Redis was told and acknowledged is there after a kill of the service at any moment', async () => {
  const redis = await startRedis()
  const acknowledged = new Map<string, string>()
  for (let round = 0; round < runs(200, 20); round++) {
    const { child, saved, removed, exit, begun } = startSaver(redis.url, 1_000_000)
    await begun
    while (saved.size === 0) await sleep(2)
    await sleep((round * 37) % 150)
    child.kill('SIGKILL')
    await exit
    for (const [id, hash] of saved) if (!removed.has(id)) acknowledged.set(id, hash)
  }
  const history = await openHistory(redis)
  const listed = new Set(await listIds(history))
  expect(acknowledged.size).toBeGreaterThan(0)
  for (const [id, hash] of acknowledged) {
    expect(listed).toContain(id)
    expect(await hashOf(history, id)).toBe(hash)
  }
  process.stdout.write(`${runs(200, 20)} kills over one Redis: ${acknowledged.size} acknowledged reports, none lost or altered\n`)
}, 1_200_000)
