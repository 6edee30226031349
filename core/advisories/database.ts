import { createJsonFetch, FetchError, type Fetch, type JsonFetch } from '../network/fetch-json.ts'
import { readBatch, readDetails } from './osv.ts'
import type { AdvisoryRecord } from './record.ts'
import type { AskedPackage } from './types.ts'

/** An OSV database. Both reject with a FetchError. */
export interface Database {
  /** Ids of the advisories for each package, in order; undefined for those that were not answered within our limits. Answers are kept for a while. Rejects where nobody answers. */
  findIds(packages: readonly AskedPackage[], signal: AbortSignal): Promise<readonly (readonly string[] | undefined)[]>
  /** The records of each id, as many as can be read and one scan may ask for and get in time; kept, so that later scans ask for others. Rejects where nobody answers. */
  loadDetails(ids: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, readonly AdvisoryRecord[]>>
}

/** Queries in one request (documentation of OSV). */
const BATCH = 1000
/** Of the first of several requests: it is answered in time by a database that is slow, and so tells it from one that is gone. */
const FIRST_BATCH = 100
const PARALLEL_BATCHES = 4
const MAX_PAGES = 20
/** An answer tells of 3,000 advisories at most, in some 80 bytes each (documentation of OSV); it is read at one go. */
const MAX_BATCH_BYTES = 1024 * 1024
/** Of an answer, whatever it is about. */
const MAX_VALUES = 20_000
/** Of one scan; a report has room for a fifth of it. */
const MAX_IDS = 100_000

const MAX_DETAILS = 500
const PARALLEL_DETAILS = 12
const MAX_DETAIL_BYTES = 1024 * 1024
/** Advisories that can't be read: what one is like is no fault of the database, but of so many. */
const MAX_UNREADABLE = 10
/** Of the records of one scan: ids, aliases and intervals, of which an advisory has five; the bundled snapshot knows most others. */
const MAX_WEIGHT = 10_000
const KEPT_WEIGHT = 100_000
/** Of answers with their ids. */
const KEPT_ANSWERS = 200_000
/** What is published meanwhile is told by the next scan behind it. */
const KEPT_MS = 15 * 60_000

const keyOf = (name: string, version: string | undefined): string => `${name}@${version}`

interface Query {
  readonly index: number
  readonly page?: string
}

/** The database at an address. */
export function openDatabase(url: string, fetch?: Fetch, now: () => number = Date.now): Database {
  return createDatabase(url.replace(/\/{1,10}$/, ''), createJsonFetch(fetch), now)
}

function createDatabase(base: string, outside: JsonFetch, now: () => number): Database {
  const kept = new Map<string, readonly AdvisoryRecord[]>()
  let keptWeight = 0
  const answers = new Map<string, readonly string[]>()
  let answersWeight = 0
  let since = now()

  /** For all who ask: most packages of a project are those of others. */
  const keepAnswer = (key: string, ids: readonly string[]): void => {
    if (now() - since > KEPT_MS || answersWeight >= KEPT_ANSWERS) {
      answers.clear()
      answersWeight = 0
      since = now()
    }
    answers.set(key, ids)
    answersWeight += 1 + ids.length
  }

  const keep = (id: string, records: readonly AdvisoryRecord[]): void => {
    // two scans may have asked for it at once
    keptWeight += weightOf(records) - weightOf(kept.get(id) ?? [])
    // the clone has strings of its own: a title of a few words would keep the whole answer in memory
    kept.set(id, structuredClone(records))
    for (const [oldest, of] of kept) {
      if (keptWeight <= KEPT_WEIGHT) break
      kept.delete(oldest)
      keptWeight -= weightOf(of)
    }
  }

  const loadRecords = async (id: string, signal: AbortSignal): Promise<readonly AdvisoryRecord[]> => {
    try {
      const records = readDetails(
        await outside(`${base}/v1/vulns/${id}`, { maxBytes: MAX_DETAIL_BYTES, maxValues: MAX_VALUES, signal }),
      )
      if (records === undefined) throw new FetchError('not-json')
      return records
    } catch (error) {
      // taken back since the batch was answered
      if (error instanceof FetchError && error.status === 404) return []
      throw error
    }
  }

  return {
    async findIds(packages, signal) {
      const found: string[][] = packages.map(() => [])
      const answered = packages.map(({ name, version }, index) => {
        const known = now() - since > KEPT_MS ? undefined : answers.get(keyOf(name, version))
        if (known !== undefined) found[index] = [...known]
        return known !== undefined
      })
      let anyAnswer = answered.includes(true)
      let told = 0
      const askBatch = async (batch: readonly Query[]): Promise<Query[]> => {
        if (told > MAX_IDS) return []
        const queries = batch.map(({ index, page }) => toQuery(packages[index], page))
        const limits = { maxBytes: MAX_BATCH_BYTES, maxValues: MAX_VALUES, signal }
        const answer = await outside(`${base}/v1/querybatch`, { body: { queries }, ...limits })
        const results = readBatch(answer, batch.length)
        if (results === undefined) throw new FetchError('not-json')
        anyAnswer = true
        return results.flatMap(({ ids, next }, at): Query[] => {
          const index = batch[at]?.index ?? 0
          told += ids.length
          found[index]?.push(...ids)
          answered[index] = next === undefined
          return next === undefined ? [] : [{ index, page: next }]
        })
      }
      let waiting: Query[] = packages.flatMap((_, index) => (answered[index] === true ? [] : [{ index }]))
      try {
        for (let page = 0; waiting.length > 0 && page < MAX_PAGES; page++)
          waiting = (await inParallel(toBatches(waiting), PARALLEL_BATCHES, askBatch)).flat()
      } catch (error) {
        // that so much was asked is no fault of the database
        if (!anyAnswer || !isTimeUp(error)) throw error
      }
      packages.forEach(({ name, version }, index) => {
        if (answered[index] === true) keepAnswer(keyOf(name, version), found[index] ?? [])
      })
      return found.map((ids, index) => (answered[index] === true ? ids : undefined))
    },

    async loadDetails(ids, signal) {
      const loaded = new Map<string, readonly AdvisoryRecord[]>()
      const unknown: string[] = []
      let weight = 0
      let unreadable = 0
      const add = (id: string, records: readonly AdvisoryRecord[]): void => {
        weight += weightOf(records)
        if (weight <= MAX_WEIGHT) loaded.set(id, records)
      }
      for (const id of ids) {
        const known = kept.get(id)
        if (known !== undefined) add(id, known)
        else if (unknown.length < MAX_DETAILS) unknown.push(id)
      }
      try {
        await inParallel(unknown, PARALLEL_DETAILS, async (id) => {
          if (weight > MAX_WEIGHT) return
          try {
            const records = await loadRecords(id, signal)
            add(id, records)
            keep(id, records)
          } catch (error) {
            if (!isAboutAnswer(error) || ++unreadable > MAX_UNREADABLE) throw error
          }
        })
      } catch (error) {
        if (loaded.size === 0 || !(isTimeUp(error) || isAboutAnswer(error))) throw error
      }
      return loaded
    },
  }
}

/** What records cost to keep and to match: an id, an alias or an interval is one. */
function weightOf(records: readonly AdvisoryRecord[]): number {
  return records.reduce((sum, { aliases, intervals }) => sum + 1 + aliases.length + intervals.length, 0)
}

/** It is our own time that is up: what was asked for took longer than a scan waits. */
function isTimeUp(error: unknown): boolean {
  return error instanceof FetchError && error.reason === 'timeout'
}

/** Somebody answered, with something that can't be used. */
function isAboutAnswer(error: unknown): boolean {
  return error instanceof FetchError && error.reason !== 'timeout' && error.reason !== 'unreachable'
}

function toQuery(asked: AskedPackage | undefined, page: string | undefined): object {
  const query = {
    package: { ecosystem: 'npm', name: asked?.name },
    ...(asked?.version !== undefined && { version: asked.version }),
  }
  return page === undefined ? query : { ...query, page_token: page }
}

function toBatches<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= BATCH) return [[...items]]
  const further = Math.ceil((items.length - FIRST_BATCH) / BATCH)
  return [
    items.slice(0, FIRST_BATCH),
    ...Array.from({ length: further }, (_, at) => items.slice(FIRST_BATCH + at * BATCH, FIRST_BATCH + (at + 1) * BATCH)),
  ]
}

/** Works on all items, so many at a time; results in their order. The first failure is the whole's, and ends it. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  let failed = false
  const worker = async (): Promise<void> => {
    for (const [at, item] of queue) {
      if (failed) return
      try {
        results[at] = await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
