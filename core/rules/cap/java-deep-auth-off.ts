import { javaSetting, scalarText } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A check of authorizations that CAP Java 4 brought is switched off.
 *  Facts: capire, CAP Java, "Migration", 3 to 4 (deep authorization, checks of input and of selected entities). */
export const javaDeepAuthOff: Rule = defineRule({
  id: 'cap/java-deep-auth-off',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',

  *check(root) {
    for (const key of KEYS) {
      const setting = javaSetting(root, key)
      if (setting === undefined || scalarText(setting.node) !== 'false') continue
      yield { at: setting.place, args: { key, file: setting.place.file } }
    }
  },

  text: {
    en: {
      title: 'A check of authorizations is switched off',
      message: '{key} is false in {file}, which CAP Java 4 and later have on.',
      why: 'What the model restricts can be read or written around the restriction.',
      fix: 'Remove {key}.',
    },
    fr: {
      title: 'Un contrôle des autorisations est désactivé',
      message: '{key} vaut false dans {file}, alors que CAP Java 4 et suivants l’activent.',
      why: 'Ce que le modèle restreint peut être lu ou écrit en contournant la restriction.',
      fix: 'Supprimez {key}.',
    },
  },
})

const KEYS = [
  'cds.security.authorization.deep.enabled',
  'cds.security.authorization.instanceBased.checkInputData.enabled',
  'cds.security.authorization.instanceBased.rejectSelectedUnauthorizedEntity.enabled',
]
