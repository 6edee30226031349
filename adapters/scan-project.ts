import { DEFAULT_LIMITS, type Locale, type Report, type ScanLimits, type ScanPorts, type ScanRunner } from '../core/index.ts'
import { createInProcessRunner } from '../core/scanner.ts'
import { createScanIds, readReport } from '../handlers/index.ts'

/** Of one scan. Every option has a default that works alone. */
export interface ProjectOptions {
  readonly projectName?: string
  readonly locale?: Locale
  readonly limits?: Partial<ScanLimits>
  /** False: the project's own suppressions hide nothing. */
  readonly suppressions?: boolean
  readonly fingerprintKey?: string
  /** What is known of packages and UI5 versions; without it the bundled snapshots, and nobody is asked. */
  readonly ports?: ScanPorts
  /** Where it runs; without it in the caller's own thread. */
  readonly runner?: ScanRunner
  /** Ends the scan; what it was aborted with is thrown. */
  readonly signal?: AbortSignal
}

/** Scans a ZIP archive, and stores nothing. Rejects with a Refusal where the archive can't be scanned. */
export async function scanProject(archive: Uint8Array, options: ProjectOptions = {}): Promise<Report> {
  const { projectName = 'project', locale = 'en', suppressions = true, fingerprintKey, signal, ports } = options
  const run = options.runner ?? createInProcessRunner({ ports })
  const now = new Date()
  const { records } = await run(
    // a copy: the runner owns what it is handed
    { kind: 'archive', bytes: new Uint8Array(archive), name: projectName },
    {
      scanId: createScanIds(() => now)(),
      scannedAt: now.toISOString(),
      projectName,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      suppressions,
      fingerprintKey,
    },
    { signal },
  )
  const report = readReport(records[locale])
  if (report === undefined) throw new Error('the report is not of this version')
  return report
}
