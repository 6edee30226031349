import { resolveValue, type Assignment, type Binding, type ScriptFacts, type Value } from '../../facts/index.ts'

/**
 * Tells what a field holds where it is read, if the lines above say it for certain: `copy.title = 'x'; use(copy.title)`, `{ ...given, ...DEFAULTS }.note`.
 * Of a name that other functions use nobody can tell what happened in between.
 */
export function createSettledFields({ assignments, guards }: ScriptFacts): (value: Value) => Value | undefined {
  let byBinding: Map<Binding, Assignment[]> | undefined
  const writesTo = (binding: Binding): readonly Assignment[] => {
    if (byBinding === undefined) {
      byBinding = new Map()
      for (const assignment of assignments) {
        const { object } = assignment.target
        if (object.kind !== 'reference' || object.binding === undefined) continue
        const known = byBinding.get(object.binding)
        if (known === undefined) byBinding.set(object.binding, [assignment])
        else known.push(assignment)
      }
    }
    return byBinding.get(binding) ?? []
  }
  const isConditional = (at: number): boolean =>
    guards.some(({ inside, test }) => (inside.start <= at && at < inside.end) || (test.start <= at && at < test.end))

  return (value) => {
    if (value.kind !== 'member' || value.name === undefined || value.object.kind !== 'reference') return undefined
    const { binding } = value.object
    const [definition, other] = binding?.definitions ?? []
    if (binding === undefined || binding.isCaptured || other !== undefined || definition?.path.length !== 0) return undefined
    const written = writesTo(binding)
    if (written.some(({ target }) => target.name === undefined)) return undefined
    const own = written.filter(({ target }) => target.name === value.name)
    if (own.length === 0) return lastOf(definition.value, value.name)
    const last = own.findLast(({ start }) => start < value.start)
    const isCertain = last?.operator === '=' && last.function === binding.function && !isConditional(last.start)
    return isCertain && last === own.at(-1) ? last.value : undefined
  }
}

/** What an object with others spread into it holds in a field: the last one that has it. */
function lastOf(made: Value | undefined, name: string): Value | undefined {
  const here = made && resolveValue(made)
  if (here?.kind !== 'object' || !here.fields.some(({ value }) => value.kind === 'spread')) return undefined
  for (const { key, value } of here.fields.toReversed()) {
    if (key === name) return value
    if (key !== undefined) continue
    const spread = value.kind === 'spread' ? resolveValue(value.value) : undefined
    if (spread?.kind !== 'object' || spread.fields.some((field) => field.key === undefined)) return undefined
    const found = spread.fields.findLast((field) => field.key === name)
    if (found !== undefined) return found.value
  }
  return undefined
}
