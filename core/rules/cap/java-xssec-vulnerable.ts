import { artifactName, findMavenModules, type MavenDependency, type MavenModule } from '../../model/maven/index.ts'
import type { Localized, Match, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const LIBRARY: Localized<Pick<RuleText, 'title' | 'message' | 'why' | 'fix'>> = {
  en: {
    title: 'Java library with a known remote code execution vulnerability',
    message: 'The project uses {artifact} {version}, which is vulnerable to {advisory}.',
    why: 'Exploits of this vulnerability are public: where the library interpolates text from a request, an attacker can run code on the server.',
    fix: 'Set the version of {artifact} to {target} or later in {file}, or remove the dependency if the application does not need it.',
  },
  fr: {
    title: 'Bibliothèque Java vulnérable à l’exécution de code à distance',
    message: 'Le projet utilise {artifact} {version}, vulnérable à {advisory}.',
    why: 'Des exploits de cette vulnérabilité sont publics : si la bibliothèque interpole un texte issu d’une requête, un attaquant peut exécuter du code sur le serveur.',
    fix: 'Passez {artifact} à la version {target} ou à une version plus récente dans {file}, ou retirez la dépendance si l’application n’en a pas besoin.',
  },
}

/**
 * The library that validates tokens in CAP Java, in a version with a published privilege escalation, or deprecated; and the few others with a remote code
 * execution that everybody tries: advisories of Maven are not looked up one by one.
 * Facts: GHSA-59c9-pxq8-9c73 (java-security, spring-security, spring-xsuaa: below 2.17.0, and 3.0.0 up to 3.3.0; as of 2026-11-20); README of
 * cloud-security-services-integration-library (spring-xsuaa gave way to spring-security, 3.x needs Java 17), and its release notes
 * 4.0.0 (spring-xsuaa removed, starters for Spring Boot 3 and 4). The starters and java-bom carry the libraries' version.
 * GHSA-jfh8-c2jp-5v3q (log4j-core 2.0 to 2.14.1, fixed in 2.3.1, 2.12.2 and 2.15.0 too; Apache advises 2.17.1), GHSA-599f-7c49-w659 (commons-text 1.5 to 1.9).
 * Impact: as the advisories say (CVSS 9.1, unauthenticated); a library that is deprecated gets no new features and soon no fixes.
 */
export const javaXssecVulnerable: Rule = defineRule({
  id: 'cap/java-xssec-vulnerable',
  impact: 'takeover',
  grades: {
    log4j: { advisory: 'CRITICAL' },
    'commons-text': { advisory: 'HIGH' },
    deprecated: { impact: 'hygiene', circumstance: 'unfixed' },
  },
  confidence: 'high',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://github.com/advisories/GHSA-59c9-pxq8-9c73',
  docsByVariant: {
    log4j: 'https://github.com/advisories/GHSA-jfh8-c2jp-5v3q',
    'commons-text': 'https://github.com/advisories/GHSA-599f-7c49-w659',
    deprecated:
      'https://github.com/SAP/cloud-security-services-integration-library/blob/main/spring-security/Migration_SpringXsuaaProjects.md',
  },
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

  text: () => ({
    en: {
      title: 'Privilege escalation in the SAP token validation library',
      message:
        'The project uses {artifact} {version} ({group}). CVE-2023-50422 affects the SAP security libraries below 2.17.0, and from 3.0.0 up to, but not including, 3.3.0.',
      why: 'Under certain conditions, an unauthenticated attacker can obtain arbitrary permissions within the application.',
      fix: 'Set the version to {target} or a later {line} version in {file}, and give all artifacts of com.sap.cloud.security that version.',
      variants: {
        log4j: LIBRARY.en,
        'commons-text': LIBRARY.en,
        deprecated: {
          title: 'Deprecated XSUAA client library for Java',
          message:
            '{artifact} in {file} belongs to the deprecated XSUAA client library, replaced by com.sap.cloud.security:spring-security.',
          why: 'Version 4 of the SAP security libraries no longer contains this library, so vulnerabilities in its token validation may remain unfixed.',
          fix: 'Replace {artifact} in {file} with resourceserver-security-spring-boot-starter of com.sap.cloud.security; for version 4 with Spring Boot 3, use resourceserver-security-spring-boot-3-starter. The linked guide lists the changes.',
        },
      },
    },
    fr: {
      title: 'Élévation de privilèges dans la bibliothèque SAP de validation des jetons',
      message:
        'Le projet utilise {artifact} {version} ({group}). CVE-2023-50422 concerne les versions des bibliothèques de sécurité de SAP antérieures à 2.17.0, ainsi que celles de 3.0.0 à 3.3.0 (exclue).',
      why: 'Dans certaines conditions, un attaquant non authentifié peut obtenir des droits arbitraires dans l’application.',
      fix: 'Passez dans {file} à la version {target} ou à une version {line} plus récente, et utilisez-la pour tous les artefacts de com.sap.cloud.security.',
      variants: {
        log4j: LIBRARY.fr,
        'commons-text': LIBRARY.fr,
        deprecated: {
          title: 'Bibliothèque cliente XSUAA obsolète pour Java',
          message:
            '{artifact} dans {file} fait partie de la bibliothèque cliente XSUAA obsolète, remplacée par com.sap.cloud.security:spring-security.',
          why: 'La version 4 des bibliothèques de sécurité de SAP ne contient plus cette bibliothèque : les vulnérabilités de sa validation des jetons risquent de ne plus être corrigées.',
          fix: 'Remplacez {artifact} dans {file} par resourceserver-security-spring-boot-starter de com.sap.cloud.security ; pour la version 4 avec Spring Boot 3, par resourceserver-security-spring-boot-3-starter. Le guide en lien décrit la migration.',
        },
      },
    },
  }),
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

interface KnownLibrary {
  readonly variant: string
  readonly advisory: string
  readonly target: string
  isAffected(version: string): boolean
}

/** A lookup in a text that is logged is enough for the first; the second one needs code that substitutes in text of a request. */
const KNOWN: ReadonlyMap<string, KnownLibrary> = new Map([
  [
    'org.apache.logging.log4j:log4j-core',
    {
      variant: 'log4j',
      advisory: 'CVE-2021-44228 (Log4Shell)',
      target: '2.17.1',
      isAffected: (version) => /^2\.(?:\d|1[0-4])(?!\d)/.test(version) && !/^2\.(?:12\.[2-9]|3\.[1-9])/.test(version),
    },
  ],
  [
    'org.apache.commons:commons-text',
    {
      variant: 'commons-text',
      advisory: 'CVE-2022-42889 (Text4Shell)',
      target: '1.10.0',
      isAffected: (version) => /^1\.[5-9](?!\d)/.test(version),
    },
  ],
])

/** What depends on the libraries, in a version that a BOM may decide. */
const BRINGS_ALONG = /^com\.sap\.cds:cds-(?:starter-(?:cloudfoundry|k8s)|feature-(?:identity|xsuaa))$/

/** The libraries; and the BOM, where something takes its version from there. */
function* candidates({ dependencies, boms }: MavenModule): Generator<MavenDependency> {
  const used = dependencies.filter(({ scope }) => scope !== 'test')
  const libraries = used.filter(({ groupId, artifactId }) => GROUPS.has(groupId) && LIBRARIES.has(artifactId))
  yield* libraries
  yield* used.filter((it) => KNOWN.has(artifactName(it)))
  if (libraries.some(({ version }) => version === undefined) || used.some((it) => BRINGS_ALONG.test(artifactName(it))))
    yield* boms.filter(({ groupId, artifactId }) => GROUPS.has(groupId) && artifactId === 'java-bom')
}

function judge(dependency: MavenDependency): Match | undefined {
  const { groupId, artifactId, version, place, versionPlace } = dependency
  const known = KNOWN.get(artifactName(dependency))
  if (known !== undefined) {
    if (version === undefined || !known.isAffected(version)) return undefined
    const at = versionPlace ?? place
    const { variant, target, advisory } = known
    return { at, args: { artifact: artifactId, version, target, file: at.file, advisory }, variant }
  }
  if (version !== undefined && isAffected(version)) {
    const at = versionPlace ?? place
    // the same major version, so that the version of Java can stay
    const [target, line] = version.startsWith('3') ? (['3.3.0', '3.x'] as const) : (['2.17.0', '2.x'] as const)
    return { at, args: { artifact: artifactId, group: groupId, version, target, line, file: at.file }, advisory: 'CRITICAL' }
  }
  if (!DEPRECATED.has(artifactId)) return undefined
  return { at: place, args: { artifact: artifactId, file: place.file }, variant: 'deprecated' }
}

function isAffected(version: string): boolean {
  const [, first = '', second = ''] = /^(\d{1,4})\.(\d{1,4})(?:\.\d|$)/.exec(version) ?? []
  if (first === '') return false
  const [major, minor] = [Number(first), Number(second)]
  return major < 2 || (major === 2 && minor < 17) || (major === 3 && minor < 3)
}
