import { availableParallelism, freemem } from 'node:os'
import { createCatalogueClient } from '../../../core/host.ts'
import type { Locale, Log } from '../../../core/index.ts'
import { createAdvisories } from '../../node/advisories.ts'
import type { Settings } from '../../node/settings.ts'
import { createWorkerPool, type WorkerPool } from '../../node/worker-pool.ts'
import { readSource, toOptions, toScannedPath, type ScannedPath } from '../scan-path.ts'
import type { FoundProject } from './find-projects.ts'

/** Scans one project after another, or several at once. */
export interface ProjectScanner {
  /** How many projects it takes at once. */
  readonly atOnce: number
  /** Throws refusals and ProjectFaults; where the signal is aborted, anything. */
  scan(project: FoundProject, signal: AbortSignal): Promise<ScannedPath>
  close(): Promise<void>
}

/** What a process of a scan takes at most: its heap, code, stacks and buffers (`worker-pool.ts`). */
const PROCESS_BYTES = 400 * 1024 ** 2

const silent: Log = () => {}

/** Scans in processes of the worker pool: as many as were asked for, else one a processor; never more than the memory that is available holds. */
export function createLocalScanner(settings: Settings, locale: Locale, jobs: number | undefined): ProjectScanner {
  const atOnce = scansAtOnce(jobs ?? availableParallelism(), availableMemory(), settings.limits.upload)
  let pool: WorkerPool | undefined
  const openPool = (): WorkerPool =>
    (pool ??= createWorkerPool({
      workers: atOnce,
      queueLength: atOnce,
      ports: {
        advisories: createAdvisories(settings, silent),
        catalogue: createCatalogueClient({ url: settings.catalogueUrl, log: silent }),
      },
      log: silent,
      ownsProcess: true,
      processes: { roots: undefined },
    }))
  return {
    atOnce,
    async scan(project, signal) {
      const source = await readSource(project.path, settings.limits.upload)
      const outcome = await openPool().runner(source, toOptions(source.name, settings), { signal })
      return toScannedPath(outcome.records, locale)
    },
    close: async () => pool?.close(),
  }
}

/** Each scan may hold the largest archive beside its process. One is always tried. */
export function scansAtOnce(wanted: number, memory: number, upload: number): number {
  return Math.max(1, Math.min(wanted, Math.floor(memory / (PROCESS_BYTES + upload))))
}

/** Bytes: what a container may still take, where it has a limit. Bun and Deno do not tell. */
function availableMemory(): number {
  return typeof process.availableMemory === 'function' ? process.availableMemory() : freemem()
}
