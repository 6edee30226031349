import type { Span } from '../types.ts'
import { ParseFailure } from './failure.ts'
import type { MarkupAttribute, MarkupDocument, MarkupElement, MarkupText } from './markup.ts'

/** Real views are 40 deep at most; what walks the tree may recurse this far. */
export const MAX_ELEMENT_DEPTH = 256

/** Where an attribute stands: the whole, and its value without quotes. */
export interface AttributePlace extends Span {
  readonly valueStart: number
  readonly valueEnd: number
}

/** Makes the tree of the events of a parser; offsets are UTF-16, ends exclusive. */
export interface TreeBuilder {
  /** Throws a ParseFailure at the element that is too deep. */
  open(name: string, start: number): void
  attribute(name: string, value: string, place: AttributePlace): void
  /** The start tag is complete; `prefixes`: its names stand for namespaces (XML). */
  startTagEnds(end: number, prefixes: boolean): void
  text(start: number, end: number): void
  close(end: number): void
  finish(): MarkupDocument
}

/** Prefixes as one element declares them; a chain instead of copies, so that a thousand declarations cost nothing below. */
interface Scope {
  readonly parent: Scope | undefined
  readonly uris: ReadonlyMap<string, string>
}

interface OpenElement {
  start: number
  end: number
  name: string
  localName: string
  namespace: string
  attributes: MarkupAttribute[]
  children: MarkupElement[]
  texts: MarkupText[]
  startTag: Span
  scope: Scope | undefined
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

/** An empty tree over `source`. */
export function createTreeBuilder(source: string): TreeBuilder {
  const roots: MarkupElement[] = []
  const stack: OpenElement[] = []

  return {
    open(name, start) {
      if (stack.length >= MAX_ELEMENT_DEPTH) throw new ParseFailure('too-deep', start)
      const scope = stack.at(-1)?.scope
      const startTag = { start, end: start }
      stack.push({
        start,
        end: start,
        name,
        localName: name,
        namespace: '',
        attributes: [],
        children: [],
        texts: [],
        startTag,
        scope,
      })
    },
    attribute(name, value, place) {
      const valueSpan = { start: place.valueStart, end: place.valueEnd }
      stack
        .at(-1)
        ?.attributes.push({ name, localName: name, namespace: '', value, valueSpan, start: place.start, end: place.end })
    },
    startTagEnds(end, prefixes) {
      const element = stack.at(-1)
      if (element === undefined) return
      element.startTag = { start: element.start, end }
      element.end = end
      if (prefixes) resolvePrefixes(element)
    },
    text(start, end) {
      if (end > start) stack.at(-1)?.texts.push({ start, end, text: source.slice(start, end) })
    },
    close(end) {
      const element = stack.pop()
      if (element === undefined) return
      const { scope: _, ...node } = element
      const children = stack.at(-1)?.children ?? roots
      children.push(Object.assign({}, node, { end: Math.max(end, element.end) }))
    },
    finish() {
      return { children: roots }
    },
  }
}

function resolvePrefixes(element: OpenElement): void {
  const declared = new Map<string, string>()
  for (const attribute of element.attributes) {
    if (attribute.name === 'xmlns') declared.set('', attribute.value.trim())
    else if (attribute.name.startsWith('xmlns:')) declared.set(attribute.name.slice('xmlns:'.length), attribute.value.trim())
  }
  if (declared.size > 0) element.scope = { parent: element.scope, uris: declared }
  const [prefix, localName] = splitName(element.name)
  element.localName = localName
  element.namespace = lookUp(element.scope, prefix)
  element.attributes = element.attributes.map((attribute) => {
    const [prefix, localName] = splitName(attribute.name)
    // an attribute without prefix is in no namespace, whatever the default is
    return prefix === '' ? attribute : { ...attribute, localName, namespace: lookUp(element.scope, prefix) }
  })
}

function splitName(name: string): readonly [string, string] {
  const colon = name.indexOf(':')
  return colon <= 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

function lookUp(scope: Scope | undefined, prefix: string): string {
  if (prefix === 'xml') return XML_NAMESPACE
  for (let here = scope; here !== undefined; here = here.parent) {
    const uri = here.uris.get(prefix)
    if (uri !== undefined) return uri
  }
  return ''
}
