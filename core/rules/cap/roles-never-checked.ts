import { accepts, servedServices, type CapElement, type CapService } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listElements, listRoles } from './_matches.ts'
import { askedScopes } from './_scopes.ts'
import { roleTalk, unaskedRoles } from './_unasked-roles.ts'

/**
 * Roles that the descriptor of a project defines and that nothing asks for, beside services that all authenticated users may write.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (a scope has the effect that the application gives it); capire, "Authorization".
 * Impact: every user has the rights of every role.
 */
export const rolesNeverChecked: Rule = defineRule({
  id: 'cap/roles-never-checked',
  impact: 'data',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  on: 'cap-root',
  extracts: [roleTalk, askedScopes],

  *check(root, project) {
    const open = servedServices(root).filter(
      (service) => service.access.kind === 'authenticated' && writtenIn(service).length > 0,
    )
    const [first] = open
    const found = first === undefined ? undefined : unaskedRoles(root, project)
    if (first === undefined || found === undefined) return
    for (const service of open)
      yield {
        at: service.place,
        args: {
          services: listElements(open.map(({ name }) => name)),
          entities: listElements(writtenIn(first).map(({ name }) => name)),
          roles: listRoles(found.roles),
          descriptor: found.descriptor,
        },
        exposure: project.reach.ofService(service),
        groupKey: found.descriptor,
      }
  },

  text: {
    en: {
      title: 'Roles defined but never checked',
      message:
        '{descriptor} defines {roles:and}, but no annotation, code or route asks for these roles: all authenticated users of {services:and} can write {entities:and}.',
      why: 'The roles have no effect: every user can do what only some should, with a direct request. That a page hides buttons protects nothing.',
      fix: "Annotate the entities with @restrict, for example [{ grant: 'READ', to: '<role>' }, { grant: '*', to: '<role>' }], or the services with @requires: '<role>'. Remove scopes that are not needed from {descriptor}.",
    },
    fr: {
      title: 'Rôles définis mais jamais vérifiés',
      message:
        '{descriptor} définit {roles:et}, mais aucune annotation, aucun code ni aucune route n’exige ces rôles : tout utilisateur authentifié de {services:et} peut écrire dans {entities:et}.',
      why: 'Les rôles sont sans effet : tout utilisateur peut faire, par une requête directe, ce qui est réservé à certains. Qu’une page masque des boutons ne protège rien.',
      fix: "Annotez les entités avec @restrict, par exemple [{ grant: 'READ', to: '<rôle>' }, { grant: '*', to: '<rôle>' }], ou les services avec @requires: '<rôle>'. Supprimez de {descriptor} les scopes inutiles.",
    },
  },
})

/** The entities that every user of a service may write. */
function writtenIn({ elements }: CapService): readonly CapElement[] {
  return elements.filter(
    (element) =>
      element.access === undefined &&
      element.writable &&
      (['CREATE', 'UPDATE', 'DELETE'] as const).some((event) => accepts(element, event)),
  )
}
