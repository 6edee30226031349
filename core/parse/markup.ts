import type { Span } from '../types.ts'

/** The tree of XML and HTML files. */
export interface MarkupDocument {
  readonly children: readonly MarkupElement[]
}

export interface MarkupElement extends Span {
  /** As written, prefix included; HTML names in lower case. */
  readonly name: string
  /** Without the prefix. */
  readonly localName: string
  /** The namespace that the prefix stands for (XML, own prefix map); '' where there is none, and in HTML. */
  readonly namespace: string
  readonly attributes: readonly MarkupAttribute[]
  readonly children: readonly MarkupElement[]
  /** Character data directly inside, in order; entities as written, so that offsets are exact. */
  readonly texts: readonly MarkupText[]
  /** The start tag, from `<` to `>`. */
  readonly startTag: Span
}

/** The span covers name and value; `value` is decoded (the five XML entities and character references; HTML's too). */
export interface MarkupAttribute extends Span {
  readonly name: string
  readonly localName: string
  readonly namespace: string
  readonly value: string
  /** The value as written, without its quotes. */
  readonly valueSpan: Span
}

export interface MarkupText extends Span {
  readonly text: string
}

/** All elements below, in document order, iteratively: markup may be nested as deep as the parser allows. */
export function* elementsOf(root: MarkupDocument | MarkupElement): Generator<MarkupElement> {
  const stack = [...root.children].reverse()
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    yield element
    for (let index = element.children.length - 1; index >= 0; index--) {
      const child = element.children[index]
      if (child !== undefined) stack.push(child)
    }
  }
}

/** The values of attributes and the texts between tags, of all elements of a document. */
export function textsOfMarkup(document: MarkupDocument): readonly string[] {
  return [...elementsOf(document)].flatMap(({ attributes, texts }) => [
    ...attributes.map(({ value }) => value),
    ...texts.map(({ text }) => text),
  ])
}

/** The attribute of that local name that has no prefix. */
export function attributeOf(element: MarkupElement, name: string): MarkupAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name)
}

/** Names of the elements around an offset, outermost first, with `#id` where one has an id: the context of a fingerprint. */
export function elementPathAt(document: MarkupDocument, offset: number): string {
  const path: string[] = []
  let here = document.children
  for (;;) {
    const element = here.find((element) => element.start <= offset && offset < element.end)
    if (element === undefined) return path.join('/')
    const id = attributeOf(element, 'id')?.value
    path.push(id === undefined ? element.name : `${element.name}#${id}`)
    here = element.children
  }
}
