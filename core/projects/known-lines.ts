import type { Storage } from 'unstorage'
import type { Log } from '../log.ts'
import { attempt, createStoredScans } from '../stored-scans.ts'
import type { HistoryEntry } from '../types.ts'
import { toLine } from './marks.ts'
import { createStoredLines, keyOfProject } from './stored-lines.ts'
import type { ScanLine } from './types.ts'

/** Characters of lines that are held: a line never changes, so it is read once. */
const MAX_HELD = 32_000_000

/** Which scans there are. */
export interface ScanIndex {
  /** The scans of each project, oldest first, by the key of the project. */
  readonly projects: ReadonlyMap<string, readonly string[]>
  /** Those whose report is there. */
  readonly kept: ReadonlySet<string>
}

/** The lines of scans, those of earlier versions, which have none, made of their reports. */
export interface KnownLines {
  find(): Promise<ScanIndex>
  /** Of scans of a project, in this order, as far as they are there. */
  read(project: string, scanIds: readonly string[]): Promise<readonly ScanLine[]>
}

export function createKnownLines(storage: Storage, log: Log): KnownLines {
  const stored = createStoredLines(storage, log)
  const scans = createStoredScans(storage, log, {})
  const held = new Map<string, ScanLine>()
  let size = 0
  /** Rows of scans that have no line, with the key of their project. */
  const older = new Map<string, { readonly project: string; readonly entry: HistoryEntry }>()

  const hold = (line: ScanLine): void => {
    held.set(line.entry.scanId, line)
    size += line.marks.length
    for (const [scanId, { marks }] of held) {
      if (size <= MAX_HELD) return
      held.delete(scanId)
      size -= marks.length
    }
  }

  async function readOlder(scanIds: readonly string[]): Promise<void> {
    for (const scanId of older.keys()) if (!scanIds.includes(scanId)) older.delete(scanId)
    const missing = scanIds.filter((scanId) => !older.has(scanId))
    for (const [scanId, { entry }] of await scans.readSummaries(missing))
      older.set(scanId, { project: await keyOfProject(entry.projectName), entry })
  }

  async function makeLine(entry: HistoryEntry): Promise<ScanLine> {
    return toLine(entry, undefined, await attempt(() => scans.readRecord(entry.scanId, 'en')))
  }

  return {
    async find() {
      const [lines, summaries] = await attempt(() => Promise.all([stored.list(), scans.findIds()]))
      const projects = new Map(lines)
      const known = new Set([...lines.values()].flat())
      const missing = summaries.filter((scanId) => !known.has(scanId))
      await readOlder(missing)
      const touched = new Set<string>()
      for (const scanId of missing) {
        const project = older.get(scanId)?.project
        if (project === undefined) continue
        projects.set(project, [...(projects.get(project) ?? []), scanId])
        touched.add(project)
      }
      for (const project of touched) projects.get(project)?.sort()
      return { projects, kept: new Set(summaries) }
    },
    async read(project, scanIds) {
      const missing = scanIds.filter((scanId) => !held.has(scanId))
      const found = new Map(scanIds.flatMap((scanId) => (held.has(scanId) ? [[scanId, held.get(scanId)] as const] : [])))
      const read = missing.length === 0 ? new Map<string, ScanLine>() : await stored.read(project, missing)
      for (const scanId of missing) {
        const entry = older.get(scanId)?.entry
        const line = read.get(scanId) ?? (entry && (await makeLine(entry)))
        if (line === undefined) continue
        hold(line)
        found.set(scanId, line)
      }
      return scanIds.flatMap((scanId) => found.get(scanId) ?? [])
    },
  }
}
