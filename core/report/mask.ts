import type { Span } from '../types.ts'

const MASK = '***'
/** Spans mask every place of a credential; these mask what rules compose of other files' texts, where so many are none of one project. */
const MAX_FORMS = 20_000
const SHORTEST_VALUE = 4

/** The credentials of one scan, in the worker's memory only: they mask whatever is shown and number equal values. */
export interface SecretBook {
  /** Remembers a value that stands at a span of a file, there written as `written`; gives its number, the same for the same value. */
  add(file: string, span: Span | undefined, value: string, written?: string): number
  spansOf(file: string): readonly Span[]
  /** Replaces every known value inside a text that a rule composed. */
  mask(text: string): string
}

export function createSecretBook(): SecretBook {
  const spans = new Map<string, Span[]>()
  const numbers = new Map<string, number>()
  const forms = new Set<string>()
  // longest first, so that a value that holds another one is masked whole; ordered when it is asked for
  let ordered: string[] | undefined
  const remember = (text: string): void => {
    // a rule that quotes one line of a key quotes the key
    for (const form of [text, ...text.split(/\r?\n|\\n/)]) {
      if (form.length < SHORTEST_VALUE || forms.has(form) || forms.size >= MAX_FORMS) continue
      forms.add(form)
      ordered = undefined
    }
  }
  return {
    add(file, span, value, written = value) {
      if (span !== undefined) {
        const known = spans.get(file)
        if (known === undefined) spans.set(file, [span])
        else known.push(span)
      }
      remember(value)
      remember(written)
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return number
    },
    spansOf: (file) => spans.get(file) ?? [],
    mask(text) {
      let masked = text
      ordered ??= [...forms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
      for (const value of ordered) if (masked.includes(value)) masked = masked.replaceAll(value, MASK)
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
