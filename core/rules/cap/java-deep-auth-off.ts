import { javaSetting, scalarText } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An authorization check of CAP Java 4 that is disabled.
 * Facts: capire, "Authorization", deep authorizations and checking input data (active by default from CAP Java 4 on). Without the rejection of selected
 * entities (`rejectSelectedUnauthorizedEntity`) CAP answers 404 instead of 403, which exposes nothing.
 * Impact: users read or change rows behind others that they may address; whether the model has such rows is not examined.
 */
export const javaDeepAuthOff: Rule = defineRule({
  id: 'cap/java-deep-auth-off',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#deep-auth',
  docsByVariant: { input: 'https://cap.cloud.sap/docs/guides/security/authorization#input-data-auth' },
  on: 'cap-root',

  *check(root) {
    for (const [key, variant] of KEYS) {
      const setting = javaSetting(root, key)
      if (setting === undefined || scalarText(setting.node) !== 'false') continue
      yield {
        at: setting.place,
        args: { key: setting.key, file: setting.place.file },
        ...(variant !== undefined && { variant }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Deep authorization disabled in CAP Java',
      message: '{key} is false in {file}; as of CAP Java 4, the default is true.',
      why: 'CAP then checks only the entity that a request addresses: a user can read restricted entities through associations, for instance with $expand.',
      fix: 'Remove {key} from {file}, or set it to true. Grant READ on associated entities to the roles that need it.',
      variants: {
        input: {
          title: 'Input check for instance-based authorization disabled',
          why: 'CAP then does not compare created and changed rows with the where condition of @restrict: a user can create rows that the condition excludes, or change rows so that they no longer meet it.',
          fix: 'Remove {key} from {file}, or set it to true.',
        },
      },
    },
    fr: {
      title: 'Autorisation profonde désactivée dans CAP Java',
      message: '{key} vaut false dans {file} ; depuis CAP Java 4, la valeur par défaut est true.',
      why: 'CAP ne vérifie alors que l’entité visée par la requête : un utilisateur peut lire, via des associations, des entités restreintes, par exemple avec $expand.',
      fix: 'Supprimez {key} de {file}, ou donnez-lui la valeur true. Accordez aux rôles qui en ont besoin le droit READ sur les entités associées.',
      variants: {
        input: {
          title: 'Contrôle d’entrée de l’autorisation par instance désactivé',
          why: 'CAP ne compare alors plus les lignes créées et modifiées à la condition where de @restrict : un utilisateur peut créer des lignes que la condition exclut, ou modifier des lignes de sorte qu’elles ne la remplissent plus.',
          fix: 'Supprimez {key} de {file}, ou donnez-lui la valeur true.',
        },
      },
    },
  }),
})

const KEYS: readonly (readonly [key: string, variant?: string])[] = [
  ['cds.security.authorization.deep.enabled'],
  ['cds.security.authorization.instanceBased.checkInputData.enabled', 'input'],
]
