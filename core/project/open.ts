import { Refusal } from '../errors.ts'
import type { FileKind, NameNotes } from '../files.ts'
import { compareTexts } from '../lists.ts'
import type { Notice, ProjectSource, ScanLimits, SourceEntry } from '../types.ts'
import { openArchive } from './archive.ts'
import { classifyPath, isCode, isDescriptive, isInstalledFolder, isLeftOutFolder, unreadLanguage } from './kinds.ts'
import { createBuiltReader } from './built-apps.ts'
import { CONFIG_FILE, ignored, NO_CONFIG, readConfig, type ProjectConfig } from './config.ts'
import { decodeText } from './decode.ts'
import { createGlobMatcher } from './glob.ts'
import { isTypeScript } from '../parse/javascript.ts'
import { createNameNotes } from './name-notes.ts'
import { toTextEntry } from './office.ts'
import { readOwnModules, type OwnModules } from './own-modules.ts'

/** A file that will be read. */
export interface PlannedFile {
  readonly path: string
  readonly kind: FileKind
  readonly scope: 'all' | 'secrets'
  readonly entry: SourceEntry
}

/** What a scan will read, in the order in which it reads: what costs little and tells much first, so that a scan that runs out of time has it. No order of entries shows in it. */
export interface ScanPlan extends NameNotes {
  readonly files: readonly PlannedFile[]
  readonly notices: readonly Notice[]
  /** Files and folders that are left out, or looked at for credentials alone, per sort; what reading finds out is added. */
  readonly counts: ReadonlyMap<string, number>
  readonly config: ProjectConfig
  /** Modules that are files of the project under another name than their path. */
  readonly modules?: OwnModules
  /** The whole, where this is a part of it. */
  readonly of?: ScanPlan
}

export interface PlanOptions {
  readonly limits: ScanLimits
  readonly suppressions: boolean
  /** Day of the scan, ISO 8601. */
  readonly date: string
}

/**
 * Paths to planned files: strips the one top folder that holds everything, classifies, applies the project's `exclude` and the size limits.
 * Throws the refusals `project-empty` (nothing to scan in it) and `archive-too-large` (`inflated`: the sum of what would be analysed; what is read for credentials alone refuses nothing).
 */
export function planScan(source: ProjectSource, options: PlanOptions): ScanPlan {
  const { limits } = options
  const { entries, notices: sourceNotices } = stripTopFolder(source)
  const config = options.suppressions ? readProjectConfig(entries, limits, options.date) : NO_CONFIG
  const counts = new Map<string, number>()
  const count = (reason: string): void => void counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const leftOut = new Set(source.leftOut)
  // package managers write links among what they install
  const told = sourceNotices.filter(({ file }) => file === undefined || !isInLeftOut(file, leftOut))
  const excluded = findExcluded(entries, config.exclude)
  const notices: Notice[] = [...told, ...config.notices, ...excluded.notices]
  const named: PlannedFile[] = []
  const share = createSharing()
  const byName = createNameNotes()
  const others: OtherFile[] = []
  const documents: PlannedFile[] = []
  const unread = { language: new Map<string, number>(), partly: new Map<string, number>() }
  let seen = 0

  let byPath: ReadonlyMap<string, SourceEntry> | undefined
  const classifyBuilt = createBuiltReader(
    entries.map(({ path }) => path),
    (path) => textIn((byPath ??= new Map(entries.map((one) => [one.path, one.entry]))).get(path), limits),
  )
  for (const { path, entry } of entries) {
    const found = classifyBuilt(path) ?? classifyPath(path)
    if (found.class === 'out') {
      if (isInLeftOut(path, leftOut)) continue
      if (found.because === 'archive') notices.push({ code: 'file-skipped', reason: 'archive', file: path, partial: false })
      else count(found.because)
      byName.addLeftOut(path, excluded.paths.has(path))
      continue
    }
    if (found.because !== 'office') seen++
    if (excluded.paths.has(path)) {
      count('excluded')
      continue
    }
    byName.add(path)
    const planned: PlannedFile = { path, kind: share(found.kind), scope: found.class, entry }
    const limit = found.kind.language === 'lock' ? limits.lockFile : limits.file
    if (found.because === 'office') {
      if (entry.size > limit) count('binary')
      else documents.push({ ...planned, entry: toTextEntry(entry) })
    } else if (entry.size > limit) {
      if (isBinary(planned)) count('binary')
      // minified and vendored files are no sources, whatever their size
      else notices.push(tooLarge(path, entry.size, limit, found.because === undefined))
    } else if (found.because === undefined) {
      named.push(planned)
      const language = planned.kind.test ? undefined : unreadLanguage(path)
      if (language !== undefined) {
        const { [language.reason]: counts } = unread
        counts.set(language.name, (counts.get(language.name) ?? 0) + 1)
      }
    } else others.push({ planned, because: found.because })
  }
  if (seen === 0) throw new Refusal('project-empty')
  const files = fitInflated(named, others, limits, count)
  let inflated = sumOf(files)
  if (inflated > limits.inflated) throw new Refusal('archive-too-large', { reason: 'inflated', limit: limits.inflated })
  // what is read for credentials alone gets the room that is left, the smallest first: its amount refuses no project
  let beyond = 0
  for (const { planned, because } of others.toSorted((one, other) => one.planned.entry.size - other.planned.entry.size)) {
    inflated += planned.entry.size
    if (inflated > limits.inflated) beyond++
    else {
      if (because !== undefined) count(because)
      files.push(planned)
    }
  }
  // documents were never counted as sources: those without room are binary as before
  for (const planned of documents.toSorted((one, other) => one.entry.size - other.entry.size)) {
    inflated += planned.entry.size
    if (inflated > limits.inflated) count('binary')
    else files.push(planned)
  }
  if (beyond > 0) notices.push({ code: 'file-skipped', reason: 'beyond', args: { count: String(beyond) }, partial: true })

  for (const reason of ['language', 'partly'] as const)
    if (unread[reason].size > 0) notices.push(unreadSources(reason, unread[reason]))

  const ordered = inReadingOrder(files)
  // version control is in every checkout: that it is not read needs no notice
  const installed = [...leftOut].filter((path) => isInstalledFolder(path.slice(path.lastIndexOf('/') + 1))).length
  if (installed > 0) counts.set('installed', installed)
  const modules = readModules(ordered, limits)
  return {
    files: ordered,
    notices,
    counts,
    config,
    ...byName.found(),
    ...(modules !== undefined && { modules }),
  }
}

/** What is looked through for credentials alone: by its name, or (without `because`) since nothing tells that it is more than text. */
interface OtherFile {
  readonly planned: PlannedFile
  readonly because?: 'vendored' | 'minified'
}

/**
 * The files that count: all of them where they fit. Where not, those whose names tell nothing are asked for their first bytes, so that media and archives with unusual
 * endings don't count; if that is not enough, those that are mere text are added to `others`.
 */
function fitInflated(
  named: readonly PlannedFile[],
  others: OtherFile[],
  limits: ScanLimits,
  count: (reason: string) => void,
): PlannedFile[] {
  if (sumOf(named) <= limits.inflated) return [...named]
  const readable = named.filter((planned) => {
    const isLeftOut = isBinary(planned)
    if (isLeftOut) count('binary')
    return !isLeftOut
  })
  if (sumOf(readable) <= limits.inflated) return readable
  for (const planned of readable) if (isMereText(planned)) others.push({ planned })
  return readable.filter((planned) => !isMereText(planned))
}

function isBinary(planned: PlannedFile): boolean {
  return isMereText(planned) && planned.entry.startsBinary?.() === true
}

/** Neither its name nor its ending tells that rules look at it; few files of SQL are no dumps of data. */
function isMereText({ kind }: PlannedFile): boolean {
  return kind.language === 'text' && (kind.role === undefined || kind.role === 'sql')
}

function sumOf(files: readonly PlannedFile[]): number {
  return files.reduce((sum, { entry }) => sum + entry.size, 0)
}

function tooLarge(file: string, size: number, limit: number, partial: boolean): Notice {
  return { code: 'file-too-large', reason: 'not-read', file, args: sizes(size, limit), partial }
}

/** Refuses an archive that a scan would refuse before it reads what is to be analysed: with the refusals of the gate and of the plan. */
export function judgeArchive(bytes: Uint8Array, options: PlanOptions): void {
  planScan(openArchive(bytes, options.limits), options)
}

function readModules(files: readonly PlannedFile[], limits: ScanLimits): OwnModules | undefined {
  const own = new Map(files.flatMap(({ path, scope, entry }) => (scope === 'all' ? [[path, entry] as const] : [])))
  return readOwnModules({
    paths: new Set(own.keys()),
    textOf: (path) => textIn(own.get(path), limits),
  })
}

function textIn(entry: SourceEntry | undefined, limits: ScanLimits): string | undefined {
  const bytes = entry === undefined || entry.size > limits.parse ? undefined : entry.read()
  return bytes && decodeText(bytes)?.text
}

/** There are few kinds and many files: equal kinds become one object. */
function createSharing(): (kind: FileKind) => FileKind {
  const known = new Map<string, FileKind>()
  return (kind) => {
    const key = `${kind.language} ${kind.role} ${kind.test}`
    const shared = known.get(key) ?? kind
    known.set(key, shared)
    return shared
  }
}

/** Half of a project may be a server that no rule looks at. */
function unreadSources(reason: string, unread: ReadonlyMap<string, number>): Notice {
  const count = [...unread.values()].reduce((sum, number) => sum + number, 0)
  const languages = [...unread.keys()].toSorted(compareTexts).join(', ')
  return { code: 'file-skipped', reason, args: { count: String(count), languages }, partial: false }
}

/** Sizes as a notice tells them, in bytes. */
export function sizes(size: number, limit: number): Record<string, string> {
  return { size: String(size), limit: String(limit) }
}

/** One notice for each sort, by name; what several phases count is summed. */
export function tellCounts(...sums: readonly ReadonlyMap<string, number>[]): Notice[] {
  const total = new Map<string, number>()
  for (const [reason, number] of sums.flatMap((counts) => [...counts])) total.set(reason, (total.get(reason) ?? 0) + number)
  return [...total]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([reason, number]) => ({ code: 'file-skipped', reason, args: { count: String(number) }, partial: false }))
}

/**
 * Ranks of files in the order of reading: descriptors, models and lock files, then what may hold credentials, then code, then what others wrote or what tests.
 * TypeScript stands behind all other code: its parser is another class, and what V8 has compiled for two of them parses JavaScript a third slower.
 */
function rankOf({ path, kind, scope }: PlannedFile): number {
  if (scope !== 'all' || kind.test) return 4
  if (isCode(kind)) return isTypeScript(path) ? 3 : 2
  return isDescriptive(kind) ? 0 : 1
}

/** Within a rank the smallest first. */
function inReadingOrder(files: readonly PlannedFile[]): PlannedFile[] {
  return files
    .map((file) => ({ file, rank: rankOf(file), size: file.entry.size }))
    .sort((one, other) => one.rank - other.rank || one.size - other.size || compareTexts(one.file.path, other.file.path))
    .map(({ file }) => file)
}

interface StrippedEntry {
  readonly path: string
  readonly entry: SourceEntry
}

/** Folders that are parts of a project: whoever packs one of them alone means what it is. */
const PROJECT_FOLDERS: ReadonlySet<string> = new Set('webapp src srv db app approuter k8s chart helm'.split(' '))

/** Entries and notices by their paths in the project: without what macOS adds, and in an archive without the one top folder that only wraps everything else. */
function stripTopFolder({ entries, notices, isArchive }: ProjectSource): { entries: StrippedEntry[]; notices: Notice[] } {
  const real = entries.filter(({ path }) => !path.startsWith('__MACOSX/') && path !== '.DS_Store')
  const [first] = real
  const folder = first?.path.slice(0, first.path.indexOf('/') + 1) ?? ''
  const isAlone = [...real.map(({ path }) => path), ...notices.map(({ file }) => file ?? folder)].every((path) =>
    path.startsWith(folder),
  )
  const name = folder.slice(0, -1)
  const isWrapper = isArchive === true && isAlone && !name.startsWith('.') && !PROJECT_FOLDERS.has(name) && !isLeftOutFolder(name)
  const cut = isWrapper ? folder.length : 0
  return {
    entries: real.map((entry) => ({ path: entry.path.slice(cut), entry })),
    notices: notices.map((notice) => (notice.file === undefined ? notice : { ...notice, file: notice.file.slice(cut) })),
  }
}

/** Remembers the outermost folder of those that are never entered. */
function isInLeftOut(path: string, leftOut: Set<string>): boolean {
  const segments = path.split('/')
  const at = segments.slice(0, -1).findIndex(isLeftOutFolder)
  if (at >= 0) leftOut.add(segments.slice(0, at + 1).join('/'))
  return at >= 0
}

/** Steps for all globs of a scan, and for each path: some hundred ordinary patterns, or few costly ones. */
const GLOB_STEPS = 10_000_000
const GLOB_STEPS_PER_PATH = 2000

function findExcluded(
  entries: readonly StrippedEntry[],
  patterns: readonly string[],
): { paths: ReadonlySet<string>; notices: readonly Notice[] } {
  const globs = createGlobMatcher(GLOB_STEPS + GLOB_STEPS_PER_PATH * entries.length)
  const paths = new Set<string>()
  for (const { path } of entries) if (patterns.some((pattern) => globs.matches(pattern, path))) paths.add(path)
  if (!globs.isSpent) return { paths, notices: [] }
  // all or nothing, so that the order of entries doesn't show
  return { paths: new Set(), notices: [ignored('config-too-costly')] }
}

function readProjectConfig(entries: readonly StrippedEntry[], limits: ScanLimits, date: string): ProjectConfig {
  const found = entries.find(({ path }) => path === CONFIG_FILE)
  if (found === undefined) return NO_CONFIG
  const bytes = found.entry.size > limits.parse ? undefined : found.entry.read()
  const decoded = bytes && decodeText(bytes)
  return decoded === undefined ? { ...NO_CONFIG, notices: [ignored('config-invalid')] } : readConfig(decoded.text, date)
}
