import { functionOf, isCalleeOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  constantOf,
  fieldOf,
  resolveValue,
  type Constant,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'

const MAX_DEPTH = 4
const ITERATING = /^(?:forEach|map|some|every|filter)$/

/** The constants that a value may be in its file: its own, items of a list that a loop or a callback goes through, what calls give to the function around. `step` counts. */
export function possibleConstants(
  value: Value,
  facts: ScriptFacts,
  step: (count?: number) => void,
  depth = 0,
): readonly Constant[] {
  const constant = constantOf(value)
  if (constant !== undefined) return [constant]
  const here = resolveValue(value)
  if (here.kind === 'choice') return here.options.flatMap((option) => possibleConstants(option, facts, step, depth + 1))
  if (here.kind !== 'reference' || depth > MAX_DEPTH) return []
  const deeper = (one: Value): readonly Constant[] => possibleConstants(one, facts, step, depth + 1)
  return (here.binding?.definitions ?? []).flatMap(({ kind, value: given, path, parameter, function: within, fallback }) => {
    const own = fallback === undefined ? [] : deeper(fallback)
    const from =
      kind === 'each' && given !== undefined
        ? itemsOf(given, facts, step, depth)
        : kind === 'parameter'
          ? givenTo(within, parameter, facts, step, depth)
          : []
    return [...own, ...from.flatMap((one) => partAt(one, path) ?? []).flatMap(deeper)]
  })
}

function partAt(value: Value, path: readonly string[]): Value | undefined {
  let here: Value | undefined = value
  for (const name of path) {
    const made: Value | undefined = here && resolveValue(here)
    here = made?.kind === 'array' ? made.items[Number(name)] : fieldOf(made, name)?.value
  }
  return here
}

/** Items of a list that is written out, also where the list is a parameter. */
function itemsOf(list: Value, facts: ScriptFacts, step: (count?: number) => void, depth: number): readonly Value[] {
  const here = resolveValue(list)
  if (here.kind === 'array') return here.items
  if (here.kind === 'new' && lastNameOf(here.callee) === 'Set')
    return here.args.flatMap((one) => itemsOf(one, facts, step, depth + 1))
  if (here.kind === 'call' && depth <= MAX_DEPTH && /^(?:keys|freeze)$/.test(lastNameOf(here.callee) ?? '')) {
    const [first] = here.args
    const made = first && resolveValue(first)
    return made?.kind === 'array' ? made.items : []
  }
  const [definition] = here.kind === 'reference' ? (here.binding?.definitions ?? []) : []
  if (definition?.kind !== 'parameter' || depth > MAX_DEPTH) return []
  return givenTo(definition.function, definition.parameter, facts, step, depth).flatMap((one) => {
    const given = partAt(one, definition.path)
    return given === undefined ? [] : itemsOf(given, facts, step, depth + 1)
  })
}

/** What calls give to a parameter; of a callback the items of the list that it is called for. */
function givenTo(
  fact: FunctionFact,
  parameter: number | undefined,
  facts: ScriptFacts,
  step: (count?: number) => void,
  depth: number,
): readonly Value[] {
  if (parameter === undefined) return []
  step(facts.calls.length)
  return facts.calls.flatMap((call) => {
    const { callee, args } = call
    const isIterated =
      parameter === 0 && callee.kind === 'member' && ITERATING.test(callee.name ?? '') && functionOf(args[0]) === fact
    if (isIterated) return itemsOf(callee.object, facts, step, depth + 1)
    return isCalleeOf(call.callee, fact) ? (args[parameter] ?? []) : []
  })
}
