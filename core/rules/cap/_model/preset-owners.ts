import {
  accepts,
  AUTHENTICATED_ROLES,
  isAdministrative,
  isGuarded,
  writersOf,
  type CapElement,
  type CapRoot,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { groupBy } from '../../../lists.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match, Place, RuleText } from '../../../types.ts'
import { memberName, ofUsers, usersWith } from '../_matches.ts'
import { ownedEntities, type OwnedEntity } from '../_rows/owned-entities.ts'
import { AUTHOR, FOR_OTHERS, OWNER } from '../_rows/preset-authors.ts'
import { exposureOf } from './restricted-exposures.ts'

/**
 * Elements that tell whose row it is, by which users read their own rows alone, and which a handler sets to the user only where the client leaves them out.
 * `handled`: what handlers do with an element. Needs the extracts of `ownedEntities`.
 */
export function* presetOwners(
  root: CapRoot,
  reach: ReachModel,
  exposedMembers: Iterable<ExposedMember>,
  handled: (exposed: ExposedMember) => Place | 'settled' | undefined,
): Generator<Match> {
  let owners: ReadonlyMap<CapElement, readonly OwnedEntity[]> | undefined
  for (const exposed of exposedMembers) {
    const { service, entity, member, isWritten } = exposed
    if (!OWNER.test(member.name) || AUTHOR.test(member.name) || member.key || member.toMany) continue
    if (!isWritten || isGuarded(member) || !accepts(entity, 'CREATE')) continue
    const at = handled(exposed)
    if (at === undefined || at === 'settled') continue
    owners ??= groupBy(ownedEntities(root), ({ element }) => element)
    const own = (owners.get(entity) ?? []).filter((one) => one.reads && isNamed(one.owner, member.name))
    const writers = writersOf(entity, service, ['CREATE'])
    root.step(own.length * writers.length)
    if (!writers.some((role) => own.some((one) => isLimited(role, one)))) continue
    const exposure = ofUsers(exposureOf(service, entity, reach, ['CREATE']))
    yield {
      at,
      args: { element: memberName(exposed), file: member.place.file, writers: usersWith(writers, exposure) },
      exposure,
      variant: 'preset',
      // for whom it was made, users may be meant to say
      ...(FOR_OTHERS.test(member.name) && { evidence: 'guessed' as const }),
      groupKey: `${at.file} ${member.place.span?.start} preset`,
    }
  }
}

/** `owner`, `owner.ID` or `owner_ID`. */
function isNamed(path: string, element: string): boolean {
  return path === element || path.startsWith(`${element}.`) || path.startsWith(`${element}_`)
}

/** Who creates rows reads those of their own alone. A role beside all users, or one that a handler lets pass, may read those of others. */
function isLimited(role: string, { roles, exempt, filter }: OwnedEntity): boolean {
  if (isAdministrative(role)) return false
  if (role === 'any' || AUTHENTICATED_ROLES.has(role)) return true
  return roles.length > 0 ? roles.includes(role) : exempt === undefined ? filter === undefined : !exempt.includes(role)
}

/** The words of `cap/author-from-client` for it. */
export const PRESET_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Owner of a new row chosen by the client',
    message:
      '{element}, by which users read only their own rows, is set to the authenticated user only if the request leaves it out: {writers:or} can send another user.',
    why: 'A user can create rows in the name of another user, who finds them among their own.',
    fix: 'Set {element} to req.user.id whatever the request holds. Or add @readonly to this element in {file}: the handler can still set it on the server.',
  },
  fr: {
    title: 'Propriétaire d’une nouvelle ligne choisi par le client',
    message:
      '{element}, selon lequel les utilisateurs ne lisent que leurs propres lignes, ne reçoit l’utilisateur authentifié que si la requête l’omet : {writers:ou} peuvent envoyer un autre utilisateur.',
    why: 'Un utilisateur peut créer des lignes au nom d’un autre, qui les trouve parmi les siennes.',
    fix: 'Affectez req.user.id à {element}, quoi que contienne la requête. Ou ajoutez @readonly à cet élément dans {file} : le gestionnaire peut toujours le définir côté serveur.',
  },
}
