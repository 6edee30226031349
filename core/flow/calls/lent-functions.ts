import { append } from '../../lists.ts'
import { resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'

const LENDING: ReadonlySet<string> = new Set(['call', 'apply', 'bind'])

/** Functions in a table that are called with the `this` of another function: `this.commands[name].call(this, message)`, `COMMANDS[name].bind(this)`. */
export function* lentFunctions(facts: ScriptFacts): Generator<readonly [fact: FunctionFact, to: FunctionFact]> {
  let tables: ReadonlyMap<string, readonly Value[]> | undefined
  for (const { callee, args } of facts.calls) {
    if (callee.kind !== 'member' || !LENDING.has(callee.name ?? '')) continue
    const self = args[0] && resolveValue(args[0])
    const lent = resolveValue(callee.object)
    // a function by its name is found without this
    if (self?.kind !== 'this' || lent.kind !== 'member' || lent.name !== undefined) continue
    const table = resolveValue(lent.object)
    if (table.kind === 'object') yield* functionsOf(table, self.function)
    else if (table.kind === 'member' && table.name !== undefined) {
      tables ??= tablesIn(facts)
      for (const value of tables.get(table.name) ?? []) yield* functionsOf(value, self.function)
    }
  }
}

function* functionsOf(table: Value, to: FunctionFact): Generator<readonly [FunctionFact, FunctionFact]> {
  for (const { value } of table.kind === 'object' ? table.fields : [])
    if (value.kind === 'function' && value.function !== to) yield [value.function, to]
}

/** Objects that are fields of others, of classes and of what is extended, by their names. */
function tablesIn({ assignments, classes, functions }: ScriptFacts): ReadonlyMap<string, readonly Value[]> {
  const found = new Map<string, Value[]>()
  const add = (name: string | undefined, value: Value | undefined): void => {
    const here = value && resolveValue(value)
    if (name === undefined || here?.kind !== 'object') return
    append(found, name, here)
  }
  for (const { target, value } of assignments) add(target.name, value)
  for (const { members } of classes) for (const { name, value } of members) add(name, value)
  const owners = new Set(functions.flatMap(({ owner }) => (owner !== undefined && 'kind' in owner ? owner : [])))
  for (const { fields } of owners) for (const { key, value } of fields) add(key, value)
  return found
}
