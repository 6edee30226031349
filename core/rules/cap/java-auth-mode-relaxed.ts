import { javaSetting, scalarText, servedServices } from '../../model/cap/index.ts'
import { listNames } from '../../arguments.ts'
import { quoteValue } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeOpened } from './_model/open-services.ts'

/**
 * An authentication mode that makes services without annotations public.
 * Facts: capire, CAP Java, "Security" (authentication.mode) and "Migration", 4 to 5.
 * Impact: unauthenticated callers read and change the data of the services. That it is deployed is assumed where nothing in the project says so.
 */
export const javaAuthModeRelaxed: Rule = defineRule({
  id: 'cap/java-auth-mode-relaxed',
  impact: 'data',
  reach: 'anyone',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security#auth-mode',
  on: 'cap-root',

  *check(root, project) {
    const setting = javaSetting(root, KEY)
    const value = setting === undefined ? '' : scalarText(setting.node)
    if (setting === undefined || (value !== 'model-relaxed' && value !== 'never')) return
    const open = servedServices(root).filter(({ access, elements }) => access.kind === 'default-public' && elements.length > 0)
    if (value === 'model-relaxed' && open.length === 0) return
    const args = {
      key: setting.key,
      value: quoteValue(value),
      file: setting.place.file,
      services: listNames(open.map(({ name }) => name)),
    }
    yield {
      at: setting.place,
      args,
      // services whose roles CAP still checks
      ...(open.length === 0
        ? { impact: 'defence' as const }
        : { ...gradeOpened(open, root, project.reach), ...(!root.deployed && { evidence: 'assumed' as const }) }),
      ...(value === 'never' && { variant: 'never' }),
    }
  },

  text: () => ({
    en: {
      title: 'Public services due to a relaxed authentication mode',
      message:
        '{key} is {value} in {file}, and no @requires or @restrict applies to {services:or}: CAP Java accepts unauthenticated requests there.',
      why: 'An unauthenticated attacker who reaches the application can read and change the data of {services:and}.',
      fix: "Set {key} to \"model-strict\" in {file}, and annotate each service with @requires: '<role>' (or 'authenticated-user').",
      variants: {
        never: {
          title: 'Authentication disabled for all services',
          message:
            '{key} is "never" in {file}: CAP Java does not require authentication on any endpoint of its services, whatever the model says.',
          why: 'Unless a filter chain authenticates every request first, an unauthenticated attacker can use all services that do not require a role.',
          fix: 'Set {key} to "model-strict" in {file}, or to "always" to require authentication on public endpoints too.',
        },
      },
    },
    fr: {
      title: 'Services publics en raison d’un mode d’authentification permissif',
      message:
        '{key} vaut {value} dans {file}, et aucun @requires ni @restrict ne s’applique à {services:ni} : CAP Java y accepte des requêtes non authentifiées.',
      why: 'Un attaquant non authentifié qui peut accéder à l’application peut lire et modifier les données de {services:et}.',
      fix: "Donnez à {key} la valeur \"model-strict\" dans {file}, et annotez chaque service avec @requires: '<rôle>' (ou 'authenticated-user').",
      variants: {
        never: {
          title: 'Authentification désactivée pour tous les services',
          message:
            '{key} vaut "never" dans {file} : CAP Java n’exige d’authentification sur aucun point de terminaison des services, quoi que dise le modèle.',
          why: 'Sauf si une chaîne de filtres en amont authentifie chaque requête, un attaquant non authentifié peut utiliser tous les services qui n’exigent pas de rôle.',
          fix: 'Donnez à {key} la valeur "model-strict" dans {file}, ou "always" pour exiger une authentification aussi sur les points de terminaison publics.',
        },
      },
    },
  }),
})

const KEY = 'cds.security.authentication.mode'
