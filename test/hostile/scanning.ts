import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine } from '../../core/engine.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { openArchive } from '../../core/project/archive.ts'
import type { Report } from '../../core/report/types.ts'
import { RULES } from '../../core/rules/index.ts'
import { scan } from '../../core/scan.ts'
import type { ProjectSource, ScanControl, ScanOptions } from '../../core/types.ts'
import { allFindings } from '../scan-files.ts'
import { KNOWN } from './project.ts'
import { buildZip, type EntrySpec } from './zip-builder.ts'

/** Each finding as one line: id, rule, place. */
export function told(report: Report): string[] {
  return allFindings(report)
    .map(({ id, ruleId, file, line }) => `${id} ${ruleId} ${file}:${line}`)
    .sort()
}

/** Those of `KNOWN` that a report tells. */
export function known(report: Report): string[] {
  const found = new Set(allFindings(report).map(({ ruleId, file }) => `${ruleId} ${file}`))
  return KNOWN.filter((one) => found.has(one))
}

const OPTIONS: ScanOptions = {
  scanId: '00000000-0000-7000-8000-000000000000',
  scannedAt: '2026-11-20T12:00:00.000Z',
  projectName: 'example',
  limits: DEFAULT_LIMITS,
  suppressions: true,
}
const ENGINE = createEngine(RULES)

/** Scans a source with all rules; gives the bytes of the English report. */
export async function scanSource(
  source: ProjectSource,
  control: ScanControl = {},
  options: Partial<ScanOptions> = {},
): Promise<Uint8Array> {
  const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  return (await scan(source, { ...OPTIONS, ...options }, ENGINE, ports, control)).records.en
}

export async function scanArchive(
  bytes: Uint8Array,
  control: ScanControl = {},
  options: Partial<ScanOptions> = {},
): Promise<Report> {
  return readReport(await scanSource(openArchive(bytes, DEFAULT_LIMITS), control, options))
}

export function readReport(record: Uint8Array): Report {
  return JSON.parse(new TextDecoder().decode(record))
}

/** The file, the last one to be read, that `toZip` damages. */
export const DAMAGED = 'zz.js'

export function toZip(
  files: ReadonlyMap<string, string | Uint8Array>,
  habits: Partial<EntrySpec> = {},
  damaged: Partial<EntrySpec> = {},
): Uint8Array {
  return buildZip({
    entries: [...files].map(([name, data]) => Object.assign({ name, data }, habits, name === DAMAGED && damaged)),
  })
}
