import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { keyIn, productionSettings, servedServices } from '../../model/cap/index.ts'
import { listNames } from './_matches.ts'

/** The login that production asks for by default is switched off.
 *  Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js (`restrict_all_services`). */
export const restrictAllServicesOff: Rule = defineRule({
  id: 'cap/restrict-all-services-off',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: 'cap-root',

  *check(root) {
    const open = servedServices(root).filter(({ access, elements }) => access.kind === 'default-public' && elements.length > 0)
    for (const setting of productionSettings(root, 'requires', 'auth', 'restrict_all_services')) {
      if (booleanOf(setting.node) !== false) continue
      const args = {
        key: keyIn(setting, 'requires', 'auth', 'restrict_all_services'),
        file: setting.place.file,
        services: listNames(open.map(({ name }) => name)),
      }
      yield { at: setting.place, args, ...(open.length === 0 && { severity: 'LOW' as const, variant: 'unused' }) }
    }
  },

  text: {
    en: {
      title: 'Services that say nothing are public in production',
      message: '{key} is false in {file}: nothing says who may call {services}, so nobody is asked for a login.',
      why: 'Since cds 7 a service without @requires wants an authenticated user in production. This switch takes that away for all of them.',
      fix: "Remove {key}, and write @requires: 'any' at the services that really are for the public.",
      variants: {
        unused: {
          title: 'The default login of services is switched off',
          message: '{key} is false in {file}. Every service of today says who may call it; the next one that does not is public.',
        },
      },
    },
    fr: {
      title: 'Les services qui ne disent rien sont publics en production',
      message:
        '{key} vaut false dans {file} : {services} ne déclarent personne qui puisse les appeler et n’exigent donc aucune connexion.',
      why: 'Depuis cds 7, un service sans @requires exige un utilisateur authentifié en production. Cet interrupteur l’annule pour tous.',
      fix: "Supprimez {key}, et écrivez @requires: 'any' sur les services réellement publics.",
      variants: {
        unused: {
          title: 'La connexion par défaut des services est désactivée',
          message:
            '{key} vaut false dans {file}. Chaque service actuel dit qui peut l’appeler ; le prochain qui ne le dit pas sera public.',
        },
      },
    },
  },
})
