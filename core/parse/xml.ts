import { SaxesParser } from 'saxes'
import type { MarkupDocument } from './markup.ts'
import { createTreeBuilder } from './markup-builder.ts'
import { ParseFailure } from './failure.ts'

/**
 * Reads XML. Entities beyond the five and character references stay as written: nothing is expanded, nothing is fetched.
 * Throws a ParseFailure: not well-formed, or elements nested deeper than MAX_ELEMENT_DEPTH.
 */
export function parseXml(text: string): MarkupDocument {
  // xmlns:false: the parser's own look-up of prefixes is quadratic in the depth (84 s for 100,000 elements)
  const parser = new SaxesParser({ xmlns: false, position: true })
  const tree = createTreeBuilder(text)
  // Where the last tag, comment, section or instruction ended. What is well-formed has no bare `<` in between.
  let cursor = 0
  let selfClosed = false

  const constructStart = (): number => text.indexOf('<', cursor)
  const skipTo = (terminator: string): void => {
    const start = constructStart()
    tree.text(cursor, start)
    cursor = after(text, terminator, start)
  }

  parser.on('error', (error) => {
    // an entity of a DTD that nobody reads: its reference stays in the text
    if (!error.message.endsWith('undefined entity.')) throw new ParseFailure('syntax', Math.min(parser.position, text.length))
  })
  parser.on('xmldecl', () => skipTo('?>'))
  parser.on('processinginstruction', () => skipTo('?>'))
  parser.on('comment', () => skipTo('-->'))
  parser.on('doctype', () => {
    cursor = parser.position
  })
  parser.on('cdata', () => {
    const start = constructStart()
    tree.text(cursor, start)
    cursor = parser.position
    tree.text(start + '<![CDATA['.length, cursor - ']]>'.length)
  })
  parser.on('opentagstart', (tag) => {
    const start = constructStart()
    tree.text(cursor, start)
    tree.open(tag.name, start)
  })
  parser.on('attribute', (attribute) => {
    const end = parser.position
    const quote = text.charAt(end - 1)
    const valueStart = text.lastIndexOf(quote, end - 2) + 1
    let nameEnd = valueStart - 1
    while (nameEnd > 0 && !isNameEnd(text, nameEnd)) nameEnd--
    tree.attribute(attribute.name, attribute.value, {
      start: nameEnd - attribute.name.length,
      end,
      valueStart,
      valueEnd: end - 1,
    })
  })
  parser.on('opentag', (tag) => {
    cursor = parser.position
    tree.startTagEnds(cursor, true)
    selfClosed = tag.isSelfClosing
  })
  parser.on('closetag', () => {
    if (!selfClosed) {
      tree.text(cursor, constructStart())
      cursor = parser.position
    }
    selfClosed = false
    tree.close(cursor)
  })
  parser.write(text)
  parser.close()
  return tree.finish()
}

/** Between a name and its quote stand blanks and one `=`. */
function isNameEnd(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset - 1)
  return code !== 0x3d && code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d
}

function after(text: string, terminator: string, from: number): number {
  const at = text.indexOf(terminator, from)
  return at === -1 ? text.length : at + terminator.length
}
