import type { Span } from '../types.ts'

const MASK = '***'
const MAX_VALUES = 2000
const SHORTEST_VALUE = 4

/** The credentials of one scan, in the worker's memory only: they mask whatever is shown and number equal values. */
export interface SecretBook {
  /** Remembers a value that stands at a span of a file; gives its number, the same for the same value. */
  add(file: string, span: Span | undefined, value: string): number
  spansOf(file: string): readonly Span[]
  /** Replaces every known value inside a text that a rule composed. */
  mask(text: string): string
}

export function createSecretBook(): SecretBook {
  const spans = new Map<string, Span[]>()
  const numbers = new Map<string, number>()
  // longest first, so that a value that holds another one is masked whole
  let values: string[] = []
  return {
    add(file, span, value) {
      if (span !== undefined) {
        const known = spans.get(file)
        if (known === undefined) spans.set(file, [span])
        else known.push(span)
      }
      const number = numbers.get(value) ?? numbers.size
      if (!numbers.has(value)) {
        numbers.set(value, number)
        if (value.length >= SHORTEST_VALUE && values.length < MAX_VALUES) {
          values = [...values, value].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
        }
      }
      return number
    },
    spansOf: (file) => spans.get(file) ?? [],
    mask(text) {
      let masked = text
      for (const value of values) if (masked.includes(value)) masked = masked.replaceAll(value, MASK)
      return masked
    },
  }
}

/** The text between two offsets with every span blotted out; spans may overlap and reach beyond. */
export function maskSlice(text: string, start: number, end: number, spans: readonly Span[]): string {
  const touching = spans.filter((span) => span.start < end && span.end > start).sort((a, b) => a.start - b.start)
  let masked = ''
  let at = start
  for (const span of touching) {
    if (span.end <= at) continue
    masked += text.slice(at, Math.max(at, span.start)) + MASK
    at = Math.min(end, span.end)
  }
  return masked + text.slice(at, end)
}
