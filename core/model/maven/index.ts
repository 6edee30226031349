import type { ProjectFile } from '../../files.ts'
import { folderOf, joinPath, resolvePath } from '../../paths.ts'
import { artifactName } from './coordinates.ts'
import { readPom, type Pom, type PomEntry, type PomText } from './read-pom.ts'
import type { MavenDependency, MavenModule } from './types.ts'

export { classPathOf, type ClassPath } from './class-path.ts'
export { artifactName } from './coordinates.ts'
export type { MavenCoordinates, MavenDependency, MavenModule } from './types.ts'

/** More parents than any build has; also what ends a circle. */
const MAX_PARENTS = 10
/** Modules of one project; those of a hostile one are not looked at. */
const MAX_MODULES = 500

/** The pom.xml files of `own`, each with what it inherits from parents in `files`. */
export function findMavenModules(own: readonly ProjectFile[], files: ReadonlyMap<string, ProjectFile>): readonly MavenModule[] {
  const poms = new Map<string, Pom | undefined>()
  const pomAt = (path: string): Pom | undefined => {
    if (!poms.has(path)) {
      const file = files.get(path)
      poms.set(path, file?.content.as === 'markup' ? readPom(path, file.content.document) : undefined)
    }
    return poms.get(path)
  }
  const modules: MavenModule[] = []
  for (const { path, kind } of own) {
    if (kind.role !== 'pom' || kind.test || modules.length >= MAX_MODULES) continue
    const pom = pomAt(path)
    if (pom !== undefined) modules.push(toModule(pom, pomAt))
  }
  return modules
}

function toModule(pom: Pom, pomAt: (path: string) => Pom | undefined): MavenModule {
  const chain = [pom]
  let last = pom
  while (last.parent !== undefined && chain.length < MAX_PARENTS) {
    const parent = findParent(last, pomAt)
    if (parent === undefined || chain.includes(parent)) break
    chain.push(parent)
    last = parent
  }
  const groupId = chain.find((it) => it.groupId !== undefined)?.groupId ?? last.parent?.groupId ?? ''
  const resolve = createResolver(chain, groupId)
  const managed = collect(chain, ({ managed: entries }) => entries, resolve)
  const versions = new Map(managed.map((it) => [artifactName(it), it]))
  const dependencies = collect(chain, ({ dependencies: entries }) => entries, resolve).map((it): MavenDependency => {
    const management = versions.get(artifactName(it))
    if (management === undefined) return it
    const { version, versionPlace } = it.version === undefined ? management : it
    return { ...it, version, versionPlace, scope: it.scope === '' ? management.scope : it.scope }
  })
  return {
    file: pom.file,
    folder: folderOf(pom.file),
    groupId: resolve(groupId).text,
    artifactId: resolve(pom.artifactId).text,
    dependencies: dependencies.filter(({ scope }) => scope !== 'import'),
    boms: managed.filter(({ scope }) => scope === 'import'),
    ...(last.parent !== undefined && { foreignParent: toDependency(last.parent, resolve) }),
  }
}

/** A parent in the upload is the pom.xml at its relative path, if it is the one that is meant. */
function findParent({ file, parent }: Pom, pomAt: (path: string) => Pom | undefined): Pom | undefined {
  if (parent === undefined) return undefined
  const path = resolvePath(file, parent.relativePath)
  if (path === undefined) return undefined
  const found = pomAt(path) ?? pomAt(joinPath(path, 'pom.xml'))
  return found?.artifactId === parent.artifactId.text ? found : undefined
}

type Resolve = (text: string, place?: PomText['place']) => { readonly text: string; readonly place?: PomText['place'] }

/** `${property}` to its value: a child's word counts more than its parent's. What is a property alone stands where the property does. */
function createResolver(chain: readonly Pom[], groupId: string): Resolve {
  const properties = new Map<string, PomText>()
  for (const pom of chain.toReversed()) for (const [name, value] of pom.properties) properties.set(name, value)
  const version = chain.find((it) => it.version !== undefined)?.version ?? chain.at(-1)?.parent?.version
  const [pom] = chain
  if (pom !== undefined) properties.set('project.groupId', { text: groupId, place: { file: pom.file } })
  if (version !== undefined) properties.set('project.version', version)
  if (pom?.parent?.version !== undefined) properties.set('project.parent.version', pom.parent.version)
  return (text, place) => {
    let here: { text: string; place?: PomText['place'] } = { text, place }
    for (let depth = 0; depth < MAX_PARENTS && here.text.includes('${'); depth++) {
      const alone = /^\$\{([^{}]{1,200})\}$/.exec(here.text)?.[1]
      const value = alone === undefined ? undefined : properties.get(alone)
      if (value !== undefined) here = value
      else {
        const replaced = here.text
          .slice(0, 500)
          .replaceAll(/\$\{([^{}]{1,200})\}/g, (whole, name: string) => properties.get(name)?.text ?? whole)
        if (replaced === here.text) break
        here = { ...here, text: replaced }
      }
    }
    return here
  }
}

/** Entries of a chain, nearest first; one that was there already counts no more, unless only a profile had it. */
function collect(chain: readonly Pom[], entriesOf: (pom: Pom) => readonly PomEntry[], resolve: Resolve): MavenDependency[] {
  const found = new Map<string, MavenDependency>()
  for (const pom of chain) {
    for (const entry of entriesOf(pom)) {
      const it = toDependency(entry, resolve)
      const key = artifactName(it)
      const known = found.get(key)
      if (known === undefined || (known.profile !== undefined && it.profile === undefined)) found.set(key, it)
    }
  }
  return [...found.values()]
}

function toDependency(entry: PomEntry, resolve: Resolve): MavenDependency {
  const { artifactId, version, profile } = entry
  const resolved = version && resolve(version.text, version.place)
  const isKnown = resolved !== undefined && !resolved.text.includes('${')
  return {
    groupId: resolve(entry.groupId).text,
    artifactId: resolve(artifactId.text).text,
    ...(isKnown && { version: resolved.text, versionPlace: resolved.place }),
    scope: entry.scope,
    ...(profile !== undefined && { profile }),
    place: artifactId.place,
  }
}
