import type { CapDefinitions } from './definitions.ts'
import { structMembers, type CapMember, type CapMembers } from './members.ts'

/** Whether a path leads to an element of an entity; `unknown`: what decides it is not in the project. */
export type Lookup = 'found' | 'missing' | 'unknown'

/** Longer paths are nobody's. */
const MAX_STEPS = 20
const MAX_LENGTH = 500

/** Follows a path, `author.address.city`, through associations and structured elements. */
export function createLookup(
  definitions: CapDefinitions,
  membersOf: (name: string) => CapMembers,
): (entity: string, path: string) => Lookup {
  const behind = ({ member, owner }: CapMember): CapMembers | undefined => {
    const type = member?.type
    if (type === undefined || type.kind === 'many' || type.kind === 'query') return undefined
    if (type.elements.length > 0) return type.kind === 'struct' ? structMembers(type, owner) : undefined
    const target = type.reference === undefined ? undefined : definitions.resolve(owner, type.reference)
    return target === undefined || type.reference?.element !== undefined ? undefined : membersOf(target.name)
  }
  return (entity, path) => {
    const steps = path.length > MAX_LENGTH ? [] : path.split('.')
    if (steps.length === 0 || steps.length > MAX_STEPS) return 'unknown'
    let here: CapMembers | undefined = membersOf(entity)
    for (const [index, step] of steps.entries()) {
      const member: CapMember | undefined = here.byName.get(step)
      if (member === undefined) {
        if (!here.isWhole) return 'unknown'
        return isGenerated(step, here) ? 'found' : 'missing'
      }
      if (index === steps.length - 1) return 'found'
      here = behind(member)
      if (here === undefined) return 'unknown'
    }
    return 'unknown'
  }
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
function isGenerated(step: string, { byName }: CapMembers): boolean {
  if (ADDED.has(step) || step.startsWith('up__') || step.startsWith('DraftAdministrativeData_')) return true
  for (let bar = step.indexOf('_', 1); bar !== -1; bar = step.indexOf('_', bar + 1))
    if (byName.has(step.slice(0, bar))) return true
  return false
}
