import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { keyIn, productionSettings } from '../../model/cap/index.ts'

/**
 * The generic index page that lists all services, for development, served in production.
 * Facts: @sap/cds 9.9.3, lib/env/defaults.js (`server.index` is off in production).
 * Severity: LOW, it helps an attacker to find services but gives access to none.
 */
export const indexPageInProduction: Rule = defineRule({
  id: 'cap/index-page-in-production',
  severity: 'LOW',
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#toggle-generic-index-page',
  on: 'cap-root',

  *check(root) {
    for (const setting of productionSettings(root, 'server', 'index')) {
      if (booleanOf(setting.node) !== true) continue
      yield { at: setting.place, args: { key: keyIn(setting, 'server', 'index'), file: setting.place.file } }
    }
  },

  text: {
    en: {
      title: 'Generic index page enabled in production',
      message: '{key} is true in {file} and applies to production: / lists all services with their paths and entities.',
      why: 'An unauthenticated attacker gets a map of the services, entities and static pages of the application.',
      fix: 'Remove {key} from {file}, or move it into "[development]".',
    },
    fr: {
      title: 'Page d’index générique active en production',
      message:
        '{key} vaut true dans {file} et s’applique à la production : / liste tous les services avec leurs chemins et entités.',
      why: 'Un attaquant non authentifié obtient le plan des services, des entités et des pages statiques de l’application.',
      fix: 'Supprimez {key} de {file}, ou déplacez-le dans "[development]".',
    },
  },
})
