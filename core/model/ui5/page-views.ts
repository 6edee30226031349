import { ParseFailure } from '../../parse/failure.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { MarkupDocument, MarkupElement } from '../../parse/markup.ts'
import { parseXml } from '../../parse/xml.ts'

const XML_TYPE = /^(?:sapui5\/xml(?:view|fragment)|(?:text|application)\/(?:xml|xmldata|x-sapui5-xmlview))$/u
/** A namespace that no view is without. */
const VIEW = 'sap.ui.core'
const OPEN = '<r>'
const CLOSE = '</r>'

/**
 * The XML views and fragments that a page holds in script elements (`<script type="sapui5/xmlview">`), with the offsets of the page: they become one
 * document, blank where the page is something else. One that is no XML makes none of them readable.
 */
export function embeddedViews(page: MarkupDocument): MarkupDocument[] {
  const texts = [...elementsOf(page)].filter(holdsView).flatMap((element) => element.texts)
  const [first] = texts
  // the start tag before it has room for the element around all of them
  if (first === undefined || first.start < OPEN.length) return []
  const pieces = [OPEN]
  let done = OPEN.length
  for (const { start, end, text } of texts) {
    if (start < done) return []
    pieces.push(' '.repeat(start - done), text)
    done = end
  }
  try {
    const root = parseXml(pieces.join('') + CLOSE).children[0]
    return (root?.children ?? []).map((view) => ({ children: [view] }))
  } catch (error) {
    if (error instanceof ParseFailure) return []
    throw error
  }
}

function holdsView(element: MarkupElement): boolean {
  if (element.name !== 'script' || !XML_TYPE.test(attributeOf(element, 'type')?.value.trim().toLowerCase() ?? '')) return false
  return element.texts.some(({ text }) => text.includes(VIEW))
}
