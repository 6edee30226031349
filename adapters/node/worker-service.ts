import { createCatalogueClient, type ExclusiveStorage, type Log } from '../../core/index.ts'
import { createHistories } from '../../handlers/index.ts'
import { createAdvisories } from './advisories.ts'
import { createDirectoryPolicy } from './directory-policy.ts'
import { openStorage } from './open-storage.ts'
import type { QueueWorker } from './queue/queue-worker.ts'
import { loadQueue, toQueueParts } from './shared-queue.ts'
import { isLoopback, SettingsFault, type Settings } from './settings.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/** Scans that wait within the process: those that were taken off the queue have a place at once. */
const LOCAL_QUEUE = 8

export interface WorkerService {
  /** No new scans; running ones have the grace of the settings, the rest is left to other workers. */
  stop(): Promise<void>
}

/** A process that carries out scans of the shared queue, and answers nobody. Rejects with a SettingsFault where there is none. */
export async function startWorkerService(settings: Settings, log: Log): Promise<WorkerService> {
  const storage = await openStorage(settings.storage, log)
  const pool = createScanPool(settings, log)
  const worker = await joinQueue(settings, log, pool, storage)
  return {
    async stop() {
      await worker.close(settings.shutdownGrace)
      await pool.close()
      await storage?.dispose()
    },
  }
}

/** Processes of scans by the settings. One more than asked for where there is a shared queue: that of its lane for large archives. */
export function createScanPool(
  settings: Settings,
  log: Log,
  catalogue = createCatalogueClient({ url: settings.catalogueUrl, log }),
): WorkerPool {
  const isShared = settings.queue !== undefined
  return createWorkerPool({
    workers: isShared && settings.workers > 0 ? settings.workers + 1 : settings.workers,
    queueLength: isShared ? LOCAL_QUEUE : settings.queueLength,
    ports: { advisories: createAdvisories(settings, log), catalogue },
    log,
    ownsProcess: true,
    processes: { roots: rootsOf(settings) },
  })
}

/** Folders that may be scanned; undefined: all. */
export function rootsOf({ scanRoots, host }: Settings): readonly string[] | undefined {
  return scanRoots ?? (isLoopback(host) ? undefined : [])
}

/** Begins to take scans off the queue of the settings. */
export async function joinQueue(
  settings: Settings,
  log: Log,
  { runner, allocate }: WorkerPool,
  storage: ExclusiveStorage | undefined,
): Promise<QueueWorker> {
  const parts = toQueueParts(settings, log)
  if (parts === undefined) throw new SettingsFault('a worker needs PARAPET_QUEUE: the Redis from which it takes scans')
  const { openWorker } = await loadQueue()
  const historyOf = createHistories(storage, { retention: settings.retention, log })
  const resolveDirectory = createDirectoryPolicy(rootsOf(settings))
  return openWorker({ ...parts, runner, allocate, historyOf, resolveDirectory })
}
