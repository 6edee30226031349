import type { Storage } from 'unstorage'
import * as z from 'zod'
import type { Log } from '../log.ts'
import { attempt, FACT_FIELDS, HISTORY_FIELDS, isScanId } from '../stored-scans.ts'
import type { ScanLine } from './types.ts'

const LINES = 'lines:'

/** Lines that are read at once. */
const BATCH = 100

const lineSchema: z.ZodType<ScanLine> = z.object({
  entry: z.object(HISTORY_FIELDS),
  ...FACT_FIELDS,
})

/** Scans of a project that are kept as lines. */
export const MAX_LINES = 2000

/** Stands for the name of a project in keys and addresses: names hold anything. */
export async function keyOfProject(name: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)))
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const keyOfLine = (project: string, scanId: string): string => `${LINES}${project}:${scanId}`

/** What is kept of scans for their projects. Each is written once, under keys of its own; lists are made of keys. */
export interface StoredLines {
  write(line: ScanLine): Promise<void>
  /** The scans of each project, or of one of them, oldest first, by the key of the project. */
  list(project?: string): Promise<Map<string, string[]>>
  /** Of these scans of a project as far as they are there and whole. */
  read(project: string, scanIds: readonly string[]): Promise<Map<string, ScanLine>>
  erase(project: string, scanId: string): Promise<void>
}

export function createStoredLines(storage: Storage, log: Log): StoredLines {
  return {
    async write(line) {
      await storage.setItem(keyOfLine(await keyOfProject(line.entry.projectName), line.entry.scanId), line)
    },
    async list(project) {
      const keys = await storage.getKeys(project === undefined ? LINES : `${LINES}${project}:`)
      const projects = new Map<string, string[]>()
      for (const key of keys.sort()) {
        const [name = '', scanId = ''] = key.slice(LINES.length).split(':')
        if (!isScanId(scanId)) continue
        const known = projects.get(name)
        if (known === undefined) projects.set(name, [scanId])
        else known.push(scanId)
      }
      return projects
    },
    async read(project, scanIds) {
      const lines = new Map<string, ScanLine>()
      for (let start = 0; start < scanIds.length; start += BATCH) {
        const keys = scanIds.slice(start, start + BATCH).map((scanId) => keyOfLine(project, scanId))
        for (const { key, value } of await attempt(() => storage.getItems(keys))) {
          const scanId = key.slice(key.lastIndexOf(':') + 1)
          const { data } = lineSchema.safeParse(value)
          if (data?.entry.scanId === scanId) lines.set(scanId, data)
          // gone meanwhile is no damage
          else if (value !== null) log({ level: 'warn', event: 'record-damaged', scanId })
        }
      }
      return lines
    },
    erase: (project, scanId) => storage.removeItem(keyOfLine(project, scanId)),
  }
}
