import { artifactName } from './coordinates.ts'
import type { MavenDependency, MavenModule } from './types.ts'

/** What reaches the class path of a module, as far as the upload tells. */
export interface ClassPath {
  /** The module, and those of the upload that it depends on. */
  readonly modules: ReadonlySet<MavenModule>
  /** Theirs; tests left out. */
  readonly dependencies: readonly MavenDependency[]
  /** Nothing that could add a dependency lies outside of the upload. */
  readonly isComplete: boolean
}

/** Parents that manage versions and plugins, and add no dependency. */
const PLAIN_PARENTS: ReadonlySet<string> = new Set([
  'org.springframework.boot:spring-boot-starter-parent',
  'org.springframework.boot:spring-boot-dependencies',
])

/** Groups of SAP's published SDKs, which projects made from its archetypes keep as their own. Fact: archetypes of SAP S/4HANA Cloud SDK 2, "scp-cf-spring". */
const PUBLISHED = /^com\.sap\.(?:cds|cloud\.(?:s4hana|sdk|security|environment))(?:\.|$)/

/** `byName`: the modules of the upload by `artifactName`. */
export function classPathOf(module: MavenModule, byName: ReadonlyMap<string, MavenModule>): ClassPath {
  const modules = new Set([module])
  const dependencies: MavenDependency[] = []
  let isComplete = true
  for (const from of modules) {
    if (from.foreignParent !== undefined && !PLAIN_PARENTS.has(artifactName(from.foreignParent))) isComplete = false
    for (const it of from.dependencies) {
      if (it.scope === 'test') continue
      dependencies.push(it)
      const own = byName.get(artifactName(it))
      if (own !== undefined) modules.add(own)
      // a library of the same company may bring anything
      else if (it.groupId.includes('${') || (it.groupId === module.groupId && !PUBLISHED.test(it.groupId))) isComplete = false
    }
  }
  return { modules, dependencies, isComplete }
}
