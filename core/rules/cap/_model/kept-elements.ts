import {
  accepts,
  isGuarded,
  toWords,
  writersOf,
  PSEUDO_ROLES,
  type CapRoot,
  type ExposedMember,
  type WriteEvent,
} from '../../../model/cap/index.ts'
import { append } from '../../../lists.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match } from '../../../types.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { memberName, ofUsers, usersWith } from '../_matches.ts'
import { keptNumbers } from '../_rows/kept-numbers.ts'
import type { BypassReader } from './bypass-reader.ts'
import { exposureOf } from './restricted-exposures.ts'

const EVENTS = ['CREATE', 'UPDATE'] as const
/** Who may change these is mostly who enters them, too. */
const ENTERED = /(?:^| )(?:balance|credits)$/

/**
 * Elements that the server keeps up by updates of its own, and that clients set as well: all of an entity of a service are one finding. `told`: elements that are told anyway;
 * `isTrusted`: roles that may set them. Needs `keptNumbers` and the extracts of `reader`.
 */
export function* keptElements(
  root: CapRoot,
  reach: ReachModel,
  reader: BypassReader,
  exposedMembers: readonly ExposedMember[],
  told: ReadonlySet<string>,
  isTrusted: (role: string) => boolean,
): Generator<Match> {
  const kept = root.scripts.get(keptNumbers)
  if (kept.length === 0 || root.test) return
  const entitiesOf = new Map<string, Set<string>>()
  const settled = new Set(kept.flatMap(({ value }) => (value.isSettled === true ? [`${value.entity} ${value.element}`] : [])))
  for (const { value } of kept) {
    if (value.isSettled !== undefined && settled.has(`${value.entity} ${value.element}`)) continue
    entitiesOf.set(value.element, (entitiesOf.get(value.element) ?? new Set<string>()).add(value.entity))
  }
  const byEntity = new Map<string, { readonly exposed: ExposedMember; readonly events: readonly WriteEvent[] }[]>()
  for (const exposed of exposedMembers) {
    root.step()
    const entities = entitiesOf.get(exposed.member.name)
    if (entities === undefined || !isOpen(exposed) || told.has(memberName(exposed))) continue
    const names = projectedNames(root, exposed.entity.qualified)
    if (![...entities].some((name) => names.has(name))) continue
    const events = EVENTS.filter((event) => {
      const writers = writersOf(exposed.entity, exposed.service, [event]).filter((role) => !isTrusted(role))
      return writers.length > 0 && reader.isUntouched(exposed, event, !writers.some((role) => PSEUDO_ROLES.has(role)))
    })
    if (events.length > 0) append(byEntity, exposed.name, { exposed, events })
  }
  for (const found of byEntity.values()) {
    const [first] = found
    if (first === undefined) continue
    const { service, entity, member } = first.exposed
    const writers = writersOf(entity, service, first.events).filter((role) => !isTrusted(role))
    const exposure = ofUsers(exposureOf(service, entity, reach, first.events))
    yield {
      at: member.place,
      args: {
        element: found.map(({ exposed }) => exposed.member.name).join(', '),
        entity: first.exposed.name,
        file: member.place.file,
        writers: usersWith(writers, exposure),
      },
      groupKey: `${member.place.file} ${member.place.span?.start}`,
      evidence: 'assumed',
      exposure,
      variant: 'kept',
    }
  }
}

function isOpen({ entity, member, isWritten }: ExposedMember): boolean {
  if (member.key || !isWritten || isGuarded(member)) return false
  return !(ENTERED.test(toWords(member.name)) && accepts(entity, 'UPDATE'))
}
