import type { DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import type { Setting } from './types.ts'

export type Members = Map<string, Entry>

/** A value while sources are merged. */
export interface Entry {
  /** Undefined: a built-in default, true as far as anybody asks. */
  readonly setting: Setting | undefined
  /** Undefined: a value without members. An object's may be merged into later on. */
  readonly members: Members | undefined
}

export interface Origin {
  readonly placeOf: (node: DataNode) => Place
  readonly variable?: string
}

/** Profiles that are on; what stands in others is left out. */
export interface Profiles {
  readonly names: readonly string[]
  /** Merges of `[profile!]`, to be done behind everything else; without: they are ordinary. */
  readonly important?: (() => void)[]
}

export function leafOf(setting: Setting | undefined): Entry {
  return { setting, members: undefined }
}

export function objectOf(setting: Setting | undefined, members: Iterable<readonly [string, Entry]>): Entry {
  return { setting, members: new Map(members) }
}

/** The value as it is written, profiles being keys like others; of a key that stands twice the last one counts. */
export function toEntry(node: DataNode, origin: Origin, profile?: string): Entry {
  const setting: Setting = { node, place: origin.placeOf(node), profile, variable: origin.variable }
  if (node.kind !== 'object') return leafOf(setting)
  return objectOf(
    setting,
    node.members.map(({ key, value }) => [key, toEntry(value, origin, profileName(key) ?? profile)]),
  )
}

/** `production` of `[production]` and of `[production!]`. */
function profileName(key: string): string | undefined {
  return key.startsWith('[') ? key.slice(1, key.endsWith('!]') ? -2 : -1) : undefined
}

/**
 * Merges one source into what is there. Objects are merged, but into nothing else than objects; `true` and a word leave an object with a kind
 * what it is, a word replaces its kind. Without `profiles`, these are keys like others.
 * Facts: @sap/cds 9.9.3, lib/env/cds-env.js (`_merge`).
 */
export function mergeMembers(into: Members, from: Members, profiles?: Profiles): void {
  const profiled: { rank: number; apply: () => void }[] = []
  for (const [key, entry] of from) {
    const name = profiles === undefined ? undefined : profileName(key)
    if (name === undefined) {
      mergeEntry(into, key, entry, profiles)
      continue
    }
    const { members } = entry
    const rank = profiles?.names.indexOf(name) ?? -1
    if (rank === -1 || members === undefined) continue
    const apply = (): void => mergeMembers(into, members, profiles)
    if (key.endsWith('!]') && profiles?.important !== undefined) profiles.important.push(apply)
    else profiled.push({ rank, apply })
  }
  // in production the order of the text counts
  if (profiles?.names.includes('production') === false) profiled.sort((a, b) => b.rank - a.rank)
  for (const { apply } of profiled) apply()
}

function mergeEntry(into: Members, key: string, entry: Entry, profiles: Profiles | undefined): void {
  const before = into.get(key)
  const node = entry.setting?.node
  if (entry.members !== undefined) {
    // in the place of a word or of `true` it stays as it is written
    const isReplaced = before !== undefined && isTrue(before) && !isObject(before)
    const members = isReplaced ? entry.members : (before?.members ?? new Map<string, Entry>())
    // a list stays one, with members beside it
    const isList = before?.setting?.node.kind === 'array'
    into.set(key, { setting: isList ? before.setting : (entry.setting ?? before?.setting), members })
    if (!isReplaced) mergeMembers(members, entry.members, profiles)
    return
  }
  const members = hasKind(before) ? before?.members : undefined
  if (members === undefined) into.set(key, entry)
  else if (node?.kind === 'string') {
    members.set('kind', entry)
    into.set(key, { setting: before?.setting ?? around(entry), members })
  } else if (node?.kind !== 'boolean' || node.value !== true) into.set(key, entry)
}

function hasKind(entry: Entry | undefined): boolean {
  const kind = entry?.members?.get('kind')
  return kind !== undefined && isTrue(kind)
}

/** The setting of an object that is there because of what is set inside of it. */
export function around({ setting }: Entry): Setting | undefined {
  return setting && { ...setting, node: { kind: 'object', members: [], start: setting.node.start, end: setting.node.end } }
}

function isObject({ setting, members }: Entry): boolean {
  return members !== undefined || setting?.node.kind === 'array'
}

/** What JavaScript takes for true. */
export function isTrue(entry: Entry): boolean {
  if (entry.setting === undefined || isObject(entry)) return true
  const { node } = entry.setting
  return node.kind !== 'object' && node.kind !== 'array' && Boolean(node.value)
}
