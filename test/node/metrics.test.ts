import { expect, test } from 'vitest'
import { openMetrics } from '../../adapters/node/metrics.ts'
import { Refusal } from '../../core/errors.ts'
import { REFUSAL_CODES } from '../../core/index.ts'
import type { ScanRunner } from '../../core/types.ts'
import { createOutcome } from '../api/sample.ts'
import { scanOptions, SHOP, zipOf } from '../runners/projects.ts'
import { start, upload } from './running.ts'

const SOURCE = { kind: 'archive', bytes: new Uint8Array(), name: 'x' } as const
const NONE = { heldBytes: 0 }

/** Samples by their name and labels, as they are written. */
const readSamples = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

test('a scan is counted by what it ends as, its phases by how long they take', async () => {
  let now = 0
  const metrics = openMetrics(() => now)
  const runner = metrics.measure(async (_, options, { onProgress }) => {
    now += 2000
    onProgress?.({ phase: 'reading', done: 0, total: 2 })
    now += 50
    onProgress?.({ phase: 'reading', done: 1, total: 2 })
    now += 50
    onProgress?.({ phase: 'checking', done: 0, total: 1 })
    now += 400
    return createOutcome(options)
  })
  await runner(SOURCE, scanOptions(), {})
  await runner(SOURCE, scanOptions(), {})
  const { type, text } = await metrics.render(NONE)
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8')
  const samples = readSamples(text)
  expect(samples.get('parapet_scans_total{outcome="done"}')).toBe(2)
  expect(samples.get('parapet_scans_total{outcome="failed"}')).toBe(0)
  expect(samples.get('parapet_findings_total{severity="high"}')).toBe(2)
  expect(samples.get('parapet_findings_total{severity="low"}')).toBe(0)
  expect(samples.get('parapet_phase_duration_seconds_sum{phase="waiting"}')).toBe(4)
  expect(samples.get('parapet_phase_duration_seconds_sum{phase="reading"}')).toBeCloseTo(0.2)
  expect(samples.get('parapet_phase_duration_seconds_bucket{le="0.3",phase="checking"}')).toBe(0)
  expect(samples.get('parapet_phase_duration_seconds_bucket{le="1",phase="checking"}')).toBe(2)
  expect(samples.get('parapet_scans_running')).toBe(0)
})

test('what waits and runs now is told with the age of the oldest one', async () => {
  let now = 0
  const metrics = openMetrics(() => now)
  const ends: (() => void)[] = []
  const waits: ScanRunner = async (_, options) => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return createOutcome(options)
  }
  const runs: ScanRunner = (source, options, control) => {
    control.onProgress?.({ phase: 'reading', done: 0, total: 1 })
    return waits(source, options, control)
  }
  const scans = [metrics.measure(runs)(SOURCE, scanOptions(), {})]
  now = 1000
  scans.push(metrics.measure(waits)(SOURCE, scanOptions(), {}))
  now = 3000
  scans.push(metrics.measure(waits)(SOURCE, scanOptions(), {}))
  now = 4500
  const busy = readSamples((await metrics.render({ heldBytes: 77 })).text)
  expect(busy.get('parapet_scans_running')).toBe(1)
  expect(busy.get('parapet_queue_length')).toBe(2)
  expect(busy.get('parapet_queue_oldest_age_seconds')).toBe(3.5)
  expect(busy.get('parapet_held_bytes')).toBe(77)
  for (const end of ends) end()
  await Promise.all(scans)
  const quiet = readSamples((await metrics.render(NONE)).text)
  expect(['running', 'waiting'].map(() => quiet.get('parapet_scans_running'))).toEqual([0, 0])
  expect(quiet.get('parapet_queue_oldest_age_seconds')).toBe(0)
})

test('of a shared queue that is told, and while Redis is away no number', async () => {
  const metrics = openMetrics()
  const shared = readSamples((await metrics.render({ heldBytes: 0, queue: { waiting: 12, oldest: 40.5 } })).text)
  expect([shared.get('parapet_queue_length'), shared.get('parapet_queue_oldest_age_seconds')]).toEqual([12, 40.5])
  const unknown = readSamples((await metrics.render({ heldBytes: 0, queue: 'unknown' })).text)
  expect([unknown.get('parapet_queue_length'), unknown.get('parapet_queue_oldest_age_seconds')]).toEqual([NaN, NaN])
})

test('refusals, cancelled and failed scans, lost workers', async () => {
  const metrics = openMetrics()
  const fail = (error: unknown, signal?: AbortSignal): Promise<unknown> =>
    metrics
      .measure(() => Promise.reject(error))(SOURCE, scanOptions(), signal === undefined ? {} : { signal })
      .catch((caught: unknown) => caught)
  const refusal = new Refusal('busy')
  expect(await fail(refusal)).toBe(refusal)
  await fail(new Error('aborted'), AbortSignal.abort())
  await fail(new Error('a fault'))
  const log = metrics.count(() => undefined)
  log({ level: 'error', event: 'worker-died', error: 'x' })
  log({ level: 'error', event: 'worker-out-of-memory', error: 'x' })
  log({ level: 'warn', event: 'refused', code: 'busy' })
  log({ level: 'error', event: 'failed', code: 'internal-error' })
  const samples = readSamples((await metrics.render(NONE)).text)
  expect(
    ['refused', 'cancelled', 'failed', 'done'].map((outcome) => samples.get(`parapet_scans_total{outcome="${outcome}"}`)),
  ).toEqual([1, 1, 1, 0])
  expect(['died', 'memory'].map((reason) => samples.get(`parapet_worker_restarts_total{reason="${reason}"}`))).toEqual([1, 1])
  expect(samples.get('parapet_refusals_total{code="busy"}')).toBe(1)
  expect(samples.get('parapet_refusals_total{code="internal-error"}')).toBe(1)
})

test('no label holds what a client says, and their number is bound', async () => {
  const metrics = openMetrics()
  const log = metrics.count(() => undefined)
  for (const code of REFUSAL_CODES) log({ level: 'warn', event: 'refused', code })
  const before = readSamples((await metrics.render(NONE)).text).size
  const runner = metrics.measure((_, options) => Promise.resolve(createOutcome(options)))
  for (let round = 0; round < 200; round++) {
    log({ level: 'warn', event: 'refused', code: `made-up-${round}`, path: `/api/${round}` })
    await runner(
      { ...SOURCE, name: `project-${round}` },
      { ...scanOptions(), projectName: `project-${round}` },
      { space: `space-${round}` },
    )
  }
  const { text } = await metrics.render(NONE)
  expect(text).not.toMatch(/made-up|(?:project|space)-\d/)
  // the first scan began to count its phase
  expect(readSamples(text).size - before).toBeLessThan(20)
})

test('the service tells them where that is on', async () => {
  const { url } = await start({ PARAPET_METRICS: 'on', PARAPET_WORKERS: '1' })
  const read = async (): Promise<Map<string, number>> => readSamples(await (await fetch(`${url}/api/metrics`)).text())
  expect((await read()).get('parapet_scans_total{outcome="done"}')).toBe(0)
  const report = await (await upload(url, zipOf(SHOP))).json()
  expect((await upload(url, new Uint8Array([1, 2, 3]))).ok).toBe(false)
  const samples = await read()
  expect(samples.get('parapet_scans_total{outcome="done"}')).toBe(1)
  expect(samples.get('parapet_findings_total{severity="critical"}')).toBe(report.summary.critical)
  expect(samples.get('parapet_phase_duration_seconds_count{phase="checking"}')).toBe(1)
  expect(samples.get('parapet_refusals_total{code="archive-invalid"}')).toBe(1)
  expect(samples.get('parapet_held_bytes')).toBe(0)
  const off = await start()
  expect((await fetch(`${off.url}/api/metrics`)).status).toBe(404)
})
