import type { StepCounter } from '../../budget.ts'
import type { CdsQuery } from '../../parse/cds/types.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'

/**
 * The tables whose rows an entity shows, through projections, joins, unions and subqueries; its own name where it has no query, or where it reads what the project does not hold.
 */
export function tablesReadBy(name: string, definitions: CapDefinitions, budget: StepCounter): readonly string[] {
  const found = definitions.get(name)
  if (found === undefined) return [name]
  const tables = new Set<string>()
  // a set shows what is added while it is gone through
  const seen = new Set([found])
  for (const one of seen) {
    budget.step(1)
    const { query } = one.definition
    const sources = query === undefined ? [] : sourcesOf(query, one, definitions, budget)
    if (sources.length === 0 || sources.includes(undefined)) tables.add(one.name)
    else for (const source of sources) if (source !== undefined) seen.add(source)
  }
  // definitions that read each other have no table
  return tables.size === 0 ? [name] : [...tables]
}

/** Undefined among them: what a path leads to, or no entity of the project. */
function sourcesOf(
  { sources, parts }: CdsQuery,
  from: CapDefinition,
  definitions: CapDefinitions,
  budget: StepCounter,
): readonly (CapDefinition | undefined)[] {
  budget.step(1 + sources.length)
  return [
    ...sources.map((source) => (source.element === undefined ? definitions.resolve(from, source) : undefined)),
    ...parts.flatMap((part) => sourcesOf(part, from, definitions, budget)),
  ]
}
