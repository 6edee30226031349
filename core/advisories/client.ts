import type { Log } from '../log.ts'
import { createBreaker } from '../network/breaker.ts'
import { FetchError, type Fetch } from '../network/fetch-json.ts'
import { answerBundled, createSnapshot, listIntervals, matchRecords, type Snapshot } from './bundled.ts'
import { isPublicName, openDatabase, type Database } from './database.ts'
import { intervalOf, isVersion } from './intervals.ts'
import { isOnlyHere, mergeAliases, toAdvisory, type AdvisoryRecord } from './record.ts'
import type { Advisory, AdvisoryAnswer, AdvisoryPort, PackageVersion } from './types.ts'

export interface AdvisoryOptions {
  /** Of an OSV database. */
  readonly url: string
  readonly log: Log
  readonly fetch?: Fetch
  readonly now?: () => Date
}

/** All that one scan waits for. */
const TIMEOUT = 3000

/** Packages that the database is asked about in one scan, which answers a thousand in a request; lock files of large projects have 3,000. The snapshot answers for the rest. */
const MAX_ASKED = 10_000

/** A longer version is nobody's. */
const MAX_VERSION = 100

/** Asks an OSV database about the packages of a scan, and the bundled snapshot for what that does not tell. Never rejects. */
export function createAdvisoryClient({ url, log, fetch, now = () => new Date() }: AdvisoryOptions): AdvisoryPort {
  const database = openDatabase(url, fetch, () => now().getTime())
  const load = createSnapshot()
  const breaker = createBreaker('advisories-unavailable', log, now)
  return {
    async query(packages, signal) {
      const bundled = await load()
      const snapshot = bundled.of
      const asked = packages.filter(mayLeave).slice(0, MAX_ASKED)
      const isAsked = new Set(asked)
      if (asked.length === 0) return answerBundled(bundled, packages, true)
      if (breaker.isOpen() || isCancelled(signal)) return answerBundled(bundled, packages, false)
      const timeout = AbortSignal.timeout(TIMEOUT)
      const limit = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
      try {
        const { matches, complete } = await askDatabase(database, snapshot, asked, limit)
        const rest = packages
          .filter((it) => !isAsked.has(it))
          .flatMap(({ name, version }) => matchRecords(snapshot(name), name, version))
        breaker.succeed()
        const all = [...matches, ...rest]
        const others = listIntervals(snapshot, all)
        const isWhole = complete && !packages.some((it) => !isAsked.has(it) && mayLeave(it))
        return { source: 'osv', date: now().toISOString().slice(0, 10), complete: isWhole, matches: all, others }
      } catch (error) {
        // a cancelled scan is no failure of the database
        if (!isCancelled(signal)) breaker.fail(error instanceof FetchError ? error.reason : 'unreachable')
        return answerBundled(bundled, packages, false)
      }
    },
  }
}

function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

function mayLeave({ name, version, isPrivate }: PackageVersion): boolean {
  return isPrivate !== true && isPublicName(name) && version.length <= MAX_VERSION && isVersion(version)
}

async function askDatabase(
  database: Database,
  snapshot: Snapshot,
  asked: readonly PackageVersion[],
  signal: AbortSignal,
): Promise<Pick<AdvisoryAnswer, 'matches' | 'complete'>> {
  const ids = await database.findIds(asked, signal)
  const missing = new Set<string>()
  asked.forEach(({ name, version }, index) => {
    for (const id of ids[index] ?? []) if (knownRecord(snapshot, id, name, version) === undefined) missing.add(id)
  })
  const details = await database.loadDetails(missing, signal)
  const matches = asked.flatMap(({ name, version }, index) => {
    const answered = ids[index]
    if (answered === undefined) return matchRecords(snapshot(name), name, version)
    const told = answered.flatMap((id): Advisory[] => {
      const known = knownRecord(snapshot, id, name, version)
      const record = known ?? details.get(id)?.find((candidate) => candidate.package === name)
      return record === undefined ? [] : [toAdvisory(record, intervalOf(record, version))]
    })
    const own = matchRecords(snapshot(name).filter(isOnlyHere), name, version).map(({ advisory }) => advisory)
    return mergeAliases([...told, ...own]).map((advisory) => ({ name, version, advisory }))
  })
  return { matches, complete: missing.size === details.size && !ids.includes(undefined) }
}

/** The snapshot's record for an id or alias, where it agrees that the version is affected: else it is out of date. */
function knownRecord(snapshot: Snapshot, id: string, name: string, version: string): AdvisoryRecord | undefined {
  const record = snapshot(name).find((record) => record.id === id || record.aliases.includes(id))
  return record !== undefined && intervalOf(record, version) !== undefined ? record : undefined
}
