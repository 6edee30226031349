import { defineRule, type Rule } from '../rule.ts'
import { grantsEvent, openElements, privilegesOf, servedServices, type CapElement } from '../../model/cap/index.ts'
import { listElements } from './_matches.ts'

/**
 * An unbound action that any authenticated user may call, in a service whose entities require a role.
 * Facts: capire, "Authorization", restricting operations; @sap/cds 9.9.3, generic/auth/requires.js.
 * Impact: data that needs a role, changed without it; that the handler changes what the entities restrict is assumed.
 */
export const actionWithoutRestriction: Rule = defineRule({
  id: 'cap/action-without-restriction',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  on: 'cap-root',

  *check(root, { reach }) {
    for (const service of servedServices(root)) {
      // a service for roles decides; one without annotations is another fault, reported by a rule of its own
      if (service.access.kind !== 'authenticated') continue
      const open = openElements(service).filter(({ kind, entity }) => kind === 'action' && entity === undefined)
      const restricted = service.elements.filter(({ access, kind }) => kind === 'entity' && access?.kind === 'roles')
      if (restricted.length === 0) continue
      const args = {
        service: service.name,
        role: restricted.map(writerOf).find((role) => role !== undefined) ?? restricted[0]?.access?.roles[0] ?? '',
        actions: listElements(open.map(({ name }) => name)),
        restricted: listElements(restricted.map(({ name }) => name)),
      }
      for (const action of open)
        yield {
          at: action.place,
          args,
          exposure: reach.ofElement(service, action),
          groupKey: `${service.place.file} ${service.name}`,
        }
    }
  },

  text: {
    en: {
      title: 'Missing authorization check on an action',
      message:
        'Any authenticated user can call {actions:and} of the service {service}: no @requires or @restrict limits these calls to a role, although the same service requires a role for {restricted:and}.',
      why: 'CAP checks an unbound action against its own annotations and those of its service, not against those of entities: if its handler changes restricted data, a user without the role can change this data by calling the action.',
      fix: "Annotate {actions:and} in the CDS model with @requires: '{role}', or with the role that is allowed to make the change. If an action is intended for every user, use 'authenticated-user' as its role.",
    },
    fr: {
      title: 'Absence de contrôle d’autorisation sur une action',
      message:
        'Tout utilisateur authentifié peut appeler {actions:et} du service {service} : aucun @requires ni @restrict ne limite ces appels à un rôle, alors que le même service exige un rôle pour {restricted:et}.',
      why: 'CAP ne vérifie une action non liée que selon ses propres annotations et celles de son service, pas selon celles des entités : si son gestionnaire modifie des données restreintes, un utilisateur sans le rôle peut les modifier en appelant l’action.',
      fix: "Annotez {actions:et} dans le modèle CDS avec @requires: '{role}', ou avec le rôle autorisé à effectuer la modification. Si une action est destinée à tous les utilisateurs, indiquez 'authenticated-user' comme rôle.",
    },
  },
})

/** A role that may change the entity: one that only reads it is none for an action. */
function writerOf({ annotations }: CapElement): string | undefined {
  const writing = privilegesOf(annotations.get('restrict')?.value).filter((privilege) => grantsEvent(privilege, 'UPDATE'))
  return writing.flatMap(({ to }) => to ?? []).find((role) => role !== 'any' && role !== 'authenticated-user')
}
