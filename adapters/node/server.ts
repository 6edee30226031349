import { setTimeout as sleep } from 'node:timers/promises'
import { createScanner, DASHBOARD_PATH, loadLateModules } from '../../handlers/index.ts'
import { createCatalogueClient } from '../../core/host.ts'
import type { Log } from '../../core/index.ts'
import { compress } from './compress.ts'
import { createDirectoryPolicy } from './directory-policy.ts'
import { openListener } from './listener.ts'
import { openStorage } from './open-storage.ts'
import { createPackedMemory } from './packed-memory.ts'
import { createPageFiles } from './page-files.ts'
import { isLoopback, type Settings } from './settings.ts'
import { loadQueue, toQueueParts } from './shared-queue.ts'
import { accessOf, createScanPool, joinQueue, loadMetrics, observePool, rootsOf } from './worker-service.ts'

export interface RunningServer {
  readonly url: string
  /** Scans that run or wait. */
  active(): number
  /** No new scans; running ones have the grace of the settings; then everything is closed. */
  stop(): Promise<void>
}

/** For those who are connecting in the moment in which it ends. */
const LAST_CALL_MS = 250

/** Starts the service. Rejects where the port is in use. */
export async function startServer(settings: Settings, plainLog: Log): Promise<RunningServer> {
  const loopback = isLoopback(settings.host)
  const metrics = await loadMetrics(settings)
  const log = metrics?.count(plainLog) ?? plainLog
  const storage = (await openStorage(settings.storage, log)) ?? createPackedMemory()
  const catalogue = createCatalogueClient({ url: settings.catalogueUrl, log })
  const pool = await observePool(createScanPool(settings, log, catalogue), metrics, settings)
  const parts = toQueueParts(settings, log)
  const queue = parts && (await (await loadQueue()).openClient(parts))
  const dashboard = parts && settings.dashboard ? await (await loadQueue()).openQueueDashboard(parts, DASHBOARD_PATH) : undefined
  const worker = parts && settings.workers > 0 ? await joinQueue(settings, log, pool, storage) : undefined
  const scanner = createScanner({
    compress,
    runner: queue?.runner ?? pool.runner,
    ...(queue !== undefined && { jobs: queue.jobs }),
    allocate: pool.allocate,
    resolveDirectory: createDirectoryPolicy(rootsOf(settings)),
    storage,
    retention: settings.retention,
    catalogue,
    limits: settings.limits,
    suppressions: settings.suppressions,
    ...accessOf(settings),
    log,
    ...(metrics !== undefined && {
      metrics: async ({ heldBytes }) =>
        metrics.render({ heldBytes, ...(queue && { queue: await queue.load().catch(() => 'unknown' as const) }) }),
    }),
    ...(dashboard !== undefined && { dashboard: dashboard.app }),
    page: settings.page && (await createPageFiles()),
    ...(settings.fingerprintKey !== undefined && { fingerprintKey: settings.fingerprintKey }),
  })
  const listener = await openListener(scanner.app, settings).catch(async (error: unknown) => {
    await worker?.close(0)
    await pool.close()
    await dashboard?.close()
    await queue?.close()
    await storage.dispose()
    throw error
  })
  warnAbout(settings, loopback, log)
  // it answers already; from here on it needs nothing of node_modules that a later `npm ci` might replace
  await loadLateModules()
  return {
    url: listener.url,
    active: pool.active,
    async stop() {
      listener.announceEnd()
      // the door stays open while scans run: who still comes is told that it is closing, instead of finding nobody
      const { shutdownGrace } = settings
      await Promise.all([scanner.drain(shutdownGrace), worker?.close(shutdownGrace), sleep(LAST_CALL_MS)])
      await pool.close()
      await listener.close()
      await dashboard?.close()
      await queue?.close()
      await storage.dispose()
    },
  }
}

function warnAbout(settings: Settings, loopback: boolean, log: Log): void {
  if (!loopback && settings.token === undefined && Object.keys(settings.tokens).length === 0) {
    log({
      level: 'warn',
      event: 'no-token',
      // no colon behind the name: what follows one would be masked as its value
      detail: `everybody who reaches ${settings.host} may scan and read reports, since PARAPET_TOKEN is not set`,
    })
  }
  if (settings.catalogueUrl.startsWith('http:'))
    log({ level: 'warn', event: 'plain-http', detail: 'PARAPET_CATALOGUE_URL is http' })
  if (settings.advisoriesUrl.startsWith('http:'))
    log({ level: 'warn', event: 'plain-http', detail: 'PARAPET_ADVISORIES_URL is http' })
}
