import { accepts, isCredential, type CapRoot, type ExposedMember } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { hasOwnLogin } from '../_callers/caller-gates.ts'
import { handlersFor } from '../_handlers/write-handlers.ts'
import type { BypassReader } from './bypass-reader.ts'
import { exposureOf } from './restricted-exposures.ts'

/** Where users make up their own role. */
export const BECOMES = { impact: 'takeover', evidence: 'shown' } as const
const ROLE = /^(?:user_?)?(?:roles?|is_?admin)$/i

/**
 * The role beside a password, where callers without a login make the rows by which the app logs them in, and no handler looks at it, stores something of its own or refuses all of them.
 * Needs the extracts `entityHandlers` and `bypassExtracts`.
 */
export function isRoleOfLogin(exposed: ExposedMember, root: CapRoot, reach: ReachModel, reader: BypassReader): boolean {
  const { service, entity, member } = exposed
  return (
    ROLE.test(member.name) &&
    accepts(entity, 'CREATE') &&
    entity.members().some(isCredential) &&
    hasOwnLogin(root) &&
    exposureOf(service, entity, reach, ['CREATE']).reach === 'anyone' &&
    reader.isUntouched(exposed, 'CREATE', false) &&
    !handlersFor(root, service, entity).some(
      ({ events, closes, fills, looksAt }) =>
        events.some((event) => CREATES.test(event)) && (closes || fills || looksAt.includes(member.name)),
    )
  )
}

const CREATES = /^(?:CREATE|INSERT|NEW|SAVE|WRITE|\*)$/
