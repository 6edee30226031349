import { accepts, isGuarded, writersOf, type CapRoot, type ExposedMember } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match } from '../../../types.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { memberName, ofUsers, usersWith } from '../_matches.ts'
import { stateHandlers } from '../_rows/decided-states.ts'
import { exposureOf } from './restricted-exposures.ts'
import { defaultOf, isForEntity, isLate, isNamed, isSame, runsFor } from './state-handlers.ts'

/** As many say that the handler lists what clients may not change. */
const FEWEST = 3

/**
 * Elements that the handler in front of changes leaves out where it refuses what the server sets: one of CREATE sets it in any case, and this one sets it only where the request holds
 * something else. `told`: elements that are told anyway; `isTrusted`: roles that may set them. Needs the extract `stateHandlers`.
 */
export function* leftOutElements(
  root: CapRoot,
  reach: ReachModel,
  exposedMembers: readonly ExposedMember[],
  told: ReadonlySet<string>,
  isTrusted: (role: string) => boolean,
): Generator<Match> {
  const known = root.scripts.get(stateHandlers).map(({ file, value }) => ({
    value,
    event: root.eventOf({ file, ...value, events: [] }),
  }))
  if (!known.some(({ value }) => value.refusedSent.length >= FEWEST)) return
  for (const exposed of exposedMembers) {
    const { service, entity, member, isWritten } = exposed
    root.step()
    if (member.key || !isWritten || isGuarded(member) || !accepts(entity, 'UPDATE') || told.has(memberName(exposed))) continue
    root.step(known.length)
    const names = projectedNames(root, entity.qualified)
    const own = known
      .filter(({ value, event }) => isForEntity(value, names) && (!event.isCertain || event.services.includes(service)))
      .map(({ value }) => value)
    const sets = own.filter(({ overwrites }) => overwrites.some((name) => isSame(exposed, name)))
    const updating = own.filter((one) => runsFor(one, 'UPDATE'))
    const listing = updating.find(({ refusedSent }) => refusedSent.length >= FEWEST)
    if (listing === undefined || !sets.includes(listing) || !sets.some((one) => one !== listing && isSetFirst(one, member.name)))
      continue
    // each that looks at it at all does so only where something else is sent, too
    const isPassed = updating.every(
      (one) =>
        one.phase === 'before' &&
        !one.isOpen &&
        !one.refusedSent.some((name) => isNamed(name, member.name)) &&
        isLate(one, exposed),
    )
    const writers = writersOf(entity, service, ['UPDATE']).filter((role) => !isTrusted(role))
    if (!isPassed || writers.length === 0) continue
    const exposure = ofUsers(exposureOf(service, entity, reach, ['UPDATE']))
    yield {
      at: member.place,
      args: {
        element: memberName(exposed),
        file: member.place.file,
        others: listing.refusedSent.slice(0, FEWEST).join(', '),
        writers: usersWith(writers, exposure),
      },
      key: memberName(exposed),
      groupKey: `${member.place.file} ${member.place.span?.start}`,
      evidence: 'assumed',
      exposure,
      variant: 'leftOut',
    }
  }
}

function isSetFirst(handler: Parameters<typeof runsFor>[0], element: string): boolean {
  return handler.phase === 'before' && runsFor(handler, 'CREATE') && defaultOf(handler, element) === undefined
}
