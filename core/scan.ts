import { Refusal } from './errors.ts'
import { StopSignal } from './budget.ts'
import type { Engine } from './engine.ts'
import { createMeter } from './meter.ts'
import { checkProject } from './phases/check.ts'
import { createGrader, unusedSettings } from './phases/grading.ts'
import { fetchExternalData, type ScanPorts } from './phases/fetch.ts'
import { createFindings } from './phases/findings.ts'
import { buildInventory } from './phases/inventory.ts'
import { buildModels } from './phases/model.ts'
import { createOpenRoutes, type OpenRoutes } from './phases/open-routes.ts'
import { toFileResult, type FileReader } from './phases/read-file.ts'
import type { ReadingThreads } from './phases/reading-threads.ts'
import { readFiles, type Reading } from './phases/read.ts'
import type { ScanContext } from './phases/scan-context.ts'
import { solveFlows } from './phases/solve.ts'
import { narrowPlan } from './project/narrow.ts'
import { planScan, tellCounts, type ScanPlan } from './project/open.ts'
import { buildOutcome, type ScanResult } from './report/build.ts'
import type { Project } from './rules/subjects.ts'
import type { Interruption, Outcome, ProjectSource, ProjectType, ScanControl, ScanOptions } from './types.ts'

/**
 * The program: read, model, fetch, solve, check, report. Throws a Refusal for what the caller handed in, an AbortError when the scan was cancelled; whatever else
 * goes wrong on the way is a notice in the report. `readFile`: how files become results; `threads`: others that make results of files by the rules of the engine.
 */
export async function scan(
  source: ProjectSource,
  options: ScanOptions,
  engine: Engine,
  ports: ScanPorts,
  control: ScanControl,
  readFile: FileReader = toFileResult,
  threads?: ReadingThreads,
): Promise<Outcome> {
  const common = { options, engine, readFile }
  /** What is known is plain data: models and files are gone when it is written down. */
  const write = (result: ScanResult): Outcome => buildOutcome(result, engine.rules)
  try {
    const plan = planScan(source, { limits: options.limits, suppressions: options.suppressions, date: options.scannedAt })
    const narrowed = control.ahead && narrowPlan(plan, control.ahead.paths())
    if (narrowed !== undefined)
      control.ahead?.tell(
        write(await scanPlan(narrowed.plan, ports, { ...common, control: aheadOf(control, plan) })),
        narrowed.paths,
      )
    const result = await scanPlan(plan, ports, { ...common, control, ...(threads !== undefined && { threads }) })
    control.onKnown?.()
    return write(result)
  } catch (error) {
    if (error instanceof StopSignal) throw new DOMException('the scan was cancelled', 'AbortError')
    throw error
  }
}

async function scanPlan(
  plan: ScanPlan,
  ports: ScanPorts,
  given: Pick<ScanContext, 'options' | 'engine' | 'control' | 'readFile' | 'threads'>,
): Promise<ScanResult> {
  const { options, engine, control } = given
  const findings = createFindings(options, control, { suppressions: plan.config.suppress, rules: engine.rules })
  plan.notices.forEach(findings.notice)
  const context: ScanContext = { ...given, plan, findings, meter: createMeter() }

  const reading = await readFiles(context)
  refuseEmpty(plan, reading)
  tellCounts(plan.counts, reading.counts).forEach(findings.notice)

  control.onProgress?.({ phase: 'asking', done: 0, total: 1 })
  // a run that was taken up again keeps what its first one found, and runs no rule
  const isResumed = options.resume !== undefined
  const rest = findings.isStopped() && !isResumed ? toLate(context) : context
  const models = buildModels(reading.files, rest)
  const project = await fetchExternalData(models, ports, context)
  const openRoutes = createOpenRoutes()
  const hits = openRoutes.notedIn(solveFlows(models, rest))

  control.onProgress?.({ phase: 'checking', done: 0, total: 1 })
  await control.pause?.()
  if (!isResumed) checkProject(project, hits, rest)

  control.onProgress?.({ phase: 'reporting', done: 0, total: 1 })
  await control.pause?.()
  return report(project, reading, openRoutes, context)
}

/** Of a part nothing is told on the way: the whole tells it, and progress never goes back. */
function aheadOf({ interruption, pause, signal, onProgress }: ScanControl, { files }: ScanPlan): ScanControl {
  return {
    ...(interruption && { interruption }),
    ...(pause && { pause }),
    ...(signal && { signal }),
    onProgress: () => onProgress?.({ phase: 'reading', done: 0, total: files.length }),
  }
}

/** Descriptors and lock files were read first: what they tell is worth a moment more. */
function toLate(context: ScanContext): ScanContext {
  const { control } = context
  const interruption = (): Interruption | undefined => (control.interruption?.() === 'cancelled' ? 'cancelled' : undefined)
  return { ...context, isLate: true, control: { ...control, interruption } }
}

function report(project: Project, { filesScanned }: Reading, openRoutes: OpenRoutes, context: ScanContext): ScanResult {
  const { options, findings, engine, plan } = context
  const { grades } = plan.config
  if (grades !== undefined) unusedSettings(grades, project, plan.files, engine.rules).forEach(findings.notice)
  const projectTypes: ProjectType[] = []
  if (project.ui5Apps.some(({ isUndeclared }) => !isUndeclared)) projectTypes.push('UI5')
  if (project.capRoots.length > 0) projectTypes.push('CAP')
  const inventory = buildInventory(project, context)
  return {
    options: { ...options, projectName: findings.secrets.maskPath(options.projectName) },
    projectTypes,
    filesScanned,
    findings: findings.sorted(createGrader(project, grades, openRoutes)),
    notices: findings.notices(),
    inventory,
    mask: findings.secrets.mask,
    maskPath: findings.secrets.maskPath,
  }
}

/** Throws a Refusal where nothing of the upload could be looked at. */
function refuseEmpty({ files: planned, config, of }: ScanPlan, { files, filesScanned, counts }: Reading): void {
  if (filesScanned > 0 || of !== undefined || config.exclude.length > 0 || planned.some(({ path }) => files.has(path))) return
  if (planned.length > 0 && counts.get('binary') === planned.length) throw new Refusal('project-empty')
}
