import { Composer, Lexer, Parser, isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { CST, Document } from 'yaml'
import { MAX_NESTING } from '../limits.ts'
import type { DataMember, DataNode } from './data.ts'
import { ParseFailure } from './failure.ts'
import { hideTemplates, showTemplates } from './template.ts'
import { createAliasTable } from './yaml-alias.ts'
import type { AliasTable } from './yaml-alias.ts'

/**
 * Reads YAML 1.2 (core schema), one root per document that holds something; no custom tags, nothing is built but this tree.
 * Aliases are resolved to the node they name (bounded), merge keys are members. Templates of Helm and pipelines (`{{ … }}`) are text.
 * Throws a ParseFailure: a document with an error, or nested deeper than MAX_NESTING.
 */
export function parseYaml(text: string): DataNode[] {
  try {
    return readYaml(text)
  } catch (error) {
    const joined = joinClosingLines(text)
    if (!(error instanceof ParseFailure) || error.reason !== 'syntax' || joined === text) throw error
    return toRoots(joined, text)
  }
}

/**
 * A line of nothing but brackets and the quote behind them, `]'`, joined to the one before: go-yaml, with which the platform reads its manifests, takes it at any column. Offsets stay as they are.
 * Fact: go-yaml 3, `yaml_parser_scan_flow_scalar` (it asks for no indentation).
 */
function joinClosingLines(text: string): string {
  return text.replace(/\r?\n(?=[ \t]{0,100}[\]}]{1,5}['"][ \t]{0,20}\r?(?:\n|$))/g, (feed) => ' '.repeat(feed.length))
}

function readYaml(text: string): DataNode[] {
  if (!text.includes('{{')) return toRoots(text, text)
  // what looked like a template may have been two nested maps
  const readings = [(): string => hideTemplates(text), (): string => hideTemplates(text, true)]
  for (const hidden of readings) {
    try {
      return toRoots(hidden(), text)
    } catch (error) {
      if (!(error instanceof ParseFailure) || error.reason !== 'syntax') throw error
    }
  }
  return toRoots(text, text)
}

function toRoots(readable: string, original: string): DataNode[] {
  const roots: DataNode[] = []
  // uniqueKeys is quadratic (4 s for 20,000 keys)
  const composer = new Composer({ version: '1.2', schema: 'core', uniqueKeys: false })
  for (const document of composer.compose(toTokens(readable))) {
    const error = document.errors[0]
    if (error !== undefined) throw new ParseFailure('syntax', error.pos[0])
    const reader: Reader = { readable, original, masked: readable !== original, aliases: createAliasTable() }
    const root = toRoot(reader, document)
    if (root !== undefined) roots.push(root)
  }
  return roots
}

/** Tokens of the documents, as long as they are shallow: the composer recurses, and where the stack is nearly full even compiling a regex ends the process. */
function* toTokens(text: string): Generator<CST.Token> {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > MAX_NESTING) throw new ParseFailure('too-deep', parser.offset)
  }
  yield* parser.end()
}

interface Reader {
  readonly readable: string
  readonly original: string
  readonly masked: boolean
  readonly aliases: AliasTable
}

function toRoot(reader: Reader, document: Document.Parsed): DataNode | undefined {
  const contents: unknown = document.contents
  if (contents === null) return undefined
  const root = toNode(reader, contents, 0)
  return root.kind === 'null' && root.start === root.end ? undefined : root
}

/** `missing`: where a value would stand that is not written. */
function toNode(reader: Reader, node: unknown, missing: number): DataNode {
  if (isAlias(node)) {
    const [start, end] = node.range ?? [missing, missing]
    return reader.aliases.resolve(node.source) ?? { kind: 'null', value: null, start, end }
  }
  const made = toOwnNode(reader, node, missing)
  if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) reader.aliases.define(node.anchor, made)
  return made
}

function toOwnNode(reader: Reader, node: unknown, missing: number): DataNode {
  if (isMap(node)) {
    const [start, end] = node.range ?? [missing, missing]
    const members = node.items.map((pair) => {
      const key = toNode(reader, pair.key, start)
      return { key: toKey(reader, key), keySpan: { start: key.start, end: key.end }, value: toNode(reader, pair.value, key.end) }
    })
    return { kind: 'object', start, end, members: members.some(isMerge) ? withMerged(members) : members }
  }
  if (isSeq(node)) {
    const [start, end] = node.range ?? [missing, missing]
    return { kind: 'array', start, end, items: node.items.map((item) => toNode(reader, item, start)) }
  }
  if (!isScalar(node)) return { kind: 'null', value: null, start: missing, end: missing }
  const [start, end] = toTextSpan(reader.readable, node.type, node.range ?? [missing, missing])
  const value: unknown = node.value
  if (typeof value === 'string') return { kind: 'string', value: reader.masked ? showTemplates(value) : value, start, end }
  if (typeof value === 'number') return { kind: 'number', value, start, end }
  if (typeof value === 'boolean') return { kind: 'boolean', value, start, end }
  return { kind: 'null', value: null, start, end }
}

function isMerge(member: DataMember): boolean {
  return member.key === '<<' && (member.value.kind === 'object' || member.value.kind === 'array')
}

/** What a merge key brings stands first, so that the map's own members count; of several sources the first one counts. */
function withMerged(members: readonly DataMember[]): readonly DataMember[] {
  const sources = members.filter(isMerge).flatMap(({ value }) => (value.kind === 'array' ? value.items : [value]))
  const merged = sources.reverse().flatMap((source) => (source.kind === 'object' ? source.members : []))
  return [...merged, ...members.filter((member) => !isMerge(member))]
}

/** A key is text, whatever it could be read as: `8080`, `true`, `null`. */
function toKey(reader: Reader, key: DataNode): string {
  return key.kind === 'string' && typeof key.value === 'string' ? key.value : reader.original.slice(key.start, key.end)
}

/** Without quotes; a block scalar without its header. */
function toTextSpan(text: string, type: unknown, range: readonly number[]): readonly [number, number] {
  const [start = 0, end = start] = range
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') return [start + 1, Math.max(start + 1, end - 1)]
  if (type !== 'BLOCK_LITERAL' && type !== 'BLOCK_FOLDED') return [start, end]
  const headerEnd = text.indexOf('\n', start) + 1
  return headerEnd === 0 || headerEnd > end ? [end, end] : [headerEnd, end]
}
