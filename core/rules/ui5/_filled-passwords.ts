import type { Callback } from '../../facts/callbacks.ts'
import {
  resolveValue,
  type Definition,
  type FunctionFact,
  type MemberValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { groupBy } from '../../lists.ts'
import { isPasswordName, isRepeatedPassword } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { keptIn } from './_compared-accounts.ts'
import { isOfThis } from './_user-identities.ts'

/** A field of the page that is given the password of a row. */
interface FilledPassword {
  readonly at: Span
  readonly property: string
}

type Callbacks = ReadonlyMap<FunctionFact, Callback>
type Step = (count?: number) => void

/** What fills a field: `setText` gives labels their texts, which may be rows of a list of translations. */
const FILLS = 'setValue'

/** Values that are looked at for the row of one field. */
const MAX_VALUES = 100

/** `this.byId("password").setValue(row.Password)`, where the row is one that a list shows, or an item of a list. */
export function* filledPasswords(facts: ScriptFacts, callbacks: Callbacks, step: Step): Generator<FilledPassword> {
  let isRow: ((value: Value) => boolean) | undefined
  for (const { callee, args } of facts.calls) {
    const [given] = args
    if (given === undefined || lastNameOf(callee) !== FILLS) continue
    const read = fieldIn(given)
    if (read?.name === undefined || !isPasswordName(read.name) || isRepeatedPassword(read.name)) continue
    isRow ??= createRowReader(facts, callbacks, step)
    if (isRow(read.object)) yield { at: { start: read.start, end: read.end }, property: read.name }
  }
}

/** `row.Password` of `row.Password || ""`. */
function fieldIn(given: Value): MemberValue | undefined {
  if (given.kind === 'member') return given
  return given.kind === 'choice' ? given.options.find((one) => one.kind === 'member') : undefined
}

function createRowReader(facts: ScriptFacts, callbacks: Callbacks, step: Step): (value: Value) => boolean {
  const kept = groupBy(
    facts.assignments.filter(({ target }) => isOfThis(target.object)),
    ({ target }) => target.name,
  )
  const called = groupBy(
    facts.calls.filter(({ callee }) => callee.kind === 'member' && isOfThis(callee.object)),
    ({ callee }) => lastNameOf(callee),
  )
  step(facts.assignments.length + facts.calls.length)
  const behindDefinition = ({ kind, value, path, parameter, function: around }: Definition): readonly Value[] => {
    if (path.length > 0) return []
    if (kind !== 'parameter') return value === undefined || kind === 'each' || kind === 'key' ? [] : [value]
    if (parameter === undefined || around.owner === undefined) return []
    const calls = called.get(around.name.slice(around.name.lastIndexOf('.') + 1)) ?? []
    return calls.slice(0, MAX_VALUES).flatMap(({ args }) => args[parameter] ?? [])
  }
  const behind = (here: Value): readonly Value[] => {
    if (here.kind === 'choice') return here.options
    if (here.kind === 'reference') return (here.binding?.definitions ?? []).slice(0, MAX_VALUES).flatMap(behindDefinition)
    // this.picked = row, in another method
    if (here.kind !== 'member' || here.name === undefined || !isOfThis(here.object)) return []
    return (kept.get(here.name) ?? []).slice(0, MAX_VALUES).map(({ value }) => value)
  }
  return (value) => {
    const found = new Set<unknown>()
    const open = [value]
    // what is added on the way is visited too
    for (const one of open) {
      step()
      const here = resolveValue(one)
      if ((here.kind === 'call' && isObjectOfContext(here.callee)) || isKept(here, callbacks)) return true
      const source = here.kind === 'reference' ? here.binding : here.kind === 'member' && isOfThis(here.object) ? here.name : here
      if (found.has(source)) continue
      found.add(source)
      if (open.length < MAX_VALUES) open.push(...behind(here))
    }
    return false
  }
}

/** An item of a list, and not what the controller keeps under a name. */
function isKept(here: Value, callbacks: Callbacks): boolean {
  if (here.kind !== 'call' && here.kind !== 'reference' && here.kind !== 'member') return false
  return (here.kind !== 'member' || !isOfThis(here.object)) && keptIn(here, callbacks) !== undefined
}

/** `item.getBindingContext("crew").getObject()`, `table.getContextByIndex(0).getObject()`. Facts: API of sap.ui.model.Context, sap.ui.table.Table. */
function isObjectOfContext(callee: Value): boolean {
  if (callee.kind !== 'member' || callee.name !== 'getObject') return false
  const context = resolveValue(callee.object)
  const name = context.kind === 'call' ? lastNameOf(context.callee) : undefined
  return name === 'getBindingContext' || name === 'getContextByIndex'
}
