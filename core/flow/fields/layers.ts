import { resolveValue, type ObjectField, type Value } from '../../facts/index.ts'
import { MOVE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

const MAX_KEYS = 12

/** The fields that are surely written. */
export function keysIn(fields: readonly ObjectField[]): readonly string[] {
  return fields.flatMap(({ key, value }) => {
    if (value.kind !== 'spread') return key ?? []
    const spread = resolveValue(value.value)
    return spread.kind === 'object' ? keysIn(spread.fields) : []
  })
}

/** The fields of the objects that a call puts over others: `Object.assign({}, given, { name })`. */
export function keysOfObjects(args: readonly Value[]): readonly string[] {
  return args.flatMap((argument) => {
    const here = resolveValue(argument)
    return here.kind === 'object' ? keysIn(here.fields) : []
  })
}

/** An object without the fields that others are put over. */
export function layerNode(value: Value, replaced: readonly string[], { graph, use }: FlowDraft): number {
  let here = use(value)
  for (const key of new Set(replaced.slice(0, MAX_KEYS))) {
    const next = graph.add(value)
    graph.connect(here, next, MOVE, `without ${key}`)
    here = next
  }
  return here
}
