import type { LinkedFile } from '../app/links.ts'
import type { Arrival } from './arrivals.ts'
import type { FlowPlace } from './fact-paths.ts'

/** Claims of a token that decide somewhere, as what is wrong with the call that decodes it without verifying its signature. */
export function withDecodings(arrivals: readonly Arrival[], files: readonly LinkedFile[]): Arrival[] {
  const found = new Set<string>()
  const paths = new Map(arrivals.flatMap((arrival) => (arrival.sink.of === 'claims' ? [[arrival, arrival.path()] as const] : [])))
  const decoded = new Set([...paths.values()].flatMap(([first]) => (first === undefined ? [] : keyOf(first))))
  return arrivals.flatMap((arrival) => {
    const path = paths.get(arrival)
    if (path === undefined) return [arrival]
    const [first, ...rest] = path
    // `JSON.parse(part(token))`, where `part` decodes: one fault
    if (rest.some((place) => decoded.has(keyOf(place)))) return []
    // what one function decodes and decides by, the rule on that file says more of
    if (!path.some(({ crosses }) => crosses)) return []
    const nodes = first && files[first.file]?.flow.nodes
    if (first === undefined || nodes === undefined) return []
    const key = keyOf(first)
    if (found.has(key)) return []
    const span = { start: nodes[first.node * 2] ?? 0, end: nodes[first.node * 2 + 1] ?? 0 }
    found.add(key)
    return [{ ...arrival, at: { file: first.file, span } }]
  })
}

function keyOf({ file, node }: FlowPlace): string {
  return `${file} ${node}`
}
