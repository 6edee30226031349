import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Mta } from './types.ts'
import { namedItems } from './overlay.ts'

const REFERENCE = /([$~])\{([^{}]{1,200})\}/g

/** References looked up for one text, and the length that it may reach: one may name another twice, and so on. */
const MAX_LOOKUPS = 200
const MAX_LENGTH = 4000
const MAX_DEPTH = 5

interface Provided {
  readonly value: DataNode | undefined
  readonly owner: DataNode
}

/**
 * Replaces `${name}` (parameters of the owner, then of the MTA) and `~{provider/property}` (of a module or resource that provides it;
 * `~{property}` within the requirement `group`). Facts: SAP BTP, "Multitarget Application Structure", placeholders and references.
 */
export function createResolver(tree: DataNode): Mta['resolve'] {
  const providers = new Map<string, { readonly node: DataNode; readonly owner: DataNode }>()
  for (const list of ['resources', 'modules']) {
    for (const { name, node: owner } of namedItems(at(tree, list))) {
      providers.set(name, { node: owner, owner })
      for (const { name: provided, node } of namedItems(at(owner, 'provides'))) providers.set(provided, { node, owner })
      // `provides: [name]`: the module's own properties
      for (const item of itemsOf(at(owner, 'provides'))) {
        const bare = stringOf(item)
        if (bare !== undefined) providers.set(bare, { node: owner, owner })
      }
    }
  }
  // descriptors are asked for thousands of names
  const byKey = new Map<DataNode, ReadonlyMap<string, DataNode>>()
  const memberIn = (node: DataNode | undefined, part: string, key: string): DataNode | undefined => {
    const members = at(node, part)
    if (members === undefined) return undefined
    const known = byKey.get(members) ?? new Map(membersOf(members).map((member) => [member.key, member.value]))
    byKey.set(members, known)
    return known.get(key)
  }
  const provided = (provider: string, property: string): Provided | undefined => {
    const found = providers.get(provider)
    return found && { value: memberIn(found.node, 'properties', property), owner: found.owner }
  }
  return (text, owner, group) => {
    let lookups = 0
    const expand = (part: string, from: DataNode | undefined, scope: string | undefined, depth: number): string => {
      if (depth > MAX_DEPTH || part.length > MAX_LENGTH) return part
      return part.replace(REFERENCE, (written, sign: string, inside: string) => {
        if (++lookups > MAX_LOOKUPS) return written
        const slash = inside.indexOf('/')
        const found: Provided | undefined =
          sign === '$'
            ? { value: memberIn(from, 'parameters', inside) ?? memberIn(tree, 'parameters', inside), owner: from ?? tree }
            : slash === -1
              ? scope === undefined
                ? undefined
                : provided(scope, inside)
              : provided(inside.slice(0, slash), inside.slice(slash + 1))
        const value = textOf(found?.value)
        return value === undefined || value === written ? written : expand(value, found?.owner, undefined, depth + 1)
      })
    }
    const resolved = expand(text, owner, group, 0)
    return resolved.length > MAX_LENGTH ? text : resolved
  }
}

/** A scalar as the text that it becomes. */
export function textOf(node: DataNode | undefined): string | undefined {
  if (node?.kind === 'string') return stringOf(node)
  return node?.kind === 'number' || node?.kind === 'boolean' ? String(node.value) : undefined
}
