/** What stands in the object of a binding: texts, lists and objects; of all else (numbers, words) only that it is there. */
export type InfoValue = string | undefined | readonly InfoValue[] | InfoObject
export type InfoObject = ReadonlyMap<string, InfoValue>

type Open = { readonly object: Map<string, InfoValue>; key: string | undefined } | { readonly array: InfoValue[] }
/** `mark`: a brace, bracket, colon or comma · `text`: it was quoted. */
interface Token {
  readonly kind: 'mark' | 'text' | 'word'
  readonly text: string
}

/**
 * Reads the inside of `{path: 'x', parts: […]}` as UI5 does, and more: what it would reject is passed over. Linear, and as deep as it likes.
 * Facts: `sap/base/util/JSTokenizer` (@openui5/sap.ui.core 1.136.0).
 */
export function readInfo(source: string): InfoObject {
  const root = new Map<string, InfoValue>()
  const open: Open[] = [{ object: root, key: undefined }]
  let name: string | undefined
  const place = (value: InfoValue): void => {
    const here = open.at(-1)
    if (here === undefined) return
    if ('array' in here) here.array.push(value)
    else if (here.key !== undefined) here.object.set(here.key, value)
  }
  for (const { kind, text } of tokensOf(source)) {
    const here = open.at(-1)
    if (kind !== 'mark') {
      name = text
      place(kind === 'text' ? text : undefined)
    } else if (text === ':') {
      if (here !== undefined && 'object' in here) here.key = name
    } else if (text === ',') {
      if (here !== undefined && 'object' in here) here.key = undefined
    } else if (text === '{') {
      const object = new Map<string, InfoValue>()
      place(object)
      open.push({ object, key: undefined })
    } else if (text === '[') {
      const array: InfoValue[] = []
      place(array)
      open.push({ array })
    } else if (open.length > 1) open.pop()
  }
  return root
}

const MARKS = '{}[]:,'

function* tokensOf(source: string): Generator<Token> {
  let word = ''
  for (let at = 0; at <= source.length; at++) {
    const character = source.charAt(at)
    const isQuote = character === '"' || character === "'"
    if (character !== '' && !isQuote && !MARKS.includes(character) && character > ' ') {
      word += character
      continue
    }
    if (word !== '') yield { kind: 'word', text: word }
    word = ''
    if (isQuote) {
      const [text, end] = readText(source, at)
      yield { kind: 'text', text }
      at = end
    } else if (character > ' ') yield { kind: 'mark', text: character }
  }
}

/** The text of a string, and where its closing quote stands. */
function readText(source: string, open: number): readonly [string, number] {
  const quote = source.charAt(open)
  let text = ''
  let at = open + 1
  for (; at < source.length && source.charAt(at) !== quote; at++) {
    if (source.charAt(at) === '\\') at++
    text += source.charAt(at)
  }
  return [text, at]
}
