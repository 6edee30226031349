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
import { isPasswordName, isRepeatedPassword } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { keptIn } from './_compared-accounts.ts'
import { argumentsFor, isOfThis } from './_user-identities.ts'

/** A field of the page that is given the password of a row. */
interface FilledPassword {
  readonly at: Span
  readonly property: string
}

type Callbacks = ReadonlyMap<FunctionFact, Callback>
type Step = (count?: number) => void

/** What shows a text in a field. */
const FILLS: ReadonlySet<string> = new Set(['setValue', 'setText'])
const MAX_DEPTH = 6

/** `this.byId("password").setValue(row.Password)`, where the row is one that a list shows, or an item of a list. */
export function* filledPasswords(facts: ScriptFacts, callbacks: Callbacks, step: Step): Generator<FilledPassword> {
  for (const { callee, args } of facts.calls) {
    const [given] = args
    if (given === undefined || !FILLS.has(lastNameOf(callee) ?? '')) continue
    const read = fieldIn(given)
    if (read?.name === undefined || !isPasswordName(read.name) || isRepeatedPassword(read.name)) continue
    if (isRow(read.object, facts, callbacks, step, 0)) yield { at: { start: read.start, end: read.end }, property: read.name }
  }
}

/** `row.Password` of `row.Password || ""`. */
function fieldIn(given: Value): MemberValue | undefined {
  if (given.kind === 'member') return given
  return given.kind === 'choice' ? given.options.find((one) => one.kind === 'member') : undefined
}

function isRow(value: Value, facts: ScriptFacts, callbacks: Callbacks, step: Step, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  step()
  const behind = (one: Value): boolean => isRow(one, facts, callbacks, step, depth + 1)
  const here = resolveValue(value)
  if (here.kind === 'call') return isObjectOfContext(here.callee) || keptIn(here, callbacks) !== undefined
  if (here.kind === 'choice') return here.options.some(behind)
  if (here.kind === 'reference') {
    const definitions = here.binding?.definitions ?? []
    return keptIn(here, callbacks) !== undefined || definitions.some((one) => givenTo(one, facts, step).some(behind))
  }
  if (here.kind !== 'member') return false
  if (!isOfThis(here.object)) return keptIn(here, callbacks) !== undefined
  // this.picked = row, in another method
  step(facts.assignments.length)
  return facts.assignments.some(
    ({ target, value: kept }) => target.name === here.name && here.name !== undefined && isOfThis(target.object) && behind(kept),
  )
}

function givenTo(definition: Definition, facts: ScriptFacts, step: Step): readonly Value[] {
  const { kind, value, path } = definition
  if (path.length > 0) return []
  if (kind !== 'parameter') return value === undefined || kind === 'each' || kind === 'key' ? [] : [value]
  step(facts.calls.length)
  return argumentsFor(definition, facts)
}

/** `item.getBindingContext("crew").getObject()`, `table.getContextByIndex(0).getObject()`. Facts: API of sap.ui.model.Context, sap.ui.table.Table. */
function isObjectOfContext(callee: Value): boolean {
  if (callee.kind !== 'member' || callee.name !== 'getObject') return false
  const context = resolveValue(callee.object)
  const name = context.kind === 'call' ? lastNameOf(context.callee) : undefined
  return name === 'getBindingContext' || name === 'getContextByIndex'
}
