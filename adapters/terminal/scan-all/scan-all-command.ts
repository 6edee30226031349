import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createTextMasker, SEVERITIES, VERSION, type Severity } from '../../../core/index.ts'
import { isWithin } from '../../node/directory-policy.ts'
import { readFingerprint } from '../../node/kept-results/index.ts'
import { readSettings, type Settings } from '../../node/settings.ts'
import type { Arguments } from '../arguments.ts'
import { createPainter } from '../paint.ts'
import { tell } from '../tell.ts'
import { sayFailing } from '../tell-reason.ts'
import { CommandFault, EXIT, UsageFault } from '../usage.ts'
import { say } from '../words.ts'
import { toFailure } from './failure.ts'
import { findProjects, type FoundProject, type MissingProject } from './find-projects.ts'
import { createLocalScanner, type ProjectScanner } from './local-scanner.ts'
import { nameReports } from './report-names.ts'
import { replaceFile, scanProject, type Run } from './scan-project.ts'
import { readState, STATE_FILE, sumAtLeast, writeState, type StoredState } from './state.ts'
import { printSummary, SUMMARY_FILE, toSummaryJson, type SummaryRow } from './summary.ts'

/** What a project ended with, and what it alone would have ended with. */
interface Ended {
  readonly row: SummaryRow
  readonly exit: number
  readonly failing: number
  /** At or above which findings of the project count. */
  readonly failOn?: Severity
}

/** From what needs repair first to what needs none. */
const WORST_FIRST = [EXIT.internal, EXIT.usage, EXIT.findings, EXIT.incomplete, EXIT.done]

/** `parapet scan-all`: scans many projects, writes a report of each and a summary. Goes on after one that fails. Gives the exit code of the worst. */
export async function scanAllCommand(args: Arguments): Promise<number> {
  const { locale, quiet, operands } = args
  checkArguments(args)
  const settings = readSettings(process.env)
  const started = performance.now()
  const folder = await openFolder(args)
  const found = await findProjects(operands, folder)
  const within = found.projects.find(({ path, isFolder }) => isFolder && isWithin(path, folder))
  if (within !== undefined) throw new UsageFault(say(locale, 'outputInProject', { project: within.source }))
  for (const link of quiet ? [] : found.links) tell(say(locale, 'linkSkipped', { link }))
  for (const name of quiet ? [] : found.others) tell(say(locale, 'noProject', { folder: name }))

  const scanner = await openScanner(args, settings)
  const runId = identifyRun(args, settings)
  const stored = args.resume ? await readState(folder, runId) : 'none'
  if (stored === 'unusable') tell(say(locale, 'stateUnusable', { file: STATE_FILE }))
  const before = knownOf(stored, found.projects)
  const stop = new AbortController()
  // one for each project that is scanned at once
  setMaxListeners(0, stop.signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const run: Run = {
    args,
    settings,
    scanner,
    folder,
    stems: nameReports(found.projects),
    before,
    state: await writeState(folder, runId, before.values()),
    signal: stop.signal,
  }
  const missing = found.missing.map((project) => endMissing(project, args))
  const ended = [...missing, ...(await scanEach(found.projects, run).finally(() => scanner.close()))]

  const rows = ended.map(({ row }) => row)
  const duration = Math.round(performance.now() - started)
  await replaceFile(join(folder, SUMMARY_FILE), [toSummaryJson(rows, { version: VERSION, duration })]).catch(() => {
    throw new CommandFault(say(locale, 'folderNotWritten', { folder }))
  })
  process.stdout.write(printSummary(rows, { locale, quiet, paint: createPainter(process.stdout, process.env) }))
  tellFailing(ended, args)
  if (stop.signal.aborted) return EXIT.interrupted
  return WORST_FIRST.find((code) => ended.some(({ exit }) => exit === code)) ?? EXIT.done
}

/** Options of one scan that say nothing about many would be ignored without a word. */
function checkArguments({ operands, baseline, writeBaseline, changedSince, cacheDir, failOnNew }: Arguments): void {
  if (operands.length === 0)
    throw new UsageFault({
      en: 'parapet scan-all takes folders, ZIPs, or files that list them',
      fr: 'parapet scan-all attend des dossiers, des ZIP ou des fichiers qui les énumèrent',
    })
  const given = { baseline, 'write-baseline': writeBaseline || undefined, 'changed-since': changedSince }
  const more = { 'cache-dir': cacheDir, 'fail-on-new': failOnNew }
  const wrong = Object.entries({ ...given, ...more }).find(([, value]) => value !== undefined)
  if (wrong !== undefined)
    throw new UsageFault({
      en: `parapet scan-all has no --${wrong[0]}: it belongs to one project`,
      fr: `parapet scan-all n’a pas de --${wrong[0]} : cela appartient à un projet`,
    })
}

async function openFolder({ outputs, locale }: Arguments): Promise<string> {
  const folder = outputs[0]?.file ?? ''
  try {
    await mkdir(folder, { recursive: true })
    return await realpath(folder)
  } catch {
    throw new CommandFault(say(locale, 'folderNotWritten', { folder }))
  }
}

async function openScanner(args: Arguments, settings: Settings): Promise<ProjectScanner> {
  const { server, locale, jobs } = args
  if (server === undefined) return createLocalScanner(settings, locale, jobs)
  return (await import('./server-scanner.ts')).createServerScanner(args, server, settings)
}

/** Whatever makes reports of the same content differ, but for what the world knows of packages. */
function identifyRun(args: Arguments, settings: Settings): string {
  const { locale, outputs, areas, rules, minSeverity, details, quiet, includeSuppressed, rulesUrl, sourceUrl, server } = args
  const formats = outputs.map(({ format }) => format)
  // no other format leaves anything out for it
  const isShort = quiet && formats.includes('text')
  const asked = [formats, locale, areas, rules, minSeverity, details, isShort, includeSuppressed, rulesUrl, sourceUrl, server]
  const { limits, suppressions, advisories, fingerprintKey } = settings
  const set = [limits, suppressions, advisories, fingerprintKey !== undefined]
  return createHash('sha256')
    .update(JSON.stringify([VERSION, readFingerprint(), asked, set]))
    .digest('hex')
}

/** What is known of the projects of this run; of others nothing is kept. */
function knownOf(stored: StoredState, projects: readonly FoundProject[]): Run['before'] {
  if (typeof stored === 'string') return new Map()
  const paths = new Set(projects.map(({ path }) => path))
  return new Map([...stored].filter(([path]) => paths.has(path)))
}

async function scanEach(projects: readonly FoundProject[], run: Run): Promise<Ended[]> {
  const ended: Ended[] = []
  const waiting = projects.entries()
  const { args, scanner } = run
  const show = createCounter(args, projects.length)
  let done = 0
  // an iterator that all share: each takes the next one
  const takeNext = async (): Promise<void> => {
    for (const [index, project] of waiting) {
      ended[index] = await scanOne(project, run, show.clear)
      show.count(++done)
    }
  }
  await Promise.all(Array.from({ length: scanner.atOnce }, takeNext))
  show.clear()
  return ended
}

async function scanOne(project: FoundProject, run: Run, clear: () => void): Promise<Ended> {
  const { args, signal } = run
  // of its own: who listens to that of the run would be kept, with all it holds, until the run ends
  const stop = new AbortController()
  const forward = (): void => stop.abort()
  signal.addEventListener('abort', forward, { once: true })
  const named = toNamed(project)
  const nothing = { ...named, resumed: false, reports: [], duration: 0 }
  const started = performance.now()
  try {
    signal.throwIfAborted()
    const { done, isResumed, failOn } = await scanProject(project, { ...run, signal: stop.signal })
    const { counts, reports, duration, complete } = done
    const failing = failOn === undefined ? 0 : sumAtLeast(counts, failOn)
    const outcome = complete ? 'done' : 'incomplete'
    return {
      row: { ...named, outcome, resumed: isResumed, counts, reports, duration },
      exit: failing > 0 ? EXIT.findings : complete ? EXIT.done : EXIT.incomplete,
      failing,
      ...(failOn !== undefined && { failOn }),
    }
  } catch (error) {
    if (signal.aborted) return { row: { ...nothing, outcome: 'cancelled' }, exit: EXIT.done, failing: 0 }
    const { code, detail, exit } = toFailure(error, args.locale)
    clear()
    tell(`${project.source}: ${detail} (${code})`)
    const duration = Math.round(performance.now() - started)
    return { row: { ...nothing, outcome: 'failed', duration, code, detail }, exit, failing: 0 }
  } finally {
    signal.removeEventListener('abort', forward)
  }
}

function endMissing(project: MissingProject, { locale }: Arguments): Ended {
  const { code, detail, exit } = toFailure(project.refusal, locale)
  tell(`${project.source}: ${detail} (${code})`)
  const row = { ...toNamed(project), outcome: 'failed', resumed: false, reports: [], duration: 0, code, detail } as const
  return { row, exit, failing: 0 }
}

/** How the summary names a project: without credentials that its path may hold. */
function toNamed({ name, source }: Pick<FoundProject, 'name' | 'source'>): Pick<SummaryRow, 'project' | 'source'> {
  const mask = createTextMasker()
  return { project: mask(name), source: mask(source) }
}

/** One line on a terminal that says how many are done. */
function createCounter({ quiet, locale }: Arguments, n: number): { count(done: number): void; clear(): void } {
  if (quiet || process.stderr.isTTY !== true || (process.env['CI'] ?? '') !== '') return { count: () => {}, clear: () => {} }
  return {
    count: (done) => process.stderr.write(`\r\u001b[2K${say(locale, 'scanningAll', { done, n })}`),
    clear: () => process.stderr.write('\r\u001b[2K'),
  }
}

/** A line for each threshold: projects may have their own. */
function tellFailing(ended: readonly Ended[], args: Arguments): void {
  for (const severity of SEVERITIES) {
    const n = ended.reduce((sum, { failOn, failing }) => sum + (failOn === severity ? failing : 0), 0)
    if (n > 0) tell(sayFailing(n, severity, args))
  }
}
