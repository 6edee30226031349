import { functionOf } from '../../facts/callbacks.ts'
import {
  constantOf,
  createGuardReader,
  keyOf,
  type Assignment,
  type Binding,
  type Definition,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAround } from '../../facts/span-index.ts'
import { directParts, isComparing } from '../../facts/values.ts'
import { groupBy } from '../../lists.ts'

/** The right answer of a question. */
const ANSWER =
  /^(?:is_?)?correct$|^correct_?(?:answer|option|choice|index|key)s?$|^(?:answer|option|choice)_?(?:is_?)?correct$|^right_?answer$|^(?:ist_?)?richtig$|^richtige_?antwort$|^(?:es_?)?correct[ao]$|^respuesta_?correcta$|^resposta_?(?:correta|certa)$|^bonne_?reponse$/i
/** From where on somebody passes, by a name or the path of a property. */
const LIMIT =
  /(?:^|[/_.])(?:n|i|f)?(?:required|min|minimum)?_?(?:pass(?:ing)?_?(?:score|marks?|percent(?:age)?|limit|grade)|min(?:imum)?_?score|cut_?off)$/i

/** What a page compares to work out a result. */
export interface Comparison {
  /** The field of the right answers; undefined: only from where on somebody passes. */
  readonly answers?: string
}

/** Where a name or a field is given a value. */
type Given = Pick<Assignment, 'start' | 'function'> & Partial<Pick<Definition, 'kind' | 'value'>>

const MAX_DEPTH = 6
const CHOOSES = /^(?:filter|some|every|find|reduce)$/
/** Values looked at for one result. */
const MAX_VISITS = 1000

/** Whether a value is what a comparison gives. */
export function isComparison(value: Value): boolean {
  return value.kind === 'operation' && isComparing(value.operator)
}

/**
 * Finds what the values of a result come from: a comparison with a field of right answers, or with a limit; through names, properties of models (`kept`) and the conditions under which a name
 * gets its value.
 */
export function createComparisonReader(
  { guards, assignments }: ScriptFacts,
  kept: ReadonlyMap<string, readonly Value[]>,
  step: (count?: number) => void,
): (results: readonly Value[]) => Comparison | undefined {
  const guardsAt = createGuardReader(guards, step)
  const fields = groupBy(assignments, ({ target }) => keyOf(target))
  /** The values that a name or a field gets, and the conditions for that. */
  const given = (places: readonly Given[]): readonly Value[] => {
    const found: Value[] = []
    for (const { kind, value, start, function: around } of places) {
      if (found.length > MAX_VISITS) break
      if (value !== undefined && kind !== 'parameter') found.push(value)
      const guarding = guardsAt(start)
      step(1 + guarding.length)
      for (const guard of guarding) if (isAround(guard.inside, start) || guard.function === around) found.push(guard.test)
    }
    return found
  }
  const givenToField = (value: Value): readonly Value[] => {
    const key = keyOf(value)
    return key === undefined ? [] : given(fields.get(key) ?? [])
  }
  const behind = (value: Value): readonly Value[] => {
    if (value.kind === 'member') return [...directParts(value), ...givenToField(value)]
    if (value.kind === 'reference') return value.binding === undefined ? [] : given(value.binding.definitions)
    if (value.kind === 'function') return value.function.returns
    if (value.kind !== 'call') return directParts(value)
    const key = lastNameOf(value.callee) === 'getProperty' && value.args[0] !== undefined ? constantOf(value.args[0]) : undefined
    const called = CHOOSES.test(lastNameOf(value.callee) ?? '') ? functionOf(value.args[0])?.returns : undefined
    return [...directParts(value), ...(called ?? []), ...((typeof key === 'string' && kept.get(key)) || [])]
  }
  return (results) => {
    const open = [...results]
    const seen = new Set<Value | Binding>()
    let isLimited = false
    for (let visits = 0; visits < MAX_VISITS; visits++) {
      const here = open.pop()
      if (here === undefined) break
      step()
      const known = here.kind === 'reference' ? (here.binding ?? here) : here
      isLimited ||= namesLimit(here)
      if (seen.has(known)) continue
      seen.add(known)
      const answers = answerIn(here, 0)
      if (answers !== undefined) return { answers }
      open.push(...behind(here).slice(0, MAX_VISITS))
    }
    return isLimited ? {} : undefined
  }
}

/** Within `&&`, `||`, `!` and comparisons alone: `option.is_correct === 1`. */
function answerIn(value: Value, depth: number): string | undefined {
  if (value.kind === 'member') return ANSWER.test(value.name ?? '') ? value.name : undefined
  if (depth > MAX_DEPTH || (value.kind !== 'operation' && value.kind !== 'choice')) return undefined
  for (const part of directParts(value)) {
    const found = answerIn(part, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function namesLimit(value: Value): boolean {
  if (value.kind === 'member' || value.kind === 'reference') return LIMIT.test(value.name ?? '')
  return value.kind === 'literal' && typeof value.value === 'string' && LIMIT.test(value.value)
}
