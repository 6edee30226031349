import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A scope that every other application may have.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax": `grant-as-authority-to-apps`, `granted-apps`. */
export const xsuaaScopeGrantedWidely: Rule = defineRule({
  id: 'btp/xsuaa-scope-granted-widely',
  severity: 'HIGH',
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
            yield { at: placeOf(node), args: { key, scope: stringOf(at(scope, 'name')) ?? '', app: text } }
          }
        }
      }
    }
  },

  text: {
    en: {
      title: 'A scope is granted to every application',
      message: '"{key}" of scope {scope} says {app}: any application may take this scope.',
      why: 'Any other application of the subaccount can fetch a token with {scope} and call yours with it, without a user or an administrator.',
      fix: 'Name the application that needs it: "$XSAPPNAME(application,<name>)".',
    },
    fr: {
      title: 'Un scope est accordé à toutes les applications',
      message: '« {key} » du scope {scope} vaut {app} : toute application peut prendre ce scope.',
      why: 'Toute autre application du sous-compte peut obtenir un jeton portant {scope} et appeler la vôtre, sans utilisateur ni administrateur.',
      fix: 'Nommez l’application qui en a besoin : « "$XSAPPNAME(application,<nom>)" ».',
    },
  },
})

/** `*`, or a wildcard for the name of an application: `$XSAPPNAME(application,*)`. */
function isEveryApplication(text: string): boolean {
  return /^\s{0,10}(?:\*|\$XSAPPNAME\([a-z]{1,40}(?:,[^,()]{0,100})?,\s{0,10}\*\s{0,10}\)|\$XSSERVICENAME\(\s{0,10}\*\s{0,10}\))\s{0,10}$/.test(
    text,
  )
}
