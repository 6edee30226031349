import type { Log } from '../log.ts'
import { createBreaker } from '../network/breaker.ts'
import { FetchError, type Fetch } from '../network/fetch-json.ts'
import { openDatabase } from './database.ts'
import { createMatchingPort, TIMEOUT } from './match.ts'
import type { AdvisoryPort, AdvisorySource } from './types.ts'

export interface AdvisoryOptions {
  /** Of an OSV database. */
  readonly url: string
  readonly log: Log
  readonly fetch?: Fetch
  readonly now?: () => Date
}

/** In so many ms a database that works has answered something. */
const FAIR = TIMEOUT / 2

/** Asks an OSV database about the packages of a scan, and the bundled snapshot for what that does not tell. Never rejects. */
export function createAdvisoryClient(options: AdvisoryOptions): AdvisoryPort {
  return createMatchingPort(createDatabaseSource(options))
}

function createDatabaseSource({ url, log, fetch, now = () => new Date() }: AdvisoryOptions): AdvisorySource {
  const database = openDatabase(url, fetch, () => now().getTime())
  const breaker = createBreaker('advisories-unavailable', log, now)
  /** Undefined where nobody answers, or is asked. */
  const ask = async <Answer>(
    within: number,
    signal: AbortSignal | undefined,
    work: (limit: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    if (breaker.isOpen() || isCancelled(signal)) return undefined
    const timeout = AbortSignal.timeout(within)
    try {
      return await work(signal === undefined ? timeout : AbortSignal.any([timeout, signal]))
    } catch (error) {
      // a cancelled scan is no failure of the database, nor is one that had no time left to ask
      const isOurs = isCancelled(signal) || (within < FAIR && error instanceof FetchError && error.reason === 'timeout')
      if (!isOurs) breaker.fail(error instanceof FetchError ? error.reason : 'unreachable')
      return undefined
    }
  }
  return {
    kind: 'osv',
    async find(packages, signal) {
      const ids = await ask(TIMEOUT, signal, (limit) => database.findIds(packages, limit))
      const isAnswered = ids?.some((some) => some !== undefined) === true
      return { date: now().toISOString().slice(0, 10), ids: isAnswered ? ids : undefined }
    },
    async load(ids, within, signal) {
      const records = await ask(within, signal, (limit) => database.loadDetails(new Set(ids), limit))
      if (records !== undefined) breaker.succeed()
      return records
    },
  }
}

function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}
