import { isAround } from '../facts/span-index.ts'
import type { Value } from '../facts/index.ts'
import type { Constraint } from './constraint.ts'
import type { Conditions } from './walk.ts'

/** What a condition has asked of values before it comes to a place within it: `name.length > 20` of `name.length > 20 || !/x/.test(name)`. */
export function constraintsBefore(
  condition: Value,
  offset: number,
  conditions: Conditions,
  step: () => void,
): readonly Constraint[] {
  const found: Constraint[] = []
  let here: Value | undefined = condition
  while (here !== undefined) {
    step()
    const parts: readonly Value[] = 'options' in here ? here.options : 'operands' in here ? here.operands : []
    const at = parts.findIndex((one) => isAround(one, offset))
    if ('options' in here && here.test === undefined) {
      const { isAnd = false } = here
      found.push(...parts.slice(0, at).flatMap((one) => conditions.constraintsOf(one, isAnd)))
    }
    here = parts[at]
  }
  return found
}
