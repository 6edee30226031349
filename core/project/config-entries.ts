import * as z from 'zod'
import type { Notice } from '../types.ts'

export const CONFIG_FILE = 'parapet.config.json'

/** Something in the file that is not heeded. */
export function ignored(reason: string, args?: Readonly<Record<string, string>>): Notice {
  return { code: 'suppressions-ignored', reason, file: CONFIG_FILE, ...(args !== undefined && { args }), partial: false }
}

/** The report lists what changes what it tells, the first of them by name. */
export function applied(reason: string, names: readonly string[]): Notice {
  const told = names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? `, … (+${names.length - MOST_NAMES})` : '')
  return { code: 'settings-applied', reason, file: CONFIG_FILE, args: { names: told }, partial: false }
}

const MOST_NAMES = 20
const LONGEST_NAME = 100

/** Members that nobody knows: a setting that is misspelt must not pass for one that holds. A comment begins with `//`. */
function unknownMembers(given: unknown, known: readonly string[]): readonly string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  return Object.keys(given).filter((key) => !known.includes(key) && !key.startsWith('//'))
}

/** What each entry of a list must be, and how many there may be. */
export interface EntryList<Entry> {
  /** Of the list in the file, `flow.sinks`. */
  readonly name: string
  /** Made when the file has the list: hardly a project has one. */
  readonly entry: () => z.ZodType<Entry>
  readonly most: number
}

/** An entry, and where it stands: `suppress[2]`. */
export interface PlacedEntry<Entry> {
  readonly place: string
  readonly entry: Entry
}

/**
 * Reads a list of the file entry by entry. One that is wrong, or has a member that nobody knows, has no effect, and is told by its place (`suppress[2].until`): without
 * a misspelt `path` a suppression would hide more than it says. The others hold. A list that is none, or too long, has none.
 */
export function readPlacedEntries<Entry>(
  given: unknown,
  { name, entry: toSchema, most }: EntryList<Entry>,
  notices: Notice[],
): readonly PlacedEntry<Entry>[] {
  if (given === undefined) return []
  if (!Array.isArray(given) || given.length > most) {
    notices.push(ignored('config-wrong-value', { name }))
    return []
  }
  const schema = toSchema()
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return given.flatMap((one: unknown, index): readonly PlacedEntry<Entry>[] => {
    const place = `${name}[${index}]`
    const [unknown] = known.length === 0 ? [] : unknownMembers(one, known)
    if (unknown !== undefined) {
      notices.push(ignored('config-unknown-in-entry', { name: `${place}.${unknown.slice(0, LONGEST_NAME)}` }))
      return []
    }
    const read = schema.safeParse(one)
    if (read.success) return [{ place, entry: read.data }]
    const [issue] = read.error.issues
    const [member] = issue?.path ?? []
    notices.push(ignored('config-wrong-value', { name: member === undefined ? place : `${place}.${String(member)}` }))
    return []
  })
}

/** The same without their places. */
export function readEntries<Entry>(given: unknown, list: EntryList<Entry>, notices: Notice[]): readonly Entry[] {
  return readPlacedEntries(given, list, notices).map(({ entry }) => entry)
}

/** A member of the file that is an object, as far as it is one. */
export function readMembers(given: unknown, name: string, notices: Notice[]): Readonly<Record<string, unknown>> {
  if (given === undefined) return {}
  const read = z.record(z.string(), z.unknown()).safeParse(given)
  if (read.success) return read.data
  notices.push(ignored('config-wrong-value', { name }))
  return {}
}

/** Tells of the members of an object of the file that nobody knows. */
export function tellUnknown(given: unknown, known: readonly string[], prefix = ''): readonly Notice[] {
  return unknownMembers(given, known).map((name) =>
    ignored('config-unknown-member', { name: `${prefix}${name.slice(0, LONGEST_NAME)}` }),
  )
}
