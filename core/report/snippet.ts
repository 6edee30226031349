import type { LineTable } from '../parse/position.ts'
import { positionAt } from '../parse/position.ts'
import type { Span } from '../types.ts'
import { LINES_AROUND } from './code-lines.ts'
import { maskSlice } from './mask.ts'
import { findSuspicious } from './suspicious-literals.ts'

const MAX_LINE = 200
const LEAD = 60
/** Beyond a cut as much is looked at for credentials that it would cut: few are longer. */
const BEYOND = 2048
/** The same for values that only look like some. */
const BESIDE = 400

/**
 * The lines from three above to three below a span's first line, each cut to 200 characters around the match, credentials blotted out: `secretsIn` gives
 * those that touch what lies between two offsets, `placesIn` where a text holds values that are known from elsewhere.
 */
export function cutSnippet(
  text: string,
  lines: LineTable,
  span: Span,
  secretsIn: (start: number, end: number) => readonly Span[],
  placesIn: (text: string) => readonly Span[] = () => [],
): string {
  const { line, column } = positionAt(lines, span.start)
  const shown: string[] = []
  for (let number = Math.max(1, line - LINES_AROUND); number <= Math.min(lines.length, line + LINES_AROUND); number++) {
    const lineStart = lines[number - 1] ?? 0
    const lineEnd = endOfLine(text, lines, number)
    const from = number === line ? windowStart(lineStart, lineEnd, column) : lineStart
    const to = Math.min(lineEnd, from + MAX_LINE)
    const known = secretsIn(from, to)
    // also where nothing is cut: what only looks like a credential may be a part of a known one, of which the rest would not be known again
    const around = placesAround(text, Math.max(lineStart, from - BEYOND), Math.min(lineEnd, to + BEYOND), placesIn)
    const before =
      number === 1
        ? ''
        : text
            .slice(lines[number - 2], lineStart)
            .slice(-BESIDE)
            .trimEnd()
    const unknown = suspiciousAround(text, Math.max(lineStart, from - BESIDE), Math.min(lineEnd, to + BESIDE), span, before)
    const cut = maskSlice(text, from, to, [...known, ...around, ...unknown])
    shown.push(showControls((from > lineStart ? '…' : '') + cut + (to < lineEnd ? '…' : '')))
  }
  return shown.join('\n')
}

function placesAround(text: string, start: number, end: number, placesIn: (text: string) => readonly Span[]): Span[] {
  return placesIn(text.slice(start, end)).map((place) => ({ start: start + place.start, end: start + place.end }))
}

/** But for what the finding is about, where it lies in one. What lies in a finding is a part of its code. */
function suspiciousAround(text: string, start: number, end: number, finding: Span, before: string): Span[] {
  return findSuspicious(text.slice(start, end), before)
    .map((found) => ({ start: start + found.start, end: start + found.end }))
    .flatMap((found) => {
      if (finding.start < found.start || found.end < finding.end) return [found]
      const around = [
        { start: found.start, end: finding.start },
        { start: finding.end, end: found.end },
      ]
      return around.filter((part) => part.start < part.end)
    })
}

function windowStart(lineStart: number, lineEnd: number, column: number): number {
  if (lineEnd - lineStart <= MAX_LINE) return lineStart
  const wanted = lineStart + Math.max(0, column - 1 - LEAD)
  return Math.max(lineStart, Math.min(wanted, lineEnd - MAX_LINE))
}

function endOfLine(text: string, lines: LineTable, number: number): number {
  let end = lines[number] ?? text.length
  while (end > (lines[number - 1] ?? 0) && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--
  return end
}

/** Makes characters visible that would reorder or hide what a report quotes (trojan source, terminal escapes). */
export function showControls(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  )
}
