import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { toNodeHandler } from 'h3/node'
import type { H3 } from 'h3'
import { listen } from 'listhen'
import { createScanner } from '../../handlers/index.ts'
import { createCatalogueClient, type Log } from '../../core/index.ts'
import { compress } from './compress.ts'
import { boundConnections } from './connections.ts'
import { createDirectoryPolicy } from './directory-policy.ts'
import { openStorage } from './open-storage.ts'
import { createPageFiles } from './page-files.ts'
import { isLoopback, type Settings } from './settings.ts'
import { loadQueue, toQueueParts } from './shared-queue.ts'
import { createScanPool, joinQueue, rootsOf } from './worker-service.ts'

export interface RunningServer {
  readonly url: string
  /** Scans that run or wait. */
  active(): number
  /** No new scans; running ones have the grace of the settings; then everything is closed. */
  stop(): Promise<void>
}

/** For those who are connecting in the moment in which it ends. */
const LAST_CALL_MS = 250

/** How long a client may take to read the last of its answer once everything is answered. */
const FLUSH_MS = 5000

/** Starts the service. Rejects where the port is in use. */
export async function startServer(settings: Settings, log: Log): Promise<RunningServer> {
  const loopback = isLoopback(settings.host)
  const storage = await openStorage(settings.storage, log)
  const catalogue = createCatalogueClient({ url: settings.catalogueUrl, log })
  const pool = createScanPool(settings, log, catalogue)
  const parts = toQueueParts(settings, log)
  const queue = parts && (await (await loadQueue()).openClient(parts))
  const worker = parts && settings.workers > 0 ? await joinQueue(settings, log, pool, storage) : undefined
  const scanner = createScanner({
    compress,
    runner: queue?.runner ?? pool.runner,
    ...(queue !== undefined && { jobs: queue.jobs }),
    allocate: pool.allocate,
    resolveDirectory: createDirectoryPolicy(rootsOf(settings)),
    ...(storage !== undefined && { storage }),
    retention: settings.retention,
    catalogue,
    limits: settings.limits,
    suppressions: settings.suppressions,
    hosts: settings.hosts,
    loopback,
    language: settings.language,
    log,
    page: settings.page && (await createPageFiles()),
    ...(settings.fingerprintKey !== undefined && { fingerprintKey: settings.fingerprintKey }),
    ...(settings.token !== undefined && { token: settings.token }),
    tokens: settings.tokens,
    origins: settings.origins,
    trustProxy: settings.trustProxy,
  })
  const listener = await listen(toListhenHandler(scanner.app), {
    hostname: settings.host,
    // a port in use is an error, never another one: the only alternative is the same
    port: {
      port: settings.port,
      alternativePortRange: [settings.port, settings.port],
      random: settings.port === 0,
      verbose: false,
    },
    public: !loopback,
    isProd: true,
    showURL: false,
    open: false,
    clipboard: false,
    qr: false,
    autoClose: false,
  }).catch(async (error: unknown) => {
    await worker?.close(0)
    await pool.close()
    await queue?.close()
    await storage?.dispose()
    throw error
  })
  const connections = boundConnections(listener.server)
  warnAbout(settings, loopback, log)
  return {
    url: listener.url,
    active: pool.active,
    async stop() {
      connections.announceEnd()
      // the door stays open while scans run: who still comes is told that it is closing, instead of finding nobody
      const { shutdownGrace } = settings
      await Promise.all([scanner.drain(shutdownGrace), worker?.close(shutdownGrace), sleep(LAST_CALL_MS)])
      await pool.close()
      const closed = listener.close()
      const timer = setTimeout(() => listener.server.closeAllConnections(), FLUSH_MS)
      await closed
      clearTimeout(timer)
      await queue?.close()
      await storage?.dispose()
    },
  }
}

/**
 * Guards listhen's http-shutdown: it writes to `req.socket`, which Node sets to null when the body's stream is cancelled, and the process dies
 * (listhen 1.10.1). The microtask lets its own `request` listener run first.
 */
function toListhenHandler(app: H3): RequestListener {
  const handle = toNodeHandler(app)
  return (request, response) => {
    const { socket } = request
    response.once('finish', () => {
      request.socket ??= socket
    })
    queueMicrotask(() => {
      // whoever was cut off in the meantime is answered nothing
      if (!socket.destroyed) void handle(request, response)
    })
  }
}

function warnAbout(settings: Settings, loopback: boolean, log: Log): void {
  if (!loopback && settings.token === undefined && Object.keys(settings.tokens).length === 0) {
    log({
      level: 'warn',
      event: 'no-token',
      detail: `bound to ${settings.host} without PARAPET_TOKEN: everybody who reaches it may scan and read reports`,
    })
  }
  if (settings.catalogueUrl.startsWith('http:'))
    log({ level: 'warn', event: 'plain-http', detail: 'PARAPET_CATALOGUE_URL is http' })
  if (settings.advisoriesUrl.startsWith('http:'))
    log({ level: 'warn', event: 'plain-http', detail: 'PARAPET_ADVISORIES_URL is http' })
}
