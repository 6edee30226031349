import { directParts, resolveValue, type Value } from '../facts/index.ts'

const STAGES: ReadonlySet<unknown> = new Set(['production', 'development', 'test'])
const MAX_DEPTH = 4

/** `process.env.NODE_ENV === 'production'`: what the stage alone decides, says nothing about values. */
export function asksForStage(given: Value, depth = 0): boolean {
  const test = resolveValue(given)
  if (test.kind !== 'operation' || depth > MAX_DEPTH) return false
  return directParts(test).some((part) => (part.kind === 'literal' ? STAGES.has(part.value) : asksForStage(part, depth + 1)))
}
