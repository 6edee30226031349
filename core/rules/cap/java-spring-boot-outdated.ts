import { dayArgument } from '../../arguments.ts'
import { findMavenModules, type MavenDependency, type MavenModule } from '../../model/maven/index.ts'
import { endedMajorOf, hasEndedRecently } from '../../model/npm/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A major version of Spring Boot that gets no fixes without a contract. Since its version 2, CAP Java says itself which one it takes. Judged on the day of the scan.
 * Facts: capire, "Migration", CAP Java 1 to 2 (Spring Boot 3).
 * Impact: it stops getting fixes; half a year later what was found since then adds up.
 */
export const javaSpringBootOutdated: Rule = defineRule({
  id: 'cap/java-spring-boot-outdated',
  impact: 'hygiene',
  circumstance: 'ended',
  confidence: 'high',
  cwe: [1104],
  since: '0.3.0',
  docs: 'https://spring.io/projects/spring-boot#support',
  on: 'project',

  *check({ files, date, reach }) {
    for (const module of findMavenModules([...files.values()], files)) {
      const version = versionOf(module)
      const place = version?.versionPlace ?? version?.place
      if (version?.version === undefined || place === undefined || reach.usageOf(place.file) === 'unused') continue
      const found = endedMajorOf(numbersOf(version.version), date, (major) => ENDS.get(major))
      if (found === undefined || (found.major > BEFORE_CAP_2 && isOfCap(module))) continue
      const isRecent = hasEndedRecently(found, date)
      yield {
        at: place,
        args: {
          version: version.version,
          file: place.file,
          major: String(found.major),
          ended: dayArgument(found.ended),
          target: NEWEST,
        },
        groupKey: `${place.file} ${version.version}`,
        ...(isRecent && { circumstance: 'unfixed' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Spring Boot version out of open source support',
      message: '{file} uses Spring Boot {version}, but version {major} has received no open source security fixes since {ended}.',
      why: 'Vulnerabilities found after that date in Spring, in the embedded Tomcat and in the libraries whose versions Spring Boot sets stay exploitable in this application.',
      fix: 'Upgrade Spring Boot in {file} to version {target}, one major version at a time, following the migration guides. Commercial support provides fixes for some older versions.',
    },
    fr: {
      title: 'Version de Spring Boot sans support open source',
      message:
        '{file} utilise Spring Boot {version}, mais la version {major} ne reçoit plus de correctifs de sécurité open source depuis le {ended}.',
      why: 'Les vulnérabilités découvertes après cette date dans Spring, dans le Tomcat intégré et dans les bibliothèques dont Spring Boot fixe les versions restent exploitables dans cette application.',
      fix: 'Passez Spring Boot à la version {target} dans {file}, une version majeure à la fois, en suivant les guides de migration. Le support commercial fournit des correctifs pour certaines versions anciennes.',
    },
  }),
})

/** The last day of open source support of the last release of a major version (spring.io, "Spring Boot: Support", and its blog: 1.5.22 and 2.7.18 were the last ones; read 2026-11). */
const ENDS: ReadonlyMap<number, string> = new Map([
  [1, '2019-08-06'],
  [2, '2023-11-24'],
  [3, '2026-06-30'],
])

/** The newest major version, as of 2026-11. */
const NEWEST = '4'

const GROUP = 'org.springframework.boot'

/** The last major version of Spring Boot that only CAP Java 1 runs with. */
const BEFORE_CAP_2 = 2

/** The folder around the modules of CAP names its versions alone. */
function isOfCap({ dependencies, boms }: MavenModule): boolean {
  return [...dependencies, ...boms].some(({ groupId }) => groupId === 'com.sap.cds')
}

/** Of the parent, else of the imported list of versions, else of a starter. */
function versionOf({ foreignParent, boms, dependencies }: MavenModule): MavenDependency | undefined {
  return [...(foreignParent === undefined ? [] : [foreignParent]), ...boms, ...dependencies].find(
    ({ groupId, version }) => groupId === GROUP && version !== undefined,
  )
}

/** `2.1.2.RELEASE`, `3.1.1-SNAPSHOT` as a version with three numbers. */
function numbersOf(version: string): string {
  const [major = '', minor = '0', patch = '0'] = /^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?/.exec(version)?.slice(1) ?? []
  return `${major}.${minor}.${patch}`
}
