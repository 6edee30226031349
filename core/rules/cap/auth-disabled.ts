import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { cdsWithin, keyIn, openElements, productionSettings, servedServices } from '../../model/cap/index.ts'

/** No authentication at all, in the versions of CAP that start so.
 *  Facts: @sap/cds 6.8.4, libx/_runtime/auth/index.js: without a configuration there is no middleware, and a service with any restriction does not
 *  start. Since 7 (lib/auth/index.js; 9.9.3: lib/srv/middlewares/auth) the server does not start at all; a list of middlewares of one's own without
 *  authentication leaves everybody anonymous, whom services then refuse in production. All three were run. */
export const authDisabled: Rule = defineRule({
  id: 'cap/auth-disabled',
  severity: 'CRITICAL',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: 'cap-root',

  *check(root, { npm }) {
    const services = servedServices(root)
    const isOpen = services.every(
      (service) => service.access.kind.startsWith('default') && openElements(service).length === service.elements.length,
    )
    // with any restriction it does not start
    if (services.length === 0 || !isOpen || !cdsWithin(root, npm, '<7.0.0-0')) return
    for (const setting of productionSettings(root, 'requires', 'auth')) {
      if (booleanOf(setting.node) !== false && setting.node.kind !== 'null') continue
      const args = {
        key: keyIn(setting, 'requires', 'auth'),
        value: setting.node.kind === 'null' ? 'null' : 'false',
        file: setting.place.file,
      }
      yield { at: setting.place, args, ...(!root.deployed && { severity: 'LOW' as const }) }
    }
  },

  text: {
    en: {
      title: 'Authentication is switched off',
      message:
        '{key} is {value} in {file}, and no service asks for a role: CAP before version 7 then serves them all to anybody.',
      why: 'Whoever reaches the application reads and changes everything, without a login and without a name in any log.',
      fix: 'Remove {key}, name xsuaa or ias, and move to a maintained version of @sap/cds, which refuses what says nothing.',
    },
    fr: {
      title: 'L’authentification est désactivée',
      message:
        '{key} vaut {value} dans {file}, et aucun service n’exige de rôle : avant la version 7, CAP les sert alors tous à n’importe qui.',
      why: 'Quiconque atteint l’application lit et modifie tout, sans connexion et sans nom dans aucun journal.',
      fix: 'Supprimez {key}, indiquez xsuaa ou ias, et passez à une version maintenue de @sap/cds, qui refuse ce qui ne dit rien.',
    },
  },
})
