import { functionOf } from '../facts/callbacks.ts'
import { declarationOf, declaredIn, findPart, resolveValue, type Value, type ScriptFacts } from '../facts/index.ts'

/** Parts of a condition that are looked at; one with more is asked as if it spoke of everything. */
const MAX_PARTS = 100

/** The declarations that a condition speaks of, by their offsets, those behind its names included; undefined: it may speak of any. */
type Mentioned = ReadonlySet<number> | undefined

/**
 * Tells whether tests speak of the name that a value is read from, by the value's key. Most conditions are of something else, and to ask them what they prove costs a
 * dozen walks through each.
 */
export type Mentions = (key: string | undefined) => (test: Value) => boolean

export function createMentions(step: () => void): Mentions {
  const known = new Map<Value, Mentioned>()
  const mentionedBy = (test: Value): Mentioned => {
    const before = known.get(test)
    if (before !== undefined || known.has(test)) return before
    const found = mentionedIn(test, step)
    known.set(test, found)
    return found
  }
  return (key) => {
    const declared = declaredIn(key)
    return declared === undefined ? () => true : (test) => mentionedBy(test)?.has(declared) !== false
  }
}

function mentionedIn(test: Value, step: () => void): Mentioned {
  const found = new Set<number>()
  let parts = 0
  const isBeyond = findPart(test, (part) => {
    step()
    const declared = declarationOf(part)
    if (declared !== undefined) found.add(declared)
    // what a callback asks, stands in its statements
    return (
      ++parts > MAX_PARTS || ('args' in part && part.args.some((argument) => functionOf(resolveValue(argument)) !== undefined))
    )
  })
  return isBeyond === undefined ? found : undefined
}

/** Names are followed so far. */
const MAX_HOPS = 4

/** What is asked of an address by these alone is taken for a check, and of a list that was filtered. */
const TELLING: ReadonlySet<string | undefined> = new Set(['origin', 'host', 'hostname', 'protocol', 'length'])

/**
 * Tells conditions that say nothing about any value of a browser: they ask whether something is there, or what a method without arguments gives. Half of all
 * conditions are such. Of classes a getter or a method may check a field, so there all count.
 */
export function createPresenceTest({ classes }: ScriptFacts): (test: Value) => boolean {
  return classes.length > 0 ? () => false : (test) => isPresence(test, 0)
}

function isPresence(test: Value, hops: number): boolean {
  switch (test.kind) {
    case 'operation':
      return test.operator === '!' && test.operands.every((operand) => isPresence(operand, hops))
    case 'choice':
      return test.options.every((option) => isPresence(option, hops))
    case 'member':
      return test.property === undefined && !TELLING.has(test.name)
    case 'call':
      return test.args.length === 0 && test.callee.kind === 'member' && test.callee.name !== 'match'
    case 'reference':
      return (
        hops < MAX_HOPS &&
        (test.binding?.definitions ?? []).every(
          ({ value, path }) => path.length === 0 && (value === undefined || isPresence(value, hops + 1)),
        )
      )
    case 'literal':
    case 'this':
    case 'object':
    case 'function':
      return true
    default:
      return false
  }
}
