import { constantOf, stringConstantOf, resolveValue } from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import type { CallValue, ScriptFacts, Value } from '../../facts/types.ts'
import type { Span } from '../../types.ts'

/**
 * Tells what of a script runs only where a property of a model is set that the script itself sets to `false` and nothing else: `if (settings.getProperty('/Live')) { … }`. Who sets it
 * otherwise changes the script. Fact: SAPUI5, API reference, `sap.ui.model.json.JSONModel#setProperty`.
 */
export function createUnsetReader({ calls, guards }: ScriptFacts, step: (count?: number) => void): (place: Span) => boolean {
  let branches: readonly Span[] | undefined
  return ({ start }) => {
    branches ??= readBranches(calls, guards, step)
    return branches.some((one) => isAround(one, start))
  }
}

function readBranches(
  calls: readonly CallValue[],
  guards: ScriptFacts['guards'],
  step: (count?: number) => void,
): readonly Span[] {
  step(guards.length)
  const asked = guards.flatMap(({ test, inside }) => {
    const path = pathIn(test, 'getProperty')
    return path === undefined ? [] : { path, inside }
  })
  if (asked.length === 0) return []
  step(calls.length)
  const written = calls.flatMap((call) => {
    const path = pathIn(call, 'setProperty')
    return path === undefined ? [] : { path, isFalse: call.args[1] !== undefined && constantOf(call.args[1]) === false }
  })
  return asked.flatMap(({ path, inside }) => {
    const values = written.filter((one) => one.path === path)
    return values.length > 0 && values.every(({ isFalse }) => isFalse) ? inside : []
  })
}

/** `model.getProperty('/Live')`: the path that is written there. */
function pathIn(value: Value, method: 'getProperty' | 'setProperty'): string | undefined {
  const call = resolveValue(value)
  if (call.kind !== 'call' || call.callee.kind !== 'member' || call.callee.name !== method) return undefined
  const path = stringConstantOf(call.args[0])
  return path !== undefined && path.startsWith('/') ? path : undefined
}
