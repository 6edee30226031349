import {
  conditionOf,
  isOrdinary,
  isReadable,
  privilegesOf,
  restrictionsOf,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { callerCheckExtracts, createHandledReader, handlerRegistrations } from './_callers/caller-checks.ts'
import { callerRows, writtenTies } from './_callers/caller-rows.ts'
import { limitingValues } from './_callers/limiting-values.ts'
import { roleRows, writtenRoles } from './_callers/role-rows.ts'
import { memberName, nameOf, ofUsers, usersWith } from './_matches.ts'
import { sensitivityOf } from './_secrets/sensitive-data.ts'
import { bypassExtracts, createBypassReader } from './_model/bypassed-actions.ts'
import type { BypassReader } from './_model/bypass-reader.ts'
import { exposureOfRoles } from './_model/restricted-exposures.ts'
import { projectedNames } from './_handlers/user-handlers.ts'

/** Of rows about people, which are to be kept from other users as well. */
const PEOPLE = {
  en: {
    why: 'A user can change the row that the condition looks for, and so reach rows of {restricted} that are not meant for them. Every such user also reads the personal data of all others here.',
    fix: "Annotate {entity} with @restrict: [{ grant: ['READ', 'UPDATE'], where: (<login> = $user) }, { grant: '*', to: '<role>' }] for the role that keeps up these rows, and the element with the login with @readonly.",
  },
  fr: {
    why: 'Un utilisateur peut modifier la ligne que la condition recherche, et ainsi accéder à des lignes de {restricted} qui ne lui sont pas destinées. Chacun lit aussi les données personnelles de tous les autres.',
    fix: "Annotez {entity} avec @restrict: [{ grant: ['READ', 'UPDATE'], where: (<login> = $user) }, { grant: '*', to: '<rôle>' }] pour le rôle qui gère ces lignes, et l’élément qui contient le login avec @readonly.",
  },
}

/**
 * An entity that decides which rows users may see, or what they may do, and that the same users may write.
 * Facts: capire, "Authorization", restricting by `where` with subselects and `exists`: CAP evaluates the condition with the data that is there.
 * Impact: a user adds or changes the row that gives access, and reads and changes what it opens.
 */
export const writableAuthorizationEntity: Rule = defineRule({
  id: 'cap/writable-authorization-entity',
  impact: 'data',
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  extracts: [...callerCheckExtracts, ...bypassExtracts, roleRows, callerRows],

  *check(root, { reach }) {
    yield* matchesOfRoles(root, reach)
    yield* matchesOfTies(root, reach)
    const deciding = decidingEntities(root)
    if (deciding.size === 0) return
    const isHandled = createHandledReader(root)
    for (const service of servedServices(root)) {
      for (const element of service.elements) {
        root.step()
        if (element.kind !== 'entity' || !element.writable) continue
        const restricted = root.projected(element.qualified).flatMap((name) => deciding.get(name) ?? [])[0]
        if (restricted === undefined || isChecked(root, element)) continue
        const role = isOpenToUsers(service, element) ? undefined : limitedRole(service, element, restricted.roles)
        if (role === undefined && !isOpenToUsers(service, element)) continue
        yield {
          at: element.place,
          args: { entity: `${service.name}.${element.name}`, restricted: restricted.name, ...(role !== undefined && { role }) },
          ...variantOf(role, isReadable(element) && sensitivityOf(element, root) !== undefined),
          // that callers need no login is a finding of the service
          exposure: ofUsers(reach.ofElement(service, element, ['CREATE', 'UPDATE', 'DELETE'])),
          ...((isHandled(service, element, 'CREATE') || isHandled(service, element, 'UPDATE')) && {
            evidence: 'assumed' as const,
          }),
          groupKey: `${element.place.file} ${element.qualified}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Users can write the data that decides their authorization',
      message:
        'The condition of @restrict on {restricted} reads {entity}, which any user may write: nothing restricts CREATE, UPDATE and DELETE there.',
      why: 'A user can create or change the row that the condition looks for, and so read or change rows of {restricted} that are not meant for them.',
      fix: "Annotate {entity} with @readonly, or with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }] for the role that assigns this access. If users may choose among several values, check the choice in a before handler.",
      variants: {
        role: {
          message:
            'The condition of @restrict on {restricted} limits {role} and reads {entity}, which {role} may write: nothing restricts CREATE, UPDATE and DELETE there.',
        },
        people: {
          message:
            'The condition of @restrict on {restricted} reads {entity}, which any user may read and write: nothing restricts READ, CREATE, UPDATE and DELETE there.',
          ...PEOPLE.en,
        },
        rolePeople: {
          message:
            'The condition of @restrict on {restricted} limits {role} and reads {entity}, which {role} may read and write: nothing restricts it there.',
          ...PEOPLE.en,
        },
        checked: {
          message:
            '{file} compares {element} of a row found for the caller to decide what the caller may do, but {writers:or} can write {element} in create and update requests.',
          why: 'A user can set this element in their own row with a plain request, and so pass the check as if they had the privileged role.',
          fix: "Annotate {entity} with @readonly, or with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }] for the role that manages it. Or add @readonly to the element, and set it in an action for that role.",
        },
        limit: {
          title: 'Role can change what limits its own rows',
          message:
            'The condition of @restrict on {by} limits {writers:or} by {element}, and {writers:or} can change this element in any row.',
          why: 'A user with such a role can set this element to their own value in rows of others, and so reach rows of {by} that are not meant for them.',
          fix: "Limit UPDATE and DELETE on {entity} by the same attribute of the user: { grant: ['UPDATE', 'DELETE'], to: '<role>', where: (<element> = $user.<attribute>) }. Or add @readonly to {element}, and set it in an action for administrators.",
        },
        lookUp: {
          title: 'Element that identifies the caller can be changed',
          message: '{by} finds the row of the caller by {element}, and {writers:or} can change this element in any row.',
          why: 'A user with such a role can put their own login, or that of an accomplice, into the row of another person, and is treated as that person from then on.',
          fix: 'Add @readonly to {element} and set it in an action for the administrators of users. Or grant UPDATE on {entity} to these alone.',
        },
        condition: {
          title: 'Element that identifies the owner of rows can be changed',
          message:
            'The condition of @restrict on {by} compares {element} with the user, and {writers:or} can change this element in any row.',
          why: 'A user with such a role can put their own login, or that of an accomplice, into the row of another person, whose rows are theirs from then on.',
          fix: 'Add @readonly to {element} and set it in an action for the administrators of users. Or grant UPDATE on {entity} to these alone.',
        },
      },
    },
    fr: {
      title: 'Données d’autorisation modifiables par les utilisateurs',
      message:
        'La condition de @restrict sur {restricted} lit {entity}, que tout utilisateur peut modifier : rien n’y limite CREATE, UPDATE et DELETE.',
      why: 'Un utilisateur peut créer ou modifier la ligne que la condition recherche, et ainsi lire ou modifier des lignes de {restricted} qui ne lui sont pas destinées.',
      fix: "Annotez {entity} avec @readonly, ou avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }] pour le rôle qui attribue ces droits. Si les utilisateurs peuvent choisir parmi plusieurs valeurs, vérifiez ce choix dans un gestionnaire before.",
      variants: {
        role: {
          message:
            'La condition de @restrict sur {restricted} limite {role} et lit {entity}, que {role} peut modifier : rien n’y limite CREATE, UPDATE et DELETE.',
        },
        people: {
          message:
            'La condition de @restrict sur {restricted} lit {entity}, que tout utilisateur peut lire et modifier : rien n’y limite READ, CREATE, UPDATE et DELETE.',
          ...PEOPLE.fr,
        },
        rolePeople: {
          message:
            'La condition de @restrict sur {restricted} limite {role} et lit {entity}, que {role} peut lire et modifier : rien ne l’y limite.',
          ...PEOPLE.fr,
        },
        checked: {
          message:
            '{file} compare {element} d’une ligne trouvée pour l’appelant afin de décider de ses droits, mais {writers:ou} peuvent définir {element} dans leurs requêtes.',
          why: 'Un utilisateur peut définir cet élément dans sa propre ligne par une simple requête, et passer ainsi la vérification comme s’il avait le rôle privilégié.',
          fix: "Annotez {entity} avec @readonly, ou avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }] pour le rôle qui la gère. Ou ajoutez @readonly à l’élément, et définissez-le dans une action réservée à ce rôle.",
        },
        limit: {
          title: 'Un rôle peut modifier ce qui limite ses propres lignes',
          message:
            'La condition de @restrict sur {by} limite {writers:ou} d’après {element}, et {writers:ou} peuvent modifier cet élément dans toute ligne.',
          why: 'Un utilisateur avec un tel rôle peut donner à cet élément sa propre valeur dans des lignes d’autres personnes, et accéder ainsi à des lignes de {by} qui ne lui sont pas destinées.',
          fix: "Limitez UPDATE et DELETE sur {entity} par le même attribut de l’utilisateur : { grant: ['UPDATE', 'DELETE'], to: '<rôle>', where: (<élément> = $user.<attribut>) }. Ou ajoutez @readonly à {element}, et définissez-le dans une action réservée aux administrateurs.",
        },
        lookUp: {
          title: 'Élément identifiant l’appelant modifiable',
          message:
            '{by} trouve la ligne de l’appelant par {element}, et {writers:ou} peuvent modifier cet élément dans toute ligne.',
          why: 'Un utilisateur doté d’un tel rôle peut inscrire son propre identifiant, ou celui d’un complice, dans la ligne d’une autre personne, et est ensuite traité comme cette personne.',
          fix: 'Ajoutez @readonly à {element} et définissez-le dans une action réservée aux administrateurs des utilisateurs. Ou accordez UPDATE sur {entity} à eux seuls.',
        },
        condition: {
          title: 'Élément identifiant le propriétaire de lignes modifiable',
          message:
            'La condition de @restrict sur {by} compare {element} à l’utilisateur, et {writers:ou} peuvent modifier cet élément dans toute ligne.',
          why: 'Un utilisateur doté d’un tel rôle peut inscrire son propre identifiant, ou celui d’un complice, dans la ligne d’une autre personne, dont les lignes sont ensuite les siennes.',
          fix: 'Ajoutez @readonly à {element} et définissez-le dans une action réservée aux administrateurs des utilisateurs. Ou accordez UPDATE sur {entity} à eux seuls.',
        },
      },
    },
  }),
})

/** Handlers take the role of the caller from an element that ordinary users write, and no handler looks at it there. */
function* matchesOfRoles(root: CapRoot, reach: ReachModel): Generator<Match> {
  let reader: BypassReader | undefined
  for (const { exposed, writers, at } of writtenRoles(root)) {
    reader ??= createBypassReader(root)
    if (reader.isChecked(exposed) || reader.isRefusedBefore(exposed)) continue
    const { service, entity, member, name } = exposed
    const exposure = exposureOfRoles(service, entity, writers, reach, { events: ['CREATE', 'UPDATE'] })
    yield {
      // not the entity, whose open rows another rule tells of
      at: member.place,
      args: { entity: name, element: memberName(exposed), file: at.file, writers: usersWith(writers, exposure) },
      variant: 'checked',
      exposure,
      ...(reader.isLookedAtBefore(exposed) && { evidence: 'assumed' as const }),
      key: memberName(exposed),
      groupKey: `${member.place.file} ${member.place.span?.start}`,
    }
  }
}

/** What a login is found by is an element that roles change which don't keep up the users, and no handler looks at it. */
function* matchesOfTies(root: CapRoot, reach: ReachModel): Generator<Match> {
  let reader: BypassReader | undefined
  for (const { exposed, writers, asking } of [...writtenTies(root), ...limitingValues(root)]) {
    reader ??= createBypassReader(root)
    if (reader.isChecked(exposed) || reader.isRefusedBefore(exposed)) continue
    const { service, entity, member, name } = exposed
    const exposure = ofUsers(exposureOfRoles(service, entity, writers, reach, { events: ['UPDATE'] }))
    // a role that is not for all may be meant to keep up who the others are
    const isMeant = exposure.reach === 'user' && !writers.some(isOrdinary)
    yield {
      at: entity.place,
      args: { entity: name, element: memberName(exposed), writers: usersWith(writers), by: asking.by },
      variant: asking.kind,
      exposure,
      ...((reader.isLookedAtBefore(exposed) || isMeant) && { evidence: 'assumed' as const }),
      // who keeps these rows up may be meant to give them to others
      ...(asking.kind === 'limit' && { evidence: 'guessed' as const }),
      key: memberName(exposed),
      groupKey: `${member.place.file} ${member.place.span?.start} tie`,
    }
  }
}

/** Rows about people are read by all who may write them. */
function variantOf(role: string | undefined, isAboutPeople: boolean): Pick<Match, 'variant'> {
  if (isAboutPeople) return { variant: role === undefined ? 'people' : 'rolePeople' }
  return role === undefined ? {} : { variant: 'role' }
}

interface Restricted {
  readonly name: string
  /** Whom the condition limits; empty: every user. */
  readonly roles: readonly string[]
}

/** Entities that a condition asks for rows of the user, by their qualified names, with what it restricts. */
function decidingEntities(root: CapRoot): ReadonlyMap<string, Restricted> {
  const found = new Map<string, Restricted>()
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element === undefined) continue
    const own = new Set(root.projected(element.qualified))
    for (const { where, to = [] } of privilegesOf(annotation.value)) {
      const condition = where === undefined ? undefined : conditionOf(where)
      const text =
        condition === undefined
          ? String(where?.kind === 'string' ? where.value : '')
          : typeof condition === 'string'
            ? ''
            : condition.text
      if (!text.includes('$user')) continue
      for (const asked of askedEntities(text, element, root))
        if (!own.has(asked) && !found.has(asked)) found.set(asked, { name: nameOf(restriction), roles: to })
    }
  }
  return found
}

const SUBSELECT = /\bfrom\s{1,10}([A-Za-z_][\w.]{0,200})/gi
const EXISTS = /\bexists\s{1,10}([A-Za-z_]\w{0,100})(?=\s{0,10}[[.])/gi

/** `(select role from db.Members where user = $user)`, `exists members[user = $user]`. */
function askedEntities(text: string, element: CapElement, root: CapRoot): string[] {
  const selected = [...text.matchAll(SUBSELECT)].flatMap(([, name = '']) =>
    root.entities.filter((entity) => entity === name || (!name.includes('.') && entity.endsWith(`.${name}`))),
  )
  const members = root.membersOf(element.qualified)
  const followed = [...text.matchAll(EXISTS)].flatMap(([, name = '']) => members.get(name)?.target ?? [])
  return [...selected, ...followed].flatMap((name) => [name, ...root.projected(name)])
}

/** Nothing but a login stands in front of writing. */
function isOpenToUsers({ access }: CapService, element: CapElement): boolean {
  const { kind } = element.access ?? access
  return kind !== 'roles' && kind !== 'none' && !element.annotations.has('restrict')
}

/** A role that the condition limits, and that is all it takes to write what decides. */
function limitedRole({ access }: CapService, element: CapElement, limited: readonly string[]): string | undefined {
  const { kind, roles } = element.access ?? access
  return kind === 'roles' && !element.annotations.has('restrict') ? limited.find((role) => roles.includes(role)) : undefined
}

/** A handler of its own looks at what is written; one for all entities seldom does. */
function isChecked(root: CapRoot, { qualified }: CapElement): boolean {
  const names = projectedNames(root, qualified)
  return root.scripts
    .get(handlerRegistrations)
    .some(({ value: { phase, entities } }) => phase !== 'after' && entities?.some((name) => names.has(name)) === true)
}
