/**
 * The package's main entry, for a host that is itself a server: an h3 or Nitro app mounts what `createScannerApp` makes, Express and node:http take
 * it through `toNodeHandler` of `h3/node` (not exported here, so that this entry needs no Node). `parapet/node` brings the worker pool.
 */
import type { H3 } from 'h3'
import { createScanner as create, type Scanner, type ScannerOptions } from '../handlers/index.ts'
import { PAGE } from './page.ts'

export { scanProject, type ProjectOptions } from './scan-project.ts'
export { describeRefusal } from '../handlers/index.ts'
export type { DirectoryResolver, PageFile, PageFiles, Scanner, ScannerOptions, ServiceLimits } from '../handlers/index.ts'
/** Makes the interface, and how it is shut down. The page is beside it, unless `page` is false. */
export function createScanner(options: ScannerOptions = {}): Scanner {
  return create({ page: PAGE, ...options })
}

/** The same for a host that has its own way to shut down: without options it works alone. */
export function createScannerApp(options: ScannerOptions = {}): H3 {
  return createScanner(options).app
}

export { createAdvisoryClient, createBundledAdvisories, createBundledCatalogue, createCatalogueClient } from '../core/host.ts'
export { createHistory, DEFAULT_LIMITS, isRefusal, Refusal, VERSION } from '../core/index.ts'
export { createInProcessRunner, RULES } from '../core/scanner.ts'
export type {
  AdvisoryPort,
  CatalogueClient,
  CataloguePort,
  History,
  HistoryEntry,
  Locale,
  Log,
  LogEntry,
  Outcome,
  Report,
  ReportFinding,
  Retention,
  Rule,
  ScanControl,
  ScanLimits,
  ScanOptions,
  ScanPorts,
  ScanProgress,
  ScanRunner,
  Severity,
  SourceData,
  Storage,
} from '../core/index.ts'
