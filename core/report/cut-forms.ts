import { ELLIPSIS } from '../cut-text.ts'
import type { Span } from '../types.ts'

/** Finds what is left of a form where a text was cut inside of it: its beginning before a cut, its end after one. */
export interface CutForms {
  find(text: string): readonly Span[]
}

/** Fewer characters tell nothing of a credential. */
const SHORTEST_PART = 4

/** More than any argument or line of a snippet has. */
const REACH = 320

/** A rule may cut without a mark, by an expression with a bound: so long a text may have been cut at its ends. */
const MAYBE_CUT = 60
const SHORTEST_UNMARKED = 6

export function createCutForms(forms: readonly string[]): CutForms {
  let sides: readonly [Side, Side] | undefined
  return {
    find(text) {
      const cuts = cutsOf(text)
      if (cuts.length === 0) return []
      sides ??= [createSide(forms), createSide(forms.map((form) => reverse(form.slice(-REACH))))]
      const [heads, tails] = sides
      const found: Span[] = []
      for (const { before, after, shortest } of cuts) {
        const head = heads.endsOf(text.slice(Math.max(0, before - REACH), before), shortest)
        if (head > 0) found.push({ start: before - head, end: before })
        const tail = tails.endsOf(reverse(text.slice(after, after + REACH)), shortest)
        if (tail > 0) found.push({ start: after, end: after + tail })
      }
      return found
    },
  }
}

/** Where something is missing from a text: between two offsets. */
interface Cut {
  readonly before: number
  readonly after: number
  readonly shortest: number
}

function cutsOf(text: string): readonly Cut[] {
  const cuts: Cut[] = []
  for (let at = text.indexOf(ELLIPSIS); at !== -1; at = text.indexOf(ELLIPSIS, at + 1))
    cuts.push({ before: at, after: at + ELLIPSIS.length, shortest: SHORTEST_PART })
  if (text.length < MAYBE_CUT) return cuts
  return [
    { before: 0, after: 0, shortest: SHORTEST_UNMARKED },
    ...cuts,
    { before: text.length, after: text.length, shortest: SHORTEST_UNMARKED },
  ]
}

interface Side {
  /** How many of the last characters of a text some form begins with; 0: fewer than `shortest`. */
  endsOf(text: string, shortest: number): number
}

function createSide(forms: readonly string[]): Side {
  const sorted = [...forms].sort()
  // one bit for each hash of what they begin with: most places of most texts get no further
  const heads = new Uint32Array(2 ** HEAD_BITS / 32)
  for (const form of sorted) {
    const slot = hashHead(form, 0)
    heads[slot >>> 5] = (heads[slot >>> 5] ?? 0) | (1 << (slot & 31))
  }
  const mayBegin = (text: string, at: number): boolean => {
    const slot = hashHead(text, at)
    return ((heads[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0
  }
  const isBegun = (part: string): boolean => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? '') < part) low = middle + 1
      else high = middle
    }
    return sorted[low]?.startsWith(part) === true
  }
  return {
    endsOf(text, shortest) {
      for (let at = 0; at + shortest <= text.length; at++) {
        if (mayBegin(text, at) && isBegun(text.slice(at))) return text.length - at
      }
      return 0
    },
  }
}

const HEAD_BITS = 17

function hashHead(text: string, at: number): number {
  let hash = 0
  for (let unit = at; unit < at + SHORTEST_PART; unit++) hash = Math.imul(hash ^ text.charCodeAt(unit), 0x9e3779b1)
  return hash >>> (32 - HEAD_BITS)
}

function reverse(text: string): string {
  let reversed = ''
  for (let at = text.length - 1; at >= 0; at--) reversed += text.charAt(at)
  return reversed
}
