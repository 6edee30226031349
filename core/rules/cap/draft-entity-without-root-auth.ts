import {
  filtersByPolicies,
  isCheckedInCode,
  openElements,
  roleChecks,
  servedServices,
  type CapElement,
} from '../../model/cap/index.ts'
import { inEachLanguage, listNames } from '../../arguments.ts'
import { ofUsers } from './_matches.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A draft-enabled entity that any authenticated user may create and change, as nothing restricts the root of the draft.
 * Facts: capire, "Authorization", restrictions and draft mode; @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js and utils.js (drafts and what is
 * composed are held against the restrictions of the root alone).
 * Impact: little, as the model requires a login alone: most often all users are meant.
 */
export const draftEntityWithoutRootAuth: Rule = defineRule({
  id: 'cap/draft-entity-without-root-auth',
  impact: 'bounded',
  reach: 'user',
  confidence: 'medium',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#restrictions-and-draft-mode',
  on: 'cap-root',
  extracts: [roleChecks],
  yieldsTo: ['cap/entity-without-restriction'],

  *check(root, { reach }) {
    if (filtersByPolicies(root)) return
    for (const service of servedServices(root)) {
      // a service for roles decides; one without annotations is another fault, reported by a rule of its own
      if (service.access.kind !== 'authenticated') continue
      const open = openElements(service).filter(
        (element) => element.kind === 'entity' && element.writable && isDraftEnabled(element),
      )
      if (open.length === 0 || isCheckedInCode(root, service)) continue
      const role =
        service.elements.flatMap(({ access }) => (access?.kind === 'roles' ? access.roles : []))[0] ??
        inEachLanguage({ en: '<role>', fr: '<rôle>' })
      const args = { entities: listNames(open.map(({ name }) => `${service.name}.${name}`)), role }
      for (const entity of open)
        yield {
          at: entity.place,
          args,
          exposure: ofUsers(reach.ofElement(service, entity, ['CREATE', 'UPDATE', 'DELETE'])),
          groupKey: `${service.place.file} ${service.name}`,
        }
    }
  },

  text: () => ({
    en: {
      title: 'Missing authorization check on a draft-enabled entity',
      message:
        'Any authenticated user can create, change and delete rows of {entities:and}: drafts are enabled, and no @requires or @restrict limits these operations to a role.',
      why: 'CAP checks draft operations against the restrictions of the draft’s root entity: without such a restriction, users without any role can create drafts and activate them.',
      fix: "Annotate {entities:and} with @restrict: [{ grant: 'READ', to: 'authenticated-user' }, { grant: 'WRITE', to: '{role}' }], granting WRITE to the role that may edit.",
    },
    fr: {
      title: 'Absence de contrôle d’autorisation sur une entité avec brouillons',
      message:
        'Tout utilisateur authentifié peut créer, modifier et supprimer des lignes de {entities:et} : les brouillons y sont activés, et aucun @requires ni @restrict ne limite ces opérations à un rôle.',
      why: 'CAP contrôle les opérations sur un brouillon d’après les restrictions de son entité racine : si celle-ci n’est pas restreinte, un utilisateur sans aucun rôle peut créer des brouillons et les activer.',
      fix: "Annotez {entities:et} avec @restrict: [{ grant: 'READ', to: 'authenticated-user' }, { grant: 'WRITE', to: '{role}' }], en accordant WRITE au rôle autorisé à modifier les lignes.",
    },
  }),
})

function isDraftEnabled({ annotations }: CapElement): boolean {
  return ['odata.draft.enabled', 'fiori.draft.enabled'].some((name) => {
    const value = annotations.get(name)?.value
    return value?.kind === 'boolean' && value.value === true
  })
}
