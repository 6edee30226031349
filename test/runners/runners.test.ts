import { expect, test } from 'vitest'
import { createWorkerPool } from '../../adapters/node/worker-pool.ts'
import { openDirectory } from '../../adapters/node/directory.ts'
import { createReadingThreads } from '../../adapters/node/reading-threads.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createInProcessRunner } from '../../core/runner.ts'
import { isRefusal } from '../../core/errors.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { listFindings } from '../../core/report/list-findings.ts'
import type { Report } from '../../core/report/types.ts'
import { bundleChild, bundleReadingThread, bundleWorker } from '../bundle.ts'
import { describeRunner } from './contract.ts'
import { scanOptions, SHOP, slowProject, zipOf } from './projects.ts'

const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
const log = (): void => {}
const worker = bundleWorker()

describeRunner('the in-process runner', () => ({
  runner: createInProcessRunner({ ports, openDirectory }),
  close: async () => {},
}))

const threads = createReadingThreads({ most: () => 2, cost: 0, script: bundleReadingThread() })
describeRunner('the in-process runner with threads that read', () => ({
  runner: createInProcessRunner({ ports, openDirectory, threads }),
  close: async () => {},
}))

describeRunner('the worker pool', () => createWorkerPool({ workers: 2, queueLength: 8, ports, log, worker }))

describeRunner('the pool of processes', () =>
  createWorkerPool({ workers: 2, queueLength: 8, ports, log, processes: { script: bundleChild() } }),
)

test('the in-process runner alone reads no directories', async () => {
  const run = createInProcessRunner({ ports })
  await expect(run({ kind: 'directory', path: '/', name: 'x' }, scanOptions(), {})).rejects.toMatchObject({
    code: 'directory-scan-unavailable',
  })
})

test('a full queue is busy; a closed pool too', async () => {
  const pool = createWorkerPool({ workers: 1, queueLength: 1, ports, log, worker })
  const archive = (): Parameters<typeof pool.runner>[0] => ({ kind: 'archive', bytes: slowProject(10), name: 'x' })
  const [first, second] = [pool.runner(archive(), scanOptions(), {}), pool.runner(archive(), scanOptions(), {})]
  const third = await pool.runner(archive(), scanOptions(), {}).catch((error: unknown) => error)
  expect(isRefusal(third) && third.code).toBe('busy')
  expect(pool.active()).toBe(2)
  await first
  await second
  expect(pool.active()).toBe(0)
  await pool.close()
  await expect(pool.runner(archive(), scanOptions(), {})).rejects.toMatchObject({ code: 'busy' })
})

test.each([
  ['thread', { worker }],
  ['process', { processes: { script: bundleChild() } }],
])('a %s that reaches its heap limit costs its scan the rest, not the service', { timeout: 120_000 }, async (_, where) => {
  const pool = createWorkerPool({ workers: 1, queueLength: 4, heap: 44, ports, log, ...where })
  const { records } = await pool.runner({ kind: 'archive', bytes: hungryProject(), name: 'x' }, scanOptions(), {})
  const report = JSON.parse(new TextDecoder().decode(records.en))
  expect(report.complete).toBe(false)
  expect(report.notices.map(({ code }: { code: string }) => code)).toContain('memory-limit')
  const after = await pool.runner(
    { kind: 'archive', bytes: zipOf({ 'package.json': SHOP['package.json'] ?? '' }), name: 'x' },
    scanOptions(),
    {},
  )
  expect(after.entry.projectTypes).toEqual(['CAP'])
  await pool.close()
})

/** A machine that is busy must not end these by the clock. */
const PATIENT = scanOptions({ limits: { ...DEFAULT_LIMITS, scanTime: 3_600_000 } })

test('a report that fills the heap by itself becomes one of the most severe findings', { timeout: 600_000 }, async () => {
  // found file by file: each is handed over before the next one is read
  const bytes = zipOf(manyFindings(120, 'const sessionToken = Math.random()'))
  const scanWith = async (heap: number): Promise<{ readonly events: readonly string[]; readonly report: Report | undefined }> => {
    const events: string[] = []
    const log = ({ event }: { readonly event: string }): void => void events.push(event)
    const pool = createWorkerPool({ workers: 1, queueLength: 4, heap, ports, log, worker })
    // in the smallest of these heaps there is no room for the scanner itself
    const answer = await pool
      .runner({ kind: 'archive', bytes: bytes.slice(), name: 'x' }, PATIENT, {})
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
        expect(events).toHaveLength(3)
      })
    await pool.close()
    return { events, report: answer && JSON.parse(new TextDecoder().decode(answer.records.en)) }
  }
  // how much a report takes depends on the version of the engine and on what it collects when: one of these heaps is too small for it as well
  let cut: Report | undefined
  // (from the middle of those that were seen to be so outwards: a scan that nearly fills its heap takes ten times as long)
  for (const heap of [52, 50, 54, 48, 56, 46, 58, 44, 60, 42, 62, 40, 38, 36, 34]) {
    const { events, report } = await scanWith(heap)
    expect(events).toEqual(events.map(() => 'worker-out-of-memory'))
    if (report === undefined || events.length === 0) continue
    expect(report.complete).toBe(false)
    expect(report.notices.map(({ code }) => code)).toContain('memory-limit')
    // once with its rules, once with all that was found
    if (events.length === 2 && listFindings(report).length > 0) {
      cut = report
      break
    }
  }
  expect(cut && listFindings(cut).length).toBe(200)
  expect(cut?.notices.map(({ code }) => code).sort()).toEqual(['findings-capped', 'memory-limit'])
})

const FILES = process.env['SOAK'] === undefined ? 105 : 280

test(
  'findings by the hundred thousand: both runners keep the same ones, and count the rest',
  { timeout: 1_200_000 },
  async () => {
    const bytes = (): Uint8Array => zipOf({ ...manyFindings(FILES), ...SHOP })
    const pool = createWorkerPool({ workers: 1, queueLength: 4, ports, log, worker })
    const runners = [createInProcessRunner({ ports }), pool.runner]
    const reports: Report[] = []
    for (const run of runners) {
      const { records } = await run({ kind: 'archive', bytes: bytes(), name: 'x' }, PATIENT, {})
      reports.push(JSON.parse(new TextDecoder().decode(records.en)))
    }
    await pool.close()
    const [inProcess, inPool] = reports
    expect(inPool).toEqual(inProcess)
    const all = inProcess === undefined ? [] : listFindings(inProcess)
    expect(all.length).toBe(10_000)
    const capped = inProcess?.notices.find(({ code, file }) => code === 'findings-capped' && file === undefined)
    const left = Number(/\d+/.exec(capped?.detail ?? '')?.[0])
    expect(left).toBeGreaterThanOrEqual(FILES * 100 - 10_000)
    // the same project without what there was no room for: as many findings as the notice says
    const { records } = await createInProcessRunner({ ports })(
      { kind: 'archive', bytes: zipOf(SHOP), name: 'x' },
      scanOptions(),
      {},
    )
    const own: Report = JSON.parse(new TextDecoder().decode(records.en))
    expect(left + 10_000).toBe(FILES * 100 + listFindings(own).length)
  },
)

/** A hundred findings in each file. */
function manyFindings(files: number, line = 'eval(location.hash)'): Record<string, string> {
  const text = `${line}\n`.repeat(100)
  return Object.fromEntries(Array.from({ length: files }, (_, index) => [`webapp/many/${index}.js`, text]))
}

/** Descriptors keep their trees until the report: many of them fill a small heap. */
function hungryProject(): Uint8Array {
  const entity = (index: number): string =>
    `entity E${index} { key ID : Integer; name : String; other : Association to E${index}; }\n`
  const text = Array.from({ length: 2000 }, (_, index) => entity(index)).join('')
  return zipOf(
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`srv/s${index}.cds`, `namespace n${index};\n${text}`])),
  )
}
