import * as z from 'zod'
import { REACHES, SEVERITIES, USAGES } from '../scales.ts'
import type { Notice, Reach, Severity, Usage } from '../types.ts'
import { applied, ignored, readPlacedEntries, type EntryList } from './config-entries.ts'
import { isReasonGiven } from '../given-reason.ts'

const path = (): z.ZodString => z.string().min(1).max(300)
const reason = (): z.ZodOptional<z.ZodString> => z.string().max(500).optional()
const MOST = 500

const severity = (): z.ZodType<Severity> =>
  z
    .string()
    .transform((word) => word.toUpperCase())
    .pipe(z.enum(SEVERITIES))

const REACH = {
  name: 'reach',
  entry: () => z.object({ path: path().optional(), service: path().optional(), reach: z.enum(REACHES), reason: reason() }),
  most: MOST,
}
const USAGE = { name: 'usage', entry: () => z.object({ path: path(), usage: z.enum(USAGES), reason: reason() }), most: MOST }
const SEVERITY = {
  name: 'severity',
  entry: () => z.object({ rule: z.string().min(1).max(100), path: path().optional(), severity: severity(), reason: reason() }),
  most: MOST,
}

/** The members of the file that are read here. */
export const GRADE_MEMBERS: readonly string[] = [REACH.name, USAGE.name, SEVERITY.name]

/** What a project knows better of its grades; each entry has a reason. A level that it leads to is at least INFO: nothing of it hides a finding. */
export interface ConfiguredGrades {
  /** Of files by a glob, or of a CAP service by its qualified name. */
  readonly reach: readonly { readonly path?: string; readonly service?: string; readonly reach: Reach; readonly reason: string }[]
  readonly usage: readonly { readonly path: string; readonly usage: Usage; readonly reason: string }[]
  readonly severity: readonly {
    readonly rule: string
    readonly path?: string
    readonly severity: Severity
    readonly reason: string
  }[]
}

/** Entries that are in force; each that is not is told, and so are those that are. */
export function readGradeSettings(given: Readonly<Record<string, unknown>>, notices: Notice[]): ConfiguredGrades | undefined {
  const withReason = <Entry extends { readonly reason?: string | undefined }>(
    list: EntryList<Entry>,
    nameOf: (entry: Entry) => string | undefined,
  ): readonly (Entry & { readonly reason: string })[] =>
    readPlacedEntries(given[list.name], list, notices).flatMap(({ place, entry }) => {
      const [name, { reason: said }] = [nameOf(entry), entry]
      if (name !== undefined && said !== undefined && isReasonGiven(said)) return { ...entry, reason: said }
      notices.push(
        name === undefined
          ? ignored('grade-no-target', { place })
          : ignored('grade-no-reason', { name, place: `${place}.reason` }),
      )
      return []
    })
  const reach = withReason(REACH, (entry) => entry.path ?? entry.service)
  const usage = withReason(USAGE, (entry) => entry.path)
  const levels = withReason(SEVERITY, (entry) => entry.rule)
  const names = [
    ...reach.map((one) => one.path ?? one.service ?? ''),
    ...usage.map((one) => one.path),
    ...levels.map(({ rule }) => rule),
  ]
  if (names.length === 0) return undefined
  notices.push(applied('grades', names))
  return {
    reach: reach.map(({ path: glob, service, reach: who, reason: why }) => ({
      reach: who,
      reason: why,
      ...(glob !== undefined && { path: glob }),
      ...(service !== undefined && { service }),
    })),
    usage: usage.map(({ path: glob, usage: what, reason: why }) => ({ path: glob, usage: what, reason: why })),
    severity: levels.map(({ rule, path: glob, severity: level, reason: why }) => ({
      rule,
      severity: level,
      reason: why,
      ...(glob !== undefined && { path: glob }),
    })),
  }
}
