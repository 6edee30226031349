import * as z from 'zod'
import type { Severity } from '../types.ts'
import { scoreOf, severityOfScore } from './cvss.ts'
import { isVersion } from './intervals.ts'
import type { AdvisoryRecord } from './record.ts'
import type { Interval } from './types.ts'

// OSV schema 1.6 as api.osv.dev answers (POST /v1/querybatch, GET /v1/vulns/{id}); what is not read here may be anything

/** Of one query; the database cuts answers into pages of a thousand (documentation of OSV). */
const MAX_IDS = 1000
/** Of one advisory; of a package with a release each night some hundred are named. */
const MAX_INTERVALS = 2000

/** Part of an address. */
const id = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{2,60}$/)
const text = z.string().max(100_000)

const batch = z.object({
  results: z.array(
    z
      .object({ vulns: z.array(z.object({ id })).max(MAX_IDS).nullish(), next_page_token: z.string().max(10_000).nullish() })
      .nullable(),
  ),
})

const event = z.object({ introduced: text.nullish(), fixed: text.nullish(), last_affected: text.nullish() })
const affected = z.object({
  package: z.object({ ecosystem: text, name: text }).nullish(),
  ranges: z.array(z.object({ type: text, events: z.array(event).max(2000).nullish() })).nullish(),
  versions: z.array(text).max(10_000).nullish(),
})
const details = z.object({
  id,
  aliases: z.array(id).max(1000).nullish(),
  summary: text.nullish(),
  withdrawn: text.nullish(),
  affected: z.array(affected).max(5000).nullish(),
  severity: z.array(z.object({ type: text, score: text })).nullish(),
  database_specific: z.object({ severity: z.unknown().optional(), cwe_ids: z.unknown().optional() }).nullish(),
})

/** One result of a batch: ids, and the token to ask for more. */
export interface BatchResult {
  readonly ids: readonly string[]
  readonly next?: string
}

/** The answer to a batch of `count` queries, in their order; undefined where it has another shape or length. */
export function readBatch(document: unknown, count: number): BatchResult[] | undefined {
  const results = batch.safeParse(document).data?.results
  if (results?.length !== count) return undefined
  return results.map((result) => ({
    ids: result?.vulns?.map((found) => found.id) ?? [],
    // an empty one is none
    next: result?.next_page_token || undefined,
  }))
}

/** One advisory as a record per npm package; none where it is withdrawn, undefined where it has another shape or more intervals than any has. */
export function readDetails(document: unknown): AdvisoryRecord[] | undefined {
  const { data } = details.safeParse(document)
  if (data === undefined) return undefined
  if (data.withdrawn) return []
  const aliases = data.aliases ?? []
  const cwe = readWeaknesses(data.database_specific?.cwe_ids)
  // OSV's own malware ids; GitHub files its as "embedded malicious code"
  const malware = [data.id, ...aliases].some((name) => name.startsWith('MAL-')) || cwe.includes(506)
  const severity = malware ? 'CRITICAL' : readSeverity(data.database_specific?.severity, data.severity ?? [])
  const title = cleanTitle(data.summary ?? '')
  const byPackage = new Map<string, Interval[]>()
  let count = 0
  for (const entry of data.affected ?? []) {
    if (entry.package?.ecosystem !== 'npm') continue
    const intervals = byPackage.get(entry.package.name) ?? []
    byPackage.set(entry.package.name, intervals)
    for (const interval of readIntervals(entry)) {
      intervals.push(interval)
      if (++count > MAX_INTERVALS) return undefined
    }
  }
  return Array.from(byPackage, ([name, intervals]) => ({
    id: data.id,
    aliases,
    severity,
    title,
    cwe,
    malware,
    package: name,
    intervals,
  }))
}

function readIntervals({ ranges, versions }: z.infer<typeof affected>): Interval[] {
  const intervals: Interval[] = []
  for (const { type, events } of ranges ?? []) {
    if (type !== 'SEMVER' && type !== 'ECOSYSTEM') continue
    let introduced: string | undefined
    for (const event of events ?? []) {
      const end = event.fixed ?? event.last_affected ?? undefined
      if (event.introduced != null) introduced = event.introduced
      else if (introduced !== undefined && end !== undefined) {
        intervals.push(event.fixed == null ? { introduced, lastAffected: end } : { introduced, fixed: end })
        introduced = undefined
      }
    }
    if (introduced !== undefined) intervals.push({ introduced })
  }
  // a list of versions says more than ranges only where there are none: records of malware
  if (intervals.length === 0) for (const version of versions ?? []) intervals.push({ introduced: version, lastAffected: version })
  return intervals.filter(
    ({ introduced, fixed, lastAffected }) =>
      (introduced === '0' || isVersion(introduced)) && isVersion(fixed ?? '0.0.0') && isVersion(lastAffected ?? '0.0.0'),
  )
}

/** The database's own class goes first: it follows the newest vector, of version 4 too. */
function readSeverity(word: unknown, vectors: readonly { readonly type: string; readonly score: string }[]): Severity {
  switch (word) {
    case 'CRITICAL':
    case 'HIGH':
    case 'LOW':
      return word
    case 'MODERATE':
    case 'MEDIUM':
      return 'MEDIUM'
  }
  for (const { type, score } of vectors) {
    const points = type === 'CVSS_V3' ? scoreOf(score) : undefined
    if (points !== undefined) return severityOfScore(points)
  }
  return 'MEDIUM'
}

function readWeaknesses(names: unknown): number[] {
  if (!Array.isArray(names)) return []
  return names.slice(0, 20).flatMap((name) => {
    const number = typeof name === 'string' ? /^CWE-(\d{1,5})$/.exec(name)?.[1] : undefined
    return number === undefined ? [] : [Number(number)]
  })
}

const MAX_TITLE = 200

/** Words of others on one line, without control and direction characters: they go into reports and terminals. */
function cleanTitle(title: string): string {
  const line = title
    .slice(0, 5 * MAX_TITLE)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).trim()}…` : line
}
