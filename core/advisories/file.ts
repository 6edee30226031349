import * as z from 'zod'
import { groupBy } from '../lists.ts'
import { SEVERITIES } from '../scales.ts'
import { isVersion } from './intervals.ts'
import { createMatchingPort } from './match.ts'
import type { AdvisoryRecord } from './record.ts'
import type { AdvisoryPort } from './types.ts'

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
  const asked = new Set(packages)
  const byName = groupBy(records, (record) => record.package)
  const byId = groupBy(records, ({ id }) => id)
  return createMatchingPort({
    kind: 'file',
    find: async (wanted) => ({
      date,
      ids: wanted.map(({ name }) => (asked.has(name) ? (byName.get(name) ?? []).map(({ id }) => id) : undefined)),
    }),
    load: async (ids) => new Map(ids.map((id) => [id, byId.get(id) ?? []])),
  })
}
