import * as z from 'zod'
import { SEVERITIES } from '../scales.ts'
import { createSnapshot, listIntervals, matchRecords, type Snapshot } from './bundled.ts'
import { isVersion } from './intervals.ts'
import { isOnlyHere, type AdvisoryRecord } from './record.ts'
import type { AdvisoryAnswer, AdvisoryPort } from './types.ts'

/** What a database knew about some packages on a day: for sites that can't ask it. */
export interface AdvisoryFile {
  readonly format: 'parapet-advisories'
  readonly version: 1
  /** ISO 8601 day. */
  readonly date: string
  /** Names of the packages that were asked about, affected or not. */
  readonly packages: readonly string[]
  readonly records: readonly AdvisoryRecord[]
}

/** A file of all of npm has 200,000 records; a project's some hundred. */
const MAX_RECORDS = 300_000
const text = z.string().max(1000)
const id = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{2,60}$/)
const bound = z.string().max(100).refine(isVersion, 'not a version')
const interval = z.strictObject({
  introduced: z.union([z.literal('0'), bound]),
  fixed: bound.exactOptional(),
  lastAffected: bound.exactOptional(),
})
const schema: z.ZodType<AdvisoryFile> = z.strictObject({
  format: z.literal('parapet-advisories'),
  version: z.literal(1),
  date: z.iso.date(),
  packages: z.array(z.string().max(214)).max(MAX_RECORDS),
  records: z
    .array(
      z.strictObject({
        id,
        aliases: z.array(id).max(1000),
        package: z.string().max(214),
        severity: z.enum(SEVERITIES),
        title: text,
        cwe: z.array(z.int().min(1).max(99_999)).max(100),
        malware: z.boolean(),
        intervals: z.array(interval).max(2000),
      }),
    )
    .max(MAX_RECORDS),
})

/** Reads the text of such a file; what is wrong with it, in words, where it is none. */
export function readAdvisoryFile(json: string): AdvisoryFile | string {
  try {
    const parsed = schema.safeParse(JSON.parse(json))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  } catch {
    return 'no JSON'
  }
}

/** Answers from the file for the packages that it was made for, from the bundled snapshot for others. */
export function createFileAdvisories({ date, packages, records }: AdvisoryFile): AdvisoryPort {
  const load = createSnapshot()
  const asked = new Set(packages)
  const byName = new Map<string, AdvisoryRecord[]>()
  for (const record of records) byName.set(record.package, [...(byName.get(record.package) ?? []), record])
  return {
    async query(wanted): Promise<AdvisoryAnswer> {
      const { of } = await load()
      const known: Snapshot = (name) =>
        asked.has(name) ? [...(byName.get(name) ?? []), ...of(name).filter(isOnlyHere)] : of(name)
      const matches = wanted.flatMap(({ name, version }) => matchRecords(known(name), name, version))
      return { source: 'file', date, complete: true, matches, others: listIntervals(known, matches) }
    },
  }
}
