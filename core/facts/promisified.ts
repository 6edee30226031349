import { lastNameOf } from './literals.ts'
import type { Value } from './types.ts'
import { resolveValue } from './values.ts'

/** The function that `promisify(exec)` was made of, also by its name: `const run = promisify(exec)`. Fact: Node.js 24, "util.promisify". */
export function promisifiedBy(value: Value): Value | undefined {
  const made = resolveValue(value)
  return made.kind === 'call' && lastNameOf(made.callee) === 'promisify' ? made.args[0] : undefined
}
