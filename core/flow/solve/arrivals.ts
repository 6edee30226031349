import { append } from '../../lists.ts'
import { isPageTemplate } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import type { JoinedGraph } from '../app/joined-graph.ts'
import type { FlowPlace } from './fact-paths.ts'
import type { Label } from './labels.ts'
import type { FlowSink, Origin } from '../types.ts'
import type { LinkedFile } from '../app/links.ts'
import { UNCHECKED_SENDER } from '../models/faults.ts'
import { MESSAGE_FAULTS } from '../tables/web.ts'

/** Data that reached a sink. */
export interface Arrival {
  readonly file: number
  readonly sink: FlowSink
  /** The rule that reports it, and where, if not those of the sink. */
  readonly fault?: string
  readonly at?: { readonly file: number; readonly span: Span }
  readonly label: Label
  /** What the path begins with: the request of a service or of a route. */
  readonly entry: Origin
  /** From the source to the sink; made when it is asked for, since a hostile app has more arrivals than a report tells. */
  path(): readonly FlowPlace[]
  /** The same by other callers of the functions on its way, one for each place where it may begin. */
  others?(): Iterable<OtherWay>
}

export type OtherWay = Pick<Arrival, 'entry' | 'label' | 'path'>

/**
 * A text that one place of the file puts together and a function of it runs is told once, where it runs; where several places put one together, each is told by
 * itself, and not where they run.
 */
export function withoutForwarded(
  arrivals: readonly Arrival[],
  { originals }: Pick<JoinedGraph, 'originals'>,
): readonly Arrival[] {
  const placeOf = (file: number, fault: string, { start, end }: Span): string => `${originals[file]} ${fault} ${start} ${end}`
  const texts = new Map<string, Arrival[]>()
  for (const one of arrivals)
    if (one.sink.runsAt !== undefined) append(texts, placeOf(one.file, one.sink.fault, one.sink.runsAt), one)
  if (texts.size === 0) return arrivals
  const gone = new Set<Arrival>()
  for (const one of arrivals) {
    const made = texts.get(placeOf(one.file, one.sink.fault, one.sink)) ?? []
    const [first] = made
    if (first === undefined || one.sink.runsAt !== undefined) continue
    const through = new Set(one.path().map(({ file, node }) => `${originals[file]} ${node}`))
    if (made.some(({ file, sink }) => through.has(`${originals[file]} ${sink.node}`))) gone.add(made.length === 1 ? first : one)
  }
  return arrivals.filter((one) => !gone.has(one))
}

/** An object that is made of data and then handed on is told where it is used. */
export function withoutPassedOn(arrivals: readonly Arrival[], { originals }: Pick<JoinedGraph, 'originals'>): Arrival[] {
  const passing = new Set(arrivals.flatMap(({ sink }) => (sink.isPassedOn === true ? sink.fault : [])))
  if (passing.size === 0) return [...arrivals]
  const used = new Set<string>()
  for (const { sink, path } of arrivals)
    if (passing.has(sink.fault) && sink.isPassedOn !== true)
      for (const { file, node } of path()) used.add(`${sink.fault} ${originals[file]} ${node}`)
  return arrivals.filter(
    ({ sink, file }) => sink.isPassedOn !== true || !used.has(`${sink.fault} ${originals[file]} ${sink.node}`),
  )
}

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
    if (flow === undefined || listener === undefined || found.has(key) || /\.html?$/.test(path) || isPageTemplate(path)) continue
    const before = flow.sources.flatMap(({ listener: other }) =>
      other !== undefined && other.start < listener.start ? `${path} ${other.start}` : [],
    )
    const at = { file: first.file, span: listener }
    found.set(key, { before, arrival: { ...arrival, fault: UNCHECKED_SENDER, at } })
  }
  // findings in the same words are numbered: behind a listener that is harmless here, this one would have the number of another
  return [...found.values()].flatMap(({ arrival, before }) => (before.every((key) => found.has(key)) ? arrival : []))
}

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
