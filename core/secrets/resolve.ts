import type { Span } from '../types.ts'
import { RANKS, type Candidate } from './candidate.ts'

/** One candidate for each place: of those that overlap the most specific, of equals the longer one. `claimed`: places that other rules tell of. */
export function resolveCandidates(candidates: readonly Candidate[], claimed: readonly Span[]): readonly Candidate[] {
  const ordered = [...candidates].sort(
    (a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) || lengthOf(b.span) - lengthOf(a.span) || a.span.start - b.span.start,
  )
  const taken = createSpanSet(claimed)
  const kept: Candidate[] = []
  for (const candidate of ordered) {
    if (candidate.value === '' || taken.overlaps(candidate.span)) continue
    taken.add(candidate.span)
    kept.push(candidate)
  }
  return kept.sort((a, b) => a.span.start - b.span.start)
}

function lengthOf({ start, end }: Span): number {
  return end - start
}

const BLOCK = 256

/** Spans by the blocks of text that they touch, so that a look-up costs a few comparisons however many there are. */
export function createSpanSet(spans: readonly Span[]): { add(span: Span): void; overlaps(span: Span): boolean } {
  const blocks = new Map<number, Span[]>()
  const add = (span: Span): void => {
    for (let block = Math.floor(span.start / BLOCK); block <= Math.floor(span.end / BLOCK); block++) {
      const known = blocks.get(block)
      if (known === undefined) blocks.set(block, [span])
      else known.push(span)
    }
  }
  spans.forEach(add)
  return {
    add,
    overlaps({ start, end }) {
      for (let block = Math.floor(start / BLOCK); block <= Math.floor(end / BLOCK); block++) {
        if (blocks.get(block)?.some((other) => other.start < end && other.end > start) === true) return true
      }
      return false
    },
  }
}
