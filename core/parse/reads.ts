/** What keeps the script parser linear: it has no budget of its own, and two of its habits are not linear in the text. */

/** Thrown out of a parser that reads its text over and over. */
export class TooManyReads extends Error {
  constructor() {
    super('too many reads')
    this.name = 'TooManyReads'
  }
}

/** Reads that a text may cost: the parser reads a character of real TypeScript 1.7 times at most (2,000 files). */
const READS_PER_CHARACTER = 4
const READS_AT_LEAST = 200_000

/** A string object whose own `charCodeAt` counts. Not a class that extends String: a single one makes V8 (Node 20) look `charCodeAt` up anew for every
 *  string of the process, which costs three times as much in all that reads characters. */
function toCounted(text: string): object {
  let left = text.length * READS_PER_CHARACTER + READS_AT_LEAST
  const counted: object = Object(text)
  return Object.defineProperty(counted, 'charCodeAt', {
    value(index: number): number {
      if (--left < 0) throw new TooManyReads()
      return text.charCodeAt(index)
    },
  })
}

/** Hands a text to a parser and counts how it is read: where a language has types, `<T>(<T>(…` is tried in two or three ways at each level,
 *  so that 400 characters would take for ever. Throws TooManyReads. Costs about 1.4 times the reading of a plain string. */
export function countReads<Tree>(text: string, parse: (text: string) => Tree): Tree {
  // an object that behaves as a string is no `string` for the compiler
  const untyped: Function = parse
  return Reflect.apply(untyped, undefined, [toCounted(text)])
}

const MAX_COMMENT_READS = 2_000_000_000

/** Offset of the block comment from which on a text costs too much: from each one the parser looks for the next end of a line, however far it is.
 *  Only a single line with ten thousand comments gets there. */
export function findCostlyComment(text: string): number | undefined {
  let reads = 0
  let lineEnd = -1
  for (let at = text.indexOf('/*'); at !== -1; at = text.indexOf('/*', at + 2)) {
    if (lineEnd < at) lineEnd = text.indexOf('\n', at)
    if (lineEnd === -1) lineEnd = text.length
    reads += lineEnd - at
    if (reads > MAX_COMMENT_READS) return at
  }
  return undefined
}
