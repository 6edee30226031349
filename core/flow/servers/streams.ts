import { constantOf, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { ANY_FIELD, COPY, READ, STREAM_PIECE } from '../types.ts'
import { ITERATING, PIPELINES, STREAM_EVENTS } from '../tables/propagators.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { LISTENING } from '../models/callback-sources.ts'
import { emitterBehind } from '../sources/callback-sources.ts'
import { writeInto } from '../values/writes.ts'

/** Adds how streams hand on what they carry: `content.pipe(parser)`, `pipeline(content, parser, …)`, `parser.on('data', (row) => …)`. */
export function addStream(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const { callee, args, kind } = call
  const [first, second] = args
  if (kind !== 'call' || first === undefined) return
  if (paths.some((path) => PIPELINES.has(path))) return addPipeline(args, draft)
  if (paths.some((path) => ITERATING.test(path))) {
    const each = functionOf(args.find((argument) => functionOf(argument) !== undefined))
    hand(draft.use(first), each, draft, [0])
    if (each !== undefined) draft.graph.connect(draft.graph.of(each).node, result, COPY)
    return
  }
  if (callee.kind !== 'member') return
  const { name, object } = callee
  if (name === 'pipe' || name === 'pipeThrough') {
    feed(object, first, draft)
    draft.graph.connect(draft.use(first), result, COPY)
  } else if (LISTENING.has(name ?? '') && second !== undefined && STREAM_EVENTS.has(String(constantOf(first)))) {
    const stream = draft.use(emitterBehind(object))
    draft.graph.connect(stream, result, COPY)
    hand(stream, functionOf(second), draft)
  }
}

/** Each part gets what the one before gives; a function gets it as its parameter. */
function addPipeline(args: readonly Value[], draft: FlowDraft): void {
  const stages = args[0]?.kind === 'array' ? args[0].items : args
  for (const [index, stage] of stages.entries()) {
    const next = stages[index + 1]
    if (next === undefined) return
    const made = functionOf(stage)
    const given = made === undefined ? draft.use(stage) : draft.graph.of(made).node
    const taking = functionOf(next)
    if (taking !== undefined) hand(given, taking, draft)
    else writeInto(next, given, draft)
  }
}

function feed(from: Value, to: Value, draft: FlowDraft): void {
  const fact = functionOf(to)
  if (fact === undefined) writeInto(to, draft.use(from), draft)
  else hand(draft.use(from), fact, draft)
}

/** What is carried, or each piece of it. */
function hand(
  from: number,
  fact: FunctionFact | undefined,
  { graph, parameters }: FlowDraft,
  places: readonly number[] = [0, 1],
): void {
  for (const index of places) {
    const parameter = fact && parameters.nodeOf(fact, index)
    if (parameter === undefined) continue
    graph.connect(from, parameter, COPY)
    graph.connect(from, parameter, READ, ANY_FIELD)
    graph.connect(from, parameter, READ, STREAM_PIECE)
  }
}
