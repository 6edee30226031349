import { booleanOf } from '../../parse/data.ts'
import type { Exposure } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { cdsWithin, isForProduction, keyIn, openElements, productionSettings, servedServices } from '../../model/cap/index.ts'

/**
 * No authentication at all, in the versions of CAP that start in this state.
 * Facts: @sap/cds 6.8.4, libx/_runtime/auth/index.js: without a configuration there is no middleware, and a service with any restriction does not
 * start. Since 7 (lib/auth/index.js; 9.9.3: lib/srv/middlewares/auth) the server does not start at all; a custom list of middlewares without
 * authentication leaves every user anonymous, and services refuse anonymous users in production. All three were run.
 * Impact: an unauthenticated caller reads and changes the data of all services.
 */
export const authDisabled: Rule = defineRule({
  id: 'cap/auth-disabled',
  impact: 'data',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#strategies',
  on: 'cap-root',

  *check(root, { npm, reach }) {
    const services = servedServices(root)
    const isOpen = services.every(
      (service) => service.access.kind.startsWith('default') && openElements(service).length === service.elements.length,
    )
    // with any restriction it does not start
    if (services.length === 0 || !isOpen || !cdsWithin(root, npm, '<7.0.0-0')) return
    const isDemo = services.every((service) => reach.ofService(service).isDemo === true)
    for (const setting of productionSettings(root, 'requires', 'auth')) {
      if (booleanOf(setting.node) !== false && setting.node.kind !== 'null') continue
      const args = {
        key: keyIn(setting, 'requires', 'auth'),
        value: setting.node.kind === 'null' ? 'null' : 'false',
        file: setting.place.file,
      }
      const exposure: Exposure = { reach: 'anyone', by: setting.place, ...(isDemo && { isDemo }) }
      yield { at: setting.place, args, exposure, ...(!isForProduction(root, setting) && { evidence: 'guessed' }) }
    }
  },

  text: () => ({
    en: {
      title: 'Authentication disabled in the CAP configuration',
      message:
        '{key} is {value} in {file}, and no service has @requires or @restrict: CAP before version 7 then serves all of them without authentication.',
      why: 'An unauthenticated attacker who reaches the application can call all its services, and read or change the data behind them.',
      fix: 'Upgrade @sap/cds to a maintained major version, which refuses to start without authentication. Set {key} to "xsuaa" or "ias" in {file}, add @sap/xssec to the dependencies, and bind an instance of that service.',
    },
    fr: {
      title: 'Authentification désactivée dans la configuration CAP',
      message:
        '{key} vaut {value} dans {file}, et aucun service ne porte @requires ni @restrict : avant la version 7, CAP expose alors tous les services sans authentification.',
      why: 'Un attaquant non authentifié qui peut accéder à l’application peut en appeler tous les services, et lire ou modifier leurs données.',
      fix: 'Passez à une version majeure maintenue de @sap/cds, qui refuse de démarrer sans authentification. Donnez à {key} la valeur "xsuaa" ou "ias" dans {file}, ajoutez @sap/xssec aux dépendances et liez une instance du service choisi.',
    },
  }),
})
