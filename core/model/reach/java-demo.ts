import { findJavaApplications, javaSetting, scalarText, type CapRoot } from '../cap/index.ts'
import { TALKS_TO_OTHERS } from '../../parse/java-tokens.ts'
import { isBelow } from '../../paths.ts'

/** What a server of CAP Java in memory needs: no other system, no login. Other drivers find no database where none is configured. */
const OF_ITSELF =
  /^com\.sap\.cds:cds-(?:starter-spring-boot|adapter-[\w-]{1,40}|services-[\w-]{1,40}|framework-spring-boot|feature-jdbc)$|^org\.springframework\.boot:spring-boot-(?:starter(?:-(?:web|test|validation|jdbc|actuator))?|devtools)$|:(?:h2|postgresql|lombok|liquibase-core|flyway-core)$|^org\.springdoc:|^org\.(?:junit|mockito|assertj)|^junit:/
const DATABASES = ['spring.datasource.url', 'spring.datasource.jdbc-url', 'spring.datasource.hikari.jdbc-url']
/** Code that has to do with users. */
const KNOWS_USERS = /UserInfo|passw|Principal\b/i

/**
 * Whether its server holds nothing but rows that CSV files fill again at each start: H2 in memory, which Spring Boot makes where no data source is configured, and nothing
 * in its code or its dependencies that talks to another system. Facts: Spring Boot 3, "Embedded Database Support"; capire, CAP Java, "Persistence Services", "H2".
 */
export function isJavaDemo(root: CapRoot, files: Parameters<typeof findJavaApplications>[1]): boolean {
  const applications = findJavaApplications(root, files)
  const isAlone = applications.every(({ isComplete, dependencies }) => {
    const needed = dependencies.filter(({ scope }) => scope !== 'test')
    return (
      isComplete &&
      needed.some(({ artifactId }) => artifactId === 'h2') &&
      needed.every(({ groupId, artifactId }) => OF_ITSELF.test(`${groupId}:${artifactId}`))
    )
  })
  if (applications.length === 0 || !isAlone) return false
  const isElsewhere = (isFallback: boolean): boolean =>
    DATABASES.some((name) => {
      const found = javaSetting(root, name, isFallback)
      return found !== undefined && !scalarText(found.node).startsWith('jdbc:h2:mem:')
    })
  if (isElsewhere(true) || isElsewhere(false)) return false
  return ![...files.values()].some(
    ({ path, kind, content }) =>
      kind.role === 'java' &&
      !kind.test &&
      isBelow(path, root.root) &&
      content.as === 'text' &&
      content.text !== undefined &&
      (TALKS_TO_OTHERS.test(content.text) || KNOWS_USERS.test(content.text)),
  )
}
