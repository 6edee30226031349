import * as z from 'zod'
import { REACHES, SEVERITIES, USAGES } from '../scales.ts'
import type { Notice, Reach, Severity, Usage } from '../types.ts'

const path = z.string().min(1).max(300)
const reason = z.string().max(500).optional()
const MOST = 500

const severity = z
  .string()
  .transform((word) => word.toUpperCase())
  .pipe(z.enum(SEVERITIES))

/** What a project may say of the grades of its findings, as `parapet.config.json` has it. */
const gradeSettings = z.object({
  reach: z
    .array(z.object({ path: path.optional(), service: path.optional(), reach: z.enum(REACHES), reason }))
    .max(MOST)
    .optional(),
  usage: z
    .array(z.object({ path, usage: z.enum(USAGES), reason }))
    .max(MOST)
    .optional(),
  severity: z
    .array(z.object({ rule: z.string().min(1).max(100), path: path.optional(), severity, reason }))
    .max(MOST)
    .optional(),
})

/** The members of the file that are read here. */
export const GRADE_MEMBERS: readonly string[] = Object.keys(gradeSettings.shape)

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

/** Entries that are in force, and a notice for each that is not, and for all that are. */
export function readGradeSettings(
  given: unknown,
  file: string,
): { readonly grades: ConfiguredGrades | undefined; readonly notices: readonly Notice[] } {
  const notices: Notice[] = []
  const read = gradeSettings.safeParse(given)
  const parsed = read.data ?? {}
  const known = <Entry extends { readonly reason?: string | undefined }>(
    entries: readonly Entry[] | undefined,
    nameOf: (entry: Entry) => string | undefined,
  ): readonly (Entry & { readonly reason: string })[] =>
    (entries ?? []).flatMap((entry) => {
      const [name, { reason: said }] = [nameOf(entry), entry]
      if (name !== undefined && said !== undefined && said.trim() !== '') return { ...entry, reason: said }
      notices.push(
        notice('suppressions-ignored', name === undefined ? 'grade-no-target' : 'grade-no-reason', { name: name ?? '' }),
      )
      return []
    })
  const notice = (code: Notice['code'], why: string, args: Record<string, string>): Notice => ({
    code,
    reason: why,
    file,
    args,
    partial: false,
  })
  if (!read.success) notices.push(notice('suppressions-ignored', 'grades-invalid', {}))
  const reach = known(parsed.reach, (entry) => entry.path ?? entry.service)
  const usage = known(parsed.usage, (entry) => entry.path)
  const levels = known(parsed.severity, (entry) => entry.rule)
  const names = [
    ...reach.map((one) => one.path ?? one.service ?? ''),
    ...usage.map((one) => one.path),
    ...levels.map(({ rule }) => rule),
  ]
  if (names.length === 0) return { grades: undefined, notices }
  const told = names.slice(0, 20).join(', ') + (names.length > 20 ? `, … (+${names.length - 20})` : '')
  notices.push(notice('settings-applied', 'grades', { count: String(names.length), names: told }))
  return {
    grades: {
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
    },
    notices,
  }
}

/** Members of the file that nobody knows: a setting that is misspelt must not pass for one that holds. */
export function unknownMembers(given: unknown, known: ReadonlySet<string>): readonly string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  return Object.keys(given).filter((key) => !known.has(key) && !key.startsWith('//') && key !== '$schema')
}
