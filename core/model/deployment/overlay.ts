import { at, itemsOf, membersOf, stringOf, type DataMember, type DataNode } from '../../parse/data.ts'
import type { Origins } from './origins.ts'

/** Lists of an MTA whose items go by their name; any other list of an extension replaces the one below. */
const NAMED: ReadonlySet<string> = new Set(['modules', 'resources', 'requires', 'provides', 'hooks'])

/**
 * A descriptor with an extension laid over it: maps are joined key by key, lists of named things thing by thing.
 * Facts: SAP BTP, "Defining MTA Extension Descriptors".
 */
export function overlay(base: DataNode, extension: DataNode, origins: Origins, key = ''): DataNode {
  if (base.kind === 'object' && extension.kind === 'object') {
    const members = new Map<string, DataMember>()
    for (const member of base.members) members.set(member.key, member)
    for (const member of extension.members) {
      const below = members.get(member.key)
      members.set(
        member.key,
        below === undefined ? member : { ...member, value: overlay(below.value, member.value, origins, member.key) },
      )
    }
    return place(base, { kind: 'object', start: base.start, end: base.end, members: [...members.values()] }, origins)
  }
  if (base.kind === 'array' && extension.kind === 'array' && NAMED.has(key)) {
    const byName = new Map(extension.items.map((item) => [stringOf(at(item, 'name')), item]))
    const items = base.items.map((item) => {
      const over = byName.get(stringOf(at(item, 'name')))
      return over === undefined ? item : overlay(item, over, origins)
    })
    return place(base, { kind: 'array', start: base.start, end: base.end, items }, origins)
  }
  return extension
}

/** The parts of an extension that may change a descriptor. */
export function extend(base: DataNode, extension: DataNode, origins: Origins): DataNode {
  const changes = membersOf(extension).filter(({ key }) => ['parameters', 'modules', 'resources'].includes(key))
  const { start, end } = extension
  return overlay(base, { kind: 'object', start, end, members: changes }, origins)
}

/** A map laid over another one, key by key, no deeper. */
export function overlayFlat(base: DataNode, over: DataNode, origins: Origins): DataNode {
  if (base.kind !== 'object' || over.kind !== 'object') return over
  return place(base, { kind: 'object', start: base.start, end: base.end, members: [...base.members, ...over.members] }, origins)
}

function place(base: DataNode, made: DataNode, origins: Origins): DataNode {
  const { file } = origins.placeOf(base)
  // children have their files already
  origins.addTree(file, made)
  return made
}

/** Items of a list that are maps with a name. */
export function namedItems(list: DataNode | undefined): { name: string; node: DataNode }[] {
  return itemsOf(list).flatMap((node) => {
    const name = stringOf(at(node, 'name'))
    return name === undefined ? [] : [{ name, node }]
  })
}
