import { createBundledAdvisories } from '../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../core/catalogue/bundled.ts'
import { createEngine, type Engine } from '../core/engine.ts'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import { RULES } from '../core/rules/index.ts'
import type { Rule } from '../core/rules/rule.ts'
import { scan } from '../core/scan.ts'
import type { ScanPorts } from '../core/phases/fetch.ts'
import type { Report, ReportFinding } from '../core/report/types.ts'
import type { ProjectSource, ScanControl, ScanOptions } from '../core/types.ts'

let engine: Engine | undefined
let ports: ScanPorts | undefined

/** Scans files held in memory with all rules, bundled snapshots and no network; gives the report in both languages, read back from its bytes.
 *  Throws what a rule threw, but for those who listen to faults themselves. */
export async function scanFiles(
  files: ReadonlyMap<string, string | Uint8Array>,
  settings: {
    date?: string
    options?: Partial<ScanOptions>
    control?: ScanControl
    engine?: Engine
    ports?: Partial<ScanPorts>
  } = {},
): Promise<{ en: Report; fr: Report }> {
  engine ??= createEngine(RULES)
  const options: ScanOptions = {
    scanId: '00000000-0000-7000-8000-000000000000',
    scannedAt: `${settings.date ?? '2026-11-20'}T12:00:00.000Z`,
    projectName: 'example',
    limits: DEFAULT_LIMITS,
    suppressions: true,
    ...settings.options,
  }
  ports ??= { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  const faults: unknown[] = []
  const onFault: ScanControl['onFault'] = ({ error }) => void faults.push(error)
  const { records } = await scan(
    toSource(files),
    options,
    settings.engine ?? engine,
    { ...ports, ...settings.ports },
    { onFault, ...settings.control },
  )
  // with its own stack: it says where the rule failed
  if (faults.length > 0) throw faults[0]
  const read = (bytes: Uint8Array): Report => JSON.parse(new TextDecoder().decode(bytes))
  return { en: read(records.en), fr: read(records.fr) }
}

const byOne = new Map<string, Engine>()

/**
 * Scans files in which a rule is to find nothing, by this rule alone: half of the CPU. With all rules it finds the same or less, since others may only take its
 * findings (`yieldsTo`); where it finds something, and in a soak, all rules run, and their report counts.
 */
export async function scanByOne(
  ruleId: string,
  files: ReadonlyMap<string, string>,
  settings: { date?: string } = {},
): Promise<{ en: Report; fr: Report }> {
  if (process.env['SOAK'] !== undefined) return scanFiles(files, settings)
  const engine = byOne.get(ruleId) ?? createEngine(RULES.filter(({ id }) => id === ruleId))
  byOne.set(ruleId, engine)
  const reports = await scanFiles(files, { ...settings, engine })
  return allFindings(reports.en).length === 0 ? reports : scanFiles(files, settings)
}

const byItsOwn = new Map<string, Engine>()

/**
 * Scans files by one rule, and those that may take its findings: it finds what it finds beside all others, of the same severity, for little more than half of
 * the CPU. Where it finds nothing, and in a soak, all rules run, and their report counts.
 */
export async function scanByItsOwn(ruleId: string, files: ReadonlyMap<string, string>): Promise<{ en: Report; fr: Report }> {
  if (process.env['SOAK'] !== undefined) return scanFiles(files)
  const engine = byItsOwn.get(ruleId) ?? createEngine(withTakers(ruleId))
  byItsOwn.set(ruleId, engine)
  const reports = await scanFiles(files, { engine })
  return allFindings(reports.en).some((finding) => finding.ruleId === ruleId) ? reports : scanFiles(files)
}

/** A rule, those that it yields to, those that these yield to, and so on. */
function withTakers(ruleId: string): Rule[] {
  const ids = new Set([ruleId])
  for (const id of ids) RULES.find((rule) => rule.id === id)?.yieldsTo?.forEach((taker) => ids.add(taker))
  return RULES.filter(({ id }) => ids.has(id))
}

/** Files in memory as a source; entries in the order of the map. */
export function toSource(files: ReadonlyMap<string, string | Uint8Array>): ProjectSource {
  const entries = [...files].map(([path, content]) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    return { path, size: bytes.length, read: () => bytes }
  })
  return { entries, notices: [], leftOut: [] }
}

/** All findings of a report, of every area. */
export function allFindings({ results }: Report): ReportFinding[] {
  const { ui5, cap, secrets, btp, npm, approuter } = results
  return [...ui5.findings, ...cap.findings, ...secrets.findings, ...btp.issues, ...npm.findings, ...approuter.findings]
}
