import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { groupBy } from '../../lists.ts'
import { CALLBACK_SOURCES, type CallbackSource } from '../models/callback-sources.ts'
import { ANY_FIELD, WRITE } from '../types.ts'
import { addHandedFunction } from '../calls/callables.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** A row, its access path read: from the call to the function, the parameter, and from there to the data. */
interface Row extends CallbackSource {
  readonly argument: number
  readonly fields: readonly string[]
  readonly parameter: number
  readonly path: readonly string[]
}

const ROWS: ReadonlyMap<string, readonly (readonly [path: string, row: Row])[]> = groupBy(
  CALLBACK_SOURCES.map(toRow).flatMap((row) => row.calls.map((path) => [path, row] as const)),
  ([path]) => path,
)

function toRow(source: CallbackSource): Row {
  const steps = [...source.at.matchAll(/(Argument|Member|Parameter|ArrayElement)(?:\[([^\]]{1,80})\])?/g)]
  const at = steps.findIndex(([, kind]) => kind === 'Parameter')
  const named = (from: number, to?: number): readonly string[] =>
    steps.slice(from, to).map(([, kind, name = '']) => (kind === 'ArrayElement' ? ANY_FIELD : name))
  const [argument, ...fields] = named(0, at)
  return { ...source, argument: Number(argument), fields, parameter: Number(steps[at]?.[2]), path: named(at + 1) }
}

/** Adds what packages hand to the functions that they are given: `consumer.run({ eachMessage: ({ message }) => … })`. */
export function addCallbackSources(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  for (const path of paths)
    for (const [, row] of ROWS.get(path) ?? []) {
      const called = functionIn(call, row)
      if (called !== undefined) addSource(called, row, draft)
    }
}

function functionIn({ args }: CallValue, { event, argument, fields }: Row): Value | undefined {
  if (event !== undefined && (args[0] === undefined || constantOf(args[0]) !== event)) return undefined
  return fields.reduce<Value | undefined>((value, name) => value && fieldOf(resolveValue(value), name)?.value, args[argument])
}

function addSource(called: Value, { parameter, path }: Row, draft: FlowDraft): void {
  const { graph, sources } = draft
  const nodes = Array.from({ length: parameter + 1 }, () => graph.add(called))
  let here = graph.add(called)
  sources.push({ node: here, origin: 'request', weak: false })
  for (const name of path.toReversed()) {
    const around = graph.add(called)
    graph.connect(here, around, WRITE, name)
    here = around
  }
  nodes[parameter] = here
  addHandedFunction(called, nodes, graph.add(called), draft)
}
