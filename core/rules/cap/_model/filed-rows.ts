import {
  accepts,
  exposedEntities,
  isAdministrative,
  isGuarded,
  isOrdinary,
  notesUser,
  PSEUDO_ROLES,
  privilegesOf,
  writersOf,
  type CapMember,
  type CapRoot,
  type ExposedEntity,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match, RuleText } from '../../../types.ts'
import { mayBeLimitedInCode } from '../_handlers/user-handlers.ts'
import { listRoles, memberName, ofUsers, usersWith } from '../_matches.ts'
import { AUTHOR } from '../_rows/preset-authors.ts'
import type { BypassReader } from './bypass-reader.ts'
import { isLoginOf } from './named-owners.ts'
import { exposureOf } from './restricted-exposures.ts'

/**
 * Rows that ordinary users create and other roles alone change, such as requests, where the person who filed one is what the client says: one for each element. What `managed`
 * notes would tell who it was. Needs `userHandlers` and the extracts of `reader`.
 */
export function* filedRows(root: CapRoot, reach: ReachModel, reader: BypassReader): Generator<Match> {
  for (const exposed of exposedEntities(root)) {
    const { service, entity, isDirect, isWritten } = exposed
    if (!isDirect || !isWritten || !accepts(entity, 'CREATE') || !accepts(entity, 'UPDATE')) continue
    const roles = rolesOfOthers(exposed)
    const members = roles === undefined ? [] : entity.members()
    root.step(members.length)
    if (roles === undefined || members.some(notesUser) || root.lookUp(entity.qualified, 'createdBy') !== 'missing') continue
    const authors = members.filter((member) => isAuthor(member, root))
    if (authors.length === 0 || mayBeLimitedInCode(root, service, entity)) continue
    for (const member of authors) {
      if (!reader.isUntouched({ ...exposed, member }, 'CREATE', false)) continue
      // that callers need no login is a finding of the service
      const exposure = ofUsers(exposureOf(service, entity, reach, ['CREATE']))
      const writers = usersWith(writersOf(entity, service, ['CREATE']), exposure)
      yield {
        at: member.place,
        alsoAt: [entity.place],
        args: { element: memberName({ ...exposed, member }), file: member.place.file, writers, roles: listRoles(roles) },
        variant: 'filed',
        exposure,
        groupKey: `${member.place.file} ${member.place.span?.start} filed`,
      }
    }
  }
}

/** The roles that change rows, where those who create them are ordinary users and may not. */
function rolesOfOthers({ service, entity }: ExposedEntity): readonly string[] | undefined {
  if (privilegesOf(entity.annotations.get('restrict')?.value).length === 0) return undefined
  const creating = writersOf(entity, service, ['CREATE']).filter((role) => !isAdministrative(role))
  const changing = writersOf(entity, service, ['UPDATE'])
  const isOfUsers = (role: string): boolean => PSEUDO_ROLES.has(role) || isOrdinary(role)
  return creating.some(isOfUsers) && !changing.some((role) => isOfUsers(role) || creating.includes(role)) ? changing : undefined
}

/** Whose login made the row, by the words of the element, and not who is in charge of it. */
function isAuthor(member: CapMember, root: CapRoot): boolean {
  const { name, key, type, target, toMany } = member
  if (key || toMany || type !== 'Association' || target === undefined || isGuarded(member)) return false
  return AUTHOR.test(name) && isLoginOf(root.projected(target), root)
}

/** The words of `cap/author-from-client` for it. */
export const FILED_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Author of a new row chosen by the client',
    message:
      '{element} tells who filed the row, but is not read-only, and no handler sets or checks it: {writers:or}, whose rows {roles:and} process, can send any person in it.',
    why: 'A user can file rows in the name of another user, and no other element of the row tells who it was.',
    fix: 'Add @readonly to this element in {file}, and set it in a handler before CREATE to the row of the authenticated user.',
  },
  fr: {
    title: 'Auteur d’une nouvelle ligne choisi par le client',
    message:
      '{element} indique qui a déposé la ligne, mais n’est pas en lecture seule, et aucun gestionnaire ne le définit ni ne le vérifie : {writers:ou}, dont {roles:et} traitent les lignes, peuvent y envoyer n’importe quelle personne.',
    why: 'Un utilisateur peut déposer des lignes au nom d’un autre, et aucun autre élément de la ligne n’indique qui l’a fait.',
    fix: 'Ajoutez @readonly à cet élément dans {file}, et affectez-lui la ligne de l’utilisateur authentifié dans un gestionnaire avant CREATE.',
  },
}
