import {
  accepts,
  AUTHENTICATED_ROLES,
  entityWords,
  exposedEntities,
  grantsEvent,
  isGuarded,
  privilegesOf,
  toWords,
  writersOf,
  type CapElement,
  type CapMember,
  type CapRoot,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match, RuleText } from '../../../types.ts'
import { mayBeLimitedInCode } from '../_handlers/user-handlers.ts'
import { memberName, ofUsers, usersWith } from '../_matches.ts'
import { limitOf } from '../_rows/owned-entities.ts'
import type { BypassReader } from './bypass-reader.ts'
import { exposureOf } from './restricted-exposures.ts'

/** Whose order, booking or claim it is, by the words of an element; who works on it is another matter. */
const OWNER =
  /^(?:to )?(?:customer|buyer|client|order(?:er|ed by)|purchaser|user|owner|account|account holder|guest|applicant|requester)$/
/** The people who log in. What a clerk enters for a customer has customers who do not. */
const USERS = /(?:^| )(?:users?|accounts?|user (?:accounts?|profiles?))$/
const CUSTOMERS = /(?:^| )(?:customers?|clients?|buyers?|guests?)$/

/**
 * Rows of which users read only those that they made themselves, with another element for the person whose rows they are, which nothing sets to the user: one for each element.
 * Needs `userHandlers` and the extracts of `reader`.
 */
export function* namedOwners(root: CapRoot, reach: ReachModel, reader: BypassReader): Generator<Match> {
  for (const exposed of exposedEntities(root)) {
    const { service, entity, isDirect, isWritten } = exposed
    if (!isDirect || !isWritten || !accepts(entity, 'CREATE') || !isOfCreators(entity)) continue
    const people = entity.members().filter((one) => !one.toMany && isPerson(one, root, service.name))
    root.step(entity.members().length)
    const [member, another] = people
    // one of two may be chosen
    if (member === undefined || another !== undefined || member.key || isGuarded(member) || !OWNER.test(toWords(member.name)))
      continue
    const writers = writersOf(entity, service, ['CREATE'])
    if (!writers.some((role) => role === 'any' || AUTHENTICATED_ROLES.has(role))) continue
    if (!reader.isUntouched({ ...exposed, member }, 'CREATE', false) || mayBeLimitedInCode(root, service, entity)) continue
    // that callers need no login is a finding of the service
    const exposure = ofUsers(exposureOf(service, entity, reach, ['CREATE']))
    yield {
      at: member.place,
      alsoAt: [entity.place],
      args: { element: memberName({ ...exposed, member }), file: member.place.file, writers: usersWith(writers, exposure) },
      variant: 'owner',
      exposure,
      groupKey: `${member.place.file} ${member.place.span?.start} owner`,
    }
  }
}

/** All users read the rows that they have made, and no others. */
function isOfCreators({ annotations }: CapElement): boolean {
  const reading = privilegesOf(annotations.get('restrict')?.value).filter((one) => grantsEvent(one, 'READ'))
  const own = reading.filter((one) => limitOf(one) === 'createdBy')
  return own.some(({ to }) => to === undefined || to.some((role) => AUTHENTICATED_ROLES.has(role)))
}

/** A row of the people who log in; of customers only where the service is for these. */
function isPerson({ target, type }: CapMember, root: CapRoot, service: string): boolean {
  if (type !== 'Association' || target === undefined) return false
  const names = root.projected(target)
  const words = names.map(entityWords)
  if (!words.some((name) => USERS.test(name) || (CUSTOMERS.test(name) && FOR_CUSTOMERS.test(toWords(service))))) return false
  // accounts may be those of a bank or of a ledger, clients those of a system
  return hasMember(names, OF_PERSON, root)
}

/** Rows of people who log in, by what they are called and by their login or mail address. */
export function isLoginOf(names: readonly string[], root: CapRoot): boolean {
  return names.some((name) => PEOPLE.test(entityWords(name))) && hasMember(names, OF_LOGIN, root)
}

function hasMember(names: readonly string[], words: RegExp, root: CapRoot): boolean {
  return names.some((name) => [...root.membersOf(name).values()].some((one) => words.test(toWords(one.name))))
}

const PEOPLE =
  /(?:^| )(?:users?|accounts?|employees?|members?|colleagues?|personnels?|persons?|people|(?:user |employee )?profiles?)$/
const OF_LOGIN = /^(?:user |login |work )?(?:login|log on|e ?mail|mail|user (?:name|id))(?: (?:name|id|address))?$/

const OF_PERSON =
  /^(?:login|log on|e ?mail|mail|user|first|last|given|family|birth|phone|password)(?: ?(?:name|id|address|date|day|number|hash))?$/

const FOR_CUSTOMERS = /(?:^| )(?:customer|client|buyer|guest|shop|store ?front)s?(?: (?:portal|service|api))?$/

/** The words of `cap/author-from-client` for it. */
export const OWNER_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Owner of a new row chosen by the client',
    message:
      '{element} tells whose row it is, but is not read-only, and no handler sets or checks it: {writers:or}, who read only the rows that they created, can send any person in it.',
    why: 'A user can create rows in the name of another user, such as orders or claims that this user never made.',
    fix: 'Add @readonly to this element in {file}, and set it in a handler before CREATE to the row of the authenticated user.',
  },
  fr: {
    title: 'Propriétaire d’une nouvelle ligne choisi par le client',
    message:
      '{element} indique à qui appartient la ligne, mais n’est pas en lecture seule, et aucun gestionnaire ne le définit ni ne le vérifie : {writers:ou}, qui ne lisent que les lignes qu’ils ont créées, peuvent y envoyer n’importe quelle personne.',
    why: 'Un utilisateur peut créer des lignes au nom d’un autre, comme des commandes ou des demandes que celui-ci n’a jamais faites.',
    fix: 'Ajoutez @readonly à cet élément dans {file}, et affectez-lui la ligne de l’utilisateur authentifié dans un gestionnaire avant CREATE.',
  },
}
