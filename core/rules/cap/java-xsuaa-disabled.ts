import {
  findJavaApplications,
  javaSetting,
  profileName,
  scalarText,
  type CapRoot,
  type JavaApplication,
  type JavaSetting,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { artifactName } from '../../model/maven/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/** The part of CAP Java that checks tokens is switched off, or was never added to the class path.
 *  Facts: capire, CAP Java, "Security" (auto configuration: only with the libraries and a binding is a login asked for; xsuaa.enabled and
 *  identity.enabled, true by default; starter bundles cds-starter-cloudfoundry and cds-starter-k8s). */
export const javaXsuaaDisabled: Rule = defineRule({
  id: 'cap/java-xsuaa-disabled',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/security',
  on: 'cap-root',

  *check(root, project) {
    const applications = findJavaApplications(root, project.files)
    if (applications.some(({ dependencies }) => dependencies.some((it) => OWN_LOGIN.test(artifactName(it))))) return
    const off = switchedOff(root, project)
    if (off !== undefined) {
      const { key, setting } = off
      yield { at: setting.place, args: { key, file: setting.place.file, profile: profileName(setting) } }
      return
    }
    const isServed = root.services.some(({ exposure }) => exposure === 'served')
    if (!root.deployed || !isServed) return
    for (const application of applications) {
      const match = withoutLibrary(application)
      if (match !== undefined) yield match
    }
  },

  text: {
    en: {
      title: 'CAP Java does not check tokens',
      message: '{key} is false in {file} (profile: {profile}), and no other sign-in service takes its place.',
      why: 'CAP then installs no security configuration: no token is looked at, and requests are not asked for one.',
      fix: 'Remove {key}; where a login of your own is meant, keep it to a document of the profile "default" or "test".',
      variants: {
        missing: {
          title: 'CAP Java runs without a security library',
          message: '{module} starts CAP Java with {runtime}, and nothing in its dependencies checks a token.',
          why: 'Without the libraries CAP configures no authentication, even where an XSUAA or IAS instance is bound: every endpoint answers to anybody.',
          fix: 'Add com.sap.cds:cds-starter-cloudfoundry (or cds-starter-k8s) to the dependencies.',
        },
      },
    },
    fr: {
      title: 'CAP Java ne vérifie pas les jetons',
      message: '{key} vaut false dans {file} (profil : {profile}), et aucun autre service de connexion ne le remplace.',
      why: 'CAP n’installe alors aucune configuration de sécurité : aucun jeton n’est regardé, et les requêtes n’en doivent aucun.',
      fix: 'Supprimez {key} ; si une connexion propre est voulue, réservez-le à un document du profil « default » ou « test ».',
      variants: {
        missing: {
          title: 'CAP Java tourne sans bibliothèque de sécurité',
          message: '{module} démarre CAP Java avec {runtime}, et rien dans ses dépendances ne vérifie de jeton.',
          why: 'Sans les bibliothèques, CAP ne configure aucune authentification, même si une instance XSUAA ou IAS est liée : chaque point d’accès répond à tout le monde.',
          fix: 'Ajoutez com.sap.cds:cds-starter-cloudfoundry (ou cds-starter-k8s) aux dépendances.',
        },
      },
    },
  },
})

/** A login that is not CAP's: what it does is not in any file that is read here. */
const OWN_LOGIN = /oauth2-(?:resource-server|client)|keycloak|okta|azure.{0,30}active-directory|spring-security-(?:saml2|oauth2)/

/** Whatever may check tokens, by name: libraries of Spring, of SAP, and what others call so. */
const SECURITY =
  /^com\.sap\.cds:cds-(?:starter-(?:cloudfoundry|k8s|azure)|feature-(?:identity|xsuaa|ias))|^org\.springframework\.security|^com\.sap\.cloud\.security|security|oauth|auth-|-auth|xsuaa|identity|keycloak|okta|jwt|saml|shiro/

const XSUAA = 'cds.security.xsuaa.enabled'
const IDENTITY = 'cds.security.identity.enabled'

/** The switch of the one service that the project signs in with; of both, where both are off. */
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
  if (!isComplete || dependencies.some((it) => SECURITY.test(artifactName(it)))) return undefined
  const runtime = module.dependencies.find(({ artifactId }) => /^cds-(?:starter|framework)-spring-boot/.test(artifactId))
  if (runtime === undefined) return undefined
  return { at: runtime.place, args: { module: module.file, runtime: runtime.artifactId }, variant: 'missing' }
}
