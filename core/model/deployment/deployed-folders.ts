import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { fileNameOf, folderOf, foldersAround, joinPath, ownerOf } from '../../paths.ts'
import { runsJava } from './applications.ts'
import { findContainers } from './containers.ts'
import { findDockerfiles, runningStages, type Dockerfile } from './docker.ts'
import { readDockerVariables } from './docker-environment.ts'
import { findApplications } from './find-applications.ts'
import { createOrigins } from './origins.ts'
import { isForTesting } from './stage.ts'
import type { FolderDeployment } from './types.ts'

/** What descriptors say about folders of the project: CAP roots, or packages. */
export interface DeployedFolders {
  of(root: string): readonly FolderDeployment[]
  /** Something says that the root is deployed at all. */
  has(root: string): boolean
}

/** Reads every descriptor once: an image or chart is for the root it lies in and for those below, a module for the root that it names. */
export function findDeployedFolders(files: ReadonlyMap<string, ProjectFile>, roots: ReadonlySet<string>): DeployedFolders {
  const byRoot = new Map<string, FolderDeployment[]>()
  const folders = new Set<string>()
  const add = (root: string | undefined, deployment: FolderDeployment): void => {
    if (root === undefined) return
    const known = byRoot.get(root)
    if (known === undefined) byRoot.set(root, [deployment])
    else known.push(deployment)
  }
  for (const application of findApplications(files, createOrigins()).applications) {
    const { file, name, folder, variables, bindings, isStopped } = application
    if (folder === undefined) continue
    const root = rootOf(folder, roots)
    add(root, {
      file,
      name,
      variables,
      ...(runsJava(application) && { runsJava: true }),
      isStopped,
      ...(root !== folder && { isPart: true }),
      ...(bindings.some(({ service }) => service === undefined || service === 'xsuaa') && { mayBindXsuaa: true }),
    })
  }
  for (const { file, names, folder, variables } of findContainers(files)) {
    const own = variables.filter(({ name }) => CONFIGURES.test(name))
    if (folder !== undefined || own.length === 0 || isForTesting(file)) continue
    const root = containerRoot(file, names, roots)
    // what other services read too says nothing about whose it is
    const isOwn = own.some(({ name }) => /^cds[._]/i.test(name)) || names.some((name) => isCalled(name, root ?? '', files))
    if (isOwn) add(root, { file, variables: own })
  }
  const ofFiles = new Set(findDockerfiles(files).flatMap((one) => (servesFilesAlone(one) ? one.file : [])))
  for (const file of files.values()) {
    const { path, kind } = file
    if (kind.test) continue
    if (kind.role === 'dockerfile') {
      folders.add(ownerOf(path, roots) ?? folderOf(path))
      const owner = ownerOf(path, roots)
      if (!packsSomethingElse(path, owner, files))
        add(owner, { file: path, variables: readDockerVariables(file), ...(ofFiles.has(path) && { isOfFiles: true }) })
    } else if (/(?:^|\/)chart\.ya?ml$/i.test(path)) folders.add(ownerOf(path, roots) ?? folderOf(path))
  }
  return {
    of: (root) => byRoot.get(root) ?? [],
    has: (root) => byRoot.has(root) || folders.has(root) || [...foldersAround(root)].some((folder) => folders.has(folder)),
  }
}

/** What runs is a web server for files that an earlier stage has built. Fact: Docker documentation, "Multi-stage builds": a stage has nothing of those that it only copies from. */
function servesFilesAlone(dockerfile: Dockerfile): boolean {
  const running = runningStages(dockerfile)
  return (
    running.some(({ image }) => /(?:^|\/)(?:nginx|nginx-unprivileged|httpd|caddy)(?::|@|$)/.test(image)) &&
    !running.some(
      ({ image, instructions }) => /\bnode\b/.test(image) || instructions.some((one) => /\bnode(?:js)?\b/.test(one.arguments)),
    )
  )
}

/** A package of its own lies between an image and the root around it: an approuter, a user interface, another service. */
function packsSomethingElse(path: string, owner: string | undefined, files: ReadonlyMap<string, ProjectFile>): boolean {
  for (const folder of foldersAround(path)) {
    if (folder === owner) return false
    // `srv` and `gen/srv` have one that is the root's
    if (files.has(joinPath(folder, 'package.json')) && !/(?:^|\/)srv$/.test(folder)) return true
  }
  return false
}

/** Variables that CAP and Spring read; a workload or chart without any says nothing about the configuration. */
const CONFIGURES = /^(?:NODE_ENV$|cds[._]|spring[._]|management[._])/i

/** What runs beside a service, by the names that generators and developers give it. */
const NO_SERVICE = /app-?_?router|html5|deployer|postgres|redis|proxy|frontend|^(?:ui|web|db|hana|nginx)$/i
const SIDECAR = /sidecar|mtx/i

/** A container is called as CAP calls its parts, or as the root is. */
function isCalled(name: string, root: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  if (/(?:^|[-_.])(?:srv|cap|cds|backend|sidecar|mtx)(?:$|[-_.\d])/i.test(name)) return true
  const content = files.get(joinPath(root, 'package.json'))?.content
  const own = content?.as === 'data' ? stringOf(at(content.roots[0], 'name')) : undefined
  return name === own || (root !== '' && name === fileNameOf(root))
}

/** The root that a container of a workload or chart runs: the one around its file, or the only one there is; the sidecar of multitenancy by its name. */
function containerRoot(file: string, names: readonly string[], roots: ReadonlySet<string>): string | undefined {
  if (names.some((name) => NO_SERVICE.test(name))) return undefined
  const isSidecar = names.some((name) => SIDECAR.test(name))
  const possible = new Set([...roots].filter((root) => SIDECAR.test(root) === isSidecar))
  const [only] = possible
  return ownerOf(file, possible) ?? (possible.size === 1 ? only : undefined)
}

/** A module runs a root when its folder is the root's or the `srv` of it, whether built (`gen/srv`) or not. */
function rootOf(folder: string, roots: ReadonlySet<string>): string | undefined {
  if (roots.has(folder)) return folder
  return folder === 'srv' || folder.endsWith('/srv') ? ownerOf(folder, roots) : undefined
}
