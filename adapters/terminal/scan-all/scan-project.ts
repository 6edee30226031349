import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isKnownFinding, selectFindings, type Report, type Severity } from '../../../core/index.ts'
import type { Settings } from '../../node/settings.ts'
import { checkConfiguredMinimum, thresholdOf, type Arguments } from '../arguments.ts'
import { readBaseline } from '../baseline.ts'
import { readCommandSettings } from '../config-file.ts'
import { createFilter } from '../finding-filter.ts'
import { renderFormat } from '../outputs.ts'
import { createPainter } from '../paint.ts'
import type { Selection } from '../selection.ts'
import { sourceOf } from '../source-url.ts'
import { say } from '../words.ts'
import { digestOf } from './digest.ts'
import { ProjectFault } from './failure.ts'
import type { FoundProject } from './find-projects.ts'
import type { ProjectScanner } from './local-scanner.ts'
import { reportFile } from './report-names.ts'
import { countBySeverity, type DoneProject, type StateWriter } from './state.ts'

/** What all projects of a run share. */
export interface Run {
  readonly args: Arguments
  readonly settings: Settings
  readonly scanner: ProjectScanner
  /** With its links resolved. */
  readonly folder: string
  /** Names of reports without their endings, by path of the project. */
  readonly stems: ReadonlyMap<string, string>
  /** What an earlier run has done, by path. */
  readonly before: ReadonlyMap<string, DoneProject>
  readonly state: StateWriter
  readonly signal: AbortSignal
}

export interface ScannedProject {
  readonly done: DoneProject
  /** It is the report of an earlier run. */
  readonly isResumed: boolean
  /** At or above which a finding fails the run. */
  readonly failOn: Severity | undefined
}

/** Scans a project and writes its reports, or finds that an earlier run has done both. Throws as its scanner does. */
export async function scanProject(project: FoundProject, run: Run): Promise<ScannedProject> {
  const { args, settings, folder, before, state, signal } = run
  const started = performance.now()
  const configured = project.isFolder ? await readCommandSettings(project.path) : {}
  const failOn = thresholdOf(args, configured.failOn)
  checkConfiguredMinimum(args, failOn)
  const digest = await digestOf(project, settings)
  const files = args.outputs.map(({ format }) => reportFile(run.stems.get(project.path) ?? project.name, format))
  const known = before.get(project.path)
  // the names are those of this run: what the state says of them decides nothing but whether they are the same
  const isDone = known?.digest === digest && known.reports.join('\n') === files.join('\n')
  if (known !== undefined && isDone && (await areWritten(folder, files))) return { done: known, isResumed: true, failOn }

  const scanned = await run.scanner.scan(project, signal)
  const baseline = configured.baseline === undefined ? undefined : await readBaseline(configured.baseline)
  const asked = selectFindings(scanned.parsed, createFilter(args))
  const report = baseline === undefined ? asked : selectFindings(asked, (finding) => !isKnownFinding(finding, baseline))
  const { total } = scanned.parsed.summary
  const selection: Selection = {
    total,
    notAskedFor: total - asked.summary.total,
    inBaseline: asked.summary.total - report.summary.total,
  }
  await writeReports(report, report.summary.total === total ? scanned.text : selection, project, run, failOn)
  const done: DoneProject = {
    path: project.path,
    digest,
    reports: files,
    counts: countBySeverity(report.summary),
    complete: report.complete,
    duration: Math.round(performance.now() - started),
  }
  await state.add(done)
  return { done, isResumed: false, failOn }
}

async function areWritten(folder: string, files: readonly string[]): Promise<boolean> {
  for (const file of files) {
    const found = await lstat(join(folder, file)).catch(() => undefined)
    if (found?.isFile() !== true) return false
  }
  return true
}

/** `told`: the report's own text, or where findings are left out of it, which ones. */
async function writeReports(
  report: Report,
  told: string | Selection,
  { path, isFolder, name }: FoundProject,
  { args, folder, stems }: Run,
  failOn: Severity | undefined,
): Promise<void> {
  const { locale, details, quiet, rulesUrl, outputs } = args
  const paint = createPainter({}, {})
  const telling = {
    report,
    ...(typeof told === 'string' ? { text: told } : { selection: told }),
    print: { locale, paint, details, quiet, failOn, rulesUrl },
  }
  const sourceUrl = await sourceOf(args, isFolder ? path : undefined)
  for (const { format } of outputs) {
    const file = reportFile(stems.get(path) ?? name, format)
    const pieces = await renderFormat(format, telling, { ...args, sourceUrl })
    await replaceFile(join(folder, file), pieces).catch(() => {
      throw new ProjectFault('report-not-written', say(locale, 'reportNotWritten', { file }))
    })
  }
}

/** Whole or not at all: a link in its place is replaced, not followed. */
export async function replaceFile(file: string, pieces: Iterable<string>): Promise<void> {
  const fresh = `${file}.${randomUUID()}.new`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(fresh, { flags: 'wx' }))
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
