import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Below this many scopes a role with all of them is no wonder. */
const MANY = 4

/** One role template that holds every scope. Templates with technical scopes are the business of cap/technical-role-in-business-role.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `role-templates`. */
export const xsuaaRoleTemplateAllScopes: Rule = defineRule({
  id: 'btp/xsuaa-role-template-all-scopes',
  severity: 'LOW',
  confidence: 'high',
  cwe: [266],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, config } of services) {
      if (service !== 'xsuaa') continue
      const scopes = new Set(itemsOf(at(config, 'scopes')).flatMap((scope) => stringOf(at(scope, 'name')) ?? []))
      if (scopes.size < MANY) continue
      for (const template of itemsOf(at(config, 'role-templates'))) {
        const name = at(template, 'name')
        const held = new Set(textItems(at(template, 'scope-references')).map(({ text }) => text))
        if (name === undefined || [...held].some((scope) => /callback|mtdeployment|mtxs?|jobscheduler/i.test(scope))) continue
        if ([...scopes].every((scope) => held.has(scope)))
          yield { at: placeOf(name), args: { template: stringOf(name) ?? '', count: String(scopes.size) } }
      }
    }
  },

  text: {
    en: {
      title: 'One role holds every scope',
      message: 'Role template {template} references all {count} scopes.',
      why: 'Whoever gets it for one task may do everything: duties can’t be separated, and a taken-over user is an administrator.',
      fix: 'Make one role template for each sort of user, with the scopes that it needs.',
    },
    fr: {
      title: 'Un rôle réunit tous les scopes',
      message: 'Le modèle de rôle {template} référence les {count} scopes.',
      why: 'Qui le reçoit pour une tâche peut tout faire : les fonctions ne peuvent être séparées, et un compte compromis est un administrateur.',
      fix: 'Créez un modèle de rôle par type d’utilisateur, avec les scopes nécessaires.',
    },
  },
})
