const REACH = 3000
const LINES = 15
/** Before a brace stands the name of its object. */
const OWNER = 30
/** Of a statement before an object. */
const BEFORE = 400

/** The text around a value that may hold its siblings: its object where it stands in braces, the lines around it otherwise. */
export function surroundingsOf(text: string, start: number, end: number): string {
  const open = openingOf(text, start)
  if (open !== undefined) return text.slice(Math.max(0, open - OWNER), closingOf(text, end))
  return text.slice(lineStart(text, start), lineEnd(text, end))
}

/** The object in braces that a value stands in. */
export function objectAround(text: string, start: number, end: number): string | undefined {
  const open = openingOf(text, start)
  return open === undefined ? undefined : text.slice(open, closingOf(text, end))
}

/** Before the object around an offset, as far as its statement or its outer object goes. */
export function statementBefore(text: string, start: number): string {
  const open = openingOf(text, start)
  if (open === undefined) return ''
  const before = text.slice(Math.max(0, open - BEFORE), open)
  return before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('}'), before.lastIndexOf('\n\n')) + 1)
}

/** The brace that opens the object around an offset. */
function openingOf(text: string, from: number): number | undefined {
  let depth = 0
  const least = Math.max(0, from - REACH)
  for (let at = from - 1; at >= least; at--) {
    const code = text.charCodeAt(at)
    if (code === CLOSE) depth++
    else if (code === OPEN && depth-- === 0) return at
  }
  return undefined
}

function closingOf(text: string, from: number): number {
  let depth = 0
  const most = Math.min(text.length, from + REACH)
  for (let at = from; at < most; at++) {
    const code = text.charCodeAt(at)
    if (code === OPEN) depth++
    else if (code === CLOSE && depth-- === 0) return at
  }
  return most
}

const OPEN = 0x7b
const CLOSE = 0x7d

/** Of the text within reach alone: a file of one line would be searched whole for each of its values. */
function lineStart(text: string, from: number): number {
  const least = Math.max(0, from - REACH / 2)
  const within = text.slice(least, from)
  let at = within.length
  for (let line = 0; line < LINES && at > 0; line++) at = Math.max(0, within.lastIndexOf('\n', at - 1))
  return least + at
}

function lineEnd(text: string, from: number): number {
  const within = text.slice(from, from + REACH / 2)
  let at = 0
  for (let line = 0; line < LINES && at < within.length; line++) {
    const next = within.indexOf('\n', at + 1)
    at = next === -1 ? within.length : next
  }
  return from + at
}
