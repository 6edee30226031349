import { findJavaApplications, javaSetting, scalarText, type CapRoot } from '../../model/cap/index.ts'
import { artifactName } from '../../model/maven/index.ts'
import type { Project } from '../subjects.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * CAP Java accepts unauthenticated requests to endpoints outside of its services, to $metadata, or to all endpoints.
 * Facts: capire, CAP Java, "Security" (authenticateUnknownEndpoints, authenticateMetadataEndpoints and authConfig.enabled; all are true by default).
 * Impact: unauthenticated callers reach endpoints beside the services. What these serve is not examined; where no class is named like one, it is a defence
 * that is off, as for metadata, which tells of entities, not of rows; so it is where Spring Security is on the class path and no code has a filter chain of its own, since
 * Spring Boot then requires a login for every path. Fact: Spring Boot 3, "Spring Security" (SpringBootWebSecurityConfiguration).
 */
export const javaUnknownEndpointsOpen: Rule = defineRule({
  id: 'cap/java-unknown-endpoints-open',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  grades: { metadata: { impact: 'defence', evidence: 'shown' }, spring: { impact: 'defence', evidence: 'shown' } },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security#spring-boot',
  on: 'cap-root',

  *check(root, { files }) {
    for (const [key, variant] of KEYS) {
      const setting = javaSetting(root, key)
      if (setting === undefined || scalarText(setting.node) !== 'false') continue
      const args = { key: setting.key, file: setting.place.file }
      if (variant !== undefined) yield { at: setting.place, args, variant }
      else if (root.files.some(({ path }) => OWN_ENDPOINT.test(path))) yield { at: setting.place, args }
      else yield { at: setting.place, args, impact: 'defence', evidence: 'shown' }
    }
    const setting = javaSetting(root, AUTO)
    // Java is not parsed: the name of a class tells that the project has a filter chain of its own
    if (setting === undefined || scalarText(setting.node) !== 'false' || root.files.some(({ path }) => OWN_CHAIN.test(path)))
      return
    const args = { key: setting.key, file: setting.place.file }
    yield { at: setting.place, args, confidence: 'medium', variant: isSecuredBySpring(root, files) ? 'spring' : 'auto' }
  },

  text: () => ({
    en: {
      title: 'Missing authentication on endpoints outside CAP',
      message: '{key} is false in {file}: every path that no CAP service handles accepts unauthenticated requests.',
      why: 'An unauthenticated attacker can call Spring controllers and the endpoints of Actuator or other libraries.',
      fix: 'Remove {key} from {file}. To keep individual paths public, add a SecurityFilterChain bean with @Order(1), securityMatcher("/public/**") and permitAll().',
      variants: {
        metadata: {
          title: 'Service metadata readable without authentication',
          message: '{key} is false in {file}: the $metadata of every service can be read without authentication.',
          why: 'An unauthenticated attacker learns the entities, elements and actions of all services.',
          fix: 'Remove {key} from {file}; clients that send a token can still read $metadata.',
        },
        auto: {
          title: 'Security configuration of CAP Java disabled',
          message: '{key} is false in {file}, and the project seems to have no security configuration of its own.',
          why: 'CAP then requires no authentication: unless Spring Boot or a filter does, an unauthenticated attacker can call every endpoint that no role protects.',
          fix: 'Remove {key} from {file}, or add a SecurityFilterChain bean that validates tokens and requires authentication for every path.',
        },
        spring: {
          title: 'Security configuration of CAP Java disabled',
          message:
            '{key} is false in {file}: authentication is required by the default of Spring Boot alone, not by a filter chain of CAP or of the project.',
          why: 'Spring Boot drops its default as soon as any SecurityFilterChain exists, even one for a few paths: an unauthenticated attacker could then call every other endpoint.',
          fix: 'Remove {key} from {file}, or add a SecurityFilterChain bean that validates tokens and requires authentication for every path.',
        },
      },
    },
    fr: {
      title: 'Absence d’authentification sur les points de terminaison hors CAP',
      message:
        '{key} vaut false dans {file} : tout chemin qui n’est traité par aucun service CAP accepte des requêtes non authentifiées.',
      why: 'Un attaquant non authentifié peut appeler les contrôleurs Spring et les points de terminaison d’Actuator ou d’autres bibliothèques.',
      fix: 'Supprimez {key} de {file}. Pour laisser certains chemins publics, ajoutez un bean SecurityFilterChain avec @Order(1), securityMatcher("/public/**") et permitAll().',
      variants: {
        metadata: {
          title: 'Métadonnées des services lisibles sans authentification',
          message: '{key} vaut false dans {file} : le $metadata de chaque service est lisible sans authentification.',
          why: 'Un attaquant non authentifié découvre les entités, les éléments et les actions de tous les services.',
          fix: 'Supprimez {key} de {file} ; les clients munis d’un jeton peuvent toujours lire $metadata.',
        },
        auto: {
          title: 'Configuration de sécurité de CAP Java désactivée',
          message: '{key} vaut false dans {file}, et le projet ne semble pas avoir sa propre configuration de sécurité.',
          why: 'CAP n’exige alors aucune authentification : sauf si Spring Boot ou un filtre en exige une, un attaquant non authentifié peut appeler tout point de terminaison qu’aucun rôle ne protège.',
          fix: 'Supprimez {key} de {file}, ou ajoutez un bean SecurityFilterChain qui valide les jetons et exige une authentification pour tous les chemins.',
        },
        spring: {
          title: 'Configuration de sécurité de CAP Java désactivée',
          message:
            '{key} vaut false dans {file} : seule la valeur par défaut de Spring Boot exige une authentification, aucune règle de CAP ni du projet.',
          why: 'Spring Boot abandonne cette valeur dès qu’un SecurityFilterChain existe, même pour quelques chemins : un attaquant non authentifié pourrait alors appeler tout autre point de terminaison.',
          fix: 'Supprimez {key} de {file}, ou ajoutez un bean SecurityFilterChain qui valide les jetons et exige une authentification pour tous les chemins.',
        },
      },
    },
  }),
})

/** Spring Security is there, and nothing replaces or leaves out what Spring Boot configures for it. */
function isSecuredBySpring(root: CapRoot, files: Project['files']): boolean {
  const applications = findJavaApplications(root, files)
  const isThere = applications.every(({ dependencies }) =>
    dependencies.some((it) => it.scope !== 'test' && STARTERS.test(artifactName(it))),
  )
  if (applications.length === 0 || !isThere || javaSetting(root, 'spring.autoconfigure.exclude') !== undefined) return false
  return !root.files.some(
    ({ kind, content }) => kind.role === 'java' && content.as === 'text' && OWN_SECURITY.test(content.text ?? ''),
  )
}

/** Fact: capire, CAP Java, "Security" (starter bundles with Spring Security). */
const STARTERS =
  /^com\.sap\.cds:cds-starter-(?:cloudfoundry|k8s)$|^org\.springframework\.boot:spring-boot-starter-security$|^org\.springframework\.boot:spring-boot-starter-oauth2-resource-server$/
const OWN_SECURITY = /SecurityFilterChain|WebSecurity|SecurityAutoConfiguration/

const AUTO = 'cds.security.authentication.authConfig.enabled'
const OWN_CHAIN = /(?:secur|auth|filterchain)[^/]{0,100}\.(?:java|kt)$/i

/** Classes that serve endpoints beside those of CAP. */
const OWN_ENDPOINT = /(?:Controller|Resource|Endpoint|Servlet)\.(?:java|kt)$/

const KEYS: readonly (readonly [key: string, variant?: string])[] = [
  ['cds.security.authentication.authenticateUnknownEndpoints'],
  ['cds.security.authentication.authenticateMetadataEndpoints', 'metadata'],
]
