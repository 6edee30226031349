import type { UnresolvedElements } from './unresolved-elements.ts'
import type { CapMembers } from './members.ts'
import type { Lookup, MemberMap } from './types.ts'

/** Longer paths are nobody's. */
const MAX_STEPS = 20
const MAX_LENGTH = 500

/** Follows a path, `author.address.city`, through associations and structured elements. */
export function createLookup(
  members: CapMembers,
  unresolvedOf: (name: string) => UnresolvedElements,
): (entity: string, path: string) => Lookup {
  return (entity, path) => {
    const steps = path.length > MAX_LENGTH ? [] : path.split('.')
    if (steps.length === 0 || steps.length > MAX_STEPS) return 'unknown'
    let [name, inside] = [entity, '']
    for (const [index, step] of steps.entries()) {
      const here = members.of(name)
      const member = here.get(inside + step)
      const isLast = index === steps.length - 1
      if (member === undefined)
        return isGenerated(inside + step, here) ? foundAt(isLast) : lookUpUnresolved(unresolvedOf(name), step, isLast)
      if (isLast) return 'found'
      if (member.target !== undefined) [name, inside] = [member.target, '']
      else if (member.type === 'struct') inside += `${step}.`
      else return 'unknown'
    }
    return 'unknown'
  }
}

function foundAt(isLast: boolean): Lookup {
  return isLast ? 'found' : 'unknown'
}

function lookUpUnresolved(unresolved: UnresolvedElements, step: string, isLast: boolean): Lookup {
  if (unresolved === true) return 'unknown'
  return unresolved !== false && unresolved.has(step) ? foundAt(isLast) : 'missing'
}

/** What the compiler adds by itself: drafts, translations, the parent of a composed aspect. */
const ADDED: ReadonlySet<string> = new Set([
  'texts',
  'localized',
  'locale',
  'up_',
  'IsActiveEntity',
  'HasActiveEntity',
  'HasDraftEntity',
  'DraftAdministrativeData',
  'SiblingEntity',
  'DraftMessages',
])

/** And the flat names of foreign keys and structured elements: `author_ID`, `address_street`. */
function isGenerated(step: string, members: MemberMap): boolean {
  if (ADDED.has(step) || step.startsWith('up__') || step.startsWith('DraftAdministrativeData_')) return true
  for (let bar = step.indexOf('_', 1); bar !== -1; bar = step.indexOf('_', bar + 1))
    if (members.has(step.slice(0, bar))) return true
  return false
}
