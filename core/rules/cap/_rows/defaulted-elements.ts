import type { Assignment, FunctionFact, ScriptFacts, Value } from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import type { Span } from '../../../types.ts'
import { isData } from './computed-elements.ts'

/** An element of the data of the request that a function fills in where clients leave it out, and the assignment. */
export interface DefaultedElement extends Span {
  readonly name: string
}

/** `req.data.status = req.data.status || 'Pending'` within a function. */
export function defaultedIn(fact: FunctionFact, facts: ScriptFacts, step: (count?: number) => void): readonly DefaultedElement[] {
  return facts.assignments.flatMap((assignment) => {
    step()
    const { target, start, end } = assignment
    const { name } = target
    if (name === undefined || !isWithin(assignment, fact) || !isData(target.object)) return []
    return defaultOf(assignment, facts, step).length === 0 ? [] : [{ start, end, name }]
  })
}

/** Where a script names a member only to give it a value that clients may leave out, `if (!data.status) data.status = 'New'`: what they send passes. */
export function startsOfDefaults(facts: ScriptFacts, step: (count?: number) => void): ReadonlySet<number> {
  return new Set(facts.assignments.flatMap((assignment) => defaultOf(assignment, facts, step).map(({ start }) => start)))
}

/** The members that an assignment names for a value that clients may leave out; none: it is something else. */
function defaultOf(
  { target, operator, value, start, end }: Assignment,
  { guards }: Pick<ScriptFacts, 'guards'>,
  step: (count?: number) => void,
): readonly Value[] {
  step()
  const isItself = (one: Value): boolean => one.kind === 'member' && one.name === target.name
  if (target.name === undefined) return []
  // data.status ??= 'New'
  const named: Value[] = operator === '??=' || operator === '||=' ? [target] : []
  // data.status = data.status || 'New'
  const [first] = value.kind === 'choice' && value.isAnd !== true && value.test === undefined ? value.options : []
  if (first !== undefined && isItself(first)) named.push(target, first)
  for (const { test, inside, exits } of guards) {
    step()
    if (exits || start < inside.start || end > inside.end || test.kind !== 'operation') continue
    const [asked, other] = test.operands
    const isMissing = test.operator === '!' ? true : /^===?$/.test(test.operator) && isNothing(other)
    if (asked !== undefined && isMissing && isItself(asked)) named.push(target, asked)
  }
  return named
}
