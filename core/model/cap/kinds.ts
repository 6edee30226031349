import type { Entry, Members, Profiles } from './merge.ts'
import { around, isTrue, leafOf, mergeMembers, objectOf } from './merge.ts'

/** Members that kinds may hand on, over all services: the configuration of a real project hands on some dozens. */
const MAX_HANDED_ON = 20_000

/**
 * Services get what their kind in `requires.kinds` sets, as far as they don't set it themselves; only its kind counts more than theirs.
 * Built-in kinds are not known here: `kind: 'sqlite'` stays what it is.
 * Facts: @sap/cds 9.9.3, lib/env/cds-env.js (`_link_required_services`).
 */
export function linkKinds(top: Members, names: readonly string[]): void {
  const requires = top.get('requires')?.members
  if (requires === undefined) return
  const kinds = requires.get('kinds')?.members ?? new Map<string, Entry>()
  const link = createLinker(kinds, { names })
  for (const [name, entry] of kinds) kinds.set(name, link(name, entry))
  for (const [name, entry] of requires) if (name !== 'kinds') requires.set(name, asObject(link(name, entry)))
}

/** `requires: { x: 'kind' }` of a profile or a variable. */
function asObject(entry: Entry): Entry {
  return entry.members === undefined && entry.setting?.node.kind === 'string' ? objectOf(around(entry), [['kind', entry]]) : entry
}

/** A word in the place of another value. */
export function wordLike({ setting }: Entry, value: string): Entry {
  return leafOf(setting && { ...setting, node: { kind: 'string', value, start: setting.node.start, end: setting.node.end } })
}

function createLinker(kinds: Members, profiles: Profiles): (key: string, entry: Entry) => Entry {
  const open = new Set<Entry>()
  const done = new Set<Entry>()
  let left = MAX_HANDED_ON

  /** A kind with what its own kind hands on to it; one that leads back to itself, or is a word so far, hands on nothing. */
  function kindOf(name: string): Entry | undefined {
    const entry = kinds.get(name)
    if (entry?.members === undefined || open.has(entry) || open.size > 20) return undefined
    return link(name, entry)
  }

  function inherit(name: string, entry: Entry, resolving?: Profiles): Entry {
    const preset = kinds.get(name) === entry ? undefined : kindOf(name)
    if (preset?.members === undefined || entry.members === undefined) return entry
    left -= preset.members.size + entry.members.size
    if (left < 0) return entry
    const members: Members = new Map<string, Entry>()
    mergeMembers(members, preset.members, resolving)
    const kind = members.get('kind')
    mergeMembers(members, entry.members, resolving)
    if (kind !== undefined && isTrue(kind)) members.set('kind', kind)
    return { setting: entry.setting ?? preset.setting, members }
  }

  function link(key: string, entry: Entry): Entry {
    if (!isTrue(entry) || done.has(entry)) return entry
    const own = expand(key, entry)
    if (own.members === undefined) return own
    const kind = own.members.get('kind')?.setting?.node
    const word = kind?.kind === 'string' && typeof kind.value === 'string' ? kind.value : undefined
    const name = word === undefined ? undefined : nameOf(word, key)
    open.add(own)
    const withOwnName = inherit(key, own)
    const result = name === undefined ? withOwnName : inherit(name, withOwnName, profiles)
    open.delete(own)
    done.add(result)
    return result
  }

  /** `true` and a word become what they stand for. */
  function expand(key: string, entry: Entry): Entry {
    if (entry.members !== undefined) return entry
    const node = entry.setting?.node
    // a built-in default is true
    if (node === undefined || node.kind === 'boolean') {
      const same = kinds.get(key)
      if (same !== undefined && isTrue(same)) return same
      const fallback = `${key}-defaults`
      return kinds.has(fallback) ? objectOf(around(entry), [['kind', wordLike(entry, fallback)]]) : entry
    }
    if (node.kind !== 'string' || typeof node.value !== 'string') return entry
    return nameOf(node.value, key) === undefined ? entry : objectOf(around(entry), [['kind', entry]])
  }

  /** The kind that a word names for a service. */
  function nameOf(word: string, key: string): string | undefined {
    return [word, `${word}-${key}`, `${key}-${word}`].find((name) => {
      const found = kinds.get(name)
      return found !== undefined && isTrue(found)
    })
  }

  return link
}
