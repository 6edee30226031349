import type { LinkedFile } from '../app/links.ts'
import { UNCHECKED_SENDER } from '../models/faults.ts'
import { MESSAGE_FAULTS } from '../tables/web.ts'
import type { Arrival } from './arrivals.ts'

const PAGE = /\.html?$/

/** Messages that run as code, become markup or lead the page elsewhere, as what is wrong with the listeners that take them from any sender. */
export function listenedArrivals(arrivals: readonly Arrival[], files: readonly LinkedFile[]): Arrival[] {
  const found = new Map<string, { readonly arrival: Arrival; readonly before: readonly string[] }>()
  for (const arrival of arrivals) {
    if (arrival.label.origin !== 'window-message' || !MESSAGE_FAULTS.has(arrival.sink.fault)) continue
    const [first] = arrival.path()
    if (first === undefined) continue
    const { path = '', flow } = files[first.file] ?? {}
    const listener = flow?.sources.find(({ node, listener: own }) => own !== undefined && node === first.node)?.listener
    const key = `${path} ${listener?.start}`
    // of pages the rule that looks at each listener alone says it
    if (flow === undefined || listener === undefined || found.has(key) || PAGE.test(path)) continue
    const before = flow.sources.flatMap(({ listener: other }) =>
      other !== undefined && other.start < listener.start ? `${path} ${other.start}` : [],
    )
    const at = { file: first.file, span: listener }
    found.set(key, { before, arrival: { ...arrival, fault: UNCHECKED_SENDER, at } })
  }
  // findings in the same words are numbered: behind a listener that is harmless here, this one would have the number of another
  return [...found.values()].flatMap(({ arrival, before }) => (before.every((key) => found.has(key)) ? arrival : []))
}
