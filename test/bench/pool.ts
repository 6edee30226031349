import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tuneEngine } from '../../adapters/node/tune-engine.ts'
import { createWorkerPool, type PoolOptions, type WorkerPool } from '../../adapters/node/worker-pool.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { bundleChild, bundleWorker } from '../bundle.ts'
import { scanOptions } from '../runners/projects.ts'
import { memoryOf, processesOf } from './processes.ts'

/** Scans in a process of their own in terms of those in a thread: medians of rounds that were run in turn, both pools warm. */
export interface Pools {
  readonly wall: number
  /** Told: seconds in a thread; MB of all processes behind the last scan, of the pool of processes alone. */
  readonly seconds: number
  readonly memory: number
}

const WARM_UP = 3
const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }

export async function measurePools(zip: string, rounds: number): Promise<Pools> {
  // as the service does, for its threads
  tuneEngine('scans')
  const bytes = readFileSync(zip)
  const open = (where: Partial<PoolOptions>): WorkerPool =>
    createWorkerPool({ workers: 1, queueLength: 1, ports, log: () => undefined, ownsProcess: true, ...where })
  const [threads, processes] = [open({ worker: bundleWorker() }), open({ processes: { script: bundleChild() } })]
  const scan = async ({ allocate, runner }: WorkerPool): Promise<number> => {
    // as an upload is received: in memory that the workers see
    const received = allocate(bytes.byteLength)
    received.set(bytes)
    const began = performance.now()
    await runner({ kind: 'archive', bytes: received, name: 'x' }, scanOptions(), {})
    return (performance.now() - began) / 1000
  }
  try {
    for (let round = 0; round < WARM_UP; round++) for (const pool of [threads, processes]) await scan(pool)
    const pairs: { readonly thread: number; readonly process: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const [first, second] = round % 2 === 0 ? [threads, processes] : [processes, threads]
      const [one, other] = [await scan(first), await scan(second)]
      pairs.push(first === threads ? { thread: one, process: other } : { thread: other, process: one })
    }
    const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
    return {
      wall: median(pairs.map(({ thread, process: own }) => own / thread)),
      seconds: median(pairs.map(({ thread }) => thread)),
      memory: memoryOf(processesOf(process.pid).slice(1), 'VmRSS'),
    }
  } finally {
    await Promise.all([threads.close(), processes.close()])
  }
}

/** One corpus alone, by its path: `tsx test/bench/pool.ts test/bench/.cache/S-3.zip 15`. */
const [, script, zip, rounds = '15'] = process.argv
if (script === fileURLToPath(import.meta.url) && zip !== undefined) {
  void measurePools(zip, Number(rounds)).then((figures) => process.stdout.write(`${JSON.stringify(figures)}\n`))
}
