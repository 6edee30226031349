import { append } from '../lists.ts'
import { isVersion } from './intervals.ts'
import { collectMatches, createMatcher } from './matcher.ts'
import { isPublicName } from './public-names.ts'
import { isOnlyHere, type AdvisoryRecord } from './record.ts'
import { createSnapshot, listIntervals, type DatedSnapshot, type Snapshot } from './snapshot-index.ts'
import type { AdvisoryAnswer, AdvisoryPort, AdvisorySource, PackageVersion } from './types.ts'

/** All that one scan waits for, in ms. */
export const TIMEOUT = 3000

/** Packages that the database is asked about in one scan, which answers a thousand in a request; lock files of large projects have 3,000. The snapshot answers for the rest. */
const MAX_ASKED = 10_000

/** A longer version is nobody's. */
const MAX_VERSION = 100

/** Records of a file that are fetched at a time: whoever hands them out answers others in between. */
const CHUNK = 500

/** Matches the packages of a scan with what a source knows, and with the bundled snapshot for what that does not tell. Never rejects. */
export function createMatchingPort(source: AdvisorySource): AdvisoryPort {
  const load = createSnapshot()
  const ways = { bundled: async () => undefined, file: askFile, osv: askDatabase }
  return {
    source,
    async query(packages, signal) {
      const snapshot = await load()
      const answer = await ways[source.kind](source, snapshot, packages, signal)
      return answer ?? answerBundled(snapshot, packages, source.kind === 'bundled')
    },
  }
}

function answerBundled({ date, of }: DatedSnapshot, packages: readonly PackageVersion[], complete: boolean): AdvisoryAnswer {
  const found = collectMatches(packages, createMatcher(of).match)
  return { source: 'bundled', date, complete, ...found, others: listIntervals(of, found.matches) }
}

/** Undefined where nobody answers. */
async function askDatabase(
  source: AdvisorySource,
  snapshot: DatedSnapshot,
  packages: readonly PackageVersion[],
  signal: AbortSignal | undefined,
): Promise<AdvisoryAnswer | undefined> {
  const asked = packages.filter(mayLeave).slice(0, MAX_ASKED)
  if (asked.length === 0) return answerBundled(snapshot, packages, true)
  const until = Date.now() + TIMEOUT
  const questions = asked.map(({ name, version }) => ({ name, version }))
  const { ids, date } = await source.find(questions, signal)
  if (ids === undefined) return undefined
  const known = createMatcher(snapshot.of)
  const missing = new Set<string>()
  asked.forEach((it, index) => {
    for (const id of ids[index] ?? []) if (!known.knows(it, id)) missing.add(id)
  })
  const loaded = await source.load([...missing], Math.max(0, until - Date.now()), signal)
  if (loaded === undefined) return undefined
  const isAsked = new Set(asked)
  const rest = packages.filter((it) => !isAsked.has(it))
  const found = collectMatches([...asked, ...rest], (it, index) => {
    const told = ids[index]
    return told === undefined ? known.match(it) : known.resolve(it, told, loaded)
  })
  const complete = missing.size === loaded.size && !ids.includes(undefined) && !rest.some(mayLeave)
  return { source: 'osv', date, complete, ...found, others: listIntervals(snapshot.of, found.matches) }
}

/** From the file for the packages that it was made for, from the bundled snapshot for others. */
async function askFile(
  source: AdvisorySource,
  { of: snapshot }: DatedSnapshot,
  packages: readonly PackageVersion[],
): Promise<AdvisoryAnswer> {
  const names = [...new Set(packages.map(({ name }) => name))]
  const { ids = [], date } = await source.find(names.map((name) => ({ name })))
  const records = new Map<string, AdvisoryRecord[]>()
  const wanted = [...new Set(ids.flatMap((some) => some ?? []))]
  for (let at = 0; at < wanted.length; at += CHUNK) {
    const loaded = (await source.load(wanted.slice(at, at + CHUNK), TIMEOUT)) ?? new Map<string, AdvisoryRecord[]>()
    for (const record of [...loaded.values()].flat()) append(records, record.package, record)
  }
  const isKnown = new Set(names.filter((_, index) => ids[index] !== undefined))
  const both: Snapshot = (name) =>
    isKnown.has(name) ? [...(records.get(name) ?? []), ...snapshot(name).filter(isOnlyHere)] : snapshot(name)
  const found = collectMatches(packages, createMatcher(both).match)
  return { source: 'file', date, complete: true, ...found, others: listIntervals(both, found.matches) }
}

function mayLeave({ name, version, isPrivate }: PackageVersion): boolean {
  return isPrivate !== true && isPublicName(name) && version.length <= MAX_VERSION && isVersion(version)
}
