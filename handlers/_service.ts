import type { H3 } from 'h3'
import {
  createProcessJobs,
  createTextMasker,
  createHistory,
  loadProjects,
  DEFAULT_LIMITS,
  logFaults,
  maskEntry,
  MAX_UPLOAD,
  VERSION,
  type CatalogueClient,
  type History,
  type Jobs,
  type Locale,
  type Log,
  type Projects,
  type Retention,
  type Rule,
  type ScanLimits,
  type ScanRunner,
  type ExclusiveStorage,
  type TextMasker,
} from '../core/index.ts'
import { createAdmission, type Admission } from './_admission.ts'
import { createDeliveries, DELIVERY_SHARE } from './_delivery.ts'
import type { Compress } from './_encoding.ts'
import type { PageFiles } from './page.ts'
import { logRefusal, toRefusal, type ProblemContext } from './_problem.ts'
import { loadScanner } from './_load-scanner.ts'
import { createRequests } from './_request.ts'
import { createScanIds } from './_scan-id.ts'
import { createStorages, keepBySpace, keepLoadedBySpace } from './_spaces.ts'

export interface ServiceLimits extends ScanLimits {
  /** Bytes of one request body. */
  readonly upload: number
  /** Bytes of all bodies that are held at once. */
  readonly held: number
}

/**
 * Says whether a directory may be scanned, and where it really is (links resolved). Throws the refusals `directory-not-allowed`, decided before
 * it is looked at, `directory-not-found`, and `invalid-request` where the path is not an absolute one on this machine.
 */
export type DirectoryResolver = (dirPath: string) => Promise<{ readonly path: string; readonly name: string }>

/** Tells figures of the process in a text format, and which one that is. */
export type MetricsReader = (facts: { readonly heldBytes: number }) => Promise<{ readonly type: string; readonly text: string }>

/** How the scanner is embedded. Every option has a default that works alone. */
export interface ScannerOptions {
  /** Runs in the host's own thread without it, and asks nobody outside. */
  readonly runner?: ScanRunner
  /** Makes zeroed memory for the bytes of an upload: shared memory, where the runner works in other threads. */
  readonly allocate?: (bytes: number) => Uint8Array
  /** Where scans run that nobody waits for; in this process without it. */
  readonly jobs?: Jobs
  /** False: the host may stop when an answer is sent, so that no scan can go on after it; `Prefer: respond-async` is then ignored. */
  readonly background?: boolean
  /** Without it no directories are scanned. */
  readonly resolveDirectory?: DirectoryResolver
  /** Where reports are kept; in memory without it. */
  readonly storage?: ExclusiveStorage
  /** By default 200 reports and 256 MiB in memory, everything in a storage that was given. */
  readonly retention?: Retention
  /** Without it the two catalogue endpoints answer `catalogue-unavailable`. */
  readonly catalogue?: CatalogueClient
  /** What GET /api/rules lists. */
  readonly rules?: readonly Rule[]
  readonly limits?: Partial<ServiceLimits>
  /** False: a project's own suppressions hide nothing. */
  readonly suppressions?: boolean
  readonly fingerprintKey?: string
  /** The prefix under which the app is mounted, for `Location`. */
  readonly base?: string
  /** Host names that are answered to. */
  readonly hosts?: readonly string[]
  /** The server is bound to loopback. */
  readonly loopback?: boolean
  readonly token?: string
  /** Tokens by name: each sees only the scans that were made with it. */
  readonly tokens?: Readonly<Record<string, string>>
  /** Origins from which the pages of the service are opened: behind a proxy they are not that of the request. */
  readonly origins?: readonly string[]
  /** Whether `Forwarded` and `X-Forwarded-*` say how the client called the service. */
  readonly trustProxy?: boolean
  /** Packs answers for clients that take them so, other than events and refusals; without it they are sent as they are. */
  readonly compress?: Compress
  /** The files of the page that is served at `/`; without them, or with false, there is only the interface. */
  readonly page?: PageFiles | false
  /** The language of those who ask for none. */
  readonly language?: Locale
  readonly log?: Log
  /** What GET /api/metrics answers; without it that is `not-found`. */
  readonly metrics?: MetricsReader
  /** What answers below `/admin/queues`, for whoever has `token`, as a bearer or as the password of a browser; without it that is `not-found`. */
  readonly dashboard?: H3
  readonly now?: () => Date
  /** Milliseconds since any moment, never running back: measures how long clients take. */
  readonly clock?: () => number
  /** Makes the id of a request. */
  readonly randomId?: () => string
  readonly version?: string
}

/** What the routes are served with: the options, made ready once per app. */
export interface Service extends ProblemContext {
  readonly runner: ScanRunner
  readonly jobs: Jobs
  /** Whether a scan may go on once its request is answered. */
  readonly background: boolean
  readonly allocate?: (bytes: number) => Uint8Array
  readonly resolveDirectory?: DirectoryResolver
  /** That of a name space; the empty one is of all who have none. */
  readonly historyOf: (space: string) => History
  /** Tags of reports as they are told, by what they are made of. */
  readonly knownTags: Map<string, string>
  readonly projectsOf: (space: string) => Promise<Projects>
  readonly retention: Retention
  readonly catalogue?: CatalogueClient
  readonly loadRules: () => Promise<readonly Rule[]>
  readonly limits: ServiceLimits
  readonly suppressions: boolean
  readonly fingerprintKey?: string
  readonly base: string
  readonly now: () => Date
  readonly clock: () => number
  readonly createScanId: () => string
  readonly version: string
  readonly compress?: Compress
  readonly admission: Admission
  readonly metrics?: MetricsReader
}

const MEMORY_RETENTION: Retention = { limit: 200, bytes: 256 * 1024 * 1024 }
const MAX_HELD = 256 * 1024 * 1024

export function createService(options: ScannerOptions): Service {
  const { storage, now = () => new Date(), clock = () => performance.now() } = options
  const maskText = createTextMasker()
  const log = createMaskedLog(options.log ?? logFaults, maskText)
  const limits: ServiceLimits = { ...DEFAULT_LIMITS, upload: MAX_UPLOAD, held: MAX_HELD, ...options.limits }
  const retention = options.retention ?? (storage === undefined ? MEMORY_RETENTION : {})
  const storageOf = createStorages(storage)
  const loadRules = async (): Promise<readonly Rule[]> => options.rules ?? (await loadScanner()).RULES
  const loadSince = async (): Promise<(ruleId: string) => string | undefined> => {
    const rules = new Map<string, string>((await loadRules()).map(({ id, since }) => [id, since]))
    return (ruleId) => rules.get(ruleId)
  }
  const runner = options.runner ?? createOwnRunner()
  const historyOf = keepBySpace((space) => createHistory(storageOf(space), { ...retention, now, log }))
  return {
    runner,
    jobs: options.jobs ?? createOwnJobs(runner, historyOf, log, now),
    background: options.background ?? true,
    allocate: options.allocate,
    resolveDirectory: options.resolveDirectory,
    historyOf,
    knownTags: new Map(),
    projectsOf: keepLoadedBySpace((space) => loadProjects(storageOf(space), { now, log, loadSince })),
    retention,
    catalogue: options.catalogue,
    loadRules,
    limits,
    suppressions: options.suppressions ?? true,
    fingerprintKey: options.fingerprintKey,
    base: (options.base ?? '').replace(/\/{1,9}$/, ''),
    language: options.language ?? 'en',
    log,
    maskText,
    now,
    clock,
    requestOf: createRequests(options.randomId ?? (() => crypto.randomUUID())),
    createScanId: createScanIds(now),
    version: options.version ?? VERSION,
    compress: options.compress,
    metrics: options.metrics,
    drain: limits.upload,
    admission: createAdmission({ maxHeld: limits.held, clock }),
    deliveries: createDeliveries({ maxHeld: limits.held * DELIVERY_SHARE, clock }),
  }
}

/** What a request says is no more told in a log than in an answer, whoever brings the log. */
function createMaskedLog(log: Log, maskText: TextMasker): Log {
  return (entry) => log(maskEntry(entry, maskText))
}

/** In the host's own thread, and asking nobody outside. */
function createOwnRunner(): ScanRunner {
  let run: ScanRunner | undefined
  return async (...scan) => {
    const { createInProcessRunner } = await loadScanner()
    run ??= createInProcessRunner()
    return run(...scan)
  }
}

/** Jobs of this process, and what the log says of them. */
function createOwnJobs(runner: ScanRunner, historyOf: (space: string) => History, log: Log, now: () => Date): Jobs {
  return createProcessJobs({
    runner,
    now,
    async save({ space, requestId, options }, outcome) {
      await historyOf(space).save(outcome, true)
      log({ level: 'info', event: 'scan-stored', id: requestId, scanId: options.scanId })
    },
    onFailure: ({ requestId }, error) => logRefusal(toRefusal(error), log, { id: requestId }),
  })
}
