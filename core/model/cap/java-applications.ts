import type { ProjectFile } from '../../files.ts'
import { artifactName, findMavenModules, type MavenDependency, type MavenModule } from '../maven/index.ts'
import type { CapRoot } from './types.ts'

/** A module that runs CAP Java, with what reaches its class path as far as the upload tells. */
export interface JavaApplication {
  readonly module: MavenModule
  /** Its dependencies and those of modules of the upload that it depends on; tests left out. */
  readonly dependencies: readonly MavenDependency[]
  /** Nothing that could add a dependency lies outside of the upload. */
  readonly isComplete: boolean
}

/** Parents that manage versions and plugins, and add no dependency. */
const PLAIN_PARENTS: ReadonlySet<string> = new Set([
  'org.springframework.boot:spring-boot-starter-parent',
  'org.springframework.boot:spring-boot-dependencies',
])

/** What starts CAP Java with Spring Boot; starters bring the framework along. */
const RUNTIME = /^cds-(?:starter-spring-boot(?:-odata)?|framework-spring-boot)$/

/** Facts: capire, CAP Java, "Spring Boot Integration" (which dependencies start CAP). */
export function findJavaApplications(root: CapRoot, files: ReadonlyMap<string, ProjectFile>): JavaApplication[] {
  if (root.test || root.runtime !== 'java') return []
  const modules = findMavenModules(root.files, files)
  const byName = new Map(modules.map((module) => [artifactName(module), module]))
  return modules.flatMap((module) => {
    const isRuntime = module.dependencies.some((it) => it.groupId === 'com.sap.cds' && RUNTIME.test(it.artifactId))
    return isRuntime ? [toApplication(module, byName)] : []
  })
}

function toApplication(module: MavenModule, byName: ReadonlyMap<string, MavenModule>): JavaApplication {
  const reached = new Set([module])
  const dependencies: MavenDependency[] = []
  let isComplete = true
  for (const from of reached) {
    if (from.foreignParent !== undefined && !PLAIN_PARENTS.has(artifactName(from.foreignParent))) isComplete = false
    for (const it of from.dependencies) {
      if (it.scope === 'test') continue
      dependencies.push(it)
      const own = byName.get(artifactName(it))
      if (own !== undefined) reached.add(own)
      // a library of the same company may bring anything
      else if (it.groupId.includes('${') || it.groupId === module.groupId) isComplete = false
    }
  }
  return { module, dependencies, isComplete }
}
