import { functionOf } from '../facts/callbacks.ts'
import { findPart, keyOf, resolveValue, type Guard, type Value } from '../facts/index.ts'

/** Parts of a condition that are looked at; one with more is asked as if it spoke of everything. */
const MAX_PARTS = 100

/** The declarations that a condition speaks of, by their offsets, those behind its names included; undefined: it may speak of any. */
type Mentioned = ReadonlySet<number> | undefined

/**
 * Tells whether any of some conditions speaks of the name that a value is read from. Most conditions are of something else, and to ask them what they prove costs a dozen walks
 * through each.
 */
export function createMentions(step: () => void): (guards: readonly Guard[], value: Value) => boolean {
  const known = new Map<Value, Mentioned>()
  const mentionedBy = (test: Value): Mentioned => {
    if (!known.has(test)) known.set(test, mentionedIn(test, step))
    return known.get(test)
  }
  return (guards, value) => {
    const declared = declaredAt(value)
    return declared === undefined || guards.some(({ test }) => mentionedBy(test)?.has(declared) !== false)
  }
}

function mentionedIn(test: Value, step: () => void): Mentioned {
  const found = new Set<number>()
  let parts = 0
  const isBeyond = findPart(test, (part) => {
    step()
    const declared = declaredAt(part)
    if (declared !== undefined) found.add(declared)
    // what a callback asks, stands in its statements
    return (
      ++parts > MAX_PARTS || ('args' in part && part.args.some((argument) => functionOf(resolveValue(argument)) !== undefined))
    )
  })
  return isBeyond === undefined ? found : undefined
}

/** Where the name is declared that a value is read from; undefined where it is of no name, or of one that nobody declares. */
function declaredAt(value: Value): number | undefined {
  const declared = keyOf(value)?.split(' ', 2)[1]
  return declared === undefined || declared === '' ? undefined : Number(declared)
}
