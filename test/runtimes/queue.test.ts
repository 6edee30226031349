import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { createBlobs } from '../../adapters/node/queue/blobs.ts'
import { openBoard } from '../../adapters/node/queue/board.ts'
import { openQuick, untilReady } from '../../adapters/node/queue/connection.ts'
import { createRegister } from '../../adapters/node/queue/register.ts'
import { sweep } from '../../adapters/node/queue/sweep.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { SHOP, slowProject, zipOf } from '../runners/projects.ts'
import { runs } from '../soak.ts'
import { CONTRACT } from './contract.ts'
import { handIn, hasEnded, readJob, setUpQueue, untilJob, type QueueProcess, type QueueSetup } from './queue-processes.ts'
import { freePort, withoutOthers } from './processes.ts'
import { launchRedis, startRedis } from './redis.ts'

const ARCHIVE = zipOf(SHOP)
/** Some seconds of work. */
const SLOW = slowProject(1500)

function setUp(redisUrl: string): QueueSetup {
  const setup = setUpQueue(inject('packed'), redisUrl)
  onTestFinished(() => setup.stop())
  return setup
}

const idOf = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(202)
  return SCHEMAS.Job.parse(await answer.json()).id
}

/** A report without what belongs to its scan alone. */
async function readFindings(url: string, id: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/scan/${id}`)
  expect(answer.status).toBe(200)
  const { scanId, scannedAt: _, ...report } = SCHEMAS.Report.parse(await answer.json())
  expect(scanId).toBe(id)
  return withoutOthers(report)
}

async function untilNoBlobs(setup: QueueSetup): Promise<void> {
  for (let waited = 0; waited < 600 && setup.countBlobs() > 0; waited++) await sleep(50)
  expect(setup.countBlobs()).toBe(0)
}

describe('a server that runs no scans, and a worker', () => {
  let setup: QueueSetup
  let server: QueueProcess
  let redis: Awaited<ReturnType<typeof launchRedis>>

  beforeAll(async () => {
    redis = await launchRedis()
    setup = setUpQueue(inject('packed'), redis.url)
    server = await setup.startServer()
    await setup.startWorker()
  })
  afterAll(async () => {
    await setup.stop()
    await redis.stop()
  })

  test.each(CONTRACT)('$endpoint', async ({ run }) => {
    await run(server.url)
  })

  test('nothing is left of what was scanned but the reports', async () => {
    await untilNoBlobs(setup)
    // a job is struck from the list after its archive is deleted
    await vi.waitFor(async () => expect(await redis.client.keys('parapet-jobs:open:*')).toEqual([]), { timeout: 10_000 })
    const keys = await redis.client.keys('*')
    const values = await Promise.all(
      keys.filter((key) => key.startsWith('parapet-queue:scans')).map((key) => redis.client.dump(key)),
    )
    expect(values.some((value) => value?.includes('webapp/') === true)).toBe(false)
  })
})

test('servers tell how long the queue is and how old, workers what they did', async () => {
  const redis = await startRedis()
  const setup = setUp(redis.url)
  const token = 't'.repeat(20)
  const more = { PARAPET_METRICS: 'on', PARAPET_TOKEN: token }
  const server = await setup.startServer(more)
  const headers = { authorization: `Bearer ${token}` }
  const read = async (url: string, name: string): Promise<number> => {
    const answer = await fetch(`${url}/api/metrics`, { headers })
    expect(answer.status).toBe(200)
    const line = (await answer.text()).split('\n').find((it) => it.startsWith(`${name} `))
    return Number(line?.slice(name.length))
  }
  const ids = [await idOf(await handIn(server.url, ARCHIVE, headers))]
  await sleep(1200)
  ids.push(await idOf(await handIn(server.url, ARCHIVE, headers)))
  expect(await read(server.url, 'parapet_queue_length')).toBe(2)
  const age = await read(server.url, 'parapet_queue_oldest_age_seconds')
  expect(age).toBeGreaterThan(1)
  expect(age).toBeLessThan(60)

  const port = await freePort()
  await setup.startWorker({ ...more, PORT: String(port) })
  const worker = `http://127.0.0.1:${port}`
  for (const id of ids) await untilJob(server.url, id, hasEnded, headers)
  expect((await fetch(`${worker}/api/health`)).status).toBe(200)
  expect((await fetch(`${worker}/api/metrics`)).status).toBe(401)
  expect((await fetch(`${worker}/api/scan/history`, { headers })).status).toBe(404)
  expect(await read(worker, 'parapet_scans_total{outcome="done"}')).toBe(2)
  expect(await read(server.url, 'parapet_scans_total{outcome="done"}')).toBe(0)
  expect(await read(server.url, 'parapet_queue_length')).toBe(0)
  expect(await read(server.url, 'parapet_queue_oldest_age_seconds')).toBe(0)

  await redis.kill()
  expect(await read(server.url, 'parapet_queue_length')).toBe(NaN)
})

test('jobs outlive the server, wait for a worker, and are cancelled while they wait and run', async () => {
  const redis = await startRedis()
  const setup = setUp(redis.url)
  const tokens = { PARAPET_TOKENS: `red=${'r'.repeat(20)},blue=${'b'.repeat(20)}` }
  const red = { authorization: `Bearer ${'r'.repeat(20)}` }
  const blue = { authorization: `Bearer ${'b'.repeat(20)}` }
  const first = await setup.startServer(tokens)
  const ids = []
  for (let scan = 0; scan < 3; scan++)
    ids.push(await idOf(await handIn(first.url, ARCHIVE, { ...red, 'idempotency-key': `k${scan}` })))
  const [one = '', two = '', three = ''] = ids
  expect(
    (await Promise.all(ids.map((id) => readJob(first.url, id, red)))).map(({ state, position }) => [state, position]),
  ).toEqual([
    ['waiting', 1],
    ['waiting', 2],
    ['waiting', 3],
  ])
  await first.kill()

  const server = await setup.startServer(tokens)
  expect((await readJob(server.url, one, red)).state).toBe('waiting')
  expect(await idOf(await handIn(server.url, ARCHIVE, { ...red, 'idempotency-key': 'k0' }))).toBe(one)
  expect((await handIn(server.url, SLOW, { ...red, 'idempotency-key': 'k0' })).status).toBe(422)
  for (const method of ['GET', 'DELETE'])
    expect((await fetch(`${server.url}/api/scan/jobs/${one}`, { method, headers: blue })).status).toBe(404)
  const cancel = async (id: string): Promise<number> =>
    (await fetch(`${server.url}/api/scan/jobs/${id}`, { method: 'DELETE', headers: red })).status
  expect(await cancel(two)).toBe(204)
  expect(await readJob(server.url, two, red)).toMatchObject({ state: 'cancelled', position: 0 })
  expect((await readJob(server.url, three, red)).position).toBe(2)
  expect(setup.countBlobs()).toBe(2)

  const worker = await setup.startWorker()
  for (const id of [one, three])
    expect(await untilJob(server.url, id, hasEnded, red)).toMatchObject({ state: 'done', scanId: id })
  const slow = await idOf(await handIn(server.url, SLOW, red))
  await untilJob(server.url, slow, ({ state, phase }) => state === 'running' && phase === 'reading', red)
  expect(await cancel(slow)).toBe(204)
  expect((await readJob(server.url, slow, red)).state).toBe('cancelled')
  const list = async (query: string, headers = red): Promise<string[]> => {
    const answer = await fetch(`${server.url}/api/scan/jobs${query}`, { headers })
    return SCHEMAS.Jobs.parse(await answer.json()).map(({ id }) => id)
  }
  expect([...(await list('?state=cancelled'))].sort()).toEqual([two, slow].sort())
  expect([...(await list('?state=done'))].sort()).toEqual([one, three].sort())
  expect(await list('', blue)).toEqual([])
  await untilNoBlobs(setup)
  // its process is free again
  expect(await untilJob(server.url, await idOf(await handIn(server.url, ARCHIVE, red)), hasEnded, red)).toMatchObject({
    state: 'done',
  })
  const history = await (await fetch(`${server.url}/api/scan/history`, { headers: red })).json()
  expect(history).toHaveLength(3)
  await worker.kill('SIGTERM')
})

test('a scan whose worker is killed is begun anew, three times in all', async () => {
  const redis = await startRedis()
  const setup = setUp(redis.url)
  const server = await setup.startServer()
  const id = await idOf(await handIn(server.url, SLOW))
  let kills = 0
  const runsOf = async (job: string): Promise<number> =>
    Number(await redis.client.hget(`parapet-queue:scans-1-small:${job}`, 'ats'))
  /** Kills a worker in the middle of the job's first, second, third run: what is told of the job is that of the run before for a while. */
  const killWorker = async (job: string, run: number): Promise<void> => {
    const worker = await setup.startWorker()
    for (let waited = 0; waited < 600; waited++, await sleep(100)) if ((await runsOf(job)) >= run) break
    await sleep(200)
    const { state } = await readJob(server.url, job)
    // a starved worker loses its lock, and with that a run, as if it had been killed: the third run may be over before this kill
    if (state !== 'failed') {
      expect(state).toBe('running')
      kills++
    } else expect([run, await runsOf(job)]).toEqual([3, 3])
    await worker.kill()
  }
  await killWorker(id, 1)
  const last = await setup.startWorker()
  expect(await untilJob(server.url, id, hasEnded)).toMatchObject({ state: 'done' })
  // a worker that is stopped has a moment for it, and leaves the rest to the sweep of ten minutes later
  await untilNoBlobs(setup)
  await last.kill('SIGTERM')
  const poison = await idOf(await handIn(server.url, SLOW))
  for (const run of [1, 2, 3]) await killWorker(poison, run)
  await setup.startWorker()
  const lost = await untilJob(server.url, poison, hasEnded)
  expect(lost).toMatchObject({ state: 'failed', problem: { code: 'worker-lost', status: 500 } })
  const failed = SCHEMAS.Jobs.parse(await (await fetch(`${server.url}/api/scan/jobs?state=failed`)).json())
  expect(failed.map((job) => job.id)).toEqual([poison])
  await untilNoBlobs(setup)
  process.stdout.write(`${kills} kills of a worker: one report, and one project that is given up\n`)
})

test('while Redis is away answers are coded, and all goes on when it is back', async () => {
  const redis = await startRedis()
  const setup = setUp(redis.url)
  const server = await setup.startServer({ PARAPET_SHUTDOWN_GRACE: '2s' })
  const worker = await setup.startWorker({ PARAPET_SHUTDOWN_GRACE: '2s' })
  const before = await idOf(await handIn(server.url, ARCHIVE))
  await untilJob(server.url, before, hasEnded)
  for (const down of [redis.kill, async () => redis.freeze()]) {
    await down()
    const begun = Date.now()
    const codes = []
    for (const ask of [
      () => handIn(server.url, ARCHIVE),
      () => handIn(server.url, ARCHIVE, { prefer: '' }),
      () => fetch(`${server.url}/api/scan/jobs/${before}`),
      () => fetch(`${server.url}/api/scan/jobs`),
      () => fetch(`${server.url}/api/ready`),
    ]) {
      const answer = await ask()
      const { code } = SCHEMAS.Problem.parse(await answer.json())
      codes.push([answer.status, code, answer.headers.get('retry-after')])
    }
    expect(codes).toEqual(Array.from({ length: 5 }, () => [503, 'queue-unavailable', '5']))
    expect(Date.now() - begun).toBeLessThan(60_000)
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
    expect((await fetch(`${server.url}/api/scan/${before}`)).status).toBe(200)
    if (down === redis.kill) await redis.start()
    else redis.thaw()
    for (let waited = 0; waited < 100 && (await fetch(`${server.url}/api/ready`)).status !== 200; waited++) await sleep(100)
    expect(await untilJob(server.url, await idOf(await handIn(server.url, ARCHIVE)), hasEnded)).toMatchObject({ state: 'done' })
    expect((await handIn(server.url, ARCHIVE, { prefer: '' })).status).toBe(201)
  }
  // nobody waits for it to end
  await redis.kill()
  const begun = Date.now()
  await Promise.all([server.kill('SIGTERM'), worker.kill('SIGTERM')])
  expect(Date.now() - begun).toBeLessThan(20_000)
})

test('a Redis that forgets is told of at the start', async () => {
  const redis = await startRedis({ appendonly: 'no', 'maxmemory-policy': 'allkeys-lru' })
  const setup = setUp(redis.url)
  for (const one of [await setup.startServer(), await setup.startWorker()]) {
    for (let waited = 0; waited < 50 && !one.log().includes('queue-evicts'); waited++) await sleep(100)
    expect(one.log()).toContain('queue-not-durable')
    expect(one.log()).toContain('queue-evicts')
  }
  const durable = await startRedis()
  const quiet = await setUp(durable.url).startServer()
  expect(quiet.log()).not.toMatch(/queue-(?:not-durable|evicts)/)
})

test('the scan of a second name space waits for two of the first at most', async () => {
  const redis = await startRedis()
  const setup = setUp(redis.url)
  const server = await setup.startServer({ PARAPET_TOKENS: `red=${'r'.repeat(20)},blue=${'b'.repeat(20)}` })
  const red = { authorization: `Bearer ${'r'.repeat(20)}` }
  const blue = { authorization: `Bearer ${'b'.repeat(20)}` }
  const many = runs(10_000, 100)
  const small = zipOf({ 'package.json': '{"name":"a"}' })
  for (let sent = 0; sent < many; sent += 10)
    await Promise.all(Array.from({ length: 10 }, async () => idOf(await handIn(server.url, small, red))))
  const other = await idOf(await handIn(server.url, small, blue))
  await setup.startWorker()
  await untilJob(server.url, other, hasEnded, blue)
  const [entry] = SCHEMAS.History.parse(await (await fetch(`${server.url}/api/scan/history`, { headers: blue })).json())
  expect(entry?.scanId).toBe(other)
  const ends = await Promise.all(
    (await redis.client.zrange('parapet-queue:scans-1-small:completed', 0, -1)).map(async (id) => ({
      id,
      at: Number(await redis.client.hget(`parapet-queue:scans-1-small:${id}`, 'finishedOn')),
    })),
  )
  const place = ends.sort((a, b) => a.at - b.at).findIndex(({ id }) => id === other)
  expect(place).toBeGreaterThanOrEqual(0)
  expect(place).toBeLessThanOrEqual(2)
  process.stdout.write(`beside ${many} jobs of another name space: number ${place + 1} to be done\n`)
})

test('whatever dies when, each job ends once, with the report of a quiet scan, and leaves no blob', async () => {
  const redis = await startRedis()
  const setup = setUp(redis.url)
  let server = await setup.startServer()
  const workers = [await setup.startWorker(), await setup.startWorker()]
  const quiet = await idOf(await handIn(server.url, ARCHIVE))
  await untilJob(server.url, quiet, hasEnded)
  const expected = await readFindings(server.url, quiet)

  const ids: string[] = []
  let begun = 0
  const kills = { worker: 0, server: 0, redis: 0 }
  const jobs = runs(1000, 20)
  while (ids.length < jobs) {
    const key = `job-${ids.length}`
    // as a client does: what was not acknowledged is sent again, with its key
    const answer = await handIn(server.url, ARCHIVE, { 'idempotency-key': key }).catch(() => undefined)
    begun++
    if (answer?.status === 202) ids.push(await idOf(answer))
    if (begun % 10 === 0) {
      kills.worker++
      const index = kills.worker % workers.length
      await workers[index]?.kill()
      workers[index] = await setup.startWorker()
    }
    if (begun % 20 === 5) {
      kills.server++
      // in the middle of a request
      const pending = handIn(server.url, ARCHIVE, { 'idempotency-key': key }).catch(() => undefined)
      await sleep((kills.server * 7) % 40)
      await server.kill()
      await pending
      server = await setup.startServer()
    }
    if (begun % 50 === 30) {
      kills.redis++
      await redis.kill()
      await redis.start()
    }
  }
  const ends = await Promise.all(ids.map((id) => untilJob(server.url, id, hasEnded)))
  const lost = ends.filter(({ problem }) => problem?.code === 'worker-lost').length
  expect(ends.map(({ state, problem }) => problem?.code ?? state)).toEqual(
    ends.map(({ problem }) => (problem?.code === 'worker-lost' ? 'worker-lost' : 'done')),
  )
  const history = SCHEMAS.History.parse(await (await fetch(`${server.url}/api/scan/history`)).json())
  const stored = history.map(({ scanId }) => scanId)
  expect(new Set(stored).size).toBe(stored.length)
  for (const { id, state } of ends) {
    if (state !== 'done') continue
    expect(stored).toContain(id)
    expect(await readFindings(server.url, id)).toEqual(expected)
  }
  // what those left behind that were killed goes once it is old
  const quick = openQuick(redis.url, () => undefined)
  const register = createRegister(quick)
  const blobs = createBlobs(createDurableStorage(join(setup.folder, 'storage')), undefined)
  await untilReady(quick, 5000)
  await sweep({ register, board: openBoard(quick, register), blobs, log: () => undefined }, Date.now() + 11 * 60_000)
  quick.disconnect()
  expect(setup.countBlobs()).toBe(0)
  process.stdout.write(
    `${kills.worker} kills of workers, ${kills.server} of servers, ${kills.redis} of Redis: ${ids.length} jobs, ${lost} given up as worker-lost, each other with its report\n`,
  )
}, 1_200_000)
