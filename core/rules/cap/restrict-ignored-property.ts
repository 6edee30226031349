import {
  eventsOf,
  grantsMoreThanReading,
  placeIn,
  privilegesOf,
  restrictionsOf,
  rolesIn,
  wordsOf,
  type CapRoot,
  type CapService,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import { listNames } from '../../arguments.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { nameOf, requiringRoles, usersWith, worstAtPlaces } from './_matches.ts'
import { exposureOf, exposureOfRoles } from './_model/restricted-exposures.ts'
import { lastName } from '../../paths.ts'

/**
 * A part of a restriction that CAP does not evaluate on this kind of element.
 * Facts: capire, "Authorization", supported combinations with CDS resources; @sap/cds 9.9.3, lib/srv/protocols/http.js and
 * generic/auth/restrictions.js (`grant` of an action or function becomes its name; the same in 7.9.5 and 8.9.10).
 * Impact: users who have the role can do more than the model says; a grant that names reading and writing leaves out nothing.
 */
export const restrictIgnoredProperty: Rule = defineRule({
  id: 'cap/restrict-ignored-property',
  impact: 'data',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#supported-combinations-with-cds-resources',
  on: 'cap-root',

  *check(root, project) {
    yield* worstAtPlaces(matchesOf(root, project))
  },

  text: () => ({
    en: {
      title: 'Ineffective restriction on a CAP service',
      message:
        'CAP ignores "{key}" in @restrict on the service {element}: on services, it evaluates only the roles of a restriction.',
      why: 'Users with the role have full access to every entity in the service that has no restriction of its own, although the model seems to limit their access.',
      fix: 'Move @restrict to each entity, where "grant" and "where" are enforced, and replace it on {element} with @requires: {requires}.',
      variants: {
        beside: {
          title: '@restrict on a service ignored because of @requires',
          message: '@restrict on the service {element} is ignored, because @requires is set as well: {users:or} can call it.',
          why: 'Users without any of the roles in @restrict can call the service: CAP Node.js evaluates @restrict on a service only if it has no @requires.',
          fix: 'Set @requires: {requires} on {element} and delete @restrict there. Move its "grant" and "where", if any, to @restrict on each entity.',
        },
        action: {
          title: 'Ineffective condition in @restrict on an action',
          message:
            'CAP ignores "{key}" in @restrict on the action {element}: on actions, it evaluates only roles and conditions on $user.',
          why: 'Users with the role can call the action regardless of this condition: an unbound action has no row to check it against.',
          fix: 'Replace @restrict with @requires: {requires} on {element}, and check the condition in its handler. Or bind the action to an entity, and grant it with the condition in @restrict on that entity.',
        },
        operations: {
          message:
            'CAP ignores "{key}" in @restrict on the service {element}: all users with a role of the restriction can call {actions:and}.',
          why: 'Users who should only read can run these actions and change what the actions change: on services, CAP evaluates only the roles of a restriction.',
          fix: 'Annotate each of these actions, such as {first}, with @requires and the role that may call it. Replace @restrict on {element} with @requires: {requires}, which applies to all other operations.',
        },
        reader: {
          title: 'Action callable with a privilege for reading only',
          message:
            'CAP ignores "{key}" in @restrict on the action {element}: {users} can call it as well, although the list grants them READ only.',
          why: 'Users who should only read can run the action and change what it changes: on actions, each role that the list names may call them.',
          fix: 'Replace @restrict on {element} with @requires: {requires}, or delete the privilege reported here from the list.',
        },
      },
    },
    fr: {
      title: 'Restriction sans effet sur un service CAP',
      message:
        'CAP ignore "{key}" dans @restrict sur le service {element} : pour un service, il n’évalue que les rôles d’une restriction.',
      why: 'Les utilisateurs dotés du rôle ont un accès complet aux entités du service qui n’ont pas de restriction propre, alors que le modèle semble limiter cet accès.',
      fix: 'Placez plutôt @restrict sur chaque entité, où "grant" et "where" sont appliqués, et remplacez-le sur {element} par @requires: {requires}.',
      variants: {
        beside: {
          title: '@restrict ignoré sur un service qui porte @requires',
          message:
            '@restrict sur le service {element} est ignoré, car @requires y figure aussi : {users:ou} peuvent appeler ce service.',
          why: 'Des utilisateurs sans aucun des rôles de @restrict peuvent appeler le service : CAP Node.js n’évalue @restrict sur un service qu’en l’absence de @requires.',
          fix: 'Définissez @requires: {requires} sur {element} et supprimez-y @restrict. Reprenez ses éventuels "grant" et "where" dans un @restrict sur chaque entité.',
        },
        action: {
          title: 'Condition sans effet dans @restrict sur une action',
          message:
            'CAP ignore "{key}" dans @restrict sur l’action {element} : pour une action, il n’évalue que les rôles et les conditions sur $user.',
          why: 'Les utilisateurs dotés du rôle peuvent appeler l’action sans que cette condition soit vérifiée : une action non liée n’a pas de ligne sur laquelle la vérifier.',
          fix: 'Remplacez @restrict par @requires: {requires} sur {element}, et vérifiez la condition dans le gestionnaire de l’action. Ou liez l’action à une entité, et accordez-la avec la condition dans le @restrict de cette entité.',
        },
        operations: {
          message:
            'CAP ignore "{key}" dans @restrict sur le service {element} : tous les utilisateurs dotés d’un rôle de la restriction peuvent appeler {actions:et}.',
          why: 'Des utilisateurs qui ne devraient que lire peuvent exécuter ces actions et modifier ce qu’elles modifient : pour un service, CAP n’évalue que les rôles d’une restriction.',
          fix: 'Annotez chacune de ces actions, par exemple {first}, avec @requires et le rôle autorisé à l’appeler. Remplacez @restrict sur {element} par @requires: {requires}, qui s’applique aux autres opérations.',
        },
        reader: {
          title: 'Action autorisée par un privilège de lecture seule',
          message:
            'CAP ignore "{key}" dans @restrict sur l’action {element} : {users} peuvent l’appeler aussi, alors que la liste ne leur accorde que READ.',
          why: 'Des utilisateurs qui ne devraient que lire peuvent exécuter l’action et modifier ce qu’elle modifie : pour une action, tout rôle nommé dans la liste a le droit de l’appeler.',
          fix: 'Remplacez @restrict sur {element} par @requires: {requires}, ou supprimez de la liste le privilège signalé ici.',
        },
      },
    },
  }),
})

function* matchesOf(root: CapRoot, { reach }: Project): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { service, name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind === 'entity') continue
    yield* readersOfActions(restriction, reach)
    if (element?.entity !== undefined) continue
    const others = element === undefined && root.runtime === 'node' ? rolesBeside(restriction) : []
    if (others.length > 0) {
      const args = { element: nameOf(restriction), users: usersWith(others), requires: quoted(rolesOf(restriction)) }
      yield { at: annotation.place, args, exposure: exposureOf(service, undefined, reach), variant: 'beside' }
      continue
    }
    one: for (const { record, grants } of privilegesOf(annotation.value)) {
      for (const { key, value } of record.members) {
        // a condition of an action that only compares attributes of the user is evaluated
        const isIgnored =
          element === undefined
            ? key === 'where' || (key === 'grant' && grants.length > 0 && !grants.includes('*'))
            : key === 'where' && !/\$user\b/.test(textOf(value))
        if (!isIgnored) continue
        const operations = element === undefined ? actionsAlone(service) : []
        const [first] = operations
        const args = {
          key,
          element: nameOf(restriction),
          requires: quoted(rolesOf(restriction)),
          ...(first !== undefined && { first, actions: listNames(operations) }),
        }
        yield {
          at: placeIn(annotation, value),
          args,
          exposure: exposureOf(service, element, reach),
          ...(element !== undefined && { variant: 'action' }),
          ...(first !== undefined && { variant: 'operations' }),
          ...(key === 'grant' && grantsAll(grants) && { impact: 'hygiene' as const }),
        }
        break one
      }
    }
  }
}

/** Roles for which an action grants reading alone beside others that get more: CAP lets them call it as well. */
function* readersOfActions(restriction: Restriction, reach: ReachModel): Generator<Match> {
  const { service, annotation, element } = restriction
  if (element?.kind !== 'action') return
  const privileges = privilegesOf(annotation.value)
  const callers = new Set(privileges.filter(grantsMoreThanReading).flatMap(({ to }) => to ?? ['any']))
  if (callers.size === 0 || callers.has('any') || callers.has('authenticated-user')) return
  for (const privilege of privileges) {
    const readers = (privilege.to ?? []).filter((role) => !callers.has(role) && !callsByEntity(role, restriction))
    const grant = privilege.record.members.findLast(({ key }) => key === 'grant')?.value
    if (grant === undefined || readers.length === 0 || grantsMoreThanReading(privilege)) continue
    yield {
      at: placeIn(annotation, grant),
      args: { key: 'grant', element: nameOf(restriction), users: usersWith(readers), requires: requiringRoles([...callers]) },
      exposure: exposureOfRoles(service, element, readers, reach, { events: [] }),
      variant: 'reader',
    }
  }
}

/** The entity of a bound action grants the role all that is done with it: then it may call the action anyway. */
function callsByEntity(role: string, { service, element }: Restriction): boolean {
  const entity = element?.entity && service.elements.find(({ kind, name }) => kind === 'entity' && name === element.entity)
  const grants = ({ to, ...privilege }: Privilege): boolean =>
    to?.includes(role) !== false && (eventsOf(privilege)?.has(lastName(element?.name ?? '')) ?? true)
  return entity !== undefined && entity !== '' && privilegesOf(entity.annotations.get('restrict')?.value).some(grants)
}

/** Nothing is left that the grant denies. */
function grantsAll(grants: readonly string[]): boolean {
  const has = (...names: readonly string[]): boolean => names.every((name) => grants.includes(name))
  return has('READ') && (has('WRITE') || has('CREATE', 'UPDATE', 'DELETE'))
}

function rolesOf({ annotation }: Pick<Restriction, 'annotation'>): readonly string[] {
  return [...new Set(rolesIn('restrict', annotation.value).map(({ word }) => word))]
}

/** As `@requires` is written, with a place for a role where none is known. */
function quoted(roles: readonly string[]): string {
  return requiringRoles(roles.length === 0 ? ['<role>'] : roles)
}

/** The actions that a service without entities leaves to all roles of its restriction. */
function actionsAlone({ elements }: CapService): readonly string[] {
  if (elements.some(({ kind }) => kind === 'entity')) return []
  const open = elements.filter(
    ({ kind, annotations }) => kind === 'action' && !annotations.has('requires') && !annotations.has('restrict'),
  )
  return open.map(({ name }) => lastName(name))
}

/** Roles of a service's `@requires` that its `@restrict` does not name. */
function rolesBeside({ service, annotation }: Restriction): readonly string[] {
  const named = new Set(rolesOf({ annotation }))
  const required = wordsOf(service.annotations.get('requires')?.value)
  // a public service is reported as such
  if (named.size === 0 || named.has('any') || required.includes('any')) return []
  return required.filter((role) => !named.has(role))
}

function textOf(value: ReturnType<typeof privilegesOf>[number]['where']): string {
  if (value?.kind === 'expression') return value.expression.text
  return value?.kind === 'string' ? String(value.value) : ''
}
