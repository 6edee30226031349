import {
  findJavaApplications,
  javaSetting,
  mayValidateTokens,
  scalarText,
  type CapRoot,
  type JavaApplication,
  type JavaSetting,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { artifactName } from '../../model/maven/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/**
 * CAP Java without its token validation: switched off, or its libraries are not on the class path.
 * Facts: capire, CAP Java, "Security" (auto configuration: only with the libraries and a binding is authentication enforced; xsuaa.enabled and
 * identity.enabled, true by default; starter bundles cds-starter-cloudfoundry and cds-starter-k8s).
 * Impact: unauthenticated callers reach what no role protects; CAP still checks the roles of the model, so that it is more than nothing is assumed.
 */
export const javaXsuaaDisabled: Rule = defineRule({
  id: 'cap/java-xsuaa-disabled',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security#xsuaa-ias',
  on: 'cap-root',

  *check(root, project) {
    const applications = findJavaApplications(root, project.files)
    if (applications.some(({ dependencies }) => dependencies.some((it) => OWN_LOGIN.test(artifactName(it))))) return
    const off = switchedOff(root, project)
    if (off !== undefined) {
      const { key, setting } = off
      const { place, profile = '', variable = '' } = setting
      const args = { key, file: place.file, profile, variable }
      if (variable !== '') yield { at: place, args, variant: 'variable' }
      else yield { at: place, args, ...(profile !== '' && { variant: 'profile' }) }
      return
    }
    const isServed = root.services.some(({ exposure }) => exposure === 'served')
    if (!root.deployed || !isServed) return
    for (const application of applications) {
      const match = withoutLibrary(application)
      if (match !== undefined) yield match
    }
  },

  text: () => ({
    en: {
      title: 'Token validation disabled in CAP Java',
      message: '{key} is false in {file} for all profiles, and no other authentication service is configured.',
      why: 'CAP then sets up no token validation: unless another security configuration requires authentication, an unauthenticated attacker can call every service and endpoint that no role protects.',
      fix: 'Delete {key} from {file}. To run without XSUAA locally, set it to false in a separate document (after ---) of application.yaml with "spring.config.activate.on-profile: local".',
      variants: {
        profile: {
          message: '{key} is false in {file} for the profile "{profile}", and no other authentication service is configured.',
        },
        variable: {
          message: '{variable} is false in {file}, and no other authentication service is configured.',
          fix: 'Delete {variable} from {file}. To run without XSUAA locally, set {key} to false in application.yaml, in a separate document (after ---) with "spring.config.activate.on-profile: local".',
        },
        missing: {
          title: 'Missing authentication library in a CAP Java application',
          message: '{module} depends on {runtime}, but none of its dependencies validates tokens.',
          why: 'Without a token validation library, CAP sets up no authentication, even with a bound XSUAA or IAS instance: an unauthenticated attacker can call everything that no role protects.',
          fix: 'Add com.sap.cds:cds-starter-cloudfoundry with <scope>runtime</scope> to the dependencies in {module} (on Kyma: cds-starter-k8s), and bind an XSUAA or IAS instance to the application.',
        },
      },
    },
    fr: {
      title: 'Validation des jetons désactivée dans CAP Java',
      message: '{key} vaut false dans {file} pour tous les profils, et aucun autre service d’authentification n’est configuré.',
      why: 'CAP ne met alors en place aucune validation des jetons : sauf si une autre configuration de sécurité exige une authentification, un attaquant non authentifié peut appeler tout service ou point de terminaison qu’aucun rôle ne protège.',
      fix: 'Supprimez {key} de {file}. Pour travailler en local sans XSUAA, donnez-lui la valeur false dans un document distinct (après ---) du fichier application.yaml, avec "spring.config.activate.on-profile: local".',
      variants: {
        profile: {
          message:
            '{key} vaut false dans {file} pour le profil "{profile}", et aucun autre service d’authentification n’est configuré.',
        },
        variable: {
          message: '{variable} vaut false dans {file}, et aucun autre service d’authentification n’est configuré.',
          fix: 'Supprimez {variable} de {file}. Pour travailler en local sans XSUAA, donnez à {key} la valeur false dans application.yaml, dans un document distinct (après ---) avec "spring.config.activate.on-profile: local".',
        },
        missing: {
          title: 'Bibliothèque d’authentification manquante dans une application CAP Java',
          message: '{module} dépend de {runtime}, mais aucune de ses dépendances ne valide les jetons.',
          why: 'Sans bibliothèque de validation des jetons, CAP ne met en place aucune authentification, même avec une instance XSUAA ou IAS liée : un attaquant non authentifié peut appeler tout ce qu’aucun rôle ne protège.',
          fix: 'Ajoutez com.sap.cds:cds-starter-cloudfoundry avec <scope>runtime</scope> aux dépendances dans {module} (sur Kyma : cds-starter-k8s), et liez une instance XSUAA ou IAS à l’application.',
        },
      },
    },
  }),
})

/** Authentication that is not CAP's: it is configured in Java, which is not parsed. */
const OWN_LOGIN = /oauth2-(?:resource-server|client)|keycloak|okta|azure.{0,30}active-directory|spring-security-(?:saml2|oauth2)/

const XSUAA = 'cds.security.xsuaa.enabled'
const IDENTITY = 'cds.security.identity.enabled'

/** The switch of the one service that authenticates users of the project; of both, where both are off. */
function switchedOff(root: CapRoot, { deployment }: Project): { key: string; setting: JavaSetting } | undefined {
  const offXsuaa = offSetting(root, XSUAA)
  const offIdentity = offSetting(root, IDENTITY)
  const has = (name: 'xsuaa' | 'identity'): boolean => deployment.services.some(({ service }) => service === name)
  if (offXsuaa !== undefined && (offIdentity !== undefined || !has('identity'))) return { key: XSUAA, setting: offXsuaa }
  if (offIdentity !== undefined && has('identity') && !has('xsuaa')) return { key: IDENTITY, setting: offIdentity }
  return undefined
}

function offSetting(root: CapRoot, key: string): JavaSetting | undefined {
  const setting = javaSetting(root, key)
  return setting !== undefined && scalarText(setting.node) === 'false' ? setting : undefined
}

function withoutLibrary({ module, dependencies, isComplete }: JavaApplication): Match | undefined {
  // one of a profile counts too: that profile may be the one that is built for the cloud
  if (!isComplete || mayValidateTokens(dependencies)) return undefined
  const runtime = module.dependencies.find(({ artifactId }) => /^cds-(?:starter|framework)-spring-boot/.test(artifactId))
  if (runtime === undefined) return undefined
  return { at: runtime.place, args: { module: module.file, runtime: runtime.artifactId }, variant: 'missing' }
}
