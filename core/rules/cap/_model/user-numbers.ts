import { accepts, doUsersWrite, exposedEntities, isGuarded, type CapRoot } from '../../../model/cap/index.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'

/** All users may write a number of rows themselves, whatever handlers do with it; `entity`: the last part of its name. */
export function isUserNumber(root: CapRoot, { entity, element }: { readonly entity: string; readonly element: string }): boolean {
  return [...exposedEntities(root)].some(
    (one) =>
      one.isDirect &&
      one.isWritten &&
      accepts(one.entity, 'UPDATE') &&
      projectedNames(root, one.entity.qualified).has(entity) &&
      doUsersWrite(one.entity, one.service) &&
      one.entity.members().some((member) => member.name === element && !isGuarded(member)),
  )
}
