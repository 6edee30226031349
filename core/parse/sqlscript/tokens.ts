import type { SqlToken } from './types.ts'

/** One after another, each at its place: comments, strings, quoted names, words, numbers, and whatever else stands alone. */
const TOKEN =
  /--[^\r\n]*|\/\*[^]*?(?:\*\/|$)|(?<nothing>\s+)|N?'(?<string>(?:[^']|'')*)(?:'|$)|"(?<quoted>(?:[^"]|"")*)(?:"|$)|`(?<ticked>[^`]*)(?:`|$)|(?<word>[A-Za-z_\u0080-\uffff][\w$#\u0080-\uffff]*)|(?<number>\d[\w.]*)|(?<symbol>\|\||:=|<>|!=|>=|<=|=>|[^])/gy

/** Text of SQLScript to tokens. Any text is some such text: it never fails, and is linear. */
export function toTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = []
  for (const match of text.matchAll(TOKEN)) {
    const token = toToken(match)
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

function toToken({ 0: whole, index: start, groups = {} }: RegExpExecArray): SqlToken | undefined {
  const end = start + whole.length
  const { string, quoted, ticked, word, number, symbol } = groups
  if (string !== undefined) return { kind: 'string', text: string.replaceAll("''", "'"), name: '', start, end }
  if (quoted !== undefined) {
    const name = quoted.replaceAll('""', '"')
    return { kind: 'quoted', text: name, name, start, end }
  }
  // MySQL's quotes leave names alike whatever their case
  if (ticked !== undefined) return { kind: 'quoted', text: ticked, name: ticked.toUpperCase(), start, end }
  if (word !== undefined) return { kind: 'word', text: word, name: word.toUpperCase(), start, end }
  if (number !== undefined) return { kind: 'number', text: number, name: '', start, end }
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, name: symbol, start, end }
  return undefined
}
