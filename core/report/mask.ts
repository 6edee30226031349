import { findFirst } from '../lists.ts'
import type { Span } from '../types.ts'
import { createForms } from './forms.ts'

const MASK = '***'

/** The credentials of one scan, in the worker's memory only: they mask whatever is shown and number equal values. */
export interface SecretMasker {
  /** Remembers a value that stands at a span of a file, there written as `written`; gives its number, the same for the same value. */
  add(file: string, span: Span | undefined, value: string, written?: string): number
  /** Remembers a credential that paths are masked with too. */
  addForPaths(value: string): void
  /** The path of a file as it is told. Only drawn values are masked in it: a weak password may be a word of any path, and a path leads somewhere. */
  maskPath(path: string): string
  /** The spans of a file that touch what lies between two offsets. */
  spansIn(file: string, start: number, end: number): readonly Span[]
  /** Where a text holds known values. */
  placesIn(text: string): readonly Span[]
  /** Replaces every known value inside a text that a rule composed, and what is left of one where the rule cut the text. */
  mask(text: string): string
  /** The same for a text that was masked before it was cut. */
  maskWhole(text: string): string
}

export function createSecretMasker(): SecretMasker {
  const spans = new Map<string, FileSpans>()
  const numbers = new Map<string, number>()
  // spans mask every place of a credential; these mask what rules compose of other files' texts
  const forms = createForms()
  const pathForms = createForms()
  let hasStars = false
  const remember = (text: string): void => {
    // a rule that quotes one line of a key quotes the key
    for (const form of [text, ...text.split(/\r?\n|\\n/)]) forms.add(form)
    hasStars ||= text.includes('*')
  }

  const maskPlaces = (text: string, find: (text: string) => readonly Span[]): string => {
    const places = find(text)
    if (places.length === 0) return text
    const masked = maskSlice(text, 0, text.length, places)
    // a value with stars may come about by masking another one; each time the text gets shorter
    return hasStars && masked.length < text.length ? maskPlaces(masked, find) : masked
  }
  const findAll = (text: string): readonly Span[] => {
    const cut = forms.findCut(text)
    return cut.length === 0 ? forms.find(text) : [...forms.find(text), ...cut]
  }

  return {
    mask: (text) => maskPlaces(text, findAll),
    maskWhole: (text) => maskPlaces(text, forms.find),
    placesIn: forms.find,
    addForPaths(value) {
      if (isDistinct(value)) pathForms.add(value)
    },
    maskPath: (path) => maskPlaces(path, pathForms.find),
    add(file, span, value, written = value) {
      if (span !== undefined) {
        const known = spans.get(file) ?? createFileSpans()
        spans.set(file, known)
        known.add(span)
      }
      remember(value)
      remember(written)
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return number
    },
    spansIn: (file, start, end) => spans.get(file)?.touching(start, end) ?? [],
  }
}

/** Such that no folder is called the same by chance. */
function isDistinct(value: string): boolean {
  if (!/\d/.test(value)) return false
  return value.length >= 16 ? /[a-z]/i.test(value) : value.length >= 8 && /[a-z]/.test(value) && /[A-Z]/.test(value)
}

interface FileSpans {
  add(span: Span): void
  touching(start: number, end: number): readonly Span[]
}

function createFileSpans(): FileSpans {
  let spans: Span[] = []
  /** Per span: the furthest end up to it. Undefined: to be put in order. */
  let ends: number[] | undefined
  const order = (): number[] => {
    spans = spans.sort((a, b) => a.start - b.start)
    let furthest = 0
    return spans.map(({ end }) => (furthest = Math.max(furthest, end)))
  }
  return {
    add(span) {
      spans.push(span)
      ends = undefined
    },
    touching(start, end) {
      const known = (ends ??= order())
      const first = findFirst(known.length, (index) => (known[index] ?? 0) > start)
      const last = findFirst(spans.length, (index) => (spans[index]?.start ?? 0) >= end)
      return spans.slice(first, last).filter((span) => span.end > start)
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
