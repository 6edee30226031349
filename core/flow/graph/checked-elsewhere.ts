import type { ScriptFacts, Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

const CHECKING = /^(?:validate|assert|ensure|verify|check)(?:$|[A-Z_])/

/** Whether a value was handed to a check as a statement before, `validateName(x)`: it may throw, which another file knows. */
export function createHandedReader(facts: ScriptFacts, text: string, step: (count?: number) => void): (value: Value) => boolean {
  const checks = facts.calls.flatMap(({ callee, args, end, function: around }) =>
    CHECKING.test(lastNameOf(callee) ?? '')
      ? args.map((argument) => ({ end, around, written: text.slice(argument.start, argument.end) }))
      : [],
  )
  if (checks.length === 0) return () => false
  return (value) => {
    step(checks.length)
    return checks.some(
      ({ end, around, written }) =>
        end <= value.start &&
        around.start <= value.start &&
        value.end <= around.end &&
        value.end - value.start === written.length &&
        text.startsWith(written, value.start),
    )
  }
}
