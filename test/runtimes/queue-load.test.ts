import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import { expect, inject, onTestFinished, test } from 'vitest'
import { VERSION } from '../../core/version.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { buildCorpora } from '../bench/corpus.ts'
import { percentile } from '../node/health-watch.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { handIn, hasEnded, readJob, setUpQueue, untilJob, type QueueSetup } from './queue-processes.ts'
import { startRedis } from './redis.ts'

const isSoak = process.env['SOAK'] !== undefined
const SMALL = zipOf({ 'package.json': '{"name":"a"}' })

async function setUp(): Promise<QueueSetup & { readonly redisUrl: string }> {
  const redis = await startRedis()
  const setup = setUpQueue(inject('packed'), redis.url)
  onTestFinished(() => setup.stop())
  return { ...setup, redisUrl: redis.url }
}

const idOf = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(202)
  return SCHEMAS.Job.parse(await answer.json()).id
}

const tellLoad = (): string => `${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`

/** Over 8 MiB as it lies in the archive, most of it an image; some tenths of a second of work. */
function createLargeArchive(): Uint8Array {
  const line = 'sap.ui.define(["sap/m/Button"], function (Button) { return { run: function (a) { return eval(a.code + 1) } } })\n'
  const scripts = Array.from({ length: 15 }, (_, index): [string, Uint8Array] => [
    `webapp/f${index}.js`,
    strToU8(line.repeat(120)),
  ])
  return zipSync({ ...Object.fromEntries(scripts), 'webapp/image.png': new Uint8Array(8 * 1024 * 1024) }, { level: 0 })
}

test('a large archive has a lane of its own: small ones are answered while it runs', async () => {
  const setup = await setUp()
  const server = await setup.startServer({ PARAPET_MAX_UPLOAD: '16MiB' })
  const archive = createLargeArchive()
  const large: string[] = []
  for (let sent = 0; sent < 3; sent++) large.push(await idOf(await handIn(server.url, archive)))
  const small = await idOf(await handIn(server.url, SMALL))
  await setup.startWorker({ PARAPET_MAX_UPLOAD: '16MiB' })
  expect(await untilJob(server.url, small, hasEnded)).toMatchObject({ state: 'done' })
  expect(hasEnded(await readJob(server.url, large.at(-1) ?? ''))).toBe(false)
  for (const id of large) expect(await untilJob(server.url, id, hasEnded)).toMatchObject({ state: 'done' })
})

test('a server and a worker of two versions work together', async () => {
  const setup = await setUp()
  const other = mkdtempSync(join(tmpdir(), 'parapet-other-'))
  onTestFinished(() => rmSync(other, { recursive: true }))
  cpSync(inject('packed'), other, { recursive: true })
  const parts = join(other, 'dist/adapters/node')
  const declared = `VERSION="${VERSION}"`
  const part = readdirSync(parts).find(
    (name) => name.endsWith('.js') && readFileSync(join(parts, name), 'utf8').includes(declared),
  )
  const text = readFileSync(join(parts, part ?? ''), 'utf8')
  writeFileSync(join(parts, part ?? ''), text.replace(declared, 'VERSION="99.0.0"'))
  const newer = setUpQueue(other, setup.redisUrl)
  onTestFinished(() => newer.stop())
  const shared = { PARAPET_STORAGE: join(setup.folder, 'storage') }
  const [server, worker] = await Promise.all([newer.startServer(shared), setup.startWorker(shared)])
  expect(await (await fetch(`${server.url}/api/health`)).json()).toMatchObject({ version: '99.0.0' })
  const id = await idOf(await handIn(server.url, SMALL))
  expect(await untilJob(server.url, id, hasEnded)).toMatchObject({ state: 'done' })
  expect((await handIn(server.url, zipOf(SHOP), { prefer: '' })).status).toBe(201)
  await worker.kill('SIGTERM')
  expect(worker.log()).not.toContain('job-failed')
})

test.skipIf(!isSoak)('two workers finish 200 projects of 4.6 MB at least 1.5 times as fast as one', async () => {
  const archive = new Uint8Array(readFileSync(buildCorpora().get('M') ?? ''))
  const projects = 200
  /** Seconds. */
  const measure = async (workers: number): Promise<number> => {
    const setup = await setUp()
    const server = await setup.startServer({ PARAPET_MAX_UPLOAD: '16MiB' })
    const ids: string[] = []
    for (let sent = 0; sent < projects; sent++) ids.push(await idOf(await handIn(server.url, archive)))
    await Promise.all(Array.from({ length: workers }, () => setup.startWorker({ PARAPET_MAX_UPLOAD: '16MiB' })))
    const begun = performance.now()
    for (const id of ids) expect(await untilEnded(server.url, id)).toBe('done')
    const seconds = (performance.now() - begun) / 1000
    await setup.stop()
    return seconds
  }
  const [one, two] = [await measure(1), await measure(2)]
  process.stdout.write(
    `${projects} projects: ${one.toFixed(0)} s with one worker, ${two.toFixed(0)} s with two: ${(one / two).toFixed(2)} times as fast (${tellLoad()})\n`,
  )
  expect(one / two).toBeGreaterThanOrEqual(1.5)
})

/** For as long as all jobs before it take. */
async function untilEnded(url: string, id: string): Promise<string> {
  for (;;) {
    const job = await readJob(url, id)
    if (hasEnded(job)) return job.state
    await sleep(200)
  }
}

test.skipIf(!isSoak)('10,000 jobs that wait cost whoever hands in another one 20 ms at most', async () => {
  const setup = await setUp()
  const server = await setup.startServer()
  const archive = zipOf(SHOP)
  /** Milliseconds that 99 of 100 take at most. */
  const measure = async (): Promise<number> => {
    const times: number[] = []
    for (let sent = 0; sent < 500; sent++) {
      const begun = performance.now()
      await idOf(await handIn(server.url, archive))
      times.push(performance.now() - begun)
    }
    return percentile(times, 0.99)
  }
  await measure()
  const empty = await measure()
  for (let sent = 0; sent < 10_000; sent += 20)
    await Promise.all(Array.from({ length: 20 }, async () => idOf(await handIn(server.url, SMALL))))
  const full = await measure()
  process.stdout.write(`p99 of a POST: ${empty.toFixed(1)} ms, beside 10,000 that wait ${full.toFixed(1)} ms (${tellLoad()})\n`)
  expect(full - empty).toBeLessThanOrEqual(20)
})
