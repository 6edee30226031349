import { javaSetting, keyIn, productionSettings, scalarText } from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * The generic index page that lists all services, or its Fiori preview, for development, served in production.
 * Facts: @sap/cds 9.9.3, lib/env/defaults.js (`server.index`, `fiori.preview`: off in production) and lib/env/compat.js (`features.fiori_preview` is the
 * older name); capire, "Fiori Preview" (`cds.index-page.enabled` of CAP Java).
 * Impact: it helps an attacker to find services but gives access to none.
 */
export const indexPageInProduction: Rule = defineRule({
  id: 'cap/index-page-in-production',
  impact: 'defence',
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#toggle-generic-index-page',
  docsByVariant: { java: 'https://cap.cloud.sap/docs/java/developing-applications/configuring#production-profile' },
  on: 'cap-root',

  *check(root) {
    for (const [path, variant] of SETTINGS) {
      for (const setting of productionSettings(root, ...path)) {
        if (booleanOf(setting.node) !== true) continue
        const args = { key: keyIn(setting, ...path), file: setting.place.file }
        yield { at: setting.place, args, ...(variant !== undefined && { variant }) }
      }
    }
    const setting = javaSetting(root, JAVA)
    if (setting === undefined || scalarText(setting.node) !== 'true') return
    yield { at: setting.place, args: { key: setting.variable ?? JAVA, file: setting.place.file }, variant: 'java' }
  },

  text: () => ({
    en: {
      title: 'Generic index page enabled in production',
      message:
        '{key} is true in {file} and applies to production: the page at "/" lists all services with their paths and entities.',
      why: 'An unauthenticated attacker who reaches the application gets a list of its services and entities.',
      fix: 'Remove {key} from {file}, or move it into "[development]".',
      variants: {
        preview: {
          title: 'Fiori preview enabled in production',
          message:
            '{key} is true in {file} and applies to production: CAP serves a generated user interface for the entities of OData services under /$fiori-preview.',
          why: 'An attacker with a user’s login gets a ready-made interface to the data that this user can access.',
        },
        java: {
          why: 'An attacker who reaches the page gets a list of the application’s services and entities.',
          fix: 'Remove {key} from {file}, or move it into a separate document (after ---) of application.yaml with spring.config.activate.on-profile: default, which is inactive once a profile such as cloud is set.',
        },
      },
    },
    fr: {
      title: 'Page d’index générique active en production',
      message:
        '{key} vaut true dans {file} et s’applique à la production : la page "/" liste tous les services avec leurs chemins et entités.',
      why: 'Un attaquant non authentifié qui peut accéder à la page obtient la liste des services et des entités de l’application.',
      fix: 'Supprimez {key} de {file}, ou déplacez-le dans "[development]".',
      variants: {
        preview: {
          title: 'Aperçu Fiori actif en production',
          message:
            '{key} vaut true dans {file} et s’applique à la production : CAP expose une interface générée pour les entités des services OData sous /$fiori-preview.',
          why: 'Un attaquant disposant du compte d’un utilisateur obtient une interface toute prête pour consulter les données auxquelles cet utilisateur a accès.',
        },
        java: {
          why: 'Un attaquant qui peut accéder à la page obtient la liste des services et des entités de l’application.',
          fix: 'Supprimez {key} de {file}, ou déplacez-le dans un document distinct (après ---) du fichier application.yaml, avec spring.config.activate.on-profile: default ; ce document est ignoré dès qu’un profil tel que cloud est défini.',
        },
      },
    },
  }),
})

const SETTINGS: readonly (readonly [path: readonly string[], variant?: string])[] = [
  [['server', 'index']],
  [['fiori', 'preview'], 'preview'],
  [['features', 'fiori_preview'], 'preview'],
]

const JAVA = 'cds.index-page.enabled'
