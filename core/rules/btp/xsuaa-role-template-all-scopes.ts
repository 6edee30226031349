import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** With fewer scopes a role that has them all is normal. */
const MANY = 4

/**
 * One role template that holds every scope. Templates with technical scopes are checked by a rule of CAP.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `role-templates`.
 * Impact: least privilege: an account that has the role must be stolen first.
 */
export const xsuaaRoleTemplateAllScopes: Rule = defineRule({
  id: 'btp/xsuaa-role-template-all-scopes',
  impact: 'defence',
  reach: 'user',
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
      const templates = itemsOf(at(config, 'role-templates'))
      for (const template of templates) {
        const name = at(template, 'name')
        const held = new Set(textItems(at(template, 'scope-references')).map(({ text }) => text))
        if (name === undefined || [...held].some((scope) => /callback|mtdeployment|mtxs?|jobscheduler/i.test(scope))) continue
        // an administrator beside others with fewer rights is meant to have them all
        if (templates.length > 1 && /admin/i.test(stringOf(name) ?? '')) continue
        if ([...scopes].every((scope) => held.has(scope)))
          yield { at: placeOf(name), args: { template: stringOf(name) ?? '', count: String(scopes.size) } }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Role template with all scopes',
      message: 'Role template {template} references all {count} scopes.',
      why: 'Users who need only some of these scopes get all of them: duties are not separated, and an attacker with one such account has every permission.',
      fix: 'Replace {template} with one role template for each type of user, each with only the scopes that it needs in "scope-references".',
    },
    fr: {
      title: 'Modèle de rôle réunissant tous les scopes',
      message: 'Le modèle de rôle {template} regroupe les {count} scopes du descripteur.',
      why: 'Les utilisateurs qui n’ont besoin que de certains de ces scopes les reçoivent tous : les fonctions ne sont pas séparées, et un attaquant qui dispose d’un tel compte a tous les droits.',
      fix: 'Remplacez {template} par un modèle de rôle pour chaque type d’utilisateur, avec les seuls scopes nécessaires dans "scope-references".',
    },
  }),
})
