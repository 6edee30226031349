import { createStorage, type Storage } from 'unstorage'
import * as z from 'zod'
import { Refusal, isRefusal } from './errors.ts'
import { logFaults, type Log } from './log.ts'
import { LOCALES } from './scales.ts'
import type { HistoryEntry, Locale, Outcome } from './types.ts'

export type { Storage } from 'unstorage'

/** What is kept: a number of reports, bytes of all records together, milliseconds since the scan. Left out: no limit. */
export interface Retention {
  readonly limit?: number
  readonly bytes?: number
  readonly age?: number
}

export interface HistoryOptions extends Retention {
  readonly now?: () => Date
  readonly log?: Log
}

/** A report as it was rendered, and its SHA-256 in hex. */
export interface StoredRecord {
  readonly bytes: Uint8Array
  readonly hash: string
}

/** Every method makes one bounded attempt and rejects with the refusals `storage-unavailable` and, where a scan is named, `scan-not-found`. */
export interface History {
  /** Resolves only when everything is stored. The scan's id must be a UUIDv7 in lower case. */
  save(outcome: Outcome): Promise<void>
  /** Newest first; all without a limit. */
  list(page?: { readonly limit?: number; readonly offset?: number }): Promise<readonly HistoryEntry[]>
  /** What is known of a record without reading it: its SHA-256 in hex, and its bytes. */
  find(scanId: string, locale: Locale): Promise<{ readonly hash: string; readonly size: number }>
  read(scanId: string, locale: Locale): Promise<StoredRecord>
  remove(scanId: string): Promise<void>
}

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

const recordFact = z.object({ size: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) })
const summarySchema = z.object({ entry: z.object(HISTORY_FIELDS), records: z.object({ en: recordFact, fr: recordFact }) })
type Summary = z.infer<typeof summarySchema>

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SUMMARIES = 'summaries:'
const REPORTS = 'reports:'
/** Records without a summary are this old before they are taken for left behind: no writer is at them any more, on no machine. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000
const ATTEMPT_MS = 2000

const summaryKey = (scanId: string): string => SUMMARIES + scanId
const recordKey = (scanId: string, locale: Locale): string => `${REPORTS}${scanId}:${locale}`
/** Milliseconds since 1970, out of the id. */
const timeOf = (scanId: string): number => Number.parseInt(scanId.slice(0, 8) + scanId.slice(9, 13), 16)

/**
 * Keeps reports in any unstorage Storage, memory by default. Each scan writes its own keys only, the summary last: what has no summary does
 * not exist, and no writer can lose another's work (an index shared by all would: unstorage has no transactions). Ids are time-ordered, so
 * the keys are the order.
 */
export function createHistory(storage: Storage = createStorage(), options: HistoryOptions = {}): History {
  const { limit, bytes, age, now = () => new Date(), log = logFaults } = options
  // seconds; where a driver knows it, it cleans up also when nobody comes any more
  const lifetime = age === undefined ? {} : { ttl: Math.ceil(age / 1000) }
  const saving = new Set<string>()
  const removing = new Set<string>()
  let swept = false

  const isExpired = (scanId: string): boolean => age !== undefined && timeOf(scanId) < now().getTime() - age

  /** Ids of all that is stored, newest first. */
  async function findIds(): Promise<string[]> {
    const keys = await storage.getKeys(SUMMARIES)
    const ids = keys.map((key) => key.slice(SUMMARIES.length)).filter((id) => UUID_V7.test(id))
    return ids.sort().reverse()
  }

  async function readSummaries(ids: readonly string[]): Promise<Map<string, Summary>> {
    const items = ids.length === 0 ? [] : await storage.getItems(ids.map(summaryKey))
    const summaries = new Map<string, Summary>()
    for (const { key, value } of items) {
      const id = key.slice(SUMMARIES.length)
      const summary = toSummary(id, value)
      if (summary !== undefined) summaries.set(id, summary)
      // gone meanwhile is no damage
      else if (value !== null) log({ level: 'warn', event: 'record-damaged', scanId: id })
    }
    return summaries
  }

  async function readSummary(scanId: string): Promise<Summary> {
    const summary = UUID_V7.test(scanId) && !isExpired(scanId) ? (await readSummaries([scanId])).get(scanId) : undefined
    if (summary === undefined) throw new Refusal('scan-not-found')
    return summary
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

  async function purge(): Promise<void> {
    if (limit === undefined && bytes === undefined && age === undefined) return
    const ids = await findIds()
    const live = ids.filter((id) => !isExpired(id))
    const kept = live.slice(0, limit)
    const leaving = ids.filter((id) => isExpired(id)).concat(live.slice(kept.length))
    if (bytes !== undefined) {
      const summaries = await readSummaries(kept)
      let sum = 0
      for (const id of kept) {
        const records = summaries.get(id)?.records
        sum += (records?.en.size ?? 0) + (records?.fr.size ?? 0)
        if (sum > bytes) leaving.push(id)
      }
    }
    // a scan that is just being acknowledged stays, whatever the limits say
    for (const id of leaving) if (!saving.has(id)) await erase(id)
  }

  /** Once per process, what a crash left behind between a scan's records and its summary: nobody could name it any more. */
  async function sweep(): Promise<void> {
    if (swept) return
    swept = true
    const keys = await storage.getKeys(REPORTS)
    const complete = new Set(await findIds())
    for (const key of keys) {
      const [id = ''] = key.slice(REPORTS.length).split(':', 1)
      if (!UUID_V7.test(id) || complete.has(id) || timeOf(id) > now().getTime() - LEFT_BEHIND_MS) continue
      await storage.removeItem(key)
    }
  }

  return {
    async save({ entry, records }: Outcome): Promise<void> {
      const { scanId } = entry
      saving.add(scanId)
      try {
        await attempt(async (isLate) => {
          const facts: Partial<Record<Locale, { size: number; hash: string }>> = {}
          for (const locale of LOCALES) {
            // a memory driver keeps the very array, and the caller goes on with its own
            const copy = new Uint8Array(records[locale])
            facts[locale] = { size: copy.byteLength, hash: await hashBytes(copy) }
            await storage.setItemRaw(recordKey(scanId, locale), copy, lifetime)
            // the caller has been told that it failed
            if (isLate()) return
          }
          await storage.setItem(summaryKey(scanId), { entry, records: facts }, lifetime)
          // a driver that can't write, or drops what is too large for it, says nothing
          const keys = [summaryKey(scanId), ...LOCALES.map((locale) => recordKey(scanId, locale))]
          const kept = await Promise.all(keys.map((key) => storage.hasItem(key)))
          if (kept.includes(false)) throw new Error('the storage did not keep what was written')
        })
        await attempt(async () => {
          await purge()
          await sweep()
        }).catch((error: unknown) => log({ level: 'warn', event: 'purge-failed', error }))
      } finally {
        saving.delete(scanId)
      }
    },

    list({ limit: length, offset = 0 } = {}): Promise<readonly HistoryEntry[]> {
      return attempt(async () => {
        const ids = (await findIds()).filter((id) => !isExpired(id))
        const page = ids.slice(offset, length === undefined ? undefined : offset + length)
        const summaries = await readSummaries(page)
        return page.flatMap((id) => summaries.get(id)?.entry ?? [])
      })
    },

    find(scanId: string, locale: Locale): Promise<{ hash: string; size: number }> {
      return attempt(async () => (await readSummary(scanId)).records[locale])
    },

    read(scanId: string, locale: Locale): Promise<StoredRecord> {
      return attempt(async () => {
        const { hash } = (await readSummary(scanId)).records[locale]
        const raw: unknown = await storage.getItemRaw(recordKey(scanId, locale))
        const copy = toBytes(raw)
        if (copy !== undefined && (await hashBytes(copy)) === hash) return { bytes: copy, hash }
        if (raw !== null && raw !== undefined) log({ level: 'warn', event: 'record-damaged', scanId, locale })
        throw new Refusal('scan-not-found')
      })
    },

    async remove(scanId: string): Promise<void> {
      if (!UUID_V7.test(scanId) || isExpired(scanId) || removing.has(scanId)) throw new Refusal('scan-not-found')
      removing.add(scanId)
      try {
        await attempt(async () => {
          // by presence, not by content: what is damaged can be removed too
          if (!(await storage.hasItem(summaryKey(scanId)))) throw new Refusal('scan-not-found')
          await erase(scanId)
        })
      } finally {
        removing.delete(scanId)
      }
    },
  }
}

/** One attempt, and a bounded one: a storage that hangs must not hang its callers. */
async function attempt<T>(work: (isLate: () => boolean) => Promise<T>): Promise<T> {
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

function toSummary(scanId: string, value: unknown): Summary | undefined {
  const { data } = summarySchema.safeParse(value)
  return data?.entry.scanId === scanId ? data : undefined
}

/** A copy: memory gives the very array that it keeps, file systems a Buffer whose `slice` would share it. */
function toBytes(raw: unknown): Uint8Array<ArrayBuffer> | undefined {
  return raw instanceof Uint8Array || raw instanceof ArrayBuffer ? new Uint8Array(raw) : undefined
}

async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
