import { exposedMembers } from './exposed-entities.ts'
import { isPlain } from './payloads.ts'
import type { CapRoot } from './types.ts'
import { lastName } from '../../paths.ts'

/**
 * Names that elements without text have in all services of a project: numbers, dates, keys. What a page of the project reads under such a name holds no markup. `value` and the like hold
 * rows as well. `computed`: names that scripts of servers give numbers alone. Fact: OData JSON Format 4.01, "Control Information" and "Collection of Entities".
 */
export function plainElements(roots: readonly CapRoot[], computed: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Map<string, boolean>([...computed].map((name) => [name, true]))
  for (const root of roots)
    for (const { member } of exposedMembers(root)) {
      const name = lastName(member.name)
      names.set(name, isPlain(member, false) && names.get(name) !== false)
    }
  return new Set([...names].flatMap(([name, isOfNone]) => (isOfNone && !OF_ENVELOPES.has(name) ? [name] : [])))
}

const OF_ENVELOPES: ReadonlySet<string> = new Set(['value', 'results', 'd', 'data', 'items', 'error', 'message'])
