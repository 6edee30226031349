import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { ANY_FIELD, WRITE } from '../types.ts'
import type { FlowDraft } from './draft.ts'

/** `["Access", order.access]` in a list of such: names and values lie at places of their own. */
export function tupleNode(value: Value & { readonly kind: 'array' }, { graph, use }: FlowDraft): number {
  if (value.items.length < 2 || value.items.some(({ kind }) => kind === 'spread')) return use(value)
  const node = graph.add(value)
  for (const [index, item] of value.items.entries()) graph.connect(use(item), node, WRITE, String(index))
  return node
}

/** `Object.fromEntries(names.map((name) => [name, encode(name)]))`: the values are the second ones alone. Gives whether the pairs are written there. */
export function addEntries({ args: [list] }: CallValue, result: number, { graph, use }: FlowDraft): boolean {
  const made = list && resolveValue(list)
  if (made?.kind !== 'call' || made.callee.kind !== 'member' || made.callee.name !== 'map') return false
  const values = functionOf(made.args[0])?.returns.map((pair) =>
    pair.kind === 'array' && pair.items.length === 2 ? pair.items[1] : undefined,
  )
  if (values === undefined || values.length === 0) return false
  const known = values.flatMap((value) => (value === undefined || value.kind === 'spread' ? [] : [value]))
  if (known.length < values.length) return false
  for (const value of known) graph.connect(use(value), result, WRITE, ANY_FIELD)
  return true
}

/** `[["intro", text], ["help", HELP]]`, from which an object or a map is made: each value has its name. Gives whether all names are written there. */
export function addNamedPairs(list: Value | undefined, result: number, { graph, use }: FlowDraft): boolean {
  const isGrown = list?.kind === 'reference' && (list.binding?.additions.length ?? 0) > 0
  const made = list && resolveValue(list)
  if (isGrown || made?.kind !== 'array' || made.items.length === 0) return false
  const pairs = made.items.map((item): readonly [string, Value] | undefined => {
    const pair = resolveValue(item)
    const [key, value] = pair.kind === 'array' ? pair.items : []
    const name = key && constantOf(key)
    return value === undefined || value.kind === 'spread' || typeof name !== 'string' ? undefined : [name, value]
  })
  const known = pairs.flatMap((pair) => (pair === undefined ? [] : [pair]))
  if (known.length < pairs.length) return false
  for (const [name, value] of known) graph.connect(use(value), result, WRITE, name)
  return true
}
