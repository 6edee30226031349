import { createCatalogueClient } from '../core/host.ts'
import { createInProcessRunner } from '../core/scanner.ts'
import { createScanner, loadLateModules } from '../handlers/index.ts'
import { createAdvisories } from './node/advisories.ts'
import { compress } from './node/compress.ts'
import { createDirectoryPolicy } from './node/directory-policy.ts'
import { openDirectory } from './node/directory.ts'
import { createLog } from './node/log.ts'
import { openStorage } from './node/open-storage.ts'
import { createPageFiles } from './node/page-files.ts'
import { isLoopback, listSecrets, readSettings, SettingsFault, type Settings } from './node/settings.ts'

/** A service for a runtime whose server takes a Request and gives a Response. */
export interface FetchService {
  readonly settings: Settings
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** No new scans; resolves when running ones are answered and the storage is closed. */
  readonly stop: () => Promise<void>
}

export interface FetchServiceOptions {
  /** Whether folders can be scanned: what a path leads to must still be certain when the file is open. */
  readonly folders: boolean
}

/**
 * The service of the same settings as on Node, for runtimes that know Node's modules but not its worker threads as they are used here: scans run in
 * the server's own thread, one file after the other.
 */
export async function openFetchService(
  environment: Readonly<Record<string, string | undefined>>,
  options: FetchServiceOptions,
): Promise<FetchService> {
  const settings = readSettings(environment)
  if (settings.queue !== undefined) throw new SettingsFault('PARAPET_QUEUE needs the service on Node')
  if (settings.metrics) throw new SettingsFault('PARAPET_METRICS needs the service on Node')
  if (settings.traces) throw new SettingsFault('PARAPET_TRACES needs the service on Node')
  const log = createLog(settings.log, undefined, listSecrets(settings))
  const loopback = isLoopback(settings.host)
  const { catalogueUrl, fingerprintKey, token } = settings
  const catalogue = createCatalogueClient({ url: catalogueUrl, log })
  const advisories = createAdvisories(settings, log)
  const storage = await openStorage(settings.storage, log)
  const { app, drain } = createScanner({
    ...settings,
    metrics: undefined,
    dashboard: undefined,
    compress,
    page: settings.page && (await createPageFiles()),
    runner: createInProcessRunner({ ports: { advisories, catalogue }, openDirectory, log }),
    ...(options.folders && { resolveDirectory: createDirectoryPolicy(settings.scanRoots ?? (loopback ? undefined : [])) }),
    catalogue,
    loopback,
    log,
    storage,
    fingerprintKey,
    token,
  })
  // a later `npm ci` may replace what is in node_modules
  await loadLateModules()
  return {
    settings,
    fetch: (request) => app.fetch(request),
    stop: async () => {
      await drain(settings.shutdownGrace)
      await storage?.dispose()
    },
  }
}

/** A body over the limit must reach the service, which has words for it. */
export const BODY_MARGIN: number = 16 * 1024 * 1024
