import { findPart, keyOf, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isComparing } from '../../../facts/values.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { readFrom } from './read-rows.ts'

/** Not what only notes it, `console.error(…)`. */
const REFUSES = /\b(?:throw|reject)\b|\b(?!console\b|log(?:ger)?\b)\w{1,40}\s{0,4}\.\s{0,4}error\s{0,4}\(/i

/** What a handler compares the product of a price with: the same value of a row of that entity that it has read. */
export interface ComparedPrice {
  readonly entity: string
  /** Another value is refused; else one that is more, or less. */
  readonly isSame: boolean
}

/** `line.net = line.price * line.quantity`, then `if (line.net > item.net) req.error(…)`: what is not as the row says is refused. */
export function comparedWithRow(
  product: Value,
  around: FunctionFact,
  { assignments, guards }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): ComparedPrice | undefined {
  step(assignments.length + guards.length)
  const kept = assignments.find(({ value }) => isWithin(product, value))?.target
  const owner = kept && keyOf(kept.object)
  if (kept?.name === undefined || owner === undefined) return undefined
  const isKept = (part: Value): boolean => 'object' in part && part.name === kept.name && keyOf(part.object) === owner
  for (const { test, inside } of guards) {
    step((inside.end - inside.start) >> 6)
    if (!isWithin(inside, around) || test.start < product.end || !REFUSES.test(text.slice(inside.start, inside.end))) continue
    let entity: string | undefined
    const isOfRow = (part: Value): boolean => {
      if (!('object' in part) || part.name !== kept.name || isKept(part)) return false
      entity = readFrom(part, step)
      return entity !== undefined
    }
    const compared = findPart(
      test,
      (part) =>
        'operator' in part &&
        isComparing(part.operator) &&
        findPart(part, isKept) !== undefined &&
        findPart(part, isOfRow) !== undefined,
    )
    if (compared === undefined || !('operator' in compared) || entity === undefined) continue
    const { operator } = compared
    if (/[<>]/.test(operator)) return { entity, isSame: false }
    // what is refused differs: of the other branch, the test is a negation
    const isNegated = 'operator' in test && test.operator === '!'
    if (operator.startsWith('!') !== isNegated) return { entity, isSame: true }
  }
  return undefined
}
