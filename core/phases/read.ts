import { createBudget, StopSignal, type Budget } from '../budget.ts'
import { isHeard, type Engine } from '../engine.ts'
import type { ScriptFacts } from '../facts/types.ts'
import { identifyLibrary } from '../facts/vendored.ts'
import type { FileContent, KeepsFacts, OpenFile, ProjectFile } from '../files.ts'
import { ParseFailure } from '../parse/failure.ts'
import { createLineTable, type LineTable } from '../parse/position.ts'
import { decodeText, type DecodedText } from '../project/decode.ts'
import { isMinified } from '../project/kinds.ts'
import { sizes, type PlannedFile, type ScanPlan } from '../project/open.ts'
import { finishMatches, type Draft } from '../report/finish.ts'
import { findMarkers, MARKER_KEYWORDS, type Marker } from '../report/markers.ts'
import type { Rule } from '../rules/rule.ts'
import type { FileSubjects } from '../rules/subjects.ts'
import { runRules } from '../run-rules.ts'
import { createCredentialFile } from '../secrets/index.ts'
import type { Notice, ScanControl, ScanOptions, Span } from '../types.ts'
import { contextOf } from './context.ts'
import { inlineScript, isParsed, parseFile, parseUnnamed, readFacts } from './parse-file.ts'
import type { Findings } from './findings.ts'
import { createFactKeeper, type FactKeeper } from './kept-facts.ts'

/** What the phase *read* leaves: files without their text, and how many were read. */
export interface Reading {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly filesScanned: number
  /** Files whose bytes tell that they are binary or minified, per sort. */
  readonly counts: ReadonlyMap<string, number>
  /** See `FactKeeper`. */
  readonly remade: () => number
}

const NO_LINES: LineTable = Uint32Array.of(0)
const DROPPED: FileContent = { as: 'text' }

/** A file costs about a second per MB, two at least; a step is some 100 ns. */
const FILE_STEPS = 4_000_000
const STEPS_PER_BYTE = 10

/**
 * Reads each file once: bytes, keywords, text, tree, facts, its own rules; then its tree is dropped. Throws the refusals of a damaged archive,
 * and a StopSignal when the scan is cancelled. Out of time: the rest is read (so that damage is found) without rules.
 */
export async function readFiles(
  plan: ScanPlan,
  engine: Engine,
  options: ScanOptions,
  control: ScanControl,
  findings: Findings,
): Promise<Reading> {
  const files = new Map<string, ProjectFile>()
  const counts = new Map<string, number>()
  const keeper = createFactKeeper()
  let filesScanned = 0
  let done = 0
  for (const planned of plan.files) {
    control.onProgress?.({ phase: 'reading', done: done++, total: plan.files.length })
    const raw = planned.entry.read()
    if (control.pause !== undefined) await control.pause()
    const interrupted = control.interruption?.()
    if (interrupted === 'cancelled') throw new StopSignal('cancelled')
    if (interrupted === 'time') findings.outOfTime()
    if (raw === undefined) {
      findings.notice({ code: 'file-unreadable', reason: 'gone', file: planned.path, partial: true })
      continue
    }
    const decoded = decodeText(raw)
    if (decoded === undefined) {
      // a NUL in a comment must not hide a script
      if (planned.scope === 'all' && planned.kind.language !== 'text')
        findings.notice({ code: 'file-unreadable', reason: 'binary', file: planned.path, partial: true })
      else counts.set('binary', (counts.get('binary') ?? 0) + 1)
      continue
    }
    filesScanned++
    if (findings.isStopped()) continue
    const file = await readFile(planned, decoded, engine, options, control, findings, counts, keeper)
    files.set(file.path, file)
  }
  return { files, filesScanned, counts, remade: keeper.remade }
}

async function readFile(
  planned: PlannedFile,
  decoded: DecodedText,
  engine: Engine,
  options: ScanOptions,
  control: ScanControl,
  findings: Findings,
  counts: Map<string, number>,
  keeper: FactKeeper,
): Promise<ProjectFile> {
  const { path } = planned
  let { kind } = planned
  const { text, bytes } = decoded
  const hits = engine.keywords.find(bytes)
  const lines = createLineTable(text)
  const budget = createBudget(FILE_STEPS + STEPS_PER_BYTE * bytes.length, control.interruption)
  const drafts: Draft[] = []
  const sink = { draft: (draft: Draft): void => void drafts.push(draft), notice: findings.notice }
  const heard = (rules: readonly Rule[]): Rule[] => rules.filter((rule) => isHeard(rule, hits, text))

  let scope = planned.scope
  if (scope === 'all' && isMinified(kind, text, lines)) {
    scope = 'secrets'
    counts.set('minified', (counts.get('minified') ?? 0) + 1)
  }
  // of tables the head alone is read
  const isLimited = isParsed(kind) && kind.language !== 'lock' && kind.language !== 'csv'
  if (scope === 'all' && isLimited && bytes.length > options.limits.parse) {
    scope = 'secrets'
    findings.notice({
      code: 'file-too-large',
      reason: 'not-parsed',
      file: path,
      args: sizes(bytes.length, options.limits.parse),
      partial: true,
    })
  }

  const keepers = kind.language === 'script' ? heard(engine.keepers) : kind.language === 'html' ? heard(pageKeepers(engine)) : []
  // by its name a script says that it is a view: it is read as one, whatever words stand in it
  const isView = kind.language === 'script' && kind.role !== undefined && !kind.test
  const scriptRules = kind.language === 'script' || kind.language === 'html' ? heard(engine.on('script')) : []
  let content: FileContent = { as: 'text' }
  try {
    const told = scope === 'all' && bytes.length <= options.limits.parse ? parseUnnamed(path, kind, text, hits) : undefined
    if (told !== undefined) ({ kind, content } = told)
    else if (scope === 'all' && isParsed(kind))
      content = parseFile(path, kind, text, isView || keepers.length > 0 || scriptRules.length > 0, budget)
  } catch (error) {
    scope = 'secrets'
    if (error instanceof StopSignal && error.reason === 'time') findings.outOfTime()
    else findings.notice(unparsed(error, path))
  }

  if (content.as === 'cds' && content.document.errors.length > 0)
    findings.notice({ code: 'file-unreadable', reason: 'parts', file: path, partial: true })

  const open = <Content extends FileContent>(it: Content): OpenFile<Content> => ({
    path,
    kind,
    scope,
    text,
    content: it,
    hits,
    budget,
  })
  const day = { date: options.scannedAt }
  const run = (rules: readonly Rule[], subject: FileSubjects[keyof FileSubjects]): void =>
    runRules(rules, subject, day, { budget, sink, file: path })
  let inline: FileContent | undefined
  try {
    const credentialRules = heard(engine.on('credentials'))
    if (credentialRules.length > 0) run(credentialRules, createCredentialFile(open(content)))
    for (const { match } of drafts)
      if (match.secret !== undefined)
        findings.secrets.add(match.at.file, match.at.span, match.secret, writtenAt(text, match.at.span))
    if (content.as === 'script') run(scriptRules, open(content))
    if (content.as === 'data') run(heard(engine.on('data')), open(content))
    if (content.as === 'cds') run(heard(engine.on('cds')), open(content))
    if (content.as === 'sqlscript') run(heard(engine.on('sqlscript')), open(content))
    if (content.as === 'csv') run(heard(engine.on('csv')), open(content))
    if (content.as === 'markup') {
      if (kind.language === 'html') {
        run(heard(engine.on('html')), open(content))
        inline = scriptRules.length > 0 || keepers.length > 0 ? inlineFacts(text, content, path, budget, findings) : undefined
        if (inline?.as === 'script') run(scriptRules, open(inline))
      } else run(heard(engine.on('xml')), open(content))
    }
  } catch (error) {
    if (!(error instanceof StopSignal)) findings.notice({ code: 'rule-failed', reason: 'error', file: path, partial: true })
    else if (error.reason === 'cancelled') throw error
    else if (error.reason === 'time') findings.outOfTime()
    else findings.notice({ code: 'time-limit', reason: 'file', file: path, partial: true })
  }

  const markers = findFileMarkers(path, text, lines, hits, options, findings)
  if (drafts.length > 0) {
    const contextAt = contextOf(content, inline)
    const finished = await finishMatches(
      drafts,
      { path, lines, text, contextAt, markers, isLock: kind.language === 'lock' },
      findings.settings(),
    )
    findings.add(finished)
  }
  const script = content.as === 'script' ? content : inline?.as === 'script' ? inline : undefined
  const wanted = script === undefined ? NOBODY : keepersOf(keepers, script.facts)
  const isEmpty = content.as === 'csv' || (content.as === 'text' && content.text === undefined)
  const dropped = isEmpty || (content.as === 'script' && wanted.length === 0 && !isView)
  const library = kind.language === 'script' && !kind.test ? identifyLibrary(path, text) : undefined
  const known = library === undefined ? { path, kind, scope } : { path, kind, scope, library }
  // nothing of a later phase points into a file that was dropped, but to its banner: so its lines go too
  if (dropped) return { ...known, lines: library === undefined ? NO_LINES : lines, content: DROPPED }
  const keptBy = new Set(wanted.filter((keeps) => keeps !== undefined))
  if (script === undefined || (content.as === 'markup' && wanted.length === 0)) return { ...known, lines, content }
  const kept = keeper.keep(script.facts, keptBy, text.length, planned)
  return { ...known, lines, content: content.as === 'markup' ? { ...content, inline: kept } : kept }
}

/** Of a page's own scripts only what apps ask for is kept. */
function pageKeepers({ keepers }: Engine): Rule[] {
  return keepers.filter(({ on, keeps }) => keeps !== undefined && on.includes('ui5-app'))
}

/** A credential as its file writes it: escaped, encoded or on several lines. */
function writtenAt(text: string, span: Span | undefined): string | undefined {
  return span && text.slice(span.start, span.end)
}

/** Those of the rules on models that ask for a script's facts; undefined: one that asks for all of them. */
function keepersOf(keepers: readonly Rule[], facts: ScriptFacts): readonly (KeepsFacts | undefined)[] {
  return keepers.flatMap(({ keeps }) => (keeps === undefined ? [keeps] : [keeps].flat().filter((asks) => asks(facts))))
}

const NOBODY: readonly (KeepsFacts | undefined)[] = []

function inlineFacts(
  text: string,
  page: FileContent & { as: 'markup' },
  path: string,
  budget: Budget,
  findings: Findings,
): FileContent | undefined {
  const script = inlineScript(text, page.document)
  if (script === undefined) return undefined
  budget.nextPiece()
  try {
    return { as: 'script', facts: readFacts(script, `${path}.js`, budget) }
  } catch (error) {
    if (error instanceof StopSignal) throw error
    findings.notice({ code: 'file-unreadable', reason: 'inline-script', file: path, partial: true })
    return undefined
  }
}

function findFileMarkers(
  path: string,
  text: string,
  lines: LineTable,
  hits: OpenFile['hits'],
  options: ScanOptions,
  findings: Findings,
): readonly Marker[] {
  if (!options.suppressions || !MARKER_KEYWORDS.some((keyword) => hits.has(keyword))) return []
  const found = findMarkers(path, text, lines)
  found.notices.forEach(findings.notice)
  findings.keepMarkers(path, found.markers)
  return found.markers
}

function unparsed(error: unknown, file: string): Notice {
  if (error instanceof ParseFailure) return { code: 'file-unreadable', reason: error.reason, file, partial: true }
  if (error instanceof StopSignal && error.reason === 'steps') return { code: 'time-limit', reason: 'file', file, partial: true }
  // the stack's end, in a parser that recurses: as deep as it gets
  if (error instanceof RangeError) return { code: 'file-unreadable', reason: 'too-deep', file, partial: true }
  if (error instanceof StopSignal) throw error
  // a fault of ours that this one file brings out must not cost the others their findings
  return { code: 'file-unreadable', reason: 'fault', file, partial: true }
}
