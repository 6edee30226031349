import { functionOf } from '../../facts/callbacks.ts'
import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import { groupBy } from '../../lists.ts'

/** What the functions of a file return that a call may run: one by its name, `this.method()` by that of the method. */
export function createReturnReader(
  { functions }: ScriptFacts,
  step: (count?: number) => void,
): (call: CallValue) => readonly Value[] {
  let methods: ReadonlyMap<string, readonly FunctionFact[]> | undefined
  return ({ callee }) => {
    const named = functionOf(callee)
    if (named !== undefined) return named.returns
    if (callee.kind !== 'member' || callee.object.kind !== 'this' || callee.name === undefined) return []
    if (methods === undefined) step(functions.length)
    methods ??= groupBy(
      functions.filter(({ name }) => name.includes('.')),
      ({ name }) => name.slice(name.lastIndexOf('.') + 1),
    )
    return (methods.get(callee.name) ?? []).flatMap(({ returns }) => returns)
  }
}
