import { append } from '../../lists.ts'
import { filtersByPolicies, type CapElement, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { CONTENT_WORDS } from './_model/content-words.ts'
import {
  assignmentsOfAll,
  forgottenReadings,
  readingsElsewhere,
  type ForgottenReading,
  type OtherReading,
} from './_model/forgotten-readings.ts'
import { listElements, listRoles, ofUsers, usersWith } from './_matches.ts'
import { openEntities, type OpenEntity } from './_model/open-entities.ts'
import { openEntityExtracts } from './_model/open-entity-extracts.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { createHeldRoles } from './_callers/scopes.ts'

/**
 * An entity that every user may write, in a project that shows that not every user should: it restricts the same rows elsewhere, what they are a part of or what stands
 * beside them, the decision about them, or treats them as those of one user each.
 * Facts: capire, "Authorization" (`@restrict`, "Limitations": an entity has its own restrictions and those of its service alone); @sap/cds 9.9.3, generic/auth/restrict.js.
 * Impact: every user changes data that others decide about or own. Of lists of values, and where names alone tell who was meant, whether all users may write them is
 * not in the project.
 */
export const entityWithoutRestriction: Rule = defineRule({
  id: 'cap/entity-without-restriction',
  impact: 'data',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#restrict-annotation',
  on: 'cap-root',
  grades: { added: { impact: 'bounded' } },
  extracts: openEntityExtracts,
  yieldsTo: ['cap/instance-restriction-bypassed', 'cap/writable-authorization-entity', 'cap/service-without-auth'],

  *check(root, project) {
    if (root.test || filtersByPolicies(root)) return
    yield* matchesOfReading(root, project)
    const open = [...openEntities(root, project)]
    // who may write an entity may read it, too
    yield* matchesElsewhere(root, project, new Set(open.map(({ element }) => element)))
    const groups = new Map<string, OpenEntity[]>()
    for (const found of open) {
      const key = `${found.service.place.file} ${found.service.name} ${found.reason.variant} ${found.reason.element ?? ''} ${String(found.reason.isAssumed)} ${found.reason.users?.join(' ') ?? ''}`
      groups.set(key, [...(groups.get(key) ?? []), found])
    }
    for (const [groupKey, found] of groups)
      for (const { element, service, exposure, reason } of found) {
        const { variant } = reason
        const match = {
          args: argsOf(found),
          exposure,
          groupKey,
          ...(variant !== 'sibling' && { variant }),
          ...(reason.isAssumed === true && { evidence: 'assumed' as const }),
        }
        // the annotation that lets all users in is one place for all that it opens
        const isOfService = variant === 'everyone' || variant === 'void'
        if (isOfService && element === found[0]?.element) yield { at: service.access.place ?? service.place, ...match }
        yield { at: element.place, ...match }
      }
  },

  text: () => ({
    en: {
      title: 'Missing write restriction on a CAP entity',
      message:
        'In the service {service}, {users:and} can write {entities:and}: nothing limits this to a role, although the same service requires {roles:or} for {restricted:and}.',
      why: 'CAP checks each entity against its own annotations and those of its service alone: these users can create, change and delete the rows without any other role.',
      fix: "Annotate {entities:and} with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }], or with @readonly. If every user may write these rows, state this: { grant: 'WRITE', to: 'authenticated-user' }.",
      variants: {
        part: {
          message:
            'In the service {service}, {users:and} can write {entities:and}, although these rows are a part of {restricted:and}, which requires {roles:or} for changes.',
          why: 'CAP checks the restrictions of the entity that a request names: a request to the part changes what the restriction of the whole protects.',
        },
        draftPart: {
          title: 'Missing delete restriction on a part of a draft',
          message:
            'In the service {service}, {users:and} can delete {entities:and}, although these rows are a part of {restricted:and}, which requires {roles:or} for changes.',
          why: 'CAP checks the restrictions of the entity that a request names, and a draft protects active rows of its parts from direct creation and updates only: a DELETE request to the part succeeds.',
          fix: "Annotate {entities:and} with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }], or with @Capabilities.DeleteRestrictions.Deletable: false if nobody deletes single rows.",
        },
        same: {
          message:
            'In the service {service}, {users:and} can write {entities:and}, although {restricted:and} requires {roles:or} to write the same rows.',
          why: 'CAP checks the restrictions of the entity that a request names: every user can create, change and delete these rows with a request to the service {service}.',
          fix: "Annotate {entities:and} in {service} with @readonly, or with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }] for the role that may write these rows elsewhere.",
        },
        reads: {
          message:
            'In the service {service}, {users:and} can change all rows of {entities:and}, although @restrict lets them read their own rows only ({element}).',
          why: 'CAP checks the privileges of each event alone: a user who knows or guesses the key of another user’s row can update or delete it without being able to read it.',
          fix: 'Add where: ({element} = $user) to the privilege for UPDATE and DELETE too, or grant these events to a role that may change the rows of all users.',
        },
        action: {
          message:
            '{restricted:and} requires {roles:or}, but in the service {service}, {users:and} can write {entities:and}, including {element}, which records the decision.',
          why: 'A user without the role can set the state with a plain update request, bypassing the action and its checks.',
          fix: 'Annotate {element} with @readonly in {service} (the action can still change it), or restrict who may write {entities:and}.',
        },
        operation: {
          message:
            '{restricted:and} requires {roles:or}, but in the service {service}, {users:and} can make the same changes to {entities:and} with plain requests.',
          why: 'A user without the role can create, change or delete the rows directly, bypassing the actions and their checks.',
          fix: 'Annotate {entities:and} in {service} with @readonly (the actions can still change the rows), or restrict who may write them.',
        },
        owner: {
          message:
            'In the service {service}, {users:and} can write all rows of {entities:and}, although code of this project treats the rows as those of one user each ({element}).',
          why: 'A user can change or delete rows of other users with a direct request: a condition in a query of a handler protects nothing but that query.',
          fix: "Annotate {entities:and} with @restrict: [{ grant: ['READ', 'UPDATE', 'DELETE'], where: ({element} = $user) }, { grant: 'CREATE' }], or with the role that may change the rows of all users.",
        },
        handler: {
          message:
            'In the service {service}, {users:and} can write {entities:and}: its handlers check the role of the caller for {restricted:and} only.',
          why: 'A check in a handler protects the entities that it is registered for: every user with a token can create, change and delete rows of the others.',
        },
        events: {
          message:
            'In the service {service}, {users:and} can send {element} for {entities:and}: its handlers check the role of the caller for {restricted:and} only.',
          why: 'CAP calls a handler for its own events alone: every user with a token can change or delete the rows with a direct request.',
          fix: "Add {element} to the events of the handler that checks the role. Or annotate {entities:and} with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }] and remove the check.",
        },
        person: {
          message:
            'In the service {service}, {users:and} can write all rows of {entities:and}, although {element} names the user that each row belongs to: neither @restrict nor a handler compares it with the caller.',
          why: 'Any user of the service can create, change and delete rows in the name of other users with a direct request.',
          fix: "Annotate {entities:and} with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', where: ({element} = $user) }], or with the role that may change the rows of all users. If every user may write them, state this for the entity.",
        },
        private: {
          title: 'Missing row restriction on private data',
          message:
            'In the service {service}, {users:and} can read and write all rows of {entities:and}, although {element} names the user that each row belongs to: neither @restrict nor a handler compares it with the caller.',
          why: 'Any user of the service can read, change and delete the private rows of all other users with a direct request.',
          fix: "Annotate {entities:and} with @restrict: [{ grant: ['READ', 'UPDATE', 'DELETE'], where: ({element} = $user) }, { grant: 'CREATE' }], and {element} with @readonly @cds.on.insert: $user. Restrict what refers to these rows in the same way.",
        },
        administration: {
          message:
            'In the service {service}, {users:and} can write {entities:and}: by its name the service is for administrators, and nothing limits it to their role.',
          why: '@requires with authenticated-user lets every user with a token in: they can create, change and delete rows with a direct request, whatever pages they are shown.',
          fix: "Annotate {service} with @requires: '<role>', and define the role for administrators in xs-security.json.",
        },
        ...CONTENT_WORDS.en,
        disabled: {
          message:
            'In the service {service}, {users:and} can write {entities:and}: the annotation {element} for {roles:and} is commented out.',
          why: 'The model was meant to let some roles only write these rows. With the annotation commented out, every user with a token can create, change and delete them.',
          fix: 'Activate {element} again before deployment. For tests without roles, use mocked users in the development profile.',
        },
        shared: {
          message:
            'In the service {service}, {users:and} can write {entities:and}, a list that {restricted:and} refers to, although @restrict lets them change their own rows of {restricted:and} only.',
          why: 'CAP checks each entity against its own annotations and those of its service alone: any user can rename or delete entries that the rows of all users refer to.',
          fix: "Annotate {entities:and} with @readonly, or with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }]. If every user may write this list, state this: { grant: 'WRITE', to: 'authenticated-user' }.",
        },
        void: {
          title: "Roles listed beside 'authenticated-user' have no effect",
          message:
            "@requires of {service} lists {roles:and} beside 'authenticated-user'. One role of the list is enough, so {users:and} can write {entities:and}.",
          why: 'The list looks like a restriction to these roles, but every user with a token passes it, and can create, change and delete the rows without any other role.',
          fix: "Remove 'authenticated-user' from @requires of {service}. Then annotate what only some of the roles may write with @restrict.",
        },
        reading: {
          title: 'Missing read restriction on a CAP entity',
          message:
            'In the service {service}, all authenticated users can read {entities:and}, although everything else in this service requires {roles:or}: {restricted:and}.',
          why: 'CAP checks each entity against its own annotations and those of its service alone: every user with a token can read all its rows with a direct request.',
          fix: "Annotate {entities:and} with @requires, for the role that the rest of the service requires. If every user may read these rows, state this: @restrict: [{ grant: 'READ', to: 'authenticated-user' }].",
        },
        assignments: {
          title: 'Role assignments readable by all users',
          message:
            'In the service {service}, all authenticated users can read {entities:and}, which records the roles of all users, although this service requires {roles:or} for {restricted:and}.',
          why: 'A user learns from it who the administrators and other privileged users are, and can choose whom to attack or to deceive.',
          fix: "Annotate {entities:and} with @restrict: [{ grant: 'READ', to: '<role>' }, { grant: 'READ', where: (<user> = $user) }], so that all other users read their own roles alone.",
        },
        elsewhere: {
          title: 'Read restriction of a CAP entity missing on another projection',
          message:
            'In the service {service}, {users:and} can read {entities:and}, although reading the same rows is limited to {roles:or} in {restricted:and}.',
          why: 'CAP checks each entity against its own annotations and those of its service alone: these users can read the same rows with a request to {entities:or}.',
          fix: "Annotate {entities:and} in {service} with @restrict: [{ grant: 'READ', to: '<role>' }], for the roles that may read these rows elsewhere. If the other users of {service} may read them, state this: name their roles in @restrict.",
        },
        roles: {
          message:
            'In the service {service}, {users:and} can write {entities:and}, although the project defines roles for some users only: {roles:and}.',
        },
      },
    },
    fr: {
      title: 'Absence de restriction d’écriture sur une entité CAP',
      message:
        'Dans le service {service}, {users:et} peuvent écrire dans {entities:et} : rien ne réserve cette opération à un rôle, alors que le même service exige {roles:ou} pour {restricted:et}.',
      why: 'CAP ne vérifie une entité que selon ses propres annotations et celles de son service : ces utilisateurs peuvent créer, modifier et supprimer ces lignes sans aucun autre rôle.',
      fix: "Annotez {entities:et} avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }], ou avec @readonly. Si tout utilisateur peut écrire ces lignes, indiquez-le : { grant: 'WRITE', to: 'authenticated-user' }.",
      variants: {
        part: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans {entities:et}, alors que ces lignes font partie de {restricted:et}, dont la modification exige {roles:ou}.',
          why: 'CAP vérifie les restrictions de l’entité que la requête désigne : une requête sur la partie modifie ce que la restriction du tout protège.',
        },
        draftPart: {
          title: 'Absence de restriction de suppression sur une partie d’un brouillon',
          message:
            'Dans le service {service}, {users:et} peuvent supprimer {entities:et}, alors que ces lignes font partie de {restricted:et}, dont la modification exige {roles:ou}.',
          why: 'CAP vérifie les restrictions de l’entité que la requête désigne, et un brouillon ne protège les lignes actives de ses parties que de la création et de la modification directes : une requête DELETE sur la partie aboutit.',
          fix: "Annotez {entities:et} avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }], ou avec @Capabilities.DeleteRestrictions.Deletable: false si personne ne supprime de lignes isolées.",
        },
        same: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans {entities:et}, alors que {restricted:et} exige {roles:ou} pour écrire les mêmes lignes.',
          why: 'CAP vérifie les restrictions de l’entité que la requête désigne : tout utilisateur peut créer, modifier et supprimer ces lignes par une requête au service {service}.',
          fix: "Annotez {entities:et} dans {service} avec @readonly, ou avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }] pour le rôle qui peut écrire ces lignes ailleurs.",
        },
        reads: {
          message:
            'Dans le service {service}, {users:et} peuvent modifier toutes les lignes de {entities:et}, alors que @restrict ne leur laisse lire que les leurs ({element}).',
          why: 'CAP vérifie séparément les privilèges de chaque événement : un utilisateur qui connaît ou devine la clé d’une ligne d’un autre utilisateur peut la modifier ou la supprimer sans pouvoir la lire.',
          fix: 'Ajoutez where: ({element} = $user) au privilège pour UPDATE et DELETE aussi, ou accordez ces événements à un rôle qui peut modifier les lignes de tous.',
        },
        action: {
          message:
            '{restricted:et} exige {roles:ou}, mais dans le service {service}, {users:et} peuvent écrire dans {entities:et}, y compris {element}, qui porte la décision.',
          why: 'Un utilisateur sans ce rôle peut fixer l’état par une simple requête de modification, en contournant l’action et ses contrôles.',
          fix: 'Annotez {element} avec @readonly dans {service} (l’action peut toujours le modifier), ou limitez à un rôle l’écriture dans {entities:et}.',
        },
        operation: {
          message:
            '{restricted:et} exige {roles:ou}, mais dans le service {service}, {users:et} peuvent faire les mêmes changements dans {entities:et} par de simples requêtes.',
          why: 'Un utilisateur sans ce rôle peut créer, modifier ou supprimer ces lignes directement, en contournant les actions et leurs contrôles.',
          fix: 'Annotez {entities:et} avec @readonly dans {service} (les actions peuvent toujours modifier ces lignes), ou limitez à un rôle l’écriture.',
        },
        owner: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans toutes les lignes de {entities:et}, alors que du code de ce projet les traite comme celles d’un seul utilisateur ({element}).',
          why: 'Un utilisateur peut modifier ou supprimer les lignes d’autres utilisateurs par une requête directe : une condition dans la requête d’un gestionnaire ne protège que cette requête.',
          fix: "Annotez {entities:et} avec @restrict: [{ grant: ['READ', 'UPDATE', 'DELETE'], where: ({element} = $user) }, { grant: 'CREATE' }], ou avec le rôle qui peut modifier les lignes de tous.",
        },
        handler: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans {entities:et} : ses gestionnaires ne vérifient le rôle de l’appelant que pour {restricted:et}.',
          why: 'Un contrôle dans un gestionnaire ne protège que les entités pour lesquelles il est déclaré : tout utilisateur muni d’un jeton peut créer, modifier et supprimer les lignes des autres.',
        },
        events: {
          message:
            'Dans le service {service}, {users:et} peuvent envoyer {element} pour {entities:et} : ses gestionnaires ne vérifient le rôle de l’appelant que pour {restricted:et}.',
          why: 'CAP n’appelle un gestionnaire que pour ses propres événements : tout utilisateur muni d’un jeton peut modifier ou supprimer les lignes par une requête directe.',
          fix: "Ajoutez {element} aux événements du gestionnaire qui vérifie le rôle. Ou annotez {entities:et} avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }] et retirez le contrôle.",
        },
        person: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans toutes les lignes de {entities:et}, alors que {element} désigne l’utilisateur de chaque ligne : ni @restrict ni un gestionnaire ne le compare à l’appelant.',
          why: 'Tout utilisateur du service peut créer, modifier et supprimer des lignes au nom d’autres utilisateurs par une requête directe.',
          fix: "Annotez {entities:et} avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', where: ({element} = $user) }], ou avec le rôle qui peut modifier les lignes de tous. Si tout utilisateur peut les écrire, indiquez-le pour l’entité.",
        },
        private: {
          title: 'Absence de restriction par ligne sur des données privées',
          message:
            'Dans le service {service}, {users:et} peuvent lire et modifier toutes les lignes de {entities:et}, alors que {element} désigne l’utilisateur de chaque ligne : ni @restrict ni un gestionnaire ne le compare à l’appelant.',
          why: 'Tout utilisateur du service peut lire, modifier et supprimer les lignes privées de tous les autres par une requête directe.',
          fix: "Annotez {entities:et} avec @restrict: [{ grant: ['READ', 'UPDATE', 'DELETE'], where: ({element} = $user) }, { grant: 'CREATE' }], et {element} avec @readonly @cds.on.insert: $user. Limitez de même ce qui se rapporte à ces lignes.",
        },
        administration: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans {entities:et} : d’après son nom, le service est destiné aux administrateurs, et rien ne le réserve à leur rôle.',
          why: '@requires avec authenticated-user laisse entrer tout utilisateur muni d’un jeton : par une requête directe, il peut créer, modifier et supprimer des lignes, quelles que soient les pages qu’on lui montre.',
          fix: "Annotez {service} avec @requires: '<rôle>', et définissez le rôle des administrateurs dans xs-security.json.",
        },
        ...CONTENT_WORDS.fr,
        disabled: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans {entities:et} : l’annotation {element} pour {roles:et} est en commentaire.',
          why: 'Le modèle réservait l’écriture de ces lignes à certains rôles. L’annotation étant en commentaire, tout utilisateur muni d’un jeton peut les créer, les modifier et les supprimer.',
          fix: 'Réactivez {element} avant le déploiement. Pour des tests sans rôles, utilisez des utilisateurs fictifs dans le profil de développement.',
        },
        shared: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans {entities:et}, liste à laquelle {restricted:et} fait référence, alors que @restrict ne leur laisse modifier que leurs propres lignes de {restricted:et}.',
          why: 'CAP ne vérifie une entité que selon ses propres annotations et celles de son service : tout utilisateur peut renommer ou supprimer des entrées auxquelles renvoient les lignes de tous.',
          fix: "Annotez {entities:et} avec @readonly, ou avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }]. Si tout utilisateur peut écrire cette liste, indiquez-le : { grant: 'WRITE', to: 'authenticated-user' }.",
        },
        void: {
          title: "Rôles sans effet à côté de 'authenticated-user'",
          message:
            "@requires de {service} cite {roles:et} à côté de 'authenticated-user'. Un seul rôle de la liste suffit : {users:et} peuvent donc écrire dans {entities:et}.",
          why: 'La liste semble réserver le service à ces rôles, mais tout utilisateur muni d’un jeton la satisfait, et peut créer, modifier et supprimer ces lignes sans aucun autre rôle.',
          fix: "Retirez 'authenticated-user' de @requires de {service}. Annotez ensuite avec @restrict ce que seuls certains de ces rôles peuvent écrire.",
        },
        reading: {
          title: 'Absence de restriction de lecture sur une entité CAP',
          message:
            'Dans le service {service}, tout utilisateur authentifié peut lire {entities:et}, alors que tout le reste de ce service exige {roles:ou} : {restricted:et}.',
          why: 'CAP ne vérifie une entité que selon ses propres annotations et celles de son service : tout utilisateur muni d’un jeton peut en lire toutes les lignes par une requête directe.',
          fix: "Annotez {entities:et} avec @requires, pour le rôle qu’exige le reste du service. Si tout utilisateur peut lire ces lignes, indiquez-le : @restrict: [{ grant: 'READ', to: 'authenticated-user' }].",
        },
        assignments: {
          title: 'Attributions de rôles lisibles par tous les utilisateurs',
          message:
            'Dans le service {service}, tout utilisateur authentifié peut lire {entities:et}, qui contient les rôles de tous les utilisateurs, alors que ce service exige {roles:ou} pour {restricted:et}.',
          why: 'Un utilisateur y apprend qui sont les administrateurs et les autres utilisateurs dotés de droits particuliers, et choisit qui attaquer ou tromper.',
          fix: "Annotez {entities:et} avec @restrict: [{ grant: 'READ', to: '<rôle>' }, { grant: 'READ', where: (<utilisateur> = $user) }] : les autres utilisateurs ne lisent alors que leurs propres rôles.",
        },
        elsewhere: {
          title: 'Restriction de lecture d’une entité CAP absente d’une autre projection',
          message:
            'Dans le service {service}, {users:et} peuvent lire {entities:et}, alors que la lecture des mêmes lignes est réservée à {roles:ou} dans {restricted:et}.',
          why: 'CAP ne vérifie une entité que selon ses propres annotations et celles de son service : ces utilisateurs peuvent lire les mêmes lignes par une requête sur {entities:ou}.',
          fix: "Annotez {entities:et} dans {service} avec @restrict: [{ grant: 'READ', to: '<rôle>' }], pour les rôles qui peuvent lire ces lignes ailleurs. Si les autres utilisateurs de {service} peuvent les lire, indiquez-le : nommez leurs rôles dans @restrict.",
        },
        roles: {
          message:
            'Dans le service {service}, {users:et} peuvent écrire dans {entities:et}, alors que le projet définit des rôles réservés à certains utilisateurs : {roles:et}.',
        },
      },
    },
  }),
})

/** What is said once of all entities of one finding. */
function argsOf(found: readonly OpenEntity[]): NonNullable<Match['args']> {
  const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]
  const service = found[0]?.service
  const reasons = found.map(({ reason }) => reason)
  return {
    service: service?.name ?? '',
    users: usersWith(reasons[0]?.users ?? (service?.access.kind === 'roles' ? service.access.roles : ['authenticated-user'])),
    entities: listElements(found.map(({ element }) => element.name)),
    restricted: listElements(unique(reasons.flatMap(({ restricted }) => restricted))),
    roles: listRoles(unique(reasons.flatMap(({ roles }) => roles))),
    element: reasons[0]?.element ?? '',
  }
}

/** What all users of a service read, and nobody writes. */
function* matchesOfReading(root: CapRoot, project: Project): Generator<Match> {
  const matchOf = ({ service, element, restricted, roles }: ForgottenReading, variant: string): Match => ({
    at: element.place,
    variant,
    evidence: 'assumed',
    args: {
      service: service.name,
      entities: listElements([element.name]),
      restricted: listElements(restricted),
      roles: listRoles(roles),
    },
    exposure: ofUsers(exposureOf(service, element, project.reach, ['READ'])),
  })
  const forgotten = [...forgottenReadings(root)]
  for (const one of forgotten) yield matchOf(one, 'reading')
  for (const one of assignmentsOfAll(root))
    if (!forgotten.some(({ element }) => element === one.element)) yield matchOf(one, 'assignments')
}

/** One for each service and roles that it forgets. */
function* matchesElsewhere(root: CapRoot, project: Project, told: ReadonlySet<CapElement>): Generator<Match> {
  const groups = new Map<string, OtherReading[]>()
  for (const found of readingsElsewhere(root, createHeldRoles(root, project), project.reach))
    if (!told.has(found.element))
      append(groups, `elsewhere ${found.service.name} ${found.roles.join(' ')} ${found.evidence}`, found)
  for (const [groupKey, found] of groups)
    for (const { service, element, roles, users, evidence } of found)
      yield {
        at: element.place,
        variant: 'elsewhere',
        evidence,
        groupKey,
        args: {
          service: service.name,
          users: usersWith(users),
          entities: listElements(found.map((one) => one.element.name)),
          restricted: listElements([...new Set(found.flatMap((one) => one.restricted))]),
          roles: listRoles(roles),
        },
        // users of the service are those whom the other one leaves out, and rows that are kept from them are none of a demonstration
        exposure: { reach: 'user', by: service.access.place ?? service.place },
      }
}
