/**
 * The package's main entry, for a host that is itself a server: an h3 or Nitro app mounts what `createScannerApp` makes, Express and node:http take
 * it through `toNodeHandler` of `h3/node` (not exported here, so that this entry needs no Node). `parapet/node` brings the worker pool.
 */
export { scanProject, type ProjectOptions } from './scan-project.ts'
export { createScanner, createScannerApp, describeRefusal } from '../handlers/index.ts'
export type { DirectoryResolver, Scanner, ScannerOptions, ServiceLimits } from '../handlers/index.ts'
export {
  createAdvisoryClient,
  createBundledAdvisories,
  createBundledCatalogue,
  createCatalogueClient,
  createHistory,
  createInProcessRunner,
  DEFAULT_LIMITS,
  isRefusal,
  Refusal,
  RULES,
  VERSION,
} from '../core/index.ts'
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
