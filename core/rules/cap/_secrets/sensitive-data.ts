import {
  isCredential,
  personalKind,
  type CapElement,
  type CapMember,
  type CapRoot,
  type PersonalKind,
} from '../../../model/cap/index.ts'

/**
 * `close`: what nobody but those in charge should see of a person, such as accounts, identity papers, pay and health, or a credential. `personal`: any other data about
 * a person. Undefined: neither, as far as annotations and names tell.
 */
export type Sensitivity = 'close' | 'personal' | undefined

const CLOSE: ReadonlySet<PersonalKind> = new Set(['bank', 'identity', 'pay', 'belief'])

/** What the rows of an entity hold, without those that they are composed of. */
export function sensitivityOf(
  { qualified, annotations }: Pick<CapElement, 'qualified' | 'annotations'>,
  root: CapRoot,
): Sensitivity {
  const members = [...root.membersOf(qualified).values()]
  if (members.some(isClose)) return 'close'
  const isAnnotated = (names: Iterable<string>): boolean => [...names].some((name) => name.startsWith('PersonalData.'))
  const isPersonal =
    isAnnotated(annotations.keys()) ||
    members.some((member) => isAnnotated(member.annotations.keys()) || personalKind(member) !== undefined)
  return isPersonal ? 'personal' : undefined
}

function isClose(member: CapMember): boolean {
  const kind = personalKind(member)
  return (
    (kind !== undefined && CLOSE.has(kind)) ||
    isCredential(member) ||
    member.annotations.has('PersonalData.IsPotentiallySensitive')
  )
}
