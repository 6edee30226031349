import type { LinkedFile } from './links.ts'
import { MESSAGE_FAULTS } from './tables/web.ts'
import type { Arrival } from './solve.ts'

const PAGE = /\.html?$/

/** Messages that run as code, become markup or lead the page elsewhere, as what is wrong with the listeners that take them from any sender. */
export function listenedArrivals(arrivals: readonly Arrival[], files: readonly LinkedFile[]): Arrival[] {
  const found = new Map<string, Arrival>()
  for (const arrival of arrivals) {
    if (arrival.label.origin !== 'window-message' || !MESSAGE_FAULTS.has(arrival.sink.fault)) continue
    const [first] = arrival.path()
    if (first === undefined) continue
    const { path = '', flow } = files[first.file] ?? {}
    const listening = flow?.sources.filter((source) => source.listener !== undefined) ?? []
    const listener = listening.find(({ node }) => node === first.node)?.listener
    const key = `${path} ${listener?.start}`
    // of pages, and of several listeners that are registered in the same words, the rule that looks at each alone says it
    if (listener === undefined || listening.length > 1 || found.has(key) || PAGE.test(path)) continue
    found.set(key, { ...arrival, fault: 'ui5/postmessage-no-origin-check', at: { file: first.file, span: listener } })
  }
  return [...found.values()]
}
