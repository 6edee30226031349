import { numberIn } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Time limits of the approuter for slow clients, switched off.
 *  Facts: @sap/approuter 23.0.0 README, INCOMING_CONNECTION_TIMEOUT (2 minutes by default), INCOMING_REQUEST_TIMEOUT (5 minutes). */
export const timeoutsDisabled: Rule = defineRule({
  id: 'approuter/timeouts-disabled',
  severity: 'LOW',
  confidence: 'high',
  cwe: [400],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#configurations',
  on: 'approuter',

  *check(approuter) {
    for (const name of ['INCOMING_CONNECTION_TIMEOUT', 'INCOMING_REQUEST_TIMEOUT']) {
      for (const setting of approuter.environment.settings(name)) {
        if (setting.deployed && numberIn(setting) === 0) yield { at: setting.place, args: { setting: name } }
      }
    }
  },

  text: {
    en: {
      title: 'Slow requests are never ended',
      message: '{setting} is 0: the time limit is off.',
      why: 'A few clients that send a byte now and then hold all connections.',
      fix: 'Remove {setting}, or set it to what the slowest request needs.',
    },
    fr: {
      title: 'Les requêtes lentes ne sont jamais interrompues',
      message: '{setting} vaut 0 : la limite de temps est désactivée.',
      why: 'Quelques clients qui envoient un octet de temps en temps occupent toutes les connexions.',
      fix: 'Supprimez {setting}, ou donnez-lui la durée de la requête la plus lente.',
    },
  },
})
