import {
  accessesOf,
  constantOf,
  findPart,
  isOnTheWay,
  resolveValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { readIn } from './owned-queries.ts'
import { sentParts } from './sent-parts.ts'

/** An element of the data of the request that a function makes. */
export interface ComputedElement {
  readonly name: string
  /** It is counted from what the client sends for other elements: who may choose those, chooses it. */
  readonly isCounted: boolean
  /** The elements of which it is made, where the client sends all of them. */
  readonly parts?: readonly string[]
}

/** `req.data.total = …`: elements of the data of the request that a function makes of rows, of other elements or of the user, whatever the client sends for them. */
export function computedElements(
  fact: FunctionFact,
  facts: ScriptFacts,
  step: (count?: number) => void,
): readonly ComputedElement[] {
  return facts.assignments.flatMap((assignment) => {
    const { target, value, operator, start } = assignment
    const { name } = target
    step()
    if (operator !== '=' || name === undefined || !isWithin(assignment, fact) || !isData(target.object)) return []
    if (constantOf(value) !== undefined || holds(value, name)) return []
    const isCounted = !isMade(value)
    if (isCounted && findPart(value, isDifference) === undefined) return []
    // a default for what the client leaves out
    const isDefault = facts.guards.some((guard) => isWithin(guard, fact) && isOnTheWay(guard, start) && holds(guard.test, name))
    const parts = isDefault ? undefined : sentParts(assignment, facts, step)
    return isDefault ? [] : [{ name, isCounted, ...(parts !== undefined && { parts }) }]
  })
}

/** `req.data`, or the `data` of `({ data })`. */
export function isData(value: Value): boolean {
  return accessesOf(value).some(
    ({ root, steps }) =>
      root.startsWith('parameter:') && (steps.join('.') === 'data' || (root === 'parameter:data' && steps.length === 0)),
  )
}

/** It holds what the client sends for the element itself. */
export function holds(value: Value, name: string): boolean {
  return findPart(value, (part) => part.kind === 'member' && part.name === name && isData(part.object)) !== undefined
}

function isMade(value: Value): boolean {
  return mentionsUser(value) || readIn(value).length > 0 || findPart(value, isProduct) !== undefined
}

/** `new Date(req.data.to) - new Date(req.data.from)`, `total / req.data.persons`: of what the client sends for other elements. */
function isDifference(part: Value): boolean {
  return (
    part.kind === 'operation' &&
    /^[-/]$/.test(part.operator) &&
    part.operands.length > 1 &&
    findPart(part, (one) =>
      accessesOf(one).some(({ root, steps }) => root.startsWith('parameter:') && steps.length > 1 && steps[0] === 'data'),
    ) !== undefined
  )
}

/** `item.quantity * item.price`, also in a sum or in a name that is added to. */
function isProduct(part: Value): boolean {
  return 'operator' in part && part.operator === '*' && part.operands.every((operand) => 'object' in resolveValue(operand))
}
