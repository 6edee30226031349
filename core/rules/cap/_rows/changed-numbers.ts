import { constantOf, keyOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isContextRoot } from '../../../model/script/index.ts'
import { accessesOf } from '../../../facts/paths.ts'
import { entityOfUpdate } from './decided-states.ts'
import { bareNumber } from './read-rows.ts'
import { isAmount } from './repeatable-effects.ts'

/** A number of a row that an update adds to, or takes from: `stock` of `UPDATE(Books, ID).with({ stock: book.stock - quantity })`. */
export interface ChangedNumber {
  readonly call: CallValue
  /** The last part of its name. */
  readonly entity: string
  readonly element: string
  /** What is added or taken. */
  readonly amount: Value
  /** The element as it was read before, where the update writes a number that the script has worked out. */
  readonly before?: Value
  /** The database takes the amount from what the row has then: `{ '-=': quantity }`. */
  readonly isTaken?: true
}

/** What `stock -= quantity` and `book.stock -= quantity` add or take, with what they change; by what was taken, and by the name of a row with the element. */
export interface Compounds {
  readonly byAmount: ReadonlyMap<Value, Value>
  readonly byName: ReadonlyMap<string, Value>
}

export function compoundsOf({ assignments, bindings }: ScriptFacts, step: (count?: number) => void): Compounds {
  step(assignments.length + bindings.length)
  const found = new Map<Value, Value>()
  const byName = new Map<string, Value>()
  for (const { target, operator, value } of assignments) {
    if (!/^[-+]=$/.test(operator)) continue
    found.set(value, target)
    const name = keyOf(target)
    if (name !== undefined) byName.set(name, value)
  }
  for (const binding of bindings)
    for (const { operator, value, start, end } of binding.definitions)
      if (/^[-+]=$/.test(operator) && value !== undefined)
        found.set(value, { kind: 'reference', start, end, name: binding.name, binding })
  return { byAmount: found, byName }
}

/** The numbers that a call of `set` or `with` changes. `isNumber`: by their names. */
export function changedNumbers(
  call: CallValue,
  compounds: Compounds,
  isNumber: (name: string, entity: string) => boolean = isAmount,
): readonly ChangedNumber[] {
  const entity = entityOfUpdate(call)?.entity
  if (entity === undefined) return []
  if (call.texts !== undefined) {
    const { texts } = call
    return call.args.flatMap((amount, index) => {
      const [, element, other, sign] = /(\w{1,60})\s{0,4}=\s{0,4}(\w{1,60})\s{0,4}([-+])\s{0,4}$/.exec(texts[index] ?? '') ?? []
      if (element === undefined || element !== other || !isNumber(element, entity)) return []
      return [{ call, entity, element, amount, ...(sign === '-' && { isTaken: true as const }) }]
    })
  }
  const pairs = pairedNumbers(call).filter(({ element }) => isNumber(element, entity))
  if (pairs.length > 0) return pairs.map((one) => ({ call, entity, ...one }))
  return call.args.flatMap((given) => {
    const row = resolveValue(given)
    const fields = row.kind === 'object' ? row.fields : []
    return fields.flatMap(({ key, value }): readonly ChangedNumber[] => {
      const change = key !== undefined && isNumber(key, entity) ? changeIn(key, value, compounds) : undefined
      return key === undefined || change === undefined ? [] : [{ call, entity, element: key, ...change }]
    })
  })
}

/** `set('balance -=', amount, 'changedBy =', user)`. Fact: @sap/cds 9.9 lib/ql/UPDATE.js (a name with its operator, and the value behind it, by turns). */
function pairedNumbers({ args }: CallValue): readonly Pick<ChangedNumber, 'element' | 'amount' | 'isTaken'>[] {
  return args.flatMap((text, index) => {
    const amount = args[index + 1]
    const said = index % 2 === 0 ? constantOf(text) : undefined
    const [, element, sign] = typeof said === 'string' ? (/^\s{0,4}(\w{1,60})\s{0,4}([-+])=\s{0,4}$/.exec(said) ?? []) : []
    if (element === undefined || amount === undefined) return []
    return [{ element, amount, ...(sign === '-' && { isTaken: true as const }) }]
  })
}

function changeIn(
  key: string,
  written: Value,
  compounds: Compounds,
): Pick<ChangedNumber, 'amount' | 'before' | 'isTaken'> | undefined {
  const before = compounds.byAmount.get(written)
  if (before !== undefined) return { amount: written, before }
  const value = resolveValue(written)
  if (value.kind === 'object') {
    const [only] = value.fields
    if (only?.key === 'xpr') return addedIn(key, only.value)
    if (only === undefined || !/^[-+]=$/.test(only.key ?? '')) return undefined
    return { amount: only.value, ...(only.key === '-=' && { isTaken: true as const }) }
  }
  const taken = value.kind === 'member' && value.name === key ? compounds.byName.get(keyOf(value) ?? '') : undefined
  if (taken !== undefined) return { amount: taken, before: value }
  const parts = value.kind === 'concat' ? value.parts : value.kind === 'operation' && value.operator === '-' ? value.operands : []
  const [first, second, third] = parts
  if (first === undefined || second === undefined || third !== undefined) return undefined
  if (isElement(first, key)) return { amount: second, before: first }
  return value.kind === 'concat' && isElement(second, key) ? { amount: first, before: second } : undefined
}

/** `[{ ref: ['stock'] }, '+', { val: quantity }]`: what is added last. Fact: capire, "CXN" (a list of operands and operators is an expression). */
function addedIn(key: string, written: Value): Pick<ChangedNumber, 'amount' | 'isTaken'> | undefined {
  const list = resolveValue(written)
  const items = list.kind === 'array' ? list.items : []
  const [first] = items
  const [path] = first === undefined ? [] : itemsOf(first, 'ref')
  if (path === undefined || constantOf(path) !== key) return undefined
  const signs = items.map((item) => constantOf(item))
  const at = signs.lastIndexOf('+') < 0 ? signs.lastIndexOf('-') : signs.lastIndexOf('+')
  const given = at < 1 ? undefined : items[at + 1]
  const operand = given && resolveValue(given)
  const amount = operand?.kind === 'object' ? operand.fields.find((field) => field.key === 'val')?.value : undefined
  return amount && { amount, ...(signs[at] === '-' && { isTaken: true as const }) }
}

function itemsOf(value: Value, key: string): readonly Value[] {
  const made = resolveValue(value)
  const list = made.kind === 'object' ? made.fields.find((field) => field.key === key)?.value : undefined
  const items = list && resolveValue(list)
  return items?.kind === 'array' ? items.items : []
}

/** `book.stock`, or `stock` of `const { stock } = await …`. */
function isElement(value: Value, key: string): boolean {
  const here = bareNumber(value)
  if (here.kind === 'member') return here.name === key
  return here.kind === 'reference' && here.binding?.definitions.some(({ path }) => path.at(-1) === key) === true
}

/** Where a number stands in what the client sends: `['items', 'quantity']`; undefined where it comes from somewhere else. */
export function sentPath(value: Value): readonly string[] | undefined {
  const here = bareNumber(value)
  if (constantOf(here) !== undefined) return undefined
  const found = accessesOf(here)
  const [first] = found
  if (first === undefined || !found.every(({ root, steps }) => isContextRoot(root) && steps[0] === 'data')) return undefined
  const path = first.steps.slice(1).filter((name) => name !== '[]')
  return path.length > 0 && first.steps.every((name) => !/^(?:\(\)|new|``)$/.test(name)) ? path : undefined
}
