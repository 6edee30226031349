import type { CapRoot } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match } from '../../../types.ts'
import type { OwnerMark } from './owner-marks.ts'
import { callersOf, isForOthers, type Owner } from './row-owners.ts'

/** Operations that delete or give back the rows of all users, or that let the client say whose a row is. */
export function* markedRows(
  root: CapRoot,
  marks: Iterable<{ readonly file: string; readonly value: OwnerMark }>,
  owned: ReadonlyMap<string, Owner>,
  { reach }: { readonly reach: ReachModel },
): Generator<Match> {
  for (const { file, value } of marks) {
    root.step()
    const { kind, entity, column, client, event, isRead, around, inHelper, start, end } = value
    const found = owned.get(entity)
    if (kind === 'stamp' || found === undefined || !isFault(value, found)) continue
    const at = { file, span: { start, end } }
    const { reach: caller } = reach.at(at)
    if (caller === 'privileged' || isForOthers(found, callersOf(root, file, value))) continue
    yield {
      at,
      ...(inHelper !== undefined && { alsoAt: [inHelper] }),
      args: {
        entity,
        column,
        value: client,
        owner: kind === 'claim' ? column : (found.through?.path ?? found.owner),
        root: entity,
        operation: event?.names[0] ?? '',
      },
      // that callers need no login is a finding of the service
      ...(caller === 'anyone' && { impact: 'bounded' as const }),
      ...((isRead || (kind === 'claim' && !isAccounts(entity))) && { evidence: 'assumed' as const }),
      variant: kind === 'claim' ? 'claim' : isRead ? 'all-reads' : 'all',
      // a call may also hand on the key of a row
      ...(kind === 'claim' && { key: column }),
      groupKey: `${file} ${around} ${entity} ${kind}`,
    }
  }
}

/** `crm_user`, `Users`: who may make or change one of others acts as somebody else. */
export function isAccounts(entity: string): boolean {
  return /users?$/i.test(entity)
}

function isFault({ kind, isRead, column }: OwnerMark, { owner, part, isStamp, isPrivate, isFilter, readBy }: Owner): boolean {
  if (kind === 'claim') return owner === column
  // what belongs to the rows goes with them
  return part === undefined && isStamp !== true && isPrivate !== true && isFilter !== true && (!isRead || readBy === 'model')
}
