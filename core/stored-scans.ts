import type { Storage } from 'unstorage'
import * as z from 'zod'
import { Refusal, isRefusal } from './errors.ts'
import type { Log } from './log.ts'
import { LOCALES } from './scales.ts'
import type { HistoryEntry, Locale, Outcome } from './types.ts'

const count = (): z.ZodType<number> => z.int().min(0)

/** The members of a history entry, for every schema that has them. */
export const HISTORY_FIELDS: { readonly [Key in keyof HistoryEntry]: z.ZodType<HistoryEntry[Key]> } = {
  scanId: z.uuid(),
  projectName: z.string(),
  scannedAt: z.iso.datetime({ precision: 3 }),
  riskScore: z.int().min(0).max(100),
  riskLevel: z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  summary: z.object({ critical: count(), high: count(), medium: count(), low: count(), info: count(), total: count() }),
  projectTypes: z.array(z.enum(['UI5', 'CAP'])),
}

type FactFields = Readonly<
  Record<'branch' | 'commit' | 'release' | 'scannerVersion', z.ZodOptional<z.ZodString>> & {
    complete: z.ZodBoolean
    marks: z.ZodString
  }
>

/** The members of what a scan tells its project, for every schema that has them. */
export const FACT_FIELDS: FactFields = {
  branch: z.string().optional(),
  commit: z.string().optional(),
  release: z.string().optional(),
  scannerVersion: z.string().optional(),
  complete: z.boolean(),
  marks: z.string(),
}

/** What is stored of a scan beside its records. */
export interface Summary {
  readonly entry: HistoryEntry
  readonly records: Readonly<Record<Locale, { readonly size: number; readonly hash: string }>>
}

const recordFact = z.object({ size: count(), hash: z.string().regex(/^[0-9a-f]{64}$/) })
const summarySchema = z.object({ entry: z.object(HISTORY_FIELDS), records: z.object({ en: recordFact, fr: recordFact }) })

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SUMMARIES = 'summaries:'
const REPORTS = 'reports:'
const ATTEMPT_MS = 2000

/** Summaries that are read at once: so many files may be open, and for so long others wait for the thread. */
const BATCH = 100

const summaryKey = (scanId: string): string => SUMMARIES + scanId
const recordKey = (scanId: string, locale: Locale): string => `${REPORTS}${scanId}:${locale}`

/** Ids are UUIDv7 in lower case: what another program keeps in the same place is left alone. */
export const isScanId = (id: string): boolean => UUID_V7.test(id)

/** Milliseconds since 1970, out of the id. */
export const timeOf = (scanId: string): number => Number.parseInt(scanId.slice(0, 8) + scanId.slice(9, 13), 16)

/**
 * Scans in a storage. Each writes its own keys only, the summary last: what has no summary does not exist, and no writer can lose another's work (an
 * index shared by all would: unstorage has no transactions). Ids are time-ordered, so the keys are the order.
 */
export interface StoredScans {
  /** Ids of all that is stored, newest first. */
  findIds(): Promise<string[]>
  has(scanId: string): Promise<boolean>
  /** What can be read of some summaries. Rejects where none can. */
  readSummaries(ids: readonly string[]): Promise<Map<string, Summary>>
  /** The record as it is stored, whatever that is; null where there is none. */
  readRecord(scanId: string, locale: Locale): Promise<unknown>
  /** Writes all of a scan or nothing. `isLate` tells when the caller has been told that it failed. */
  write(outcome: Outcome, isHandedOver: boolean, isLate: () => boolean): Promise<void>
  erase(scanId: string): Promise<void>
  /** Removes records that have no summary and of whose scan nobody needs them: what a crash left behind, which nobody can name any more. */
  sweep(isLeftBehind: (scanId: string) => boolean): Promise<void>
}

export function createStoredScans(storage: Storage, log: Log, options: { readonly ttl?: number }): StoredScans {
  async function findIds(): Promise<string[]> {
    const keys = await storage.getKeys(SUMMARIES)
    const ids = keys.map((key) => key.slice(SUMMARIES.length)).filter(isScanId)
    return ids.sort().reverse()
  }

  async function readItems(ids: readonly string[]): Promise<readonly { id: string; value: unknown }[]> {
    try {
      const items = await storage.getItems(ids.map(summaryKey))
      return items.map(({ key, value }) => ({ id: key.slice(SUMMARIES.length), value }))
    } catch (error) {
      if (ids.length === 1) throw error
      // one that can't be read must not hide the others
      const results = await Promise.allSettled(ids.map((id) => storage.getItem(summaryKey(id))))
      if (results.every(({ status }) => status === 'rejected')) throw error
      return results.flatMap((result, index) => {
        const id = ids[index] ?? ''
        if (result.status === 'fulfilled') return [{ id, value: result.value }]
        log({ level: 'warn', event: 'record-unreadable', scanId: id, error: result.reason })
        return []
      })
    }
  }

  async function readSummaries(ids: readonly string[]): Promise<Map<string, Summary>> {
    const summaries = new Map<string, Summary>()
    for (let start = 0; start < ids.length; start += BATCH) {
      if (start > 0) await pause()
      for (const { id, value } of await attempt(() => readItems(ids.slice(start, start + BATCH)))) {
        const summary = toSummary(id, value)
        if (summary !== undefined) summaries.set(id, summary)
        // gone meanwhile is no damage
        else if (value !== null) log({ level: 'warn', event: 'record-damaged', scanId: id })
      }
    }
    return summaries
  }

  /** The summary first: from then on the scan does not exist, whatever happens to the rest. */
  async function erase(scanId: string): Promise<void> {
    await storage.removeItem(summaryKey(scanId))
    try {
      await Promise.all(LOCALES.map((locale) => storage.removeItem(recordKey(scanId, locale))))
    } catch (error) {
      log({ level: 'warn', event: 'record-left-behind', scanId, error })
    }
  }

  /** Takes back what was begun: the caller is told that nothing is stored. */
  async function undo(scanId: string): Promise<void> {
    await erase(scanId).catch((error: unknown) => log({ level: 'warn', event: 'record-left-behind', scanId, error }))
  }

  async function writeAll({ entry, records }: Outcome, isHandedOver: boolean, isLate: () => boolean): Promise<void> {
    const { scanId } = entry
    const facts: Partial<Record<Locale, { size: number; hash: string }>> = {}
    for (const locale of LOCALES) {
      // a memory driver keeps the very array, and the caller may go on with its own
      const bytes = isHandedOver ? toWhole(records[locale]) : new Uint8Array(records[locale])
      facts[locale] = { size: bytes.byteLength, hash: await hashBytes(bytes) }
      await storage.setItemRaw(recordKey(scanId, locale), bytes, options)
      if (isLate()) return
    }
    await storage.setItem(summaryKey(scanId), { entry, records: facts }, options)
    // a driver that can't write, or drops what is too large for it, says nothing
    const keys = [summaryKey(scanId), ...LOCALES.map((locale) => recordKey(scanId, locale))]
    const kept = await Promise.all(keys.map((key) => storage.hasItem(key)))
    if (kept.includes(false)) throw new Error('the storage did not keep what was written')
  }

  return {
    findIds,
    readSummaries,
    erase,
    has: (scanId) => storage.hasItem(summaryKey(scanId)),
    readRecord: (scanId, locale) => storage.getItemRaw<unknown>(recordKey(scanId, locale)),
    async write(outcome, isHandedOver, isLate) {
      try {
        await writeAll(outcome, isHandedOver, isLate)
      } catch (error) {
        await undo(outcome.entry.scanId)
        throw error
      }
      if (isLate()) await undo(outcome.entry.scanId)
    },
    async sweep(isLeftBehind) {
      const keys = await storage.getKeys(REPORTS)
      const complete = new Set(await findIds())
      for (const key of keys) {
        const [id = ''] = key.slice(REPORTS.length).split(':', 1)
        if (!isScanId(id) || complete.has(id) || !isLeftBehind(id)) continue
        // it may have become complete since it was looked for
        if (!(await storage.hasItem(summaryKey(id)))) await storage.removeItem(key)
      }
    },
  }
}

/** One attempt, and a bounded one: a storage that hangs must not hang its callers. Rejects with refusals alone. */
export async function attempt<T>(work: (isLate: () => boolean) => Promise<T>): Promise<T> {
  let late = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true
      reject(new Refusal('storage-unavailable', {}, { cause: new Error(`no answer in ${ATTEMPT_MS} ms`) }))
    }, ATTEMPT_MS)
  })
  try {
    return await Promise.race([work(() => late), timeout])
  } catch (error) {
    throw isRefusal(error) ? error : new Refusal('storage-unavailable', {}, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

export async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The bytes alone in their memory: as they are where they have it for themselves, else a copy, so that nothing larger is kept for them. */
function toWhole(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes)
}

function toSummary(scanId: string, value: unknown): Summary | undefined {
  const { data } = summarySchema.safeParse(value)
  return data?.entry.scanId === scanId ? data : undefined
}

/** Lets whoever waits for the thread have it. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
