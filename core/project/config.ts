import * as z from 'zod'
import { findJsonFault } from '../parse/json.ts'
import type { Notice } from '../types.ts'
import { applied, ignored, readEntries, readMembers, readPlacedEntries, tellUnknown, type EntryList } from './config-entries.ts'
import { isReasonGiven } from '../given-reason.ts'
import { GRADE_MEMBERS, readGradeSettings, type ConfiguredGrades } from './grade-settings.ts'

export { CONFIG_FILE, ignored } from './config-entries.ts'

const EXCLUDE: EntryList<string> = { name: 'exclude', entry: () => z.string().min(1).max(300), most: 200 }

const SUPPRESS = {
  name: 'suppress',
  entry: () =>
    z.object({
      id: z.string().max(100).optional(),
      rule: z.string().max(100).optional(),
      path: z.string().max(300).optional(),
      reason: z.string().max(500).optional(),
      until: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}$/)
        .optional(),
    }),
  most: 5000,
}

const at = (): z.ZodString => z.string().min(1).max(300)
const MOST_FUNCTIONS = 500

/** Functions of the project that the data flow should know, by their access paths: `module:./srv/lib/clean escape`. */
const FLOW = {
  sources: () => z.object({ at: at() }),
  sinks: () =>
    z.object({ at: at(), rule: z.string().max(100), args: z.array(z.number().int().min(0).max(20)).max(20).optional() }),
  sanitizers: () => z.object({ at: at(), cleans: z.array(z.string().min(1).max(100)).min(1).max(100) }),
  propagators: () => z.object({ at: at() }),
  authenticates: () => z.object({ at: at() }),
}

/** What a project says of its own functions. */
export interface ConfiguredFlow {
  readonly sources: readonly Configured[]
  readonly sinks: readonly (Configured & { readonly rule: string; readonly args?: readonly number[] | undefined })[]
  readonly sanitizers: readonly (Configured & { readonly cleans: readonly string[] })[]
  readonly propagators: readonly Configured[]
  readonly authenticates: readonly Configured[]
}

interface Configured {
  /** An access path. */
  readonly at: string
}

/** `failOn` and `baseline` are read by the command line alone. */
const MEMBERS: readonly string[] = ['$schema', 'exclude', 'suppress', 'flow', ...GRADE_MEMBERS, 'failOn', 'baseline']

/** One entry of `suppress` that is in force: it names an id or a rule, and has a reason. */
export interface ConfiguredSuppression {
  readonly id?: string
  readonly rule?: string
  readonly path?: string
  readonly reason: string
  /** Of the entry in the file: `suppress[0]`. */
  readonly place?: string
}

/**
 * What a project says in its `parapet.config.json`. It can hide, exclude, tell of its own functions, and say with a reason what it knows better of a grade; never
 * raise a limit, nor hide a finding by its grade.
 */
export interface ProjectConfig {
  readonly exclude: readonly string[]
  readonly suppress: readonly ConfiguredSuppression[]
  readonly flow?: ConfiguredFlow
  readonly grades?: ConfiguredGrades
  readonly notices: readonly Notice[]
}

export const NO_CONFIG: ProjectConfig = { exclude: [], suppress: [], notices: [] }

/** Reads the text of `parapet.config.json`; `date` is the day of the scan. What is wrong in it is a notice and has no effect; the rest of it holds. */
export function readConfig(text: string, date: string): ProjectConfig {
  const given = z.record(z.string(), z.unknown()).safeParse(parseText(text)).data
  if (given === undefined) {
    const line = findJsonFault(text)
    return {
      ...NO_CONFIG,
      notices: [line === undefined ? ignored('config-invalid') : ignored('config-not-json', { line: `${line}` })],
    }
  }
  const notices: Notice[] = [...tellUnknown(given, MEMBERS)]
  const exclude = readEntries(given['exclude'], EXCLUDE, notices)
  const suppress = readSuppressions(given['suppress'], date, notices)
  const flow = readFlow(given['flow'], notices)
  const grades = readGradeSettings(given, notices)
  return { exclude, suppress, notices, ...(flow !== undefined && { flow }), ...(grades !== undefined && { grades }) }
}

/** Entries that are in force on a day. */
function readSuppressions(given: unknown, date: string, notices: Notice[]): readonly ConfiguredSuppression[] {
  const inForce: ConfiguredSuppression[] = []
  for (const { place, entry } of readPlacedEntries(given, SUPPRESS, notices)) {
    const { reason, until, id, rule, path } = entry
    const name = id ?? rule
    if (name === undefined) notices.push(ignored('config-no-target', { place }))
    else if (reason === undefined || !isReasonGiven(reason))
      notices.push(ignored('config-no-reason', { name, place: `${place}.reason` }))
    else if (until !== undefined && until < date.slice(0, 10))
      notices.push(ignored('config-expired', { name, place: `${place}.until` }))
    else
      inForce.push({
        ...(id !== undefined && { id }),
        ...(rule !== undefined && { rule }),
        ...(path !== undefined && { path }),
        reason,
        place,
      })
  }
  return inForce
}

function readFlow(given: unknown, notices: Notice[]): ConfiguredFlow | undefined {
  const members = readMembers(given, 'flow', notices)
  notices.push(...tellUnknown(members, Object.keys(FLOW), 'flow.'))
  const listOf = <Entry>(name: string, entry: () => z.ZodType<Entry>): readonly Entry[] =>
    readEntries(members[name], { name: `flow.${name}`, entry, most: MOST_FUNCTIONS }, notices)
  const flow: ConfiguredFlow = {
    sources: listOf('sources', FLOW.sources),
    sinks: listOf('sinks', FLOW.sinks),
    sanitizers: listOf('sanitizers', FLOW.sanitizers),
    propagators: listOf('propagators', FLOW.propagators),
    authenticates: listOf('authenticates', FLOW.authenticates),
  }
  const paths = Object.values(flow).flatMap((rows: readonly Configured[]) => rows.map((row) => row.at))
  if (paths.length === 0) return undefined
  notices.push(applied('flow', paths))
  return flow
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
