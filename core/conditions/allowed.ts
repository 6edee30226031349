import { keyOf, type ScriptFacts, type Value } from '../facts/index.ts'
import { isAllowed } from './constraint.ts'
import { createFunctionParts, type FunctionParts } from './parts.ts'

/** Tells whether conditions on the way to a place let only those of a value through that the code names or describes. */
export function createAllowedReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (value: Value, offset: number) => boolean {
  let parts: FunctionParts | undefined
  return (value, offset) => {
    parts ??= createFunctionParts(facts, '', step)
    return parts.conditions.constraintsAt(facts.guards, offset, new Set([keyOf(value)])).some(isAllowed)
  }
}
