import { Refusal } from './errors.ts'
import { StopSignal } from './budget.ts'
import type { Engine } from './engine.ts'
import { listInventory } from './inventory/index.ts'
import { askOutside, type ScanPorts } from './phases/ask.ts'
import { checkProject } from './phases/check.ts'
import { createFindings } from './phases/findings.ts'
import { readFiles } from './phases/read.ts'
import { counted, planScan } from './project/open.ts'
import { buildOutcome } from './report/build.ts'
import type { Outcome, ProjectSource, ProjectType, ScanControl, ScanOptions } from './types.ts'

/**
 * The program: read, ask, check, report. Throws a Refusal for what the caller handed in, an AbortError when the scan was cancelled; whatever else
 * goes wrong on the way is a notice in the report.
 */
export async function scan(
  source: ProjectSource,
  options: ScanOptions,
  engine: Engine,
  ports: ScanPorts,
  control: ScanControl,
): Promise<Outcome> {
  const findings = createFindings(options, control)
  try {
    const plan = planScan(source, { limits: options.limits, suppressions: options.suppressions, date: options.scannedAt })
    plan.notices.forEach(findings.notice)

    const { files, filesScanned, counts, remade } = await readFiles(plan, engine, options, control, findings)
    if (filesScanned === 0 && plan.files.every(({ path }) => !files.has(path)) && plan.config.exclude.length === 0)
      refuseEmpty(plan.files.length, counts)
    for (const [reason, count] of counts) findings.notice(counted(reason, count))

    control.onProgress?.({ phase: 'asking', done: 0, total: 1 })
    const project = await askOutside(files, plan.builtSources, options.scannedAt, ports, findings, control.signal)

    control.onProgress?.({ phase: 'checking', done: 0, total: 1 })
    if (!findings.isStopped()) await checkProject(project, plan, engine, control, findings, remade)

    control.onProgress?.({ phase: 'reporting', done: 0, total: 1 })
    const projectTypes: ProjectType[] = []
    if (project.ui5Apps.some(({ isLoose }) => !isLoose)) projectTypes.push('UI5')
    if (project.capRoots.length > 0) projectTypes.push('CAP')
    const result = {
      options,
      projectTypes,
      filesScanned,
      findings: findings.all(),
      notices: findings.notices(),
      suppressions: plan.config.suppress,
      inventory: { en: listInventory(project, 'en'), fr: listInventory(project, 'fr') },
    }
    return buildOutcome(result, engine.rules)
  } catch (error) {
    if (error instanceof StopSignal) throw new DOMException('the scan was cancelled', 'AbortError')
    throw error
  }
}

function refuseEmpty(planned: number, counts: ReadonlyMap<string, number>): void {
  if (planned > 0 && counts.get('binary') === planned) throw new Refusal('project-empty')
}
