import { artifactName, findMavenModules, type MavenDependency, type MavenModule } from '../../model/maven/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The library that checks tokens, in a version that can be made to take a forged one, or one that gets no fixes.
 *  Facts: GHSA-59c9-pxq8-9c73 (java-security, spring-security, spring-xsuaa: below 2.17.0, and 3.0.0 up to 3.3.0; as of 2026-11-20); README of
 *  cloud-security-services-integration-library (spring-xsuaa gave way to spring-security). The starters and java-bom carry the libraries' version. */
export const javaXssecVulnerable: Rule = defineRule({
  id: 'cap/java-xssec-vulnerable',
  severity: 'CRITICAL',
  confidence: 'high',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://nvd.nist.gov/vuln/detail/CVE-2023-50422',
  on: 'cap-root',

  *check(root, { files }) {
    if (root.test) return
    const seen = new Set<string>()
    for (const module of findMavenModules(root.files, files)) {
      for (const it of candidates(module)) {
        const match = judge(it)
        // modules that take their version from one property or one parent are one fault
        const key = match && `${match.at.file} ${match.at.span?.start}`
        if (match === undefined || key === undefined || seen.has(key)) continue
        seen.add(key)
        yield match
      }
    }
  },

  text: {
    en: {
      title: 'The library that checks tokens can be deceived',
      message: '{artifact} is {version}: CVE-2023-50422 concerns versions below 2.17.0, and 3.0.0 up to 3.3.0.',
      why: 'Whoever reaches the application gets any permission in it without a user of their own.',
      fix: 'Move to 3.6.0 or later (2.17.5 for Java 11), for all libraries of com.sap.cloud.security at once.',
      variants: {
        deprecated: {
          title: 'The library that checks tokens is given up',
          message: '{artifact} is the old client for XSUAA, which spring-security of com.sap.cloud.security has replaced.',
          why: 'The next weakness in how it checks tokens gets no fix.',
          fix: 'Replace it with com.sap.cloud.security:resourceserver-security-spring-boot-starter.',
        },
      },
    },
    fr: {
      title: 'La bibliothèque qui vérifie les jetons peut être trompée',
      message: '{artifact} est en {version} : CVE-2023-50422 touche les versions avant 2.17.0, et de 3.0.0 à 3.3.0 exclue.',
      why: 'Quiconque atteint l’application y obtient n’importe quel droit, sans avoir d’utilisateur.',
      fix: 'Passez à 3.6.0 ou plus récent (2.17.5 pour Java 11), pour toutes les bibliothèques de com.sap.cloud.security à la fois.',
      variants: {
        deprecated: {
          title: 'La bibliothèque qui vérifie les jetons est abandonnée',
          message: '{artifact} est l’ancien client de XSUAA, remplacé par spring-security de com.sap.cloud.security.',
          why: 'La prochaine faille dans sa vérification des jetons ne sera pas corrigée.',
          fix: 'Remplacez-la par com.sap.cloud.security:resourceserver-security-spring-boot-starter.',
        },
      },
    },
  },
})

const GROUPS: ReadonlySet<string> = new Set(['com.sap.cloud.security', 'com.sap.cloud.security.xsuaa'])

const LIBRARIES: ReadonlySet<string> = new Set([
  'java-security',
  'spring-security',
  'spring-xsuaa',
  'resourceserver-security-spring-boot-starter',
  'xsuaa-spring-boot-starter',
])
const DEPRECATED: ReadonlySet<string> = new Set(['spring-xsuaa', 'xsuaa-spring-boot-starter'])

/** What brings the libraries along, in a version that a BOM may decide. */
const BRINGS_ALONG = /^com\.sap\.cds:cds-(?:starter-(?:cloudfoundry|k8s)|feature-(?:identity|xsuaa))$/

/** The libraries; and the BOM, where something takes its version from there. */
function* candidates({ dependencies, boms }: MavenModule): Generator<MavenDependency> {
  const used = dependencies.filter(({ scope }) => scope !== 'test')
  const libraries = used.filter(({ groupId, artifactId }) => GROUPS.has(groupId) && LIBRARIES.has(artifactId))
  yield* libraries
  if (libraries.some(({ version }) => version === undefined) || used.some((it) => BRINGS_ALONG.test(artifactName(it))))
    yield* boms.filter(({ groupId, artifactId }) => GROUPS.has(groupId) && artifactId === 'java-bom')
}

function judge({ artifactId, version, place, versionPlace }: MavenDependency): Match | undefined {
  if (version !== undefined && isAffected(version)) return { at: versionPlace ?? place, args: { artifact: artifactId, version } }
  if (!DEPRECATED.has(artifactId)) return undefined
  return { at: place, args: { artifact: artifactId }, variant: 'deprecated', severity: 'MEDIUM' }
}

function isAffected(version: string): boolean {
  const [, first = '', second = ''] = /^(\d{1,4})\.(\d{1,4})(?:\.\d|$)/.exec(version) ?? []
  if (first === '') return false
  const [major, minor] = [Number(first), Number(second)]
  return major < 2 || (major === 2 && minor < 17) || (major === 3 && minor < 3)
}
