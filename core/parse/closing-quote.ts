const BACKSLASH = 92

/** The offset of the quote that closes the JSON string whose opening one is at `start`; the length of the text where none does. */
export function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
