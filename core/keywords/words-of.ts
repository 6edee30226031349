import type { WordPlaces } from './index.ts'

/** Characters that mean something in a regular expression. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g

/** What is asked of hits, of a text that nobody has looked through. */
export function wordsOf(text: string): WordPlaces {
  let lower: string | undefined
  return {
    has: (word) => (word === foldCase(word) ? (lower ??= text.toLowerCase()) : text).includes(word),
    places: (_, words) => words.flatMap((word) => placesOf(text, word)),
  }
}

/** As the index compares: a word in lower case fits any case. */
function placesOf(text: string, word: string): readonly number[] {
  const pattern = new RegExp(word.replaceAll(SPECIAL, String.raw`\$&`), word === foldCase(word) ? 'gi' : 'g')
  return Array.from(text.matchAll(pattern), ({ index }) => index)
}

/** ASCII only: other letters have no case here, as in the bytes. Most keywords have no capital. */
export function foldCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
}
