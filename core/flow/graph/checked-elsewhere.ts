import { createSpanIndex, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { groupBy } from '../../lists.ts'

const CHECKING = /^(?:validate|assert|ensure|verify|check|parseStrict|strictParse)(?:$|[A-Z_])/

/** Whether a value was handed to a check as a statement before, `validateName(x)`: it may throw, which another file knows. */
export function createHandedReader(facts: ScriptFacts, text: string, step: (count?: number) => void): (value: Value) => boolean {
  const checks = facts.calls.flatMap(({ callee, args, end, function: around }) =>
    CHECKING.test(lastNameOf(callee) ?? '')
      ? args.map((argument) => ({ end, around, written: text.slice(argument.start, argument.end) }))
      : [],
  )
  if (checks.length === 0) return () => false
  const byText = new Map(
    [...groupBy(checks, ({ written }) => written)].map(([written, own]) => [
      written,
      createSpanIndex(own, ({ around }) => around),
    ]),
  )
  const longest = checks.reduce((most, { written }) => Math.max(most, written.length), 0)
  return (value) => {
    if (value.end - value.start > longest) return false
    const own = byText.get(text.slice(value.start, value.end))?.(value.start) ?? []
    step(own.length)
    return own.some(({ end, around }) => end <= value.start && value.end <= around.end)
  }
}
