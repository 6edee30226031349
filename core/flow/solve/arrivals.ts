import { append } from '../../lists.ts'
import type { Span } from '../../types.ts'
import type { JoinedGraph } from '../app/joined-graph.ts'
import type { FlowPlace } from './fact-paths.ts'
import type { Label } from './labels.ts'
import type { FlowSink, Origin } from '../types.ts'

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
}

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
