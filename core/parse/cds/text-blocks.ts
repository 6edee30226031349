const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '' }

/** The code point that digits of base 16 stand for; undefined if they are none. */
function toCharacter(digits: string): string | undefined {
  if (!/^[0-9a-fA-F]{1,6}$/.test(digits)) return undefined
  const code = Number.parseInt(digits, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

function decodeEscapes(raw: string): string {
  if (!raw.includes('\\')) return raw
  let value = ''
  let at = 0
  for (let slash = raw.indexOf('\\'); slash !== -1; slash = raw.indexOf('\\', at)) {
    value += raw.slice(at, slash)
    const mark = raw[slash + 1] ?? ''
    let length = 2
    let character: string | undefined = ESCAPES[mark] ?? mark
    if (mark === 'x' || mark === 'u') {
      const braced = mark === 'u' && raw[slash + 2] === '{'
      const close = braced ? raw.slice(slash, slash + 11).indexOf('}') : -1
      const from = slash + (braced ? 3 : 2)
      const to = braced ? slash + close : from + (mark === 'x' ? 2 : 4)
      character = braced && close === -1 ? undefined : toCharacter(raw.slice(from, to))
      if (character !== undefined) length = to - slash + (braced ? 1 : 0)
    }
    value += character ?? mark
    at = slash + length
  }
  return value + raw.slice(at)
}

function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ' || line[indent] === '\t') indent++
  return indent
}

/** A block of three backticks: the rest of its first line is a language tag, the smallest indent belongs to the source, not to the text. */
function dedent(raw: string): string {
  const lines = raw.split(/\r\n|[\n\r]/)
  if (lines.length === 1) return raw
  lines.shift()
  const last = lines.at(-1) ?? ''
  const lastIsBlank = indentOf(last) === last.length
  let smallest = lastIsBlank ? last.length : Number.POSITIVE_INFINITY
  for (const line of lines) {
    const indent = indentOf(line)
    if (indent < line.length) smallest = Math.min(smallest, indent)
  }
  if (lastIsBlank) lines.pop()
  return lines.map((line) => line.slice(Math.min(smallest, indentOf(line)))).join('\n')
}

/** Reads a string in one or three backticks that begins at `start`; an unclosed one ends with the text. */
export function readTextBlock(text: string, start: number): { readonly end: number; readonly value: string } {
  const fence = text.startsWith('```', start) ? '```' : '`'
  const from = start + fence.length
  let at = from
  while (at < text.length && !text.startsWith(fence, at)) at += text[at] === '\\' ? 2 : 1
  const to = Math.min(at, text.length)
  const raw = text.slice(from, to)
  return {
    end: Math.min(to + fence.length, text.length),
    value: decodeEscapes(fence === '`' ? raw.replaceAll('\r\n', '\n') : dedent(raw)),
  }
}
