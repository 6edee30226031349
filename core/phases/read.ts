import { createEngine } from '../engine.ts'
import type { FileResult, ProjectFile } from '../files.ts'
import type { FileFlow, FlowExtent } from '../flow/index.ts'
import { compareTexts } from '../lists.ts'
import type { PlannedFile } from '../project/open.ts'
import { toFindings } from '../report/finish.ts'
import { findInNames } from '../secrets/find-in-names.ts'
import { findInText } from '../secrets/find-in-text.ts'
import { isSaid } from '../secrets/made-up.ts'
import { contextOf } from './context.ts'
import { severityByPath } from './grading.ts'
import { createLineTables } from './line-tables.ts'
import { fileContextOf, isOutOfTime, openFile, type OpenedFile } from './open-file.ts'
import type { ScanContext } from './scan-context.ts'
import { shareReading } from './share-reading.ts'

/** What the phase *read* leaves: files without their text, and how many were read. */
export interface Reading {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly filesScanned: number
  /** Files whose bytes tell that they are binary or minified, per sort. */
  readonly counts: ReadonlyMap<string, number>
}

/**
 * Reads each file once into its FileResult. Throws the refusals of a damaged archive, and a StopSignal when the scan is cancelled. Out of time: the rest
 * is inflated (so that damage is found) without rules.
 */
export async function readFiles(context: ScanContext): Promise<Reading> {
  const { plan, control, findings, options } = context
  const files = new Map<string, ProjectFile>()
  const counts = new Map<string, number>()
  rememberNamedCredentials(context)
  const extent = flowExtentOf(context)
  if (extent === 'sinks') findings.notice({ code: 'file-skipped', reason: 'flow', partial: false })
  const read = options.resume?.filesRead ?? 0
  // of these the descriptors alone are read again, and no rule is run
  const quiet = read > 0 ? { ...context, engine: createEngine([]) } : undefined
  const lineTables = createLineTables()
  const shared = context.threads && quiet === undefined ? shareReading(context, context.threads, extent) : undefined
  let filesScanned = 0
  let room = MAX_FLOW
  let unfollowed = 0
  const readOne = async (index: number, planned: PlannedFile): Promise<void> => {
    const opened = shared === undefined || findings.isStopped() ? openFile(planned) : await shared.take(index)
    if (control.pause !== undefined) await control.pause()
    if (isOutOfTime(control)) findings.outOfTime()
    if (opened === 'binary') {
      if (mustBeText(planned)) findings.notice({ code: 'file-unreadable', reason: 'binary', file: planned.path, partial: true })
      else count(counts, 'binary')
      return
    }
    if (opened === 'gone') return tellGone(planned, context)
    filesScanned++
    if (findings.isStopped() && !(index < read && isListed(planned))) return
    const isFull = extent !== 'none' && room < LEAST_FLOW
    if (isFull) shared?.narrow('none')
    const result = toResult(planned, opened, isFull ? 'none' : extent, quiet ?? context)
    if (result === undefined) return tellGone(planned, context)
    if (result.setAside !== undefined) count(counts, result.setAside)
    finishFile(result, () => opened.decoded()?.text ?? '', context)
    const {
      matches: _matches,
      masked: _masked,
      markers: _markers,
      notices: _notices,
      setAside: _setAside,
      flow,
      ...file
    } = result
    const isRoom = weightOf(flow) <= room
    if (isRoom) room -= weightOf(flow)
    if (!isRoom || (isFull && isFollowed(planned))) unfollowed++
    files.set(file.path, lineTables.keep(isRoom && flow !== undefined ? { flow, ...file } : file, planned))
  }
  try {
    for (const [index, planned] of plan.files.entries()) {
      control.onProgress?.({ phase: 'reading', done: index, total: plan.files.length })
      await readOne(index, planned)
    }
  } finally {
    shared?.end()
  }
  if (unfollowed > 0)
    findings.notice({ code: 'memory-limit', reason: 'flow', args: { count: String(unfollowed) }, partial: true })
  // models and rules go by paths, whatever was read first
  return { files: new Map([...files].sort(([one], [other]) => compareTexts(one, other))), filesScanned, counts }
}

/** Bytes of scripts up to which the data flow of all of them is followed: a graph costs as much time as parsing. */
const WHOLE_FLOW = 2 * 1024 * 1024

/**
 * What the graphs of all files may hold: they are kept until data is followed through them. Five thousand scripts of real apps hold 100,000; lines
 * that are a source and a sink each would take a gigabyte.
 */
const MAX_FLOW = 250_000
/** With less room than this no further graph is made: it would most likely be made in vain. */
const LEAST_FLOW = 1000
/** A source or a sink is kept several times: as it is, joined, and as what arrives. */
const END_WEIGHT = 4

function weightOf(flow: FileFlow | undefined): number {
  if (flow === undefined) return 0
  const { sources, sinks, calls, ports, functions } = flow
  return (sources.length + sinks.length) * END_WEIGHT + calls.length + ports.length + functions.length
}

function isFollowed({ kind, scope }: PlannedFile): boolean {
  return kind.language === 'script' && scope === 'all' && !kind.test
}

function flowExtentOf({ plan, engine, options }: ScanContext): FlowExtent {
  if (engine.on('flow').length === 0) return 'none'
  const scripts = (plan.of ?? plan).files.filter((file) => isFollowed(file) && file.entry.size <= options.limits.parse)
  return scripts.reduce((sum, { entry }) => sum + entry.size, 0) > WHOLE_FLOW ? 'sinks' : 'whole'
}

/** What the lists of a report are made of: all but scripts, which are the bulk of a project and what a run most often ends of. */
function isListed({ kind, scope }: PlannedFile): boolean {
  return scope === 'all' && kind.language !== 'script' && kind.language !== 'text'
}

/** A NUL in a comment must not hide a script. */
function mustBeText({ scope, kind }: PlannedFile): boolean {
  return scope === 'all' && kind.language !== 'text'
}

function count(counts: Map<string, number>, reason: string): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1)
}

function tellGone({ path }: PlannedFile, { findings }: ScanContext): void {
  findings.notice({ code: 'file-unreadable', reason: 'gone', file: path, partial: true })
}

/** Undefined: the file is gone by now. */
function toResult(
  planned: PlannedFile,
  { decoded, made, isFaulty }: Exclude<OpenedFile, string>,
  extent: FlowExtent,
  context: ScanContext,
): FileResult | undefined {
  if (made?.flowExtent === extent) return made.result
  const text = decoded()
  if (text === undefined) return undefined
  if (isFaulty !== true) return context.readFile(planned, text, fileContextOf(context, extent, planned.path))
  context.findings.notice({ code: 'file-unreadable', reason: 'fault', file: planned.path, partial: true })
  return context.readFile({ ...planned, scope: 'secrets' }, text, fileContextOf(context, extent, planned.path))
}

/** Of what is written in a path, so that no word is masked wherever it stands. */
const SHORTEST_IN_PATH = 8

/** Credentials by which files, folders and the project are named, or that its settings hold: never told, wherever a path is. */
function rememberNamedCredentials({ plan, engine, options, findings }: ScanContext): void {
  const texts = [
    options.projectName,
    ...plan.files.map(({ path }) => path),
    ...plan.notices.flatMap(({ args = {} }) => Object.values(args)),
  ]
  const names = texts.join('\n')
  for (const { value } of [...findInText(names, engine.keywords), ...findInNames(names, isSaid)]) {
    // a value ends where its folder does
    const [first = ''] = value.split('/', 1)
    for (const known of new Set([value, first])) {
      if (known.length < SHORTEST_IN_PATH) continue
      findings.secrets.add('', undefined, known)
      findings.secrets.addForPaths(known)
    }
  }
}

/** While the text is at hand its own matches become findings; what is a credential is known before any of them. */
function finishFile(result: FileResult, textOf: () => string, { findings, engine }: ScanContext): void {
  const { path, kind, lines, content, functions, matches, masked, markers, notices } = result
  notices.forEach(findings.notice)
  findings.keepMarkers(path, markers)
  const text = masked.length + matches.length === 0 ? '' : textOf()
  for (const { span, value } of masked) {
    findings.secrets.add(path, span, value, value === '' ? '' : text.slice(span.start, span.end))
  }
  if (matches.length === 0) return
  for (const { match } of matches) {
    const { secret, at } = match
    if (secret === undefined) continue
    findings.secrets.add(at.file, at.span, secret, at.span && text.slice(at.span.start, at.span.end))
    findings.secrets.addForPaths(secret)
  }
  const contextAt = contextOf(content, functions)
  const file = { path, lines, text, contextAt, markers: findings.markersOf(path), isLock: kind.language === 'lock' }
  findings.add(toFindings(matches, file, findings.settings(engine.rules, severityByPath)))
}
