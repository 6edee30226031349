import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { keyIn, productionSettings } from './_production.ts'

/** The middleware that answers every origin, meant for development.
 *  Facts: @sap/cds 9.9.3, server.js (`cors` sends the caller's origin back), lib/env/defaults.js (off in production). */
export const corsEnabledGlobally: Rule = defineRule({
  id: 'cap/cors-enabled-globally',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#configuration',
  on: ['cap-root'],
  text: {
    en: {
      title: 'Every website may read the answers of the services',
      message: '{key} is true in {file} and holds in production: CAP answers any origin as if it were allowed.',
      why: 'A page on any website can then call the services from the browser of somebody who reaches them, and read what comes back.',
      fix: 'Remove {key}, or move it into "[development]"; for known callers use a middleware with a list of their origins.',
    },
    fr: {
      title: 'Tout site web peut lire les réponses des services',
      message: '{key} vaut true dans {file} et vaut en production : CAP répond à toute origine comme si elle était autorisée.',
      why: 'Une page de n’importe quel site peut alors appeler les services depuis le navigateur de qui les atteint, et lire la réponse.',
      fix: 'Supprimez {key}, ou déplacez-le dans « [development] » ; pour des appelants connus, prenez un middleware avec la liste de leurs origines.',
    },
  },

  *check(root) {
    for (const setting of productionSettings(root, 'server', 'cors')) {
      if (booleanOf(setting.node) !== true) continue
      yield { at: setting.place, args: { key: keyIn(setting, 'server', 'cors'), file: setting.place.file } }
    }
  },
})
