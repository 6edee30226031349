import type { KeywordHits } from './index.ts'

const [TAB, LF, CR, SPACE, STAR, SLASH, LESS, GREATER] = [0x09, 0x0a, 0x0d, 0x20, 0x2a, 0x2f, 0x3c, 0x3e]
const [BACKSLASH, BACKTICK] = [0x5c, 0x60]
/** U+2028 and U+2029 end a line of a script as well; in UTF-8 both begin with this byte, as other characters do. */
const [LINE_SEPARATOR, PARAGRAPH_SEPARATOR, THREE_BYTES] = [0x2028, 0x2029, 0xe2]

/** Bytes, or the units of the text that they spell. */
interface Source {
  readonly length: number
  at(index: number): number | undefined
  /** Where a character of ASCII stands next; negative: nowhere. */
  next(character: number, from: number): number
}

/**
 * What stands in the code of a script: what is found in its comments alone concerns nobody who asks for facts, and libraries have more words in comments than in
 * code. Comments behind code on one line count as code: to tell those from texts takes a parser. So does whatever stands behind a template, which may hold lines that
 * look like the beginning of a comment and hide the code behind them, and a script with markup in its code: in JSX such lines are texts, with code between them.
 */
export function hitsInCode(hits: KeywordHits, bytes: Uint8Array, text: string): KeywordHits {
  const comments = commentsOf(ofBytes(bytes))
  if (comments.length === 0) return hits
  const isAscii = bytes.length === text.length
  let inText: readonly number[] | undefined
  const known = new Map<string, boolean>()
  let found: readonly string[] | undefined
  const has = (keyword: string): boolean => {
    const before = known.get(keyword)
    if (before !== undefined) return before
    const stands = hits.standsWhere(keyword, (offset) => !isInSpan(comments, offset))
    known.set(keyword, stands)
    return stands
  }
  return {
    has,
    found: () => (found ??= Array.from(hits.found()).filter(has)),
    length: hits.length,
    standsWhere: (keyword, isWanted) => hits.standsWhere(keyword, (offset) => !isInSpan(comments, offset) && isWanted(offset)),
    offsets: (keyword) => hits.offsets(keyword).filter((offset) => !isInSpan(comments, offset)),
    places(_, words) {
      const there = words.filter(has)
      if (there.length === 0) return []
      const spans = isAscii ? comments : (inText ??= commentsOf(ofText(text)))
      return hits.places(text, there).filter((place) => !isInSpan(spans, place))
    },
  }
}

function ofBytes(bytes: Uint8Array): Source {
  return { length: bytes.length, at: (index) => bytes[index], next: (character, from) => bytes.indexOf(character, from) }
}

function ofText(text: string): Source {
  return {
    length: text.length,
    at: (index) => text.charCodeAt(index),
    next: (character, from) => text.indexOf(String.fromCharCode(character), from),
  }
}

/** Where the comments that begin a line start and end, one after the other, up to the first template; none where markup stands in code. Linear. */
function commentsOf(source: Source): readonly number[] {
  const spans: number[] = []
  let isUnclosed = false
  let next = 0
  let template = source.next(BACKTICK, 0)
  for (let slash = source.next(SLASH, 0); slash >= 0; slash = source.next(SLASH, next)) {
    if (template >= 0 && template < next) template = source.next(BACKTICK, next)
    if (template >= 0 && template < slash) break
    if (source.at(slash - 1) === LESS || source.at(slash + 1) === GREATER) return []
    next = slash + 1
    const kind = source.at(next)
    if ((kind !== SLASH && (kind !== STAR || isUnclosed)) || !beginsLine(source, slash)) continue
    const end = kind === SLASH ? endOfLine(source, next) : closing(source, next + 1)
    // none behind it is closed, either
    if (kind === STAR && end < 0) isUnclosed = true
    else if (end > 0) spans.push(slash, (next = end))
  }
  return spans
}

/** Where a comment of one line ends; negative where code may stand on the line: behind another end of a line, of a comment that began behind code, or of an element. */
function endOfLine(source: Source, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    const unit = source.at(at)
    if (unit === LF) return at
    if (unit === CR && source.at(at + 1) !== LF) return -1
    if (unit === LINE_SEPARATOR || unit === PARAGRAPH_SEPARATOR || unit === THREE_BYTES) return -1
    if (unit === SLASH && (source.at(at - 1) === STAR || source.at(at - 1) === LESS || source.at(at + 1) === GREATER)) return -1
  }
  return source.length
}

/** Behind the end of a comment of many lines; negative: it has none. */
function closing(source: Source, from: number): number {
  let slash = source.next(SLASH, from + 1)
  while (slash >= 0 && source.at(slash - 1) !== STAR) slash = source.next(SLASH, slash + 1)
  return slash < 0 ? slash : slash + 1
}

function beginsLine(source: Source, place: number): boolean {
  let at = place - 1
  while (source.at(at) === SPACE || source.at(at) === TAB || source.at(at) === CR) at--
  if (at < 0) return true
  const isContinued = source.at(source.at(at - 1) === CR ? at - 2 : at - 1) === BACKSLASH
  return source.at(at) === LF && !isContinued
}

function isInSpan(spans: readonly number[], place: number): boolean {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] ?? 0) <= place) low = middle + 1
    else high = middle
  }
  // behind a start and before its end
  return low % 2 === 1
}
