import type { Storage } from 'unstorage'
import * as z from 'zod'
import type { Log } from '../log.ts'
import { attempt, HISTORY_FIELDS } from '../stored-scans.ts'
import type { ProjectRow } from './types.ts'

const DIGESTS = 'rows:'

/** Digests that are read at once. */
const BATCH = 100
/** A record of text has at most 1 MiB in a folder. */
const MAX_MARKS = 800_000

/** What the list tells of a project, made of all its lines; which these are stands beside it. */
export interface Digest extends Pick<ProjectRow, 'name' | 'counts' | 'new' | 'fixed' | 'scans' | 'trend'> {
  /** Another one where a scan came or went. */
  readonly of: string
  readonly lastScan: Omit<ProjectRow['lastScan'], 'kept'>
  /** The findings of its last scan. */
  readonly marks: string
}

const { scanId, scannedAt, riskScore, riskLevel, summary } = HISTORY_FIELDS
const count = z.int().min(0)
const digestSchema: z.ZodType<Digest> = z.object({
  of: z.string(),
  name: z.string(),
  lastScan: z.object({
    scanId,
    scannedAt,
    riskScore,
    riskLevel,
    branch: z.string().optional(),
    commit: z.string().optional(),
    release: z.string().optional(),
    complete: z.boolean(),
    before: z.string().optional(),
  }),
  counts: summary,
  new: count,
  fixed: count,
  scans: count,
  trend: z.array(z.number()),
  marks: z.string(),
})

/**
 * So that a process that starts need not read every line of every project. It is no index: one that is not of the scans that the keys name is made anew, and who loses it loses time
 * alone.
 */
export interface StoredDigests {
  /** By project, as far as they are known. */
  read(projects: readonly string[]): Promise<ReadonlyMap<string, Digest>>
  keep(project: string, digest: Digest): void
  erase(project: string): Promise<void>
}

export function createStoredDigests(storage: Storage, log: Log): StoredDigests {
  const held = new Map<string, Digest>()
  return {
    async read(projects) {
      const missing = projects.filter((project) => !held.has(project))
      for (let start = 0; start < missing.length; start += BATCH) {
        const keys = missing.slice(start, start + BATCH).map((project) => DIGESTS + project)
        for (const { key, value } of await attempt(() => storage.getItems(keys))) {
          const { data } = digestSchema.safeParse(value)
          if (data !== undefined) held.set(key.slice(DIGESTS.length), data)
        }
      }
      return held
    },
    keep(project, digest) {
      held.set(project, digest)
      if (digest.marks.length > MAX_MARKS) return
      attempt(() => storage.setItem(DIGESTS + project, digest)).catch((error: unknown) =>
        log({ level: 'warn', event: 'digest-not-kept', error }),
      )
    },
    async erase(project) {
      held.delete(project)
      await storage.removeItem(DIGESTS + project)
    },
  }
}
