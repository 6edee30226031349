import type { Span } from '../types.ts'

/** The tree of JSON, YAML and properties files: one shape, so that a rule on a descriptor doesn't care how it is written. */
export type DataNode = DataObject | DataArray | DataScalar

export interface DataObject extends Span {
  readonly kind: 'object'
  /** In the order of the text; a key that stands twice is here twice, the last one counts. */
  readonly members: readonly DataMember[]
}

export interface DataMember {
  readonly key: string
  /** The key itself, without quotes. */
  readonly keySpan: Span
  readonly value: DataNode
}

export interface DataArray extends Span {
  readonly kind: 'array'
  readonly items: readonly DataNode[]
}

/** Spans of strings are without their quotes. */
export interface DataScalar extends Span {
  readonly kind: 'string' | 'number' | 'boolean' | 'null'
  readonly value: string | number | boolean | null
}

/** The member's value that `path` leads to; array items by index. Undefined wherever the shape differs: descriptors hold anything. */
export function at(node: DataNode | undefined, ...path: readonly (string | number)[]): DataNode | undefined {
  let here = node
  for (const step of path) {
    if (here === undefined) return undefined
    if (typeof step === 'number') here = here.kind === 'array' ? here.items[step] : undefined
    else here = memberOf(here, step)?.value
  }
  return here
}

/** The member that counts for a key (the last one). */
export function memberOf(node: DataNode | undefined, key: string): DataMember | undefined {
  if (node?.kind !== 'object') return undefined
  for (let index = node.members.length - 1; index >= 0; index--) {
    const member = node.members[index]
    if (member?.key === key) return member
  }
  return undefined
}

export function membersOf(node: DataNode | undefined): readonly DataMember[] {
  return node?.kind === 'object' ? node.members : []
}

export function itemsOf(node: DataNode | undefined): readonly DataNode[] {
  return node?.kind === 'array' ? node.items : []
}

/** The text of a string node. */
export function stringOf(node: DataNode | undefined): string | undefined {
  return node?.kind === 'string' && typeof node.value === 'string' ? node.value : undefined
}

/** True or false of a boolean node. */
export function booleanOf(node: DataNode | undefined): boolean | undefined {
  return node?.kind === 'boolean' && typeof node.value === 'boolean' ? node.value : undefined
}

export function numberOf(node: DataNode | undefined): number | undefined {
  return node?.kind === 'number' && typeof node.value === 'number' ? node.value : undefined
}
