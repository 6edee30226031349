import {
  isConditional,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAround, isWithin } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import { CHECKED_FIELDS } from '../places.ts'
import { ANY_FIELD, MOVE, WRITE } from '../types.ts'
import { GONE } from '../field-marks.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** A field that a loop writes into each item of a list: what it held before is gone. */
interface FilledField {
  readonly list: readonly string[]
  readonly name: string
  readonly value: Value
  readonly by: CallValue
}

/** What loops above wrote into all items of the list that is read. */
export type FilledRows = (list: Value) => readonly FilledField[]

/** `rows.forEach((row) => { row.address = this.addressOf(row) })`: behind it `rows` holds no other addresses. */
export function createFilledRows(facts: ScriptFacts, step: (count?: number) => void): FilledRows {
  let known: ReadonlyMap<Binding, readonly FilledField[]> | undefined
  return (list) => {
    known ??= fillingLoops(facts, step)
    if (known.size === 0) return []
    const read = pathOf(list)
    const found = read && known.get(read.binding)
    if (read === undefined || found === undefined) return []
    step(1 + (facts.guards.length >> 3))
    return found.filter(
      ({ by, list: path }) => by.end <= list.start && path.join('.') === read.names.join('.') && isSurelyBefore(by, list, facts),
    )
  }
}

/** No condition or loop stands around the call alone; nobody gives the name another list meanwhile. */
function isSurelyBefore(by: CallValue, list: Value, { guards, partial, assignments }: ScriptFacts): boolean {
  const isOnlyAround = (span: Span): boolean => isWithin(by, span) && !isWithin(list, span)
  if (guards.some(({ inside }) => isOnlyAround(inside)) || partial.some(isOnlyAround) || !isWithin(list, by.function))
    return false
  const binding = pathOf(list)?.binding
  return !assignments.some(({ target, start }) => start > by.end && start < list.start && pathOf(target)?.binding === binding)
}

function fillingLoops(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<Binding, readonly FilledField[]> {
  const loops = new Map<FunctionFact, { readonly row: Binding; readonly list: Path; readonly by: CallValue }>()
  for (const call of facts.calls) {
    if (lastNameOf(call.callee) !== 'forEach' || !('object' in call.callee)) continue
    const body = functionOf(call.args[0])
    const row = body?.parameters[0]
    const list = pathOf(call.callee.object)
    if (body !== undefined && row !== undefined && list !== undefined) loops.set(body, { row, list, by: call })
  }
  const found = new Map<Binding, FilledField[]>()
  if (loops.size === 0) return found
  for (const { target, value, operator, start, function: within } of facts.assignments) {
    const loop = loops.get(within)
    if (loop === undefined || operator !== '=' || target.name === undefined) continue
    const object = pathOf(target.object)
    if (object?.binding !== loop.row || object.names.length > 0) continue
    step(1 + (facts.guards.length >> 3))
    const leaves = facts.guards.some((guard) => guard.function === within && guard.exits && guard.end <= start)
    if (leaves || isConditionalIn(within, start, facts)) continue
    const { binding, names } = loop.list
    found.set(binding, [...(found.get(binding) ?? []), { list: names, name: target.name, value, by: loop.by }])
  }
  return found
}

function isConditionalIn(within: FunctionFact, at: number, { guards, partial }: ScriptFacts): boolean {
  const isInner = ({ start }: { start: number }): boolean => start > within.start
  return (
    isConditional(
      guards.filter(({ function: around }) => around === within),
      at,
    ) || partial.some((span) => isInner(span) && isAround(span, at))
  )
}

const MAX_PATH = 3

interface Path {
  readonly binding: Binding
  readonly names: readonly string[]
}

/** `rows`, `answer.results`. */
function pathOf(value: Value): Path | undefined {
  const names: string[] = []
  let here = value
  for (; 'object' in here && names.length < MAX_PATH; here = here.object) {
    if (here.name === undefined) return undefined
    names.unshift(here.name)
  }
  return 'binding' in here && here.binding !== undefined ? { binding: here.binding, names } : undefined
}

/** The node of a list without what loops wrote over in its items. */
export function rowsNode(node: number, list: Value, { graph, use, fields }: FlowDraft): number {
  const filled = fields.filledRows(list)
  if (filled.length === 0) return node
  const result = graph.add(list)
  const marks = filled.map(({ name }) => `${GONE}${ANY_FIELD}.${name}`)
  graph.connect(node, result, MOVE, CHECKED_FIELDS + [...new Set(marks)].join(' '))
  for (const { name, value } of filled) graph.connect(graph.derive(use(value), value, WRITE, name), result, WRITE, ANY_FIELD)
  return result
}
