import type { LinkedFile } from './links.ts'
import type { Arrival } from './arrivals.ts'

/** Claims of a token that decide somewhere, as what is wrong with the call that decodes it without verifying its signature. */
export function withDecodings(arrivals: readonly Arrival[], files: readonly LinkedFile[]): Arrival[] {
  const found = new Map<string, Arrival>()
  return arrivals.flatMap((arrival) => {
    if (arrival.sink.of !== 'claims') return [arrival]
    const path = arrival.path()
    const [first] = path
    // what one function decodes and decides by, the rule on that file says more of
    if (!path.some(({ crosses }) => crosses)) return []
    const nodes = first && files[first.file]?.flow.nodes
    if (first === undefined || nodes === undefined) return []
    const key = `${first.file} ${first.node}`
    if (found.has(key)) return []
    const span = { start: nodes[first.node * 2] ?? 0, end: nodes[first.node * 2 + 1] ?? 0 }
    const moved = { ...arrival, at: { file: first.file, span } }
    found.set(key, moved)
    return [moved]
  })
}
