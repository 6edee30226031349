import type { Budget } from '../budget.ts'

/** A word of a command. */
export interface Word {
  readonly value: string
  readonly start: number
  readonly end: number
  readonly isQuoted?: boolean
}

const LONGEST = 1500

/** The words of a command up to its end, the next one at the latest; a line that ends in a backslash goes on, and so does a list up to its bracket. */
export function readWords(text: string, start: number, next: number, isListed: boolean, budget: Budget): readonly Word[] {
  const words: Word[] = []
  const most = Math.min(next, start + LONGEST)
  let at = start
  while (at < most) {
    const sign = text[at] ?? ''
    if (sign === '\\' && /[\r\n]/.test(text[at + 1] ?? '')) at += text[at + 1] === '\r' ? 3 : 2
    else if (isListed ? sign === ']' : /[\n\r;|&]/.test(sign)) break
    else if (/[\s,[\]]/.test(sign)) at++
    else {
      const word = readWord(text, at, most)
      words.push(word)
      at = Math.max(word.end + (/["'`]/.test(sign) ? 1 : 0), at + 1)
    }
  }
  budget.step(1 + Math.ceil((at - start) / 2))
  return words
}

function readWord(text: string, start: number, most: number): Word {
  const quote = text[start] ?? ''
  if (/["'`]/.test(quote)) {
    let end = start + 1
    while (end < most && text[end] !== quote && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
    return { value: text.slice(start + 1, end), start: start + 1, end: Math.min(end, most), isQuoted: true }
  }
  let end = start
  while (end < most && !/[\s;|&"'`]/.test(text[end] ?? '')) end++
  return { value: text.slice(start, end), start, end }
}

/** Items of YAML that hold a word each. */
const ITEM = /[ \t]{0,40}- {1,4}(["']?)([^\s"'][^\r\n"']{0,400}?)\1[ \t]{0,8}(?:#[^\r\n]{0,200})?(?:\r?\n|$)/y
const MOST_ITEMS = 30

/** The words of a command that is written as a list of YAML, one in a line, from the line behind its name. */
export function readItems(text: string, start: number, budget: Budget): readonly Word[] {
  const words: Word[] = []
  const line = text.indexOf('\n', start)
  let at = line === -1 || line > start + 8 ? text.length : line + 1
  for (let item = 0; item < MOST_ITEMS && at < text.length; item++) {
    ITEM.lastIndex = at
    const [whole = '', quote = '', value = ''] = ITEM.exec(text) ?? []
    if (whole === '') break
    const from = at + whole.indexOf('-') + 1 + whole.slice(whole.indexOf('-') + 1).search(/[^ ]/) + quote.length
    words.push({ value, start: from, end: from + value.length })
    at += whole.length
  }
  budget.step(2 + words.length * 4)
  return words
}
