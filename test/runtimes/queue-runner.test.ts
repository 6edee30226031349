import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBlobs } from '../../adapters/node/queue/blobs.ts'
import { openQueueClient, type QueueClient } from '../../adapters/node/queue/queue-client.ts'
import { startQueueWorker, type QueueWorker } from '../../adapters/node/queue/queue-worker.ts'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { createWorkerPool } from '../../adapters/node/worker-pool.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createHistories, createScanIds } from '../../handlers/index.ts'
import { describeRunner, type RunnerUnderTest } from '../runners/contract.ts'
import { bundleWorker } from '../bundle.ts'
import { launchRedis } from './redis.ts'

const createId = createScanIds(() => new Date())
const log = (): void => undefined

/** A client and a worker on one queue, as two processes would have them. */
async function open(): Promise<{ client: QueueClient; worker: QueueWorker; stop(): Promise<void> }> {
  const redis = await launchRedis()
  const folder = mkdtempSync(join(tmpdir(), 'parapet-blobs-'))
  const storage = createDurableStorage(folder)
  const pool = createWorkerPool({
    workers: 3,
    worker: bundleWorker(),
    queueLength: 8,
    ports: { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() },
    log,
  })
  const key = 'k'.repeat(32)
  const client = await openQueueClient({ url: redis.url, blobs: createBlobs(storage, key), log })
  const worker = await startQueueWorker({
    url: redis.url,
    blobs: createBlobs(storage, key, pool.allocate),
    runner: pool.runner,
    workers: 2,
    historyOf: createHistories(storage, { retention: {}, log }),
    resolveDirectory: (path) => Promise.resolve({ path }),
    fingerprintKey: undefined,
    log,
  })
  return {
    client,
    worker,
    async stop() {
      await worker.close(1000)
      await pool.close()
      await client.close()
      await redis.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

function create(): RunnerUnderTest {
  const opened = open()
  return {
    // each scan of a service has an id of its own
    runner: async (source, options, control) => (await opened).client.runner(source, { ...options, scanId: createId() }, control),
    close: async () => (await opened).stop(),
  }
}

describeRunner('on a shared queue', create)
