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

/** A text, and the node that it is. */
export interface TextNode {
  readonly text: string
  readonly node: DataNode
}

/** The strings in lists and records, however deep, in the order of the text. What is nested too deep has no tree. */
export function textsBelow(node: DataNode | undefined): readonly TextNode[] {
  const found: TextNode[] = []
  const visit = (one: DataNode): void => {
    if (one.kind === 'array') one.items.forEach(visit)
    else if (one.kind === 'object') for (const { value } of one.members) visit(value)
    else if (one.kind === 'string') found.push({ text: String(one.value), node: one })
  }
  if (node !== undefined) visit(node)
  return found
}

/** The text of a string node. */
export function stringOf(node: DataNode | undefined): string | undefined {
  return node?.kind === 'string' && typeof node.value === 'string' ? node.value : undefined
}

/** A text, or those of a list: many settings take both. */
export function textsOf(node: DataNode | undefined): readonly string[] {
  const own = stringOf(node)
  return own === undefined ? itemsOf(node).flatMap((item) => stringOf(item) ?? []) : [own]
}

/** True or false of a boolean node. */
export function booleanOf(node: DataNode | undefined): boolean | undefined {
  return node?.kind === 'boolean' && typeof node.value === 'boolean' ? node.value : undefined
}

export function numberOf(node: DataNode | undefined): number | undefined {
  return node?.kind === 'number' && typeof node.value === 'number' ? node.value : undefined
}

/** Members that name an item of an array, so that its pointer stays when items are added before it. */
const NAMES = ['name', 'id', 'source', 'ID', 'resource']

/** A JSON pointer to the innermost value (or its key) at an offset, array items by name where they have one: the context of a fingerprint. */
export function pointerAt(root: DataNode, offset: number): string {
  let pointer = ''
  for (let here: DataNode | undefined = root; here !== undefined;) {
    const node: DataNode = here
    here = undefined
    if (node.kind === 'object') {
      const member: DataMember | undefined = node.members.find(
        (member) => holds(member.value, offset) || holds(member.keySpan, offset),
      )
      if (member === undefined) break
      pointer += `/${escapeStep(member.key)}`
      here = member.value
    } else if (node.kind === 'array') {
      const index: number = node.items.findIndex((item) => holds(item, offset))
      here = node.items[index]
      if (here !== undefined) pointer += `/${escapeStep(nameOf(here) ?? String(index))}`
    }
  }
  return pointer
}

function holds(span: Span, offset: number): boolean {
  return span.start <= offset && (offset < span.end || (offset === span.end && span.start === span.end))
}

function nameOf(item: DataNode): string | undefined {
  for (const name of NAMES) {
    const text = stringOf(memberOf(item, name)?.value)
    if (text !== undefined) return text
  }
  return undefined
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}
