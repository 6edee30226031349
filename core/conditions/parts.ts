import {
  type Binding,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  isConstant,
  keyOf,
  resolveValue,
  type Value,
} from '../facts/index.ts'
import { createConditions, type Conditions } from './walk.ts'
import { createMentions, type Mentions } from './mentions.ts'
import { groupBy } from '../lists.ts'
import { isAllowed } from './constraint.ts'

/** What belongs to each function of a script. Sorted out once, where somebody asks first: several readers of checks ask for every function. */
export interface FunctionParts {
  guardsIn(fact: FunctionFact): readonly Guard[]
  /** Names that patterns take out of its parameters. */
  patternsIn(fact: FunctionFact): readonly Binding[]
  /** Functions with a condition that throws. */
  throwing(): ReadonlySet<FunctionFact>
  /** What conditions prove. */
  readonly conditions: Conditions
  /** What conditions speak of. */
  readonly mentions: Mentions
}

const THROWING = /\bthrow\b/

export function createFunctionParts(
  { guards, bindings }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): FunctionParts {
  let guardsOf: ReadonlyMap<FunctionFact, readonly Guard[]> | undefined
  let patternsOf: ReadonlyMap<FunctionFact, readonly Binding[]> | undefined
  let throwing: ReadonlySet<FunctionFact> | undefined
  const isThrowing = ({ exits, inside, function: within }: Guard): boolean =>
    exits && within.kind !== 'file' && THROWING.test(text.slice(inside.start, inside.end))
  const guardsIn: FunctionParts['guardsIn'] = (fact) => {
    guardsOf ??= groupBy(guards, (guard) => guard.function)
    return guardsOf.get(fact) ?? []
  }
  const patternsIn: FunctionParts['patternsIn'] = (fact) => {
    patternsOf ??= groupBy(
      bindings.filter(({ kind, definitions: [first] }) => kind === 'parameter' && (first?.path.length ?? 0) > 0),
      (binding) => binding.function,
    )
    return patternsOf.get(fact) ?? []
  }
  return {
    guardsIn,
    patternsIn,
    conditions: createConditions({ text, guardsIn, patternsIn, step }),
    mentions: createMentions(step),
    throwing: () => (throwing ??= new Set(guards.flatMap((guard) => (isThrowing(guard) ? guard.function : [])))),
  }
}

/** Tells whether conditions on the way to a place, or the one by which a value is chosen, let only those of it through that the code names or describes. */
export function createAllowedReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (value: Value, offset: number) => boolean {
  let parts: FunctionParts | undefined
  return (value, offset) => {
    parts ??= createFunctionParts(facts, '', step)
    const { conditions } = parts
    const isAllowedAt = (one: Value, at: number): boolean =>
      conditions.constraintsAt(facts.guards, at, new Set([keyOf(one)])).some(isAllowed)
    const made = resolveValue(value)
    if (!('options' in made) || made.test === undefined) return isAllowedAt(value, offset)
    const { test, options } = made
    // NAMES.includes(name) ? name : 'other'
    return options.every((option, index) => {
      const key = keyOf(option)
      return (
        isConstant(option) ||
        isAllowedAt(option, option.start) ||
        (index < 2 && conditions.constraintsOf(test, index === 0).some((one) => one.of === key && isAllowed(one)))
      )
    })
  }
}
