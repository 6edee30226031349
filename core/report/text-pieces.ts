/** A piece of a text: words, or code as it is written in a file. */
export interface TextPiece {
  readonly isCode: boolean
  readonly text: string
}

/**
 * How code begins in a sentence: in quotes, as a tag, as an object, as a statement of CDS, or with a name. Texts of rules hold names and settings as they are written, without marks of their own, because
 * SARIF, terminals and editors show them as they are.
 */
const BEGINNINGS =
  /(?<![\w$’])(?:(?<quoted>"[^"\n]{1,300}"|'[^'\s]{1,100}')|(?<tag><\/?[A-Za-z][^<>\n]{0,300}>)|(?<object>\{)|(?<statement>annotate [\w.]{1,200} with @(?=\())|(?<annotation>@(?=\())|(?<name>[@.]?[A-Za-z_$][\w$-]{0,100}(?:[./][\w$@-]{1,100}){0,20}))/g

/** What may follow the name of a setting: a colon and its value. */
const PLAIN_SETTING = /: ?(?:true|false|null|\d+)\b/y
const LONG_SETTING = /: ?(?=["[{])/y
const MEMBER = /\.[A-Za-z_$][\w$]*/y

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const QUOTES = '"\'`'

/** Code in a sentence is short; what a name of a project makes longer is words, and costs no search. */
const MAX_CODE = 400

/** A text in pieces that together are the text; linear in its length. */
export function readTextPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let told = 0
  BEGINNINGS.lastIndex = 0
  for (let match = BEGINNINGS.exec(text); match !== null; match = BEGINNINGS.exec(text)) {
    const end = endOfCode(text, match)
    if (end === undefined) continue
    if (match.index > told) pieces.push({ isCode: false, text: text.slice(told, match.index) })
    pieces.push({ isCode: true, text: text.slice(match.index, end) })
    told = end
    BEGINNINGS.lastIndex = end
  }
  if (told < text.length) pieces.push({ isCode: false, text: text.slice(told) })
  return pieces
}

/** Where the code ends that a match begins; undefined where it is words. */
function endOfCode(text: string, { index, groups = {}, 0: found }: RegExpExecArray): number | undefined {
  const end = index + found.length
  if (groups['quoted'] !== undefined) return endOfSetting(text, end)
  if (groups['tag'] !== undefined) return end
  if (groups['object'] !== undefined)
    return /^\{ ?["'[\w]/.test(text.slice(index, index + 3)) ? endOfBrackets(text, index) : undefined
  const whole = endOfUse(text, end)
  if (groups['statement'] !== undefined && whole > end) return text[whole] === ';' ? whole + 1 : whole
  return whole > end || (groups['name'] !== undefined && isCodeName(found)) ? whole : undefined
}

/** Behind a key its value belongs to it. */
function endOfSetting(text: string, start: number): number {
  PLAIN_SETTING.lastIndex = start
  if (PLAIN_SETTING.test(text)) return PLAIN_SETTING.lastIndex
  LONG_SETTING.lastIndex = start
  if (!LONG_SETTING.test(text)) return start
  const at = LONG_SETTING.lastIndex
  return (text[at] === '"' ? endOfQuote(text, at) : endOfBrackets(text, at)) ?? start
}

/** Behind a name: what it is called with, which template it tags, members of the result. */
function endOfUse(text: string, start: number): number {
  let end = start
  for (;;) {
    const next = text[end]
    const closed = next === '(' || next === '[' ? endOfBrackets(text, end) : next === '`' ? endOfQuote(text, end) : undefined
    if (closed === undefined) return end
    end = closed
    MEMBER.lastIndex = end
    if (MEMBER.test(text)) end = MEMBER.lastIndex
  }
}

/** Behind the bracket that closes the one at `start`; undefined where none does. */
function endOfBrackets(text: string, start: number): number | undefined {
  const open: string[] = []
  for (let at = start; at < Math.min(text.length, start + MAX_CODE); at++) {
    const character = text[at] ?? ''
    const closer = CLOSERS[character]
    if (closer !== undefined) open.push(closer)
    else if (QUOTES.includes(character)) {
      const end = endOfQuote(text, at)
      if (end === undefined) return undefined
      at = end - 1
    } else if (character === open.at(-1)) {
      open.pop()
      if (open.length === 0) return at + 1
    }
  }
  return undefined
}

function endOfQuote(text: string, start: number): number | undefined {
  const end = text.slice(start, start + MAX_CODE).indexOf(text[start] ?? '', 1)
  return end === -1 ? undefined : start + end + 1
}

/** Whether a name alone is code: an annotation, a path with a member or an ending, a variable of the environment, a name in camel case. Names of products are words. */
function isCodeName(name: string): boolean {
  if (/^[A-Z][a-z]+\.js$/.test(name)) return false
  return (
    /^@[A-Za-z]/.test(name) ||
    /^\.[a-z]{2}/.test(name) ||
    /[\w$-]{2}\.[A-Za-z_$][\w$-]/.test(name) ||
    /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) ||
    /^[a-z]{2}[a-z0-9]*[A-Z][a-z]/.test(name)
  )
}
