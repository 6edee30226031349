import { javaSetting, profileName, scalarText } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Mock users are switched on where the application is deployed.
 *  Facts: capire, CAP Java, "Security" (mock users are off in the production profile unless `mock.enabled` says otherwise). */
export const javaMockUsers: Rule = defineRule({
  id: 'cap/java-mock-users',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [798],
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
      title: 'Mock users are switched on in production',
      message:
        '{key} is true in {file} (profile: {profile}): the users of cds.security.mock may log in where the application is deployed.',
      why: 'Their names stand in the code and in the documentation, most without a password, some with every right.',
      fix: 'Remove {key}, or move it into a document of the profile "default" or "test".',
    },
    fr: {
      title: 'Les utilisateurs fictifs sont actifs en production',
      message:
        '{key} vaut true dans {file} (profil : {profile}) : les utilisateurs de cds.security.mock peuvent se connecter là où l’application est déployée.',
      why: 'Leurs noms figurent dans le code et la documentation, la plupart sans mot de passe, certains avec tous les droits.',
      fix: 'Supprimez {key}, ou déplacez-le dans un document du profil « default » ou « test ».',
    },
  },
})

const KEY = 'cds.security.mock.enabled'
