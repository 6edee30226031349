import type { Binding, CallValue, ScriptFacts, Value } from '../../../facts/index.ts'
import { bindingOf } from '../../../facts/asked-values.ts'

/** What completes an object that options are taken from. */
export interface Completing {
  /** A field by this name is one of those that count. */
  readonly isField: (name: string) => boolean
  /** A call that is given the object first may add to it. */
  readonly adds: (call: CallValue) => boolean
}

/** Names of objects that are not all that is written where they are made: `options.tls = true`, `options[key] = value`, `Object.assign(options, more)`. */
export function namesCompletedLater(
  { assignments, calls }: ScriptFacts,
  { isField, adds }: Completing,
  step: (count?: number) => void,
): ReadonlySet<Binding> {
  step(assignments.length + calls.length)
  const found = new Set<Binding>()
  const add = (value: Value | undefined): void => {
    const binding = value && bindingOf(value)
    if (binding !== undefined) found.add(binding)
  }
  for (const { target } of assignments) if (target.name === undefined || isField(target.name)) add(target.object)
  for (const call of calls) if (adds(call)) add(call.args[0])
  return found
}
