import { functionOf } from '../../facts/callbacks.ts'
import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import { resolveValue } from '../../facts/values.ts'
import { groupBy } from '../../lists.ts'
import { lastName } from '../../paths.ts'

/** What the functions of a file return that a call may run: one by its name, `this.method()` and `Class.method()` by that of the method. */
export function createReturnReader(
  { functions }: ScriptFacts,
  step: (count?: number) => void,
): (call: CallValue) => readonly Value[] {
  let methods: ReadonlyMap<string, readonly FunctionFact[]> | undefined
  return ({ callee }) => {
    const named = functionOf(callee)
    if (named !== undefined) return named.returns
    if (callee.kind !== 'member' || callee.name === undefined || !isOwn(callee.object)) return []
    if (methods === undefined) step(functions.length)
    methods ??= groupBy(
      functions.filter(({ name }) => name.includes('.')),
      ({ name }) => lastName(name),
    )
    return (methods.get(callee.name) ?? []).flatMap(({ returns }) => returns)
  }
}

/** An object of the file itself, or one of its classes. */
function isOwn(value: Value): boolean {
  if (value.kind === 'this') return true
  const behind = resolveValue(value)
  return behind.kind === 'class' || (behind.kind === 'new' && resolveValue(behind.callee).kind === 'class')
}
