import { constantOf, type Value } from '../../facts/index.ts'
import { isFewCharacters } from '../../facts/regex/costly.ts'
import { isEquality, type Asked } from '../asked.ts'
import { toConstraints, type Constraint } from '../constraint.ts'
import { keysOf } from '../pattern-texts.ts'

/** What a script that asks for a length holds. */
export const LENGTH: RegExp = /\blength\b/

/** A text that is shorter than a few characters: `name.length <= 20`, `name.length > 20` that does not hold. */
export function lengths({ test, holds }: Asked): readonly Constraint[] {
  if (!('operands' in test)) return []
  const [first, second] = test.operands
  if (first === undefined || second === undefined) return []
  const own = lengthened(first)
  const measured = own ?? lengthened(second)
  const limit = constantOf(own === undefined ? first : second)
  if (measured === undefined || !isFewCharacters(limit)) return []
  return isBelow(test.operator, own !== undefined, holds) ? toConstraints('short', keysOf(measured)) : []
}

/** `name` of `name.length`. */
function lengthened(value: Value): Value | undefined {
  return 'object' in value && value.name === 'length' ? value.object : undefined
}

function isBelow(operator: string, isFirst: boolean, holds: boolean): boolean {
  if (isEquality(operator)) return operator.startsWith('=') === holds
  const isLess = operator.startsWith('<')
  return (isLess || operator.startsWith('>')) && (isLess === isFirst) === holds
}
