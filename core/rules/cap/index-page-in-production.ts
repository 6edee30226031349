import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { keyIn, productionSettings } from '../../model/cap/index.ts'

/** The page that lists all services, meant for development.
 *  Facts: @sap/cds 9.9.3, lib/env/defaults.js (`server.index` is off in production). */
export const indexPageInProduction: Rule = defineRule({
  id: 'cap/index-page-in-production',
  severity: 'LOW',
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#configuration',
  on: 'cap-root',

  *check(root) {
    for (const setting of productionSettings(root, 'server', 'index')) {
      if (booleanOf(setting.node) !== true) continue
      yield { at: setting.place, args: { key: keyIn(setting, 'server', 'index'), file: setting.place.file } }
    }
  },

  text: {
    en: {
      title: 'The index page is served in production',
      message: '{key} is true in {file} and holds in production: / lists every service with its paths and entities.',
      why: 'The page asks nobody for a login and hands out the map of the application.',
      fix: 'Remove {key}, or move it into "[development]".',
    },
    fr: {
      title: 'La page d’index est servie en production',
      message: '{key} vaut true dans {file} et vaut en production : / énumère chaque service, ses chemins et ses entités.',
      why: 'La page ne demande aucune connexion et livre la carte de l’application.',
      fix: 'Supprimez {key}, ou déplacez-le dans « [development] ».',
    },
  },
})
