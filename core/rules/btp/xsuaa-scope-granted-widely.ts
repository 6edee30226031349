import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A scope that every other application may have.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax": `grant-as-authority-to-apps`, `granted-apps`.
 * Impact: another application of the subaccount calls what the scope protects.
 */
export const xsuaaScopeGrantedWidely: Rule = defineRule({
  id: 'btp/xsuaa-scope-granted-widely',
  impact: 'data',
  reach: 'privileged',
  confidence: 'high',
  cwe: [732],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, config } of services) {
      if (service !== 'xsuaa') continue
      for (const scope of itemsOf(at(config, 'scopes'))) {
        for (const key of ['grant-as-authority-to-apps', 'granted-apps']) {
          for (const { text, node } of textItems(at(scope, key))) {
            if (!isEveryApplication(text)) continue
            const args = { key, scope: stringOf(at(scope, 'name')) ?? '', app: text }
            // these applications get the scope in tokens of users alone
            yield { at: placeOf(node), args, ...(key === 'granted-apps' && { variant: 'user' }) }
          }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Scope granted to every application',
      message: '"{key}" of scope {scope} contains "{app}" instead of the name of one application.',
      why: 'An attacker who controls any application in the subaccount may be able to get a token with {scope} and call yours, without a user logging in or an administrator approving it.',
      fix: 'Replace "{app}" with the application that needs the scope: "$XSAPPNAME(application,<xsappname>)".',
      variants: {
        user: {
          why: 'An attacker who controls any application in the subaccount may be able to get a token with {scope} on behalf of users who log in to that application, and call yours with it.',
        },
      },
    },
    fr: {
      title: 'Scope accordé à toutes les applications',
      message: '"{key}" du scope {scope} contient "{app}" au lieu du nom d’une seule application.',
      why: 'Un attaquant qui contrôle une application quelconque du sous-compte pourrait obtenir un jeton avec {scope} et appeler la vôtre, sans connexion d’un utilisateur ni autorisation d’un administrateur.',
      fix: 'Remplacez "{app}" par l’application qui a besoin du scope : "$XSAPPNAME(application,<xsappname>)".',
      variants: {
        user: {
          why: 'Un attaquant qui contrôle une application quelconque du sous-compte pourrait obtenir un jeton avec {scope} au nom des utilisateurs qui se connectent à cette application, et appeler la vôtre.',
        },
      },
    },
  }),
})

/** `*`, or a wildcard for the name of an application: `$XSAPPNAME(application,*)`. */
function isEveryApplication(text: string): boolean {
  return /^\s{0,10}(?:\*|\$XSAPPNAME\([a-z]{1,40}(?:,[^,()]{0,100})?,\s{0,10}\*\s{0,10}\)|\$XSSERVICENAME\(\s{0,10}\*\s{0,10}\))\s{0,10}$/.test(
    text,
  )
}
