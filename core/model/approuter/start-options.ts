import { fieldOf, resolveValue } from '../../facts/values.ts'
import type { ScriptFacts, Value } from '../../facts/types.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { DataNode } from '../../parse/data.ts'

const OPTION = 'xsappConfig'
/** What a name stands for is followed no deeper (a descriptor has four levels), and no more often: names may stand for each other's parts many times. */
const MAX_DEPTH = 8
const MAX_NODES = 20_000

/**
 * Descriptors that start scripts hand over instead of xs-app.json: `approuter.start({ xsappConfig: { routes: […] } })`.
 * Facts: @sap/approuter 23.0.0, doc/extending.md (`start`, `xsappConfig`) and lib/configuration.js: it counts before the file.
 */
export const startDescriptors: Extract<DataNode> = defineExtract({
  name: 'approuter-start-descriptors',
  keywords: [OPTION],
  collect: ({ facts }) => descriptorsIn(facts).map((value) => toData(value, 0, { nodes: MAX_NODES })),
})

function descriptorsIn({ calls }: ScriptFacts): Value[] {
  return calls.flatMap(({ args: [options] }) => {
    const config = fieldOf(options && resolveValue(options), OPTION)?.value
    const value = config && resolveValue(config)
    return value?.kind === 'object' ? [value] : []
  })
}

/** What is no constant is null, which no rule reads anything out of. */
function toData(written: Value, depth: number, left: { nodes: number }): DataNode {
  const value = resolveValue(written)
  const { start, end } = value
  if (--left.nodes < 0) return { kind: 'null', value: null, start, end }
  if (depth < MAX_DEPTH && value.kind === 'array')
    return { kind: 'array', start, end, items: value.items.map((item) => toData(item, depth + 1, left)) }
  if (depth < MAX_DEPTH && value.kind === 'object') {
    const members = value.fields.flatMap((field) =>
      field.key === undefined
        ? []
        : [{ key: field.key, keySpan: { start: field.start, end: field.end }, value: toData(field.value, depth + 1, left) }],
    )
    return { kind: 'object', start, end, members }
  }
  if (value.kind !== 'literal' || value.value === null) return { kind: 'null', value: null, start, end }
  // a string's place is without its quotes
  if (typeof value.value === 'string') return { kind: 'string', value: value.value, start: start + 1, end: end - 1 }
  return { kind: typeof value.value === 'number' ? 'number' : 'boolean', value: value.value, start, end }
}
