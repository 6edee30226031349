import {
  findPart,
  functionAround,
  isOnTheWay,
  type Binding,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { mentionsCaller } from '../_callers/caller-values.ts'
import { eventNamesOf, findHandledFunctions } from '../_handlers/handled-functions.ts'
import { answersAsAsked } from './list-filters.ts'
import type { RowFilter } from './row-filters.ts'
import { missingOf, ofSkips, refusesOthers, skipsBy, skipsOf } from './skipped-filters.ts'

/**
 * Handlers that let CAP read, and give back the rows of the caller alone: `const rows = await next(); return rows.filter((row) => row.owner === req.user.id)`. The span
 * of such a filter is that of the call.
 */
export function* resultFilters(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<RowFilter> {
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  for (const call of facts.calls) {
    step()
    const column = ownerCompared(call, text)
    const around = column === undefined ? undefined : functionAround(facts, call.start)
    if (column === undefined || around === undefined || !isOfRows(call, step)) continue
    const handler = (handled ??= findHandledFunctions(facts)).handlerOf(call)
    const events = handler?.events.flatMap((name) => name ?? []) ?? []
    if (handler?.phase !== 'on' || handler.fact !== around || !events.some((name) => name === 'READ' || name === '*')) continue
    step(facts.guards.length + facts.calls.length + around.returns.length)
    if (!around.returns.some((value) => findPart(value, (part) => part === call) !== undefined)) continue
    const guards = facts.guards.filter((guard) => isWithin(guard, around) && isOnTheWay(guard, call.start) && !asksForList(guard))
    const skips = guards.flatMap((guard) =>
      isWithin(call, guard.inside) ? skipsOf(guard.test, true, text) : skipsBy(guard, true, text),
    )
    const inside = guards.find((guard) => isWithin(call, guard.inside))?.inside ?? call
    const isOpen = !skips.some(({ reason }) => reason === 'other') && !refusesOthers(facts, around, inside, text, step)
    const opened = isOpen ? missingOf(skips, text, step) : undefined
    yield {
      start: call.start,
      end: call.end,
      ...eventNamesOf(handler),
      exported: '',
      column,
      ...ofSkips(skips),
      ...(opened !== undefined && { opened }),
    }
  }
}

/** `owner` of `rows.filter((row) => row.owner === req.user.id)`. */
function ownerCompared({ callee, args: [keeps] }: CallValue, text: string): string | undefined {
  if (!('object' in callee) || callee.name !== 'filter') return undefined
  const keeper = functionOf(keeps)
  const row = keeper?.parameters[0]
  const [compared, another] = keeper?.returns ?? []
  if (row === undefined || compared === undefined || another !== undefined) return undefined
  if (!('operands' in compared) || !/^===?$/.test(compared.operator)) return undefined
  const [one, other] = compared.operands
  if (one === undefined || other === undefined) return undefined
  const left = elementOf(one, row)
  const right = elementOf(other, row)
  if (left !== undefined && right === undefined && mentionsCaller(other, text)) return left
  return right !== undefined && left === undefined && mentionsCaller(one, text) ? right : undefined
}

function elementOf(value: Value, row: Binding): string | undefined {
  const isOfRow = 'object' in value && 'binding' in value.object && value.object.binding === row
  return isOfRow && 'name' in value ? value.name : undefined
}

/** What CAP answers, by any name: `await next()`, `cds.run(req.query)`. */
function isOfRows({ callee }: CallValue, step: (count?: number) => void): boolean {
  const open: Value[] = 'object' in callee && callee.object !== undefined ? [callee.object] : []
  const seen = new Set<Binding>()
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    step()
    if (answersAsAsked(awaited(here))) return true
    const binding = 'binding' in here ? here.binding : undefined
    if (binding === undefined || seen.has(binding)) continue
    seen.add(binding)
    for (const { value, path } of binding.definitions) if (value !== undefined && path.length === 0) open.push(value)
  }
  return false
}

/** `if (Array.isArray(rows))`: a single row is another matter. */
function asksForList({ test }: Guard): boolean {
  const asked = 'operands' in test && test.operator === '!' ? test.operands[0] : test
  return asked !== undefined && 'callee' in asked && lastNameOf(asked.callee) === 'isArray'
}
