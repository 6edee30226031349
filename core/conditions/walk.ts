import { keyOf, keyOfName, resolveValue, type Binding, type FunctionFact, type Guard, type Value } from '../facts/index.ts'
import { calledBy, givesPromise, settledAnswer } from '../facts/own-answers.ts'
import { isOnTheWay } from '../facts/checks.ts'
import { askedIn, type Asked } from './asked.ts'
import { refusedCharacters } from './atoms/characters.ts'
import { ownName } from './atoms/file-names.ts'
import { schemes } from './atoms/schemes.ts'
import { common, unite, type Constraint } from './constraint.ts'

/** What a call or a comparison proves about values, on the side where it gives `holds`. */
export type Atom = (asked: Asked) => readonly Constraint[]

const ATOMS: readonly Atom[] = [refusedCharacters, ownName, schemes]

/** Conditions within conditions, names and functions included. */
const MAX_DEPTH = 8
/** Functions that a function asks, one behind the other. */
const MAX_CALLS = 4
const MAX_RETURNS = 8

/** What the walker has to know of a script. `step` counts what is looked at. */
export interface ConditionFacts {
  guardsIn(fact: FunctionFact): readonly Guard[]
  patternsIn(fact: FunctionFact): readonly Binding[]
  readonly step: (count?: number) => void
}

export interface Conditions {
  /** What a test proves about values where it holds, or where it does not. */
  constraintsOf(test: Value, holds: boolean): readonly Constraint[]
  /** What conditions prove that are on the way to a place. */
  constraintsAt(guards: readonly Guard[], offset: number): readonly Constraint[]
}

type Sides = [holding?: readonly Constraint[], failing?: readonly Constraint[]]

/** What was worked out before. */
interface Walk {
  readonly facts: ConditionFacts
  readonly known: Map<Value, Sides>
  readonly answers: Map<FunctionFact, Sides>
  readonly running: Set<FunctionFact>
}

/**
 * The only walker over conditions: `!`, `&&`, `||`, `?:`, `await`, names of conditions, comparisons of what a call gives, functions of the file. What a single call or
 * comparison proves, atoms say.
 */
export function createConditions(facts: ConditionFacts): Conditions {
  const walk: Walk = { facts, known: new Map(), answers: new Map(), running: new Set() }
  return {
    constraintsOf: (test, holds) => constraintsOf(test, holds, walk),
    constraintsAt: (guards, offset) => constraintsAt(guards, offset, walk),
  }
}

function constraintsOf(test: Value, holds: boolean, walk: Walk): readonly Constraint[] {
  const sides = walk.known.get(test) ?? []
  walk.known.set(test, sides)
  return (sides[holds ? 0 : 1] ??= constraintsIn(test, holds, walk, 0) ?? [])
}

function constraintsAt(guards: readonly Guard[], offset: number, walk: Walk): readonly Constraint[] {
  return unite(
    guards.flatMap((guard) => (isOnTheWay(guard, offset) ? [constraintsOf(guard.test, offset < guard.inside.end, walk)] : [])),
  )
}

/** Undefined: nothing can be on that side. */
function constraintsIn(test: Value, holds: boolean, walk: Walk, depth: number): readonly Constraint[] | undefined {
  if (depth > MAX_DEPTH) return []
  walk.facts.step()
  const further: Further = (value, side) => constraintsIn(value, side, walk, depth + 1)
  switch (test.kind) {
    case 'literal':
      return Boolean(test.value) === holds ? [] : undefined
    case 'choice': {
      if (test.test !== undefined) return throughChoice(test.test, test.options, holds, further)
      const sides = test.options.map((option) => further(option, holds))
      // behind `a || b` neither holds, inside `a && b` both do
      return (test.isAnd === true) === holds ? together(sides) : either(sides)
    }
    case 'reference': {
      const given = resolveValue(test)
      return given === test ? [] : further(given, holds)
    }
    case 'operation': {
      const [negated] = test.operator === '!' ? test.operands : []
      return negated === undefined ? constraintsAsked(test, holds, walk, further) : further(negated, !holds)
    }
    default:
      return constraintsAsked(test, holds, walk, further)
  }
}

function constraintsAsked(test: Value, holds: boolean, walk: Walk, further: Further): readonly Constraint[] | undefined {
  const asked = askedIn(test, holds)
  if (asked === undefined) return []
  const isCall = asked.test.kind === 'call'
  if (asked.test !== test && !isCall) return further(asked.test, asked.holds)
  if (asked.test.kind === 'call' && !asked.isAwaited && givesPromise(asked.test)) return []
  return isCall || asked.test.kind === 'operation'
    ? unite([...ATOMS.map((atom) => atom(asked)), constraintsAnswered(asked, walk)])
    : []
}

/** `isPlain(name)` of the file: what each of its answers proves, and the conditions on the way to it. */
function constraintsAnswered({ test, holds, isCompared }: Asked, walk: Walk): readonly Constraint[] {
  const fact = test.kind === 'call' && isCompared === undefined ? calledBy(test.callee) : undefined
  if (test.kind !== 'call' || fact === undefined || fact.kind === 'file' || fact.parameters.length === 0) return []
  return handedOver(fact, answersOf(fact, holds, walk), test.args, walk.facts)
}

function answersOf(fact: FunctionFact, holds: boolean, walk: Walk): readonly Constraint[] {
  const { answers, running, facts } = walk
  const own = answers.get(fact) ?? []
  answers.set(fact, own)
  const side = holds ? 0 : 1
  const before = own[side]
  if (before !== undefined) return before
  if (running.has(fact) || running.size >= MAX_CALLS || fact.returns.length === 0 || fact.returns.length > MAX_RETURNS) return []
  running.add(fact)
  const guards = facts.guardsIn(fact)
  const judged = fact.returns.map((answer) => {
    const proved = constraintsIn(settledAnswer(answer), holds, walk, 1)
    return proved && unite([proved, constraintsAt(guards, answer.start, walk)])
  })
  // where no answer gives that, it comes to its end
  const isEnd = judged.every((one) => one === undefined)
  const found = isEnd ? constraintsAt(guards, fact.end - 1, walk) : (either(judged) ?? [])
  running.delete(fact)
  own[side] = found
  return found
}

/** What a function knows of its parameters, said of what it is given. */
function handedOver(
  fact: FunctionFact,
  found: readonly Constraint[],
  args: readonly Value[],
  { patternsIn }: ConditionFacts,
): readonly Constraint[] {
  if (found.length === 0) return []
  const renamed: (readonly [own: string, given: string])[] = []
  const rename = (binding: Binding | undefined, given: Value | undefined, path: readonly string[]): void => {
    const [own, whole] = [binding && keyOfName(binding), given && keyOf(given)]
    if (own !== undefined && whole !== undefined) renamed.push([own, [whole, ...path].join(' ')])
  }
  for (const [index, parameter] of fact.parameters.entries()) rename(parameter, args[index], [])
  for (const binding of patternsIn(fact)) {
    const [definition] = binding.definitions
    if (definition?.parameter !== undefined) rename(binding, args[definition.parameter], definition.path)
  }
  return found.flatMap((one): readonly Constraint[] => {
    const [own, given] = renamed.find(([key]) => one.of === key || one.of.startsWith(`${key} `)) ?? []
    return own === undefined || given === undefined ? [] : [{ ...one, of: given + one.of.slice(own.length) }]
  })
}

type Further = (value: Value, holds: boolean) => readonly Constraint[] | undefined

/** `a ? b : c`: one of the two ways was gone. */
function throughChoice(
  test: Value,
  [first, second]: readonly Value[],
  holds: boolean,
  further: Further,
): readonly Constraint[] | undefined {
  if (first === undefined || second === undefined) return []
  return either([
    together([further(test, true), further(first, holds)]),
    together([further(test, false), further(second, holds)]),
  ])
}

function together(sets: readonly (readonly Constraint[] | undefined)[]): readonly Constraint[] | undefined {
  const all = sets.filter((one) => one !== undefined)
  return all.length < sets.length ? undefined : unite(all)
}

function either(sets: readonly (readonly Constraint[] | undefined)[]): readonly Constraint[] | undefined {
  const open = sets.filter((one) => one !== undefined)
  return open.length === 0 ? undefined : common(open)
}
