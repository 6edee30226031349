import type { ClassPath } from '../../../model/maven/index.ts'
import { folderOf, foldersAround } from '../../../paths.ts'
import type { Project } from '../../subjects.ts'

/** Libraries that check callers, or with which code does; CAP has rules of its own. */
const SECURITY =
  /security|xsuaa|keycloak|shiro|jwt|jose|oauth|oidc|openid|saml|pac4j|auth0|okta|firebase-admin|waffle|kerberos|sa-token|cas-client|(?:^|-)(?:ias|auth|authentication|authorization)(?:-|$)/i
const SECURITY_GROUPS = /^com\.sap\.cds$|security|keycloak|shiro|pac4j/i

/** Libraries of databases and of the systems behind destinations. */
const DATA =
  /(?:^|-)(?:data|jdbc|jpa|hibernate|mybatis|jooq|eclipselink|ngdbc|postgresql|mysql|mariadb|mongo|mongodb|mssql|sqlite|h2|hsqldb|derby|ojdbc\d{0,2}|redis|jedis|jongo|morphia|cassandra|elasticsearch|neo4j|liquibase|flyway|olingo\d?|odata|s4hana|scp|sdk|cloudplatform)(?:-|$)/i

export function bringsSecurity({ dependencies }: ClassPath): boolean {
  return dependencies.some(({ groupId, artifactId }) => SECURITY.test(artifactId) || SECURITY_GROUPS.test(groupId))
}

export function usesData({ dependencies }: ClassPath): boolean {
  return dependencies.some(({ artifactId }) => DATA.test(artifactId))
}

/** Where a descriptor deploys anything, a module that none names is not deployed. */
export function deploymentReader({ files, deployment, reach }: Project): (folder: string) => boolean {
  const images = [...files.values()].flatMap(({ path, kind }) =>
    kind.role === 'dockerfile' && !kind.test ? [folderOf(path)] : [],
  )
  const folders = new Set([...images, ...deployment.applications.flatMap(({ folder }) => folder ?? [])])
  return (folder) => {
    const file = folder === '' ? 'pom.xml' : `${folder}/pom.xml`
    return folders.size === 0 || [...foldersAround(file)].some((one) => folders.has(one)) || reach.ofServer(file).isRouted
  }
}
