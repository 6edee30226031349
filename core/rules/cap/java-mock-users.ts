import { javaSetting, scalarText } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Mock users enabled where the application is deployed.
 * Facts: capire, CAP Java, "Security" (mock users are off in the production profile unless `mock.enabled` enables them).
 * Impact: anybody who finds out one of the users, whose names are known, logs in. Outside of what is deployed they may be meant for one’s own machine.
 */
export const javaMockUsers: Rule = defineRule({
  id: 'cap/java-mock-users',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security#mock-users',
  on: 'cap-root',

  *check(root) {
    const setting = javaSetting(root, KEY)
    if (setting === undefined || scalarText(setting.node) !== 'true') return
    const { key, place, profile = '' } = setting
    const args = { key, file: place.file, profile }
    const variant = setting.variable !== undefined ? 'variable' : profile !== '' ? 'profile' : undefined
    yield { at: place, args, ...(variant !== undefined && { variant }), ...(!root.deployed && { evidence: 'guessed' as const }) }
  },

  text: () => ({
    en: {
      title: 'Mock users enabled in production',
      message:
        '{key} is true in {file} for all profiles, including the production profile, where CAP Java disables mock users by default.',
      why: 'CAP Java adds mock users without a password, among them "privileged", which passes every authorization check: if the app starts without a binding to XSUAA or IAS, an attacker can log in as that user.',
      fix: 'Remove {key} from {file}, or move it into a separate document (after ---) of application.yaml with spring.config.activate.on-profile: default, which is inactive once a profile such as cloud is set.',
      variants: {
        profile: {
          message:
            '{key} is true in {file} for the profile "{profile}", which may be active in production, where CAP Java disables mock users by default.',
        },
        variable: {
          message:
            '{key} is true in {file} and applies to the deployed application, where CAP Java disables mock users by default.',
          fix: 'Remove {key} from {file}: CAP Java enables mock users by itself where no production profile is active.',
        },
      },
    },
    fr: {
      title: 'Utilisateurs fictifs actifs en production',
      message:
        '{key} vaut true dans {file} pour tous les profils, y compris celui de production, où CAP Java désactive par défaut les utilisateurs fictifs.',
      why: 'CAP Java ajoute des utilisateurs fictifs sans mot de passe, dont "privileged", qui passe tous les contrôles d’autorisation : si l’application démarre sans liaison à XSUAA ou IAS, un attaquant peut se connecter sous ce nom.',
      fix: 'Supprimez {key} de {file}, ou déplacez-le dans un document distinct (après ---) du fichier application.yaml, avec spring.config.activate.on-profile: default ; ce document est ignoré dès qu’un profil tel que cloud est défini.',
      variants: {
        profile: {
          message:
            '{key} vaut true dans {file} pour le profil "{profile}", qui peut être actif en production, où CAP Java désactive par défaut les utilisateurs fictifs.',
        },
        variable: {
          message:
            '{key} vaut true dans {file} et s’applique à l’application déployée, où CAP Java désactive par défaut les utilisateurs fictifs.',
          fix: 'Supprimez {key} de {file} : CAP Java active de lui-même les utilisateurs fictifs quand aucun profil de production n’est actif.',
        },
      },
    },
  }),
})

const KEY = 'cds.security.mock.enabled'
