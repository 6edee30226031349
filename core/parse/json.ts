import { visit } from 'jsonc-parser'
import type { JSONVisitor } from 'jsonc-parser'
import { MAX_NESTING } from '../limits.ts'
import type { Span } from '../types.ts'
import type { DataMember, DataNode, DataScalar } from './data.ts'
import { ParseFailure } from './failure.ts'
import { createLineTable, positionAt } from './position.ts'

// Codes of jsonc-parser's ParseErrorCode, a const enum that can't be imported: a comma that is missing, and what stands wrongly inside a
// string (unicode, escape, control character). A reader trusts the tree all the same; anything else (two values, garbage, an open end) ends it.
const TOLERATED = new Set<number>([6, 14, 15, 16])

interface OpenNode {
  readonly node: { kind: 'object' | 'array'; start: number; end: number; members: DataMember[]; items: DataNode[] }
  key: string
  keySpan: Span
}

/**
 * Reads JSON as tools write it: comments, trailing commas and a byte order mark are fine; a key that stands twice is kept twice.
 * Throws a ParseFailure: empty, not JSON, or nested deeper than MAX_NESTING.
 */
export function parseJson(text: string): DataNode {
  const open: OpenNode[] = []
  let root: DataNode | undefined

  const place = (node: DataNode): void => {
    const parent = open.at(-1)
    if (parent === undefined) root = node
    else if (parent.node.kind === 'array') parent.node.items.push(node)
    else parent.node.members.push({ key: parent.key, keySpan: parent.keySpan, value: node })
  }
  // the guard stands here, not in a pass of its own: begin is called before the parser recurses, and it knows strings and comments exactly
  const begin = (kind: 'object' | 'array', start: number): void => {
    if (open.length >= MAX_NESTING) throw new ParseFailure('too-deep', start)
    open.push({ node: { kind, start, end: start, members: [], items: [] }, key: '', keySpan: { start, end: start } })
  }
  const end = (offset: number, length: number): void => {
    const node = open.pop()?.node
    if (node === undefined) return
    const span = { start: node.start, end: offset + length }
    place(
      node.kind === 'object' ? { kind: 'object', ...span, members: node.members } : { kind: 'array', ...span, items: node.items },
    )
  }

  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => begin('object', offset),
    onArrayBegin: (offset) => begin('array', offset),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty: (key, offset, length) => {
      const parent = open.at(-1)
      if (parent === undefined) return
      parent.key = key
      parent.keySpan = { start: offset + 1, end: offset + length - 1 }
    },
    onLiteralValue: (value: unknown, offset, length) => place(toScalar(value, offset, length)),
    onError: (code: number, offset) => {
      if (!TOLERATED.has(code)) throw new ParseFailure('syntax', offset)
    },
  }
  visit(withoutMark(text), visitor, { allowTrailingComma: true, disallowComments: false })
  if (root === undefined) throw new ParseFailure('syntax', 0)
  return root
}

/** The same of a text that may be none. */
export function parseJsonIn(text: string): DataNode | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof ParseFailure) return undefined
    throw error
  }
}

/** Whether a text is JSON, where nobody asks for a position: several times faster than a tree. Throws a ParseFailure as parseJson does. */
export function checkJson(text: string): void {
  try {
    JSON.parse(text)
  } catch {
    parseJson(text)
  }
}

/** The line of what keeps a text from being JSON; undefined: it is JSON, or has comments or trailing commas alone. */
export function findJsonFault(text: string): number | undefined {
  try {
    checkJson(text)
    return undefined
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error
    return positionAt(createLineTable(text), error.offset ?? 0).line
  }
}

/** A byte order mark becomes a blank, so that every offset stays. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text
}

function toScalar(value: unknown, offset: number, length: number): DataScalar {
  if (typeof value === 'string') return { kind: 'string', value, start: offset + 1, end: offset + length - 1 }
  const span = { start: offset, end: offset + length }
  if (typeof value === 'number') return { kind: 'number', value, ...span }
  if (typeof value === 'boolean') return { kind: 'boolean', value, ...span }
  return { kind: 'null', value: null, ...span }
}
