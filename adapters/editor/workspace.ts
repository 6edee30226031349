import { realpathSync } from 'node:fs'
import type { Locale, ScanProgress, Severity } from '../../core/index.ts'
import { SEVERITIES } from '../../core/index.ts'
import type { KeptResults } from '../node/kept-results/index.ts'
import type { Settings } from '../node/settings.ts'
import { watchFolder, type FolderWatch } from '../node/watch-folder.ts'
import { placeFindings, type PlacedFinding } from './diagnostics.ts'
import { innermost, isUnread, pathOf, pathWithin, uriWithin, type NamedFolder } from './open-documents.ts'
import { openScannedFolder, type ScannedFolder } from './scanned-folder.ts'

/** A document that is open, with the text that its editor shows. */
export interface OpenDocument {
  readonly uri: string
  readonly version: number
  getText(): string
}

/** Findings of a file, and the version of its text that they are of. */
export interface FileFindings {
  readonly uri: string
  /** The one that tells of it. */
  readonly folder: NamedFolder
  readonly version?: number
  readonly findings: readonly PlacedFinding[]
}

export interface WorkspaceOptions {
  readonly settings: Settings
  readonly locale: () => Locale
  /** Findings below are not shown. */
  readonly least: () => Severity
  readonly documents: () => readonly OpenDocument[]
  readonly openStored: (project: string) => KeptResults | undefined
  /** False: the client tells what changes on the disk. */
  readonly watches: boolean
  readonly publish: (file: FileFindings) => void
  readonly tell: (text: string) => void
  readonly onFault: (folder: string, error: unknown) => void
  readonly onProgress: (folder: string, progress: ScanProgress | undefined) => void
}

interface OpenFolder extends NamedFolder {
  readonly scanned: ScannedFolder
  readonly watching: Promise<FolderWatch> | undefined
  findings: ReadonlyMap<string, readonly PlacedFinding[]>
  /** They are all of it: what they lack is not there. */
  isWhole: boolean
  /** Versions of the open documents when the last scan began, by path. */
  versions: ReadonlyMap<string, number>
  /** What was told of each address, so that it is told again only where it changed. */
  told: Map<string, string>
}

export interface Workspace {
  add(uri: string): void
  remove(uri: string): Promise<void>
  /** A document was opened, changed or closed. */
  touch(uri: string): void
  /** A file on the disk was made, changed, renamed or removed. */
  touchOnDisk(uri: string): void
  /** Everything is scanned anew: a setting was changed. */
  touchAll(): void
  /** Findings are told again, as the settings are now. */
  publishAll(): void
  /** Findings of a document, with the folder that answers for it. */
  findingsAt(uri: string): { readonly folder: NamedFolder; readonly findings: readonly PlacedFinding[] } | undefined
  close(): Promise<void>
}

/** The folders that are open. A file that lies in several is told of by the innermost: nobody sees a finding twice. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const folders = new Map<string, OpenFolder>()
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const within = (folder: NamedFolder): { readonly path: string; readonly document: OpenDocument }[] =>
    options.documents().flatMap((document) => {
      const full = pathOf(document.uri)
      const path = full === undefined ? undefined : pathWithin(folder, full)
      return path === undefined ? [] : [{ path, document }]
    })

  const publish = (folder: OpenFolder): void => {
    const open = new Map(within(folder).map(({ path, document }) => [path, document]))
    const shown = new Set(SEVERITIES.slice(0, SEVERITIES.indexOf(options.least()) + 1))
    const told = new Map<string, string>()
    for (const file of new Set([...folder.findings.keys(), ...folder.versions.keys()])) {
      const uri = open.get(file)?.uri ?? uriWithin(folder, file)
      const full = pathOf(uri)
      if (full === undefined || innermost(folders.values(), full) !== folder) continue
      const findings = (folder.findings.get(file) ?? []).filter(({ finding }) => shown.has(finding.severity))
      const version = folder.versions.get(file)
      const isTold = findings.length > 0 || (version !== undefined && folder.isWhole)
      if (!isTold && !folder.told.has(uri)) continue
      const state = JSON.stringify([version, findings, options.locale()])
      if (isTold) told.set(uri, state)
      if (folder.told.get(uri) !== state) options.publish({ uri, folder, findings, ...(version !== undefined && { version }) })
    }
    for (const uri of folder.told.keys()) if (!told.has(uri)) options.publish({ uri, folder, findings: [] })
    folder.told = told
  }

  /** Of open documents that this folder tells of, their paths in it. */
  const shownOf = (folder: OpenFolder): readonly string[] =>
    within(folder).flatMap(({ path, document }) =>
      innermost(folders.values(), pathOf(document.uri) ?? '') === folder ? [path] : [],
    )

  const open = (uri: string, path: string): void => {
    const root = realPath(path)
    const named = { uri, path }
    let versions = new Map<string, number>()
    const tell = (findings: ReadonlyMap<string, readonly PlacedFinding[]>, isWhole: boolean): void => {
      Object.assign(folder, { findings, versions, isWhole })
      publish(folder)
    }
    const scanned = openScannedFolder({
      root,
      settings: options.settings,
      locale: options.locale,
      openStored: options.openStored,
      openTexts: () => {
        const open = within(named)
        versions = new Map(open.map(({ path, document }) => [path, document.version]))
        return new Map(open.map(({ path, document }) => [path, document.getText()]))
      },
      shown: () => shownOf(folder),
      onAhead(report, paths) {
        const placed = placeFindings(report)
        tell(new Map(paths.map((path) => [path, placed.get(path) ?? []])), false)
      },
      onReport: (report) => tell(placeFindings(report), true),
      onRefusal: options.tell,
      onFault: (error) => options.onFault(path, error),
      onProgress: (progress) => options.onProgress(path, progress),
      inTurn,
    })
    const watching = options.watches
      ? watchFolder(root, { onChange: () => soon(scanned.touch), onFault: (code) => options.onFault(path, new Error(code)) })
      : undefined
    // what changed before everything was watched
    watching?.then(scanned.touch, (error: unknown) => options.onFault(path, error))
    const folder: OpenFolder = {
      ...named,
      scanned,
      watching,
      findings: new Map(),
      isWhole: false,
      versions: new Map(),
      told: new Map(),
    }
    folders.set(uri, folder)
  }

  const touch = (uri: string): void => {
    const full = pathOf(uri)
    if (full === undefined) return
    for (const folder of folders.values()) {
      const path = pathWithin(folder, full)
      if (path !== undefined && !isUnread(path)) folder.scanned.touch()
    }
  }

  const remove = async (uri: string): Promise<void> => {
    const folder = folders.get(uri)
    if (folder === undefined) return
    folders.delete(uri)
    for (const told of folder.told.keys()) options.publish({ uri: told, folder, findings: [] })
    await folder.scanned.close()
    await folder.watching?.then(
      (it) => it.close(),
      () => undefined,
    )
    folders.forEach(publish)
  }

  return {
    add(uri) {
      const path = pathOf(uri)
      if (path === undefined || folders.has(uri)) return
      open(uri, path)
      // of a folder around it some files are told of by this one now
      folders.forEach(publish)
    },
    remove,
    touch,
    touchOnDisk: (uri) => soon(() => touch(uri)),
    touchAll: () => folders.forEach(({ scanned }) => scanned.touch()),
    publishAll: () => folders.forEach(publish),
    findingsAt(uri) {
      const full = pathOf(uri)
      const folder = full === undefined ? undefined : innermost(folders.values(), full)
      const file = full === undefined || folder === undefined ? undefined : pathWithin(folder, full)
      return folder === undefined || file === undefined ? undefined : { folder, findings: folder.findings.get(file) ?? [] }
    },
    close: async () => void (await Promise.all([...folders.keys()].map(remove))),
  }
}

/** Whoever writes to a disk does it in several steps: what is told of the first may be an empty file. */
const WRITTEN_MS = 50

function soon(work: () => void): void {
  setTimeout(work, WRITTEN_MS)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
