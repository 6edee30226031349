import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, stringConstantOf, resolveValue, type CallValue, type Value, type Definition } from '../../facts/index.ts'
import { ENTRY, PLACES } from '../places.ts'
import { ANY_FIELD, COPY, MOVE, WRITE, READ } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { ITERATOR_KEY } from '../../facts/iterator-key.ts'

/** `["Access", order.access]` in a list of such: names and values lie at places of their own. */
export function tupleNode(value: Value & { readonly kind: 'array' }, { graph, use }: FlowDraft): number {
  if (value.items.length < 2 || value.items.some(({ kind }) => kind === 'spread')) return use(value)
  const node = graph.add(value)
  for (const [index, item] of value.items.entries()) graph.connect(use(item), node, WRITE, String(index))
  return node
}

/** The items of a list at their places; of a list of pairs by what comes first in each. */
export function connectItems({ items }: Value & { readonly kind: 'array' }, to: number, { graph, use }: FlowDraft): void {
  const first = items.findIndex(({ kind }) => kind === 'spread')
  const known = items.length > PLACES ? 0 : first < 0 ? items.length : first
  for (const [index, item] of items.entries())
    if (item.kind !== 'spread')
      graph.connect(use(item), to, WRITE, keyOfPair(item) ?? (index < known ? String(index) : ANY_FIELD))
    else if (index === 0) graph.connect(use(item.value), to, COPY)
    else graph.connect(use(item.value), to, MOVE, index === known ? `shift ${-index}` : 'mix')
}

/** `['file', name]`. */
function keyOfPair(item: Value): string | undefined {
  const [name, , more] = item.kind === 'array' ? item.items : []
  const key = name === undefined || more !== undefined ? undefined : constantOf(name)
  return typeof key === 'string' ? `${ENTRY}${key}` : undefined
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
    const name = stringConstantOf(key)
    return value === undefined || value.kind === 'spread' || name === undefined ? undefined : [name, value]
  })
  const known = pairs.flatMap((pair) => (pair === undefined ? [] : [pair]))
  if (known.length < pairs.length) return false
  for (const [name, value] of known) graph.connect(use(value), result, WRITE, name)
  return true
}

/** The callback gets what it gave before, and an item. */
export function addReduce(call: CallValue, receiver: number, result: number, draft: FlowDraft): void {
  const { graph, use, calling } = draft
  const callback = functionOf(call.args[0])
  if (callback === undefined || !calling.functions.has(callback)) return
  const [, initial] = call.args
  // of an empty list; an object that gathers the items is what comes out
  if (initial !== undefined) graph.connect(use(initial), result, COPY)
  const [sum, item] = [draft.parameters.nodeOf(callback, 0), draft.parameters.nodeOf(callback, 1)]
  const given = graph.of(callback).node
  if (item !== undefined) graph.connect(receiver, item, READ, ANY_FIELD)
  if (sum !== undefined) {
    graph.connect(given, sum, COPY)
    if (initial !== undefined) graph.connect(use(initial), sum, COPY)
  }
  graph.connect(given, result, COPY)
}

/** What a loop walks: where it is an object of the app, what its iterator gives. Fact: ECMAScript, iterable protocols. */
export function addIterated({ kind, value }: Definition, draft: FlowDraft): number | undefined {
  if (kind !== 'each' || value === undefined) return undefined
  const here = resolveValue(value)
  if (here.kind !== 'member' && here.kind !== 'reference' && here.kind !== 'new') return undefined
  const items = draft.graph.add(value)
  draft.environment.calls.addImplicitCall(value, ITERATOR_KEY, items, draft)
  return items
}

/** `title.padEnd(40, '.')`: a column of a line; with zeros it is the number of a row, as SAP writes it. */
export function isPaddedToColumn(name: string, { args: [, filler] }: CallValue): boolean {
  if (name !== 'padEnd' && name !== 'padStart') return false
  const sign = filler === undefined ? ' ' : constantOf(filler)
  return typeof sign === 'string' && !/^0*$/.test(sign)
}
