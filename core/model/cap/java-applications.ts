import type { ProjectFile } from '../../files.ts'
import { artifactName, classPathOf, findMavenModules, type ClassPath, type MavenModule } from '../maven/index.ts'
import type { CapRoot } from './types.ts'

/** A module that runs CAP Java, with what reaches its class path as far as the upload tells. */
export interface JavaApplication extends Omit<ClassPath, 'modules'> {
  readonly module: MavenModule
}

/** What starts CAP Java with Spring Boot; starters bring the framework along. */
const RUNTIME = /^cds-(?:starter-spring-boot(?:-odata)?|framework-spring-boot)$/

/** Facts: capire, CAP Java, "Spring Boot Integration" (which dependencies start CAP). */
export function findJavaApplications(root: CapRoot, files: ReadonlyMap<string, ProjectFile>): JavaApplication[] {
  if (root.test || root.runtime !== 'java') return []
  const modules = findMavenModules(root.files, files)
  const byName = new Map(modules.map((module) => [artifactName(module), module]))
  return modules.flatMap((module) => {
    const isRuntime = module.dependencies.some((it) => it.groupId === 'com.sap.cds' && RUNTIME.test(it.artifactId))
    return isRuntime ? [{ module, ...classPathOf(module, byName) }] : []
  })
}

/** Libraries that may validate tokens, by name: those of Spring, of SAP, and of others. */
const SECURITY =
  /^com\.sap\.cds:cds-(?:starter-(?:cloudfoundry|k8s|azure)|feature-(?:identity|xsuaa|ias))|^org\.springframework\.security|^com\.sap\.cloud\.security|security|oauth|auth-|-auth|xsuaa|identity|keycloak|okta|jwt|saml|shiro/

export function mayValidateTokens(dependencies: ClassPath['dependencies']): boolean {
  return dependencies.some((it) => SECURITY.test(artifactName(it)))
}
