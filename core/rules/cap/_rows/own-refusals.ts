import { constantOf, type Guard, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { toWords } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

/** What a script says of an element by its name. */
interface Named extends Span {
  readonly name: string
}

/**
 * What refusals of one state alone say of it, with that state in words: `row.status` of `if (row.status === 'APPROVED') return req.reject(409, row.status)`.
 * `guards` are those that refuse; of what stands below `!` nobody can tell.
 */
export function refusedWords<One extends Named>(
  guards: readonly Guard[],
  namedIn: (around: Span) => readonly One[],
): ReadonlyMap<One, string> {
  const found = new Map<One, string>()
  for (const { test, inside } of guards)
    for (const { compared, word } of equalities(test)) {
      const named = namedIn(compared)
      for (const one of named) found.set(one, word)
      // the message
      for (const one of namedIn(inside)) if (named.some(({ name }) => name === one.name) && !found.has(one)) found.set(one, word)
    }
  return found
}

interface Equality {
  readonly compared: Value
  readonly word: string
}

/** `row.status === 'APPROVED'`, also as one of several parts. */
function equalities(test: Value): readonly Equality[] {
  if ('options' in test) return test.options.flatMap(equalities)
  if (!('operator' in test)) return []
  const { operator, operands } = test
  if (/^(?:&&|\|\||\?\?)$/.test(operator)) return operands.flatMap(equalities)
  const [one, other] = operands
  if (!/^===?$/.test(operator) || one === undefined || other === undefined) return []
  const given = [wordOf(one), wordOf(other)]
  return [one, other].flatMap((compared, at) => {
    const word = given[1 - at]
    return word === undefined || given[at] !== undefined ? [] : { compared, word }
  })
}

/** `approved` of `'APPROVED'` and of `Status.Approved`. */
function wordOf(value: Value): string | undefined {
  const word = constantOf(value) ?? (isListed(value) ? lastNameOf(value) : undefined)
  return typeof word === 'string' ? toWords(word) : undefined
}

/** `Status.Approved`, `STATUS.APPROVED`. */
function isListed(value: Value): boolean {
  return 'object' in value && /^[A-Z]/.test(lastNameOf(value.object) ?? '') && /^[A-Z]/.test(lastNameOf(value) ?? '')
}
