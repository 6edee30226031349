import type { History, Log, ScanRunner } from '../../../core/index.ts'
import { SettingsFault, type Settings } from '../settings.ts'
import type { Blobs } from './blobs.ts'
import type { Dashboard } from './dashboard.ts'
import { openBlobs } from './open-blobs.ts'
import { openQueueClient, type QueueClient } from './queue-client.ts'
import { startQueueWorker, type QueueWorker } from './queue-worker.ts'

/** What a process needs to take part in a shared queue. */
export interface QueueParts {
  readonly settings: Settings
  /** The Redis of the queue. */
  readonly url: string
  readonly log: Log
}

/** Opens what shows the queue to the operator. Throws a SettingsFault where its packages are missing. */
export async function openQueueDashboard({ url, log }: QueueParts, base: string): Promise<Dashboard> {
  const { openDashboard } = await import('./dashboard.ts').catch((error: unknown) => {
    throw new SettingsFault(`PARAPET_DASHBOARD needs the packages @bull-board/api and @bull-board/ui (${String(error)})`)
  })
  return openDashboard({ url, log }, base)
}

/** Opens the side that puts scans on the queue. */
export async function openClient({ settings, url, log }: QueueParts): Promise<QueueClient> {
  const blobs = await openPlace(settings, log)
  const client = await openQueueClient({ url, blobs, log })
  return {
    ...client,
    async close() {
      await client.close()
      await blobs.dispose()
    },
  }
}

export interface WorkerParts extends QueueParts {
  readonly runner: ScanRunner
  readonly allocate: (bytes: number) => Uint8Array
  readonly historyOf: (space: string) => History
  readonly resolveDirectory: (path: string) => Promise<{ readonly path: string }>
}

/** Starts the side that carries out scans. */
export async function openWorker({ settings, allocate, ...parts }: WorkerParts): Promise<QueueWorker> {
  const blobs = await openPlace(settings, parts.log, allocate)
  const { workers, fingerprintKey } = settings
  const worker = await startQueueWorker({ ...parts, blobs, workers, fingerprintKey })
  return {
    ...worker,
    async close(grace) {
      await worker.close(grace)
      await blobs.dispose()
    },
  }
}

function openPlace({ blobs }: Settings, log: Log, allocate?: (bytes: number) => Uint8Array): Promise<Blobs> {
  return openBlobs(blobs, log, allocate)
}
