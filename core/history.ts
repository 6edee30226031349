import { createStorage, type Storage } from 'unstorage'
import { Refusal } from './errors.ts'
import { logFaults, type Log } from './log.ts'
import { createStoredLines, keyOfProject, MAX_LINES } from './projects/stored-lines.ts'
import { toLine } from './projects/marks.ts'
import { attempt, createStoredScans, hashBytes, isScanId, timeOf, type Summary } from './stored-scans.ts'
import type { HistoryEntry, Locale, Outcome } from './types.ts'

export type { Storage } from 'unstorage'
export { HISTORY_FIELDS } from './stored-scans.ts'

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

export interface Page {
  readonly limit?: number
  readonly offset?: number
}

/** Every method makes bounded attempts and rejects with the refusals `storage-unavailable` and, where a scan is named, `scan-not-found`. */
export interface History {
  /**
   * Resolves only when everything is stored. The scan's id must be a UUIDv7 in lower case. `isHandedOver`: nobody writes to the records any more, so that memory need not keep
   * 40 MB of ten thousand findings twice.
   */
  save(outcome: Outcome, isHandedOver?: boolean): Promise<void>
  /** Newest first; all without a limit. */
  list(page?: Page): Promise<readonly HistoryEntry[]>
  /** What is known of a record without reading it: its SHA-256 in hex, and its bytes. */
  find(scanId: string, locale: Locale): Promise<{ readonly hash: string; readonly size: number }>
  read(scanId: string, locale: Locale): Promise<StoredRecord>
  remove(scanId: string): Promise<void>
  /** Resolves where the storage answers. */
  check(): Promise<void>
}

/** Records without a summary are this old before they are taken for left behind: no writer is at them any more, on no machine. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000

/** Records that are read at once: as many as Node has threads for files. */
const RECORDS_AT_ONCE = 4

/** Where reports are bounded by number, so many lines of scans are kept for each of them. */
const LINES_PER_REPORT = 10

/** Scans that are stored before lines are counted again. */
const MOST_UNBOUND = 100

/** The id of no scan: its time is the year 10889. */
const NOBODY = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/** Keeps reports in any unstorage Storage, memory by default. Other processes may use the same one at the same time. */
export function createHistory(storage: Storage = createStorage(), options: HistoryOptions = {}): History {
  const { limit, bytes, age, now = () => new Date(), log = logFaults } = options
  // seconds; where a driver knows it, it cleans up also when nobody comes any more
  const scans = createStoredScans(storage, log, age === undefined ? {} : { ttl: Math.ceil(age / 1000) })
  const lines = createStoredLines(storage, log)
  let saved = 0
  const saving = new Set<string>()
  const removing = new Set<string>()
  /** Bytes of both records of a scan: written once, so what was read stays true. */
  const sizes = new Map<string, number>()
  const pages = new Map<string, Promise<readonly HistoryEntry[]>>()
  const reading = new Set<Promise<undefined>>()
  let swept = -Infinity
  let purging: Promise<void> = Promise.resolve()
  let nextPurge: Promise<void> | undefined

  const isExpired = (scanId: string): boolean => age !== undefined && timeOf(scanId) < now().getTime() - age

  async function readSummary(scanId: string): Promise<Summary> {
    const summary = isScanId(scanId) && !isExpired(scanId) ? (await scans.readSummaries([scanId])).get(scanId) : undefined
    if (summary === undefined) throw new Refusal('scan-not-found')
    return summary
  }

  /** A record is in memory several times while it is read. */
  async function readInTurn<T>(read: () => Promise<T>): Promise<T> {
    while (reading.size >= RECORDS_AT_ONCE) await Promise.race(reading)
    const work = attempt(read)
    const settled = work.then(
      () => undefined,
      () => undefined,
    )
    reading.add(settled)
    try {
      return await work
    } finally {
      reading.delete(settled)
    }
  }

  /** The key of the project that keeps a scan. */
  async function findLine(scanId: string): Promise<string | undefined> {
    for (const [project, ids] of await lines.list()) if (ids.includes(scanId)) return project
    return undefined
  }

  async function readPage({ limit: length, offset = 0 }: Page): Promise<readonly HistoryEntry[]> {
    const ids = (await attempt(scans.findIds)).filter((id) => !isExpired(id))
    const page = ids.slice(offset, length === undefined ? undefined : offset + length)
    const summaries = await scans.readSummaries(page)
    return page.flatMap((id) => summaries.get(id)?.entry ?? [])
  }

  /** Those that don't fit any more into the bytes that are kept. */
  async function findExceeding(kept: readonly string[], most: number): Promise<string[]> {
    const summaries = await scans.readSummaries(kept.filter((id) => !sizes.has(id)))
    for (const [id, { records }] of summaries) sizes.set(id, records.en.size + records.fr.size)
    const known = new Set(kept)
    for (const id of sizes.keys()) if (!known.has(id)) sizes.delete(id)
    let sum = 0
    return kept.filter((id) => {
      sum += sizes.get(id) ?? 0
      return sum > most
    })
  }

  async function purge(): Promise<void> {
    const ids = await scans.findIds()
    const live = ids.filter((id) => !isExpired(id))
    const kept = live.slice(0, limit)
    const leaving = ids.filter((id) => isExpired(id)).concat(live.slice(kept.length))
    if (bytes !== undefined) leaving.push(...(await findExceeding(kept, bytes)))
    // a scan that is just being acknowledged stays, whatever the limits say
    for (const id of leaving) if (!saving.has(id)) await scans.erase(id)
  }

  /** What the project keeps of a scan. Without it the scan is not stored: one that was not acknowledged shall not count. */
  async function keepLine({ entry, facts, records }: Outcome): Promise<void> {
    try {
      await attempt(() => lines.write(toLine(entry, facts, records.en)))
    } catch (error) {
      await attempt(() => scans.erase(entry.scanId)).catch(() => undefined)
      throw error
    }
    // each looks at all keys: not for every scan
    if (saved++ % Math.min(MOST_UNBOUND, Math.max(1, limit ?? MOST_UNBOUND)) !== 0) return
    await attempt(() => boundLines(entry.projectName)).catch((error: unknown) =>
      log({ level: 'warn', event: 'purge-failed', error }),
    )
  }

  /** Lines outlive reports, but not without an end. */
  async function boundLines(projectName: string): Promise<void> {
    const project = await keyOfProject(projectName)
    const ids = (await lines.list(project)).get(project) ?? []
    for (const id of ids.slice(0, -MAX_LINES)) await lines.erase(project, id)
    if (limit === undefined) return
    const all = [...(await lines.list())].flatMap(([name, scanIds]) => scanIds.map((id) => ({ name, id })))
    const most = limit * LINES_PER_REPORT
    if (all.length <= most) return
    all.sort((one, other) => (one.id < other.id ? 1 : -1))
    for (const { name, id } of all.slice(most)) await lines.erase(name, id)
  }

  /** One after the other; who comes while one is at it waits for the next, which sees what he stored. */
  function purgeInTurn(): Promise<void> {
    if (limit === undefined && bytes === undefined && age === undefined) return Promise.resolve()
    nextPurge ??= purging.then(() => {
      nextPurge = undefined
      purging = attempt(purge).catch((error: unknown) => log({ level: 'warn', event: 'purge-failed', error }))
      return purging
    })
    return nextPurge
  }

  /** At the first scan of a process, and once a day: other processes may crash too. */
  async function sweep(): Promise<void> {
    const time = now().getTime()
    if (time - swept < LEFT_BEHIND_MS) return
    swept = time
    // by its id a scan may be old and saved now all the same: clocks differ
    const isLeftBehind = (scanId: string): boolean => timeOf(scanId) <= time - LEFT_BEHIND_MS && !saving.has(scanId)
    await attempt(() => scans.sweep(isLeftBehind)).catch((error: unknown) => log({ level: 'warn', event: 'sweep-failed', error }))
  }

  return {
    async save(outcome: Outcome, isHandedOver = false): Promise<void> {
      const { scanId } = outcome.entry
      saving.add(scanId)
      try {
        await attempt((isLate) => scans.write(outcome, isHandedOver, isLate))
        await keepLine(outcome)
        pages.clear()
        await purgeInTurn()
        await sweep()
      } finally {
        saving.delete(scanId)
      }
    },

    /** Who asks for the same while it is read gets the same: a list of all that many ask for at once is read once. */
    list(page: Page = {}): Promise<readonly HistoryEntry[]> {
      const key = `${page.offset ?? 0} ${page.limit ?? ''}`
      const known = pages.get(key)
      if (known !== undefined) return known
      const read = readPage(page).finally(() => {
        if (pages.get(key) === read) pages.delete(key)
      })
      pages.set(key, read)
      return read
    },

    async find(scanId: string, locale: Locale): Promise<{ hash: string; size: number }> {
      return (await readSummary(scanId)).records[locale]
    },

    async read(scanId: string, locale: Locale): Promise<StoredRecord> {
      const { hash } = (await readSummary(scanId)).records[locale]
      return readInTurn(async () => {
        const raw = await scans.readRecord(scanId, locale)
        const copy = toBytes(raw)
        if (copy !== undefined && (await hashBytes(copy)) === hash) return { bytes: copy, hash }
        if (raw !== null && raw !== undefined) log({ level: 'warn', event: 'record-damaged', scanId, locale })
        throw new Refusal('scan-not-found')
      })
    },

    async check(): Promise<void> {
      await attempt(() => scans.has(NOBODY))
    },

    async remove(scanId: string): Promise<void> {
      if (!isScanId(scanId) || isExpired(scanId) || removing.has(scanId)) throw new Refusal('scan-not-found')
      removing.add(scanId)
      try {
        await attempt(async () => {
          // by presence, not by content: what is damaged can be removed too
          if (!(await scans.has(scanId))) throw new Refusal('scan-not-found')
          const project = await findLine(scanId)
          await scans.erase(scanId)
          if (project !== undefined) await lines.erase(project, scanId)
        })
        pages.clear()
      } finally {
        removing.delete(scanId)
      }
    },
  }
}

/** A copy: memory gives the very array that it keeps, file systems a Buffer whose `slice` would share it. */
function toBytes(raw: unknown): Uint8Array<ArrayBuffer> | undefined {
  return raw instanceof Uint8Array || raw instanceof ArrayBuffer ? new Uint8Array(raw) : undefined
}
