import { booleanOf } from '../../parse/data.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeOpened } from './_model/open-services.ts'
import { keyIn, productionSettings, servedServices } from '../../model/cap/index.ts'

/**
 * The authentication that CAP enforces in production by default is switched off.
 * Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js (`restrict_all_services`).
 * Impact: unauthenticated access to the services listed (each of them is graded by itself as well), and to services that are added without an annotation.
 */
export const restrictAllServicesOff: Rule = defineRule({
  id: 'cap/restrict-all-services-off',
  impact: 'data',
  reach: 'anyone',
  grades: { unused: { impact: 'defence' } },
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#enforced-by-default',
  on: 'cap-root',

  *check(root, project) {
    const open = servedServices(root).filter(({ access, elements }) => access.kind === 'default-public' && elements.length > 0)
    for (const setting of productionSettings(root, 'requires', 'auth', 'restrict_all_services')) {
      if (booleanOf(setting.node) !== false) continue
      const args = {
        key: keyIn(setting, 'requires', 'auth', 'restrict_all_services'),
        file: setting.place.file,
        services: listNames(open.map(({ name }) => name)),
      }
      yield { at: setting.place, args, ...(open.length === 0 ? { variant: 'unused' } : gradeOpened(open, root, project.reach)) }
    }
  },

  text: () => ({
    en: {
      title: 'Default authentication disabled for CAP services',
      message:
        '{key} is false in {file}: {services:and}, not protected by @requires or @restrict, can be accessed without authentication.',
      why: 'By default, CAP requires an authenticated user in production; with this setting, an unauthenticated attacker can call every operation of {services:and}.',
      fix: "Remove {key} from {file}, and set @requires: 'any' on services that have to be public.",
      variants: {
        unused: {
          message: '{key} is false in {file}. At present, every service has @requires or @restrict.',
          why: 'A service added later without @requires or @restrict will be public; by default, CAP requires an authenticated user for such services in production.',
        },
      },
    },
    fr: {
      title: 'Authentification par défaut désactivée pour les services CAP',
      message:
        '{key} vaut false dans {file}, et ni @requires ni @restrict ne s’applique à {services:et} : aucune authentification n’y est exigée.',
      why: 'Par défaut, CAP exige en production un utilisateur authentifié ; avec ce réglage, un attaquant non authentifié peut appeler toutes les opérations de {services:et}.',
      fix: "Supprimez {key} de {file}, et définissez @requires: 'any' sur les services qui doivent être publics.",
      variants: {
        unused: {
          message: '{key} vaut false dans {file}. Actuellement, chaque service porte @requires ou @restrict.',
          why: 'Un service ajouté plus tard sans @requires ni @restrict sera public ; par défaut, CAP exige pour de tels services un utilisateur authentifié en production.',
        },
      },
    },
  }),
})
