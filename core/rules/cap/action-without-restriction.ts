import { defineRule, type Rule } from '../rule.ts'
import { openElements, servedServices } from '../../model/cap/index.ts'
import { listNames } from './_matches.ts'

/** An unbound action that any user may call, beside entities that want a role.
 *  Facts: capire, "Authorization", restricting operations; @sap/cds 9.9.3, generic/auth/requires.js. */
export const actionWithoutRestriction: Rule = defineRule({
  id: 'cap/action-without-restriction',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',

  *check(root) {
    for (const service of servedServices(root)) {
      // a service for roles decides; one that says nothing is the finding of cap/service-without-auth
      if (service.access.kind !== 'authenticated') continue
      const open = openElements(service).filter(({ kind, entity }) => kind === 'action' && entity === undefined)
      const restricted = service.elements.filter(({ access, kind }) => kind === 'entity' && access?.kind === 'roles')
      const [first] = open
      if (first === undefined || restricted.length === 0) continue
      const args = {
        service: service.name,
        actions: listNames(open.map(({ name }) => name)),
        restricted: listNames(restricted.map(({ name }) => name)),
      }
      yield { at: first.place, args }
    }
  },

  text: {
    en: {
      title: 'An action is open to every user beside restricted entities',
      message: 'Any authenticated user may call {actions} of the service {service}, while {restricted} there want a role.',
      why: 'An action does its work whatever the restrictions of the entities that it writes to: calling it gets around them.',
      fix: "Write the role at the action: @requires: '<role>', or @restrict: [{ to: '<role>' }].",
    },
    fr: {
      title: 'Une action est ouverte à tous à côté d’entités restreintes',
      message:
        'Tout utilisateur authentifié peut appeler {actions} du service {service}, alors que {restricted} y exigent un rôle.',
      why: 'Une action fait son travail quelles que soient les restrictions des entités qu’elle écrit : l’appeler les contourne.',
      fix: "Écrivez le rôle sur l’action : @requires: '<rôle>', ou @restrict: [{ to: '<rôle>' }].",
    },
  },
})
