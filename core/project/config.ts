import * as z from 'zod'
import type { Notice } from '../types.ts'
import { GRADE_MEMBERS, readGradeSettings, unknownMembers, type ConfiguredGrades } from './grade-settings.ts'

export const CONFIG_FILE = 'parapet.config.json'

const suppression = z.object({
  id: z.string().max(100).optional(),
  rule: z.string().max(100).optional(),
  path: z.string().max(300).optional(),
  reason: z.string().max(500).optional(),
  until: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
})

const at = z.string().min(1).max(300)
const MOST = 500

/** Functions of the project that the data flow should know, by their access paths: `module:./srv/lib/clean escape`. */
const flow = z.object({
  sources: z.array(z.object({ at })).max(MOST).default([]),
  sinks: z
    .array(z.object({ at, rule: z.string().max(100), args: z.array(z.number().int().min(0).max(20)).max(20).optional() }))
    .max(MOST)
    .default([]),
  sanitizers: z
    .array(z.object({ at, cleans: z.array(z.string().min(1).max(100)).min(1).max(100) }))
    .max(MOST)
    .default([]),
  propagators: z.array(z.object({ at })).max(MOST).default([]),
  authenticates: z.array(z.object({ at })).max(MOST).default([]),
})

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

const config = z.object({
  exclude: z.array(z.string().min(1).max(300)).max(200).optional(),
  suppress: z.array(suppression).max(5000).optional(),
  flow: flow.optional(),
})

/** Beside what is read here: what only the command line reads. */
const MEMBERS: ReadonlySet<string> = new Set([...Object.keys(config.shape), ...GRADE_MEMBERS, 'failOn', 'baseline'])

/** One entry of `suppress` that is in force: it names an id or a rule, and has a reason. */
export interface ConfiguredSuppression {
  readonly id?: string
  readonly rule?: string
  readonly path?: string
  readonly reason: string
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

/** Reads the text of `parapet.config.json`; `date` is the day of the scan. What is wrong in it is a notice and hides nothing. */
export function readConfig(text: string, date: string): ProjectConfig {
  const given = parseText(text)
  const parsed = config.safeParse(given)
  if (!parsed.success) return { ...NO_CONFIG, notices: [ignored('config-invalid')] }
  const notices: Notice[] = unknownMembers(given, MEMBERS).map((name) => ignored('config-unknown-member', name.slice(0, 100)))
  const suppress: ConfiguredSuppression[] = []
  for (const { reason, until, id, rule, path } of parsed.data.suppress ?? []) {
    const name = id ?? rule
    if (name === undefined) notices.push(ignored('config-no-target'))
    else if (reason === undefined || reason.trim() === '') notices.push(ignored('config-no-reason', name))
    else if (until !== undefined && until < date.slice(0, 10)) notices.push(ignored('config-expired', name))
    else
      suppress.push({
        ...(id !== undefined && { id }),
        ...(rule !== undefined && { rule }),
        ...(path !== undefined && { path }),
        reason,
      })
  }
  const own = parsed.data.flow
  if (own !== undefined) notices.push(listed(own))
  const { grades, notices: told } = readGradeSettings(given, CONFIG_FILE)
  return {
    exclude: parsed.data.exclude ?? [],
    suppress,
    notices: [...notices, ...told],
    ...(own !== undefined && { flow: own }),
    ...(grades !== undefined && { grades }),
  }
}

/** The report lists what changes what it finds. */
function listed(own: ConfiguredFlow): Notice {
  const rows: readonly Configured[] = [...own.sources, ...own.sinks, ...own.sanitizers, ...own.propagators, ...own.authenticates]
  const paths = rows.map((row) => row.at)
  const names = paths.slice(0, 20).join(', ') + (paths.length > 20 ? `, … (+${paths.length - 20})` : '')
  return {
    code: 'settings-applied',
    reason: 'flow',
    file: CONFIG_FILE,
    args: { count: String(paths.length), names },
    partial: false,
  }
}

/** Something in the file that is not heeded. */
export function ignored(reason: string, name?: string): Notice {
  return {
    code: 'suppressions-ignored',
    reason,
    file: CONFIG_FILE,
    ...(name !== undefined && { args: { name } }),
    partial: false,
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
