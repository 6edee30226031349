import { javaSetting, profileName, scalarText } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Mock users enabled where the application is deployed.
 * Facts: capire, CAP Java, "Security" (mock users are off in the production profile unless `mock.enabled` enables them).
 * Severity: HIGH, an attacker logs in with known user names; MEDIUM where nothing in the project deploys it.
 */
export const javaMockUsers: Rule = defineRule({
  id: 'cap/java-mock-users',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security#mock-users',
  on: 'cap-root',

  *check(root) {
    const setting = javaSetting(root, KEY)
    if (setting === undefined || scalarText(setting.node) !== 'true') return
    const args = { key: setting.variable ?? KEY, file: setting.place.file, profile: profileName(setting) }
    yield { at: setting.place, args, ...(!root.deployed && { severity: 'MEDIUM' as const }) }
  },

  text: {
    en: {
      title: 'Mock users enabled in production',
      message:
        '{key} is true in {file} (profile: {profile}), which also applies to the production profile, where CAP Java disables mock users by default.',
      why: 'The names of mock users are in the documentation or the repository, most of them have no password, and some have all permissions: an attacker can log in as any of them.',
      fix: 'Remove {key} from {file}, or move it into a document with spring.config.activate.on-profile: default, which is inactive once a profile such as cloud is set.',
    },
    fr: {
      title: 'Utilisateurs fictifs actifs en production',
      message:
        '{key} vaut true dans {file} (profil : {profile}), ce qui s’applique aussi au profil de production, où CAP Java désactive par défaut les utilisateurs fictifs.',
      why: 'Les noms des utilisateurs fictifs figurent dans la documentation ou le dépôt, la plupart n’ont pas de mot de passe et certains ont tous les droits : un attaquant peut se connecter avec l’un de ces utilisateurs.',
      fix: 'Supprimez {key} de {file}, ou déplacez-le dans un document avec spring.config.activate.on-profile: default, inactif dès qu’un profil tel que cloud est défini.',
    },
  },
})

const KEY = 'cds.security.mock.enabled'
