import { javaSetting, scalarText, servedServices } from '../../model/cap/index.ts'
import { listNames } from './_matches.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A mode of authentication that leaves open what the model says nothing about.
 *  Facts: capire, CAP Java, "Security" (authentication.mode) and "Migration", 4 to 5. */
export const javaAuthModeRelaxed: Rule = defineRule({
  id: 'cap/java-auth-mode-relaxed',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security',
  on: 'cap-root',

  *check(root) {
    const setting = javaSetting(root, KEY)
    const value = setting === undefined ? '' : scalarText(setting.node)
    if (setting === undefined || (value !== 'model-relaxed' && value !== 'never')) return
    const open = servedServices(root).filter(({ access, elements }) => access.kind === 'default-public' && elements.length > 0)
    if (value === 'model-relaxed' && open.length === 0) return
    const args = { key: KEY, value, file: setting.place.file, services: listNames(open.map(({ name }) => name)) }
    yield { at: setting.place, args, ...(value === 'never' && { variant: 'never' }) }
  },

  text: {
    en: {
      title: 'Services that say nothing are public',
      message: '{key} is {value} in {file}: nothing says who may call {services}, so nobody is asked for a login.',
      why: 'In this mode CAP Java asks for a login only where the model wants a role. What is forgotten is public.',
      fix: 'Write {key}: model-strict, or remove the line where CAP Java 4 or older is used.',
      variants: {
        never: {
          title: 'CAP authenticates nobody',
          message: '{key} is never in {file}: CAP asks nobody for a login, whatever the model says.',
          why: 'Roles of the model are then held against a user whom nobody has checked, unless something in front does it without a gap.',
        },
      },
    },
    fr: {
      title: 'Les services qui ne disent rien sont publics',
      message:
        '{key} vaut {value} dans {file} : {services} ne déclarent personne qui puisse les appeler et n’exigent donc aucune connexion.',
      why: 'Dans ce mode, CAP Java n’exige une connexion que là où le modèle demande un rôle. Ce qui est oublié est public.',
      fix: 'Écrivez {key}: model-strict, ou supprimez la ligne avec CAP Java 4 ou plus ancien.',
      variants: {
        never: {
          title: 'CAP n’authentifie personne',
          message: '{key} vaut never dans {file} : CAP n’exige aucune connexion, quoi que dise le modèle.',
          why: 'Les rôles du modèle sont alors comparés à un utilisateur que personne n’a vérifié, sauf si un composant en amont le fait sans lacune.',
        },
      },
    },
  },
})

const KEY = 'cds.security.authentication.mode'
