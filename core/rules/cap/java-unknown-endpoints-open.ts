import { javaSetting, scalarText } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Paths beside the services of CAP are left open.
 *  Facts: capire, CAP Java, "Security" (authenticateUnknownEndpoints, authenticateMetadataEndpoints and authConfig.enabled; all are true by default). */
export const javaUnknownEndpointsOpen: Rule = defineRule({
  id: 'cap/java-unknown-endpoints-open',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security',
  on: 'cap-root',

  *check(root) {
    for (const [key, grade] of KEYS) {
      const setting = javaSetting(root, key)
      if (setting === undefined || scalarText(setting.node) !== 'false') continue
      yield { at: setting.place, args: { key, file: setting.place.file }, ...grade }
    }
    const setting = javaSetting(root, AUTO)
    // a filter chain of the project's own stands in Java, which is told by the name of its class
    if (setting === undefined || scalarText(setting.node) !== 'false' || root.files.some(({ path }) => OWN_CHAIN.test(path)))
      return
    yield { at: setting.place, args: { key: AUTO, file: setting.place.file }, confidence: 'medium', variant: 'auto' }
  },

  text: {
    en: {
      title: 'Endpoints that CAP does not know are public',
      message: '{key} is false in {file}: every path that is no service of CAP is answered without a login.',
      why: 'Controllers of Spring, actuators and what a library brings along are then open to whoever reaches the application.',
      fix: 'Remove {key}, and open single paths in a SecurityFilterChain of their own.',
      variants: {
        metadata: {
          title: 'Metadata of services are public',
          message: '{key} is false in {file}: $metadata of every service is answered without a login.',
          why: 'Metadata name entities, fields and actions: a map for whoever looks for a way in.',
          fix: 'Remove {key}.',
        },
        auto: {
          title: 'CAP sets up no login',
          message: '{key} is false in {file}, and no class of the project looks like a filter chain of its own.',
          why: 'Nothing asks for a token then: services and all other endpoints are open to whoever reaches the application.',
          fix: 'Remove {key}, or add a SecurityFilterChain that authenticates every path.',
        },
      },
    },
    fr: {
      title: 'Les points d’accès inconnus de CAP sont publics',
      message: '{key} vaut false dans {file} : tout chemin qui n’est pas un service de CAP répond sans connexion.',
      why: 'Contrôleurs Spring, actuators et ce qu’apporte une bibliothèque sont alors ouverts à quiconque atteint l’application.',
      fix: 'Supprimez {key}, et ouvrez les chemins voulus dans une SecurityFilterChain à part.',
      variants: {
        metadata: {
          title: 'Les métadonnées des services sont publiques',
          message: '{key} vaut false dans {file} : le $metadata de chaque service répond sans connexion.',
          why: 'Les métadonnées nomment entités, champs et actions : une carte pour qui cherche une entrée.',
          fix: 'Supprimez {key}.',
        },
        auto: {
          title: 'CAP ne met en place aucune authentification',
          message: '{key} vaut false dans {file}, et aucune classe du projet ne ressemble à une chaîne de filtres à elle.',
          why: 'Plus rien n’exige de jeton : les services et tous les autres points d’accès sont ouverts à quiconque atteint l’application.',
          fix: 'Supprimez {key}, ou ajoutez une SecurityFilterChain qui authentifie chaque chemin.',
        },
      },
    },
  },
})

const AUTO = 'cds.security.authentication.authConfig.enabled'
const OWN_CHAIN = /(?:secur|auth|filterchain)[^/]{0,100}\.(?:java|kt)$/i

const KEYS = [
  ['cds.security.authentication.authenticateUnknownEndpoints', {}],
  ['cds.security.authentication.authenticateMetadataEndpoints', { severity: 'LOW', variant: 'metadata' }],
] as const
