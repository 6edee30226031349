import { createCatalogueClient } from '../../core/host.ts'
import type { ExclusiveStorage, Log } from '../../core/index.ts'
import { createHistories, createProbes, loadLateModules, type ScannerOptions } from '../../handlers/index.ts'
import { createAdvisories } from './advisories.ts'
import { createDirectoryPolicy } from './directory-policy.ts'
import { openListener } from './listener.ts'
import type { Metrics } from './metrics.ts'
import { openStorage } from './open-storage.ts'
import type { QueueWorker } from './queue/queue-worker.ts'
import { loadQueue, toQueueParts } from './shared-queue.ts'
import { isLoopback, SettingsFault, type Settings } from './settings.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/** Scans that wait within the process: those that were taken off the queue have a place at once. */
const LOCAL_QUEUE = 8

export interface WorkerService {
  /** Where it tells its figures; undefined: nowhere. */
  readonly url: string | undefined
  /** No new scans; running ones have the grace of the settings, the rest is left to other workers. */
  stop(): Promise<void>
}

/**
 * A process that carries out scans of the shared queue. It answers nobody, or on the port of the settings whoever asks for its figures. Rejects with a SettingsFault where there is no
 * queue, and where the port is in use.
 */
export async function startWorkerService(settings: Settings, plainLog: Log): Promise<WorkerService> {
  const metrics = await loadMetrics(settings)
  const log = metrics?.count(plainLog) ?? plainLog
  const storage = await openStorage(settings.storage, log)
  const pool = await observePool(createScanPool(settings, log), metrics, settings)
  const worker = await joinQueue(settings, log, pool, storage)
  const close = async (grace: number): Promise<void> => {
    await worker.close(grace)
    await pool.close()
    await storage?.dispose()
  }
  const listener =
    metrics &&
    (await openListener(createProbes({ ...accessOf(settings), log, metrics: metrics.render }), settings).catch(
      async (error: unknown) => {
        await close(0)
        throw error
      },
    ))
  await loadLateModules()
  return {
    url: listener?.url,
    async stop() {
      listener?.announceEnd()
      await close(settings.shutdownGrace)
      await listener?.close()
    },
  }
}

/** Counts what the process does, where that is switched on: nobody else loads what it takes. */
export async function loadMetrics(settings: Settings): Promise<Metrics | undefined> {
  return settings.metrics ? (await import('./metrics.ts')).openMetrics() : undefined
}

/** The same pool, its scans counted and told to a provider of traces, where that is switched on: nobody else loads what it takes. */
export async function observePool(pool: WorkerPool, metrics: Metrics | undefined, { traces }: Settings): Promise<WorkerPool> {
  const runner = metrics?.measure(pool.runner) ?? pool.runner
  if (!traces) return { ...pool, runner }
  const { traceScans } = await import('../traces.ts').catch((error: unknown) => {
    throw new SettingsFault(`PARAPET_TRACES needs the package @opentelemetry/api (${String(error)})`)
  })
  return { ...pool, runner: traceScans(runner) }
}

/** Who may ask, and under which names. */
export function accessOf(
  settings: Settings,
): Pick<ScannerOptions, 'hosts' | 'loopback' | 'language' | 'token' | 'tokens' | 'origins' | 'trustProxy'> {
  const { hosts, host, language, token, tokens, origins, trustProxy } = settings
  return { hosts, loopback: isLoopback(host), language, ...(token !== undefined && { token }), tokens, origins, trustProxy }
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
