import { findFirst } from '../lists.ts'
import type { Span } from '../types.ts'

/** The place of something alone, without what else is known of it. */
export function spanOf({ start, end }: Span): Span {
  return { start, end }
}

/**
 * Finds the items around an offset, those that begin last first: the innermost one where they are nested, as functions are. Costs the logarithm of their number, and
 * the items around.
 */
export function createSpanIndex<Item>(items: readonly Item[], spanOf: (item: Item) => Span): (offset: number) => readonly Item[] {
  const sorted = items.map((item) => ({ item, span: spanOf(item) })).sort((a, b) => a.span.start - b.span.start)
  // the end of whatever began before: nothing further back reaches a place behind it
  let furthest = 0
  const reach = sorted.map(({ span }) => (furthest = Math.max(furthest, span.end)))
  return (offset) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.span.start ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    const found: Item[] = []
    for (let at = low - 1; at >= 0 && (reach[at] ?? 0) > offset; at--) {
      const here = sorted[at]
      if (here !== undefined && offset < here.span.end) found.push(here.item)
    }
    return found
  }
}

/** Finds the items that lie within a span, in the order of the text. Costs the logarithm of their number, and the items that begin in it. */
export function createInnerIndex<Item extends Span>(items: readonly Item[]): (around: Span) => readonly Item[] {
  const sorted = items.toSorted((a, b) => a.start - b.start)
  const firstFrom = (offset: number): number => findFirst(sorted.length, (index) => (sorted[index]?.start ?? 0) >= offset)
  return (around) => sorted.slice(firstFrom(around.start), firstFrom(around.end)).filter((item) => isWithin(item, around))
}

/** Tells whether any of these offsets lies in a span. Costs the logarithm of their number. */
export function createOffsetIndex(offsets: Iterable<number>): (around: Span) => boolean {
  const sorted = [...offsets].toSorted((a, b) => a - b)
  return ({ start, end }) => (sorted[findFirst(sorted.length, (index) => (sorted[index] ?? 0) >= start)] ?? end) < end
}

export function isWithin(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** Whether an offset lies in a span. */
export function isAround({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset < end
}
