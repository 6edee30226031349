import { javaSetting, profileName, scalarText } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The console of the database H2 is served.
 *  Facts: Spring Boot 3, H2 web console (`spring.h2.console.enabled` is false by default). */
export const javaH2Console: Rule = defineRule({
  id: 'cap/java-h2-console',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security',
  on: 'cap-root',

  *check(root) {
    const setting = javaSetting(root, KEY)
    if (setting === undefined || scalarText(setting.node) !== 'true') return
    yield { at: setting.place, args: { key: KEY, file: setting.place.file, profile: profileName(setting) } }
  },

  text: {
    en: {
      title: 'The database console is served in production',
      message: '{key} is true in {file} (profile: {profile}).',
      why: 'Its page runs any SQL, and Java code with it, for whoever gets to it and connects; H2 itself asks for no password unless one is set.',
      fix: 'Remove {key}, or move it into a document of the profile "default" or "dev".',
    },
    fr: {
      title: 'La console de la base de données est servie en production',
      message: '{key} vaut true dans {file} (profil : {profile}).',
      why: 'Sa page exécute tout SQL, et du code Java avec, pour qui y accède et se connecte ; H2 ne demande aucun mot de passe s’il n’en est pas défini.',
      fix: 'Supprimez {key}, ou déplacez-le dans un document du profil « default » ou « dev ».',
    },
  },
})

const KEY = 'spring.h2.console.enabled'
