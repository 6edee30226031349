import { Parser } from 'htmlparser2'
import type { MarkupDocument } from './markup.ts'
import { createTreeBuilder } from './markup-builder.ts'

/**
 * Reads HTML as browsers do: anything is some document. Texts of scripts and styles are kept as `texts`.
 * Throws a ParseFailure only where elements are nested deeper than MAX_ELEMENT_DEPTH.
 */
export function parseHtml(text: string): MarkupDocument {
  const tree = createTreeBuilder(text)
  // neighbours are joined: the parser hands over the text around every entity in pieces
  let textStart = -1
  let textEnd = -1
  const flush = (): void => {
    if (textStart !== -1) tree.text(textStart, textEnd)
    textStart = -1
  }

  const parser = new Parser({
    ontext() {
      if (textStart !== -1 && parser.startIndex !== textEnd) flush()
      if (textStart === -1) textStart = parser.startIndex
      textEnd = parser.endIndex + 1
    },
    onopentagname(name) {
      flush()
      tree.open(name.toLowerCase(), parser.startIndex)
    },
    onattribute(name, value, quote) {
      const start = parser.startIndex
      // with quotes endIndex lies behind the closing one, without it is the end of the value
      const end = Math.min(parser.endIndex, text.length)
      if (quote === undefined) tree.attribute(name, value, { start, end, valueStart: end, valueEnd: end })
      else if (quote === null)
        tree.attribute(name, value, { start, end, valueStart: unquotedStart(text, start, name.length), valueEnd: end })
      else
        tree.attribute(name, value, { start, end, valueStart: text.indexOf(quote, start + name.length) + 1, valueEnd: end - 1 })
    },
    onopentag() {
      tree.startTagEnds(Math.min(parser.endIndex + 1, text.length), false)
    },
    onclosetag() {
      flush()
      tree.close(Math.min(parser.endIndex + 1, text.length))
    },
    onend: flush,
  })
  parser.end(text)
  return tree.finish()
}

/** The first character behind `name`, blanks, `=` and blanks. */
function unquotedStart(text: string, start: number, nameLength: number): number {
  let at = text.indexOf('=', start + nameLength) + 1
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
