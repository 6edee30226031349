import type { ScriptFacts, Value } from '../facts/index.ts'

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
