/** One place where a script says a name: `orders.api.load` says `orders`, and `api` and `load` behind it. */
export interface Mention {
  readonly start: number
  /** The name, and those that follow it behind points. */
  readonly chain: readonly string[]
  /** What stands next behind the chain, and before it: one character each. */
  readonly next: string
  readonly before: string
  /** It is a text, or a part of a path in one. */
  readonly isQuoted: boolean
}

/** Of the ASCII characters those that names are made of: a regular expression over each word of a text takes ten times as long. */
const IN_NAMES: readonly boolean[] = Array.from({ length: 128 }, (_, code) => /[\w$]/.test(String.fromCharCode(code)))
const IN_NAME = /^\p{ID_Continue}/u

/** Whether one of these characters stands there. */
export function isNameAt(text: string, at: number): boolean {
  return IN_NAMES[text.charCodeAt(at)] === true
}

/** To look for a word, or a character, takes a fifth of the time of an expression that begins with it. */
export function placesOf(word: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) places.push(at)
  return places
}

const FURTHER = /\s{0,40}\??\.\s{0,40}([\p{ID_Continue}$]{1,100})/uy
const MAX_CHAIN = 4
const QUOTE = /["'`/]/

/** Where some names stand in a text, those behind a point left out: they are names of something else. `module.exports` counts as `exports`. */
export function* mentionsOf(code: string, names: Pick<ReadonlySet<string>, 'has'>): Generator<Mention> {
  for (let index = 0, end = 0; index < code.length; index = end + 1) {
    end = endOfWord(code, index)
    if (end === index) continue
    const word = code.slice(index, end)
    if (!names.has(word)) continue
    const [before, at] = behind(code, index)
    const isOfModule = word === 'exports' && before === '.' && /\bmodule\s{0,5}$/.test(code.slice(Math.max(0, at - 12), at))
    const start = isOfModule ? code.lastIndexOf('module', at) : index
    const isSpread = before === '.' && code.slice(at - 2, at + 1) === '...'
    if (before === '.' && !isSpread && !isOfModule) continue
    const chain = [word]
    let last = end
    for (; chain.length < MAX_CHAIN; last = FURTHER.lastIndex) {
      FURTHER.lastIndex = last
      const name = FURTHER.exec(code)?.[1]
      if (name === undefined) break
      chain.push(name)
    }
    const isQuoted = QUOTE.test(code[index - 1] ?? '') && QUOTE.test(code[end] ?? '')
    yield { start, chain, isQuoted, next: ahead(code, last), before: isOfModule ? behind(code, start)[0] : before }
  }
}

/** Where the name that begins here ends; here, where none does. */
function endOfWord(code: string, from: number): number {
  let at = from
  for (let unit = code.charCodeAt(at); at < code.length; unit = code.charCodeAt(at)) {
    if (unit < IN_NAMES.length ? IN_NAMES[unit] !== true : !IN_NAME.test(code.slice(at, at + 2))) break
    at += unit >= 0xd800 && unit < 0xdc00 ? 2 : 1
  }
  return at
}

/** The last character before a place that is no blank, and where it is. */
export function behind(code: string, place: number): readonly [string, number] {
  let at = place - 1
  while (at >= 0 && place - at < MAX_BLANKS && /\s/.test(code[at] ?? '')) at--
  return [code[at] ?? '', at]
}

function ahead(code: string, place: number): string {
  const rest = code.slice(place, place + MAX_BLANKS).trimStart()
  // a comparison or a function is no assignment
  return /^=[=>]/.test(rest) ? '==' : (rest[0] ?? '')
}

const MAX_BLANKS = 300

/** Blanks in the place of comments that begin a line: places stay what they are. What stands behind code on its line, or may be part of a template, is left. */
export function blankComments(text: string): string {
  const parts: string[] = []
  let done = 0
  let next = 0
  let isUnclosed = false
  for (let slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', next)) {
    next = slash + 1
    const kind = text[next]
    const index = kind === '/' || kind === '*' ? startOfLine(text, slash) : undefined
    if (index === undefined) continue
    const end = endOfLine(text, index)
    const closing: number = kind === '*' && !isUnclosed ? text.indexOf('*/', index) : -1
    // none behind it is closed, either
    isUnclosed ||= kind === '*' && closing < 0
    const last = kind === '/' ? end : closing < 0 ? index : closing + 2
    next = Math.max(end, endOfLine(text, last)) + 1
    if (last === index || text.slice(index, last).includes('${')) continue
    parts.push(text.slice(done, index), blankLines(text.slice(index, last)))
    done = last
  }
  return [...parts, text.slice(done)].join('')
}

/** Where the line begins on which nothing but blanks stands before a place. */
function startOfLine(text: string, place: number): number | undefined {
  let at = place
  while (at > 0 && isBlank(text, at - 1)) at--
  return at === 0 || text[at - 1] === '\n' ? at : undefined
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === SPACE || code === TAB || (code !== LF && /\s/.test(text[at] ?? ''))
}

const TAB = 9
const LF = 10
const SPACE = 32
const BLANKS = ' '.repeat(200)

/** Line by line: most comments are long, and their characters many. */
function blankLines(comment: string): string {
  return comment
    .split('\n')
    .map(({ length }) => (length > BLANKS.length ? ' '.repeat(length) : BLANKS.slice(0, length)))
    .join('\n')
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
