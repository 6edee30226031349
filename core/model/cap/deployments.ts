import type { ProjectFile } from '../../files.ts'
import { readDockerVariables } from '../deployment/docker-environment.ts'
import { findApplications } from '../deployment/find-applications.ts'
import { createOrigins } from '../deployment/origins.ts'
import { folderOf, foldersAround } from '../ui5/paths.ts'
import { ownerOf } from './roots.ts'
import type { CapDeployment } from './types.ts'

/** What descriptors say about roots, by the root's folder. */
export interface Deployments {
  of(root: string): readonly CapDeployment[]
  /** Something says that the root is deployed at all. */
  has(root: string): boolean
}

/** Reads every descriptor once: an image or chart is for the root it lies in and for those below, a module for the root that it names. */
export function findDeployments(files: ReadonlyMap<string, ProjectFile>, roots: ReadonlySet<string>): Deployments {
  const byRoot = new Map<string, CapDeployment[]>()
  const folders = new Set<string>()
  const add = (root: string | undefined, deployment: CapDeployment): void => {
    if (root === undefined) return
    const known = byRoot.get(root)
    if (known === undefined) byRoot.set(root, [deployment])
    else known.push(deployment)
  }
  for (const { file, name, folder, variables } of findApplications(files, createOrigins()).applications)
    if (folder !== undefined) add(rootOf(folder, roots), { file, name, variables })
  for (const file of files.values()) {
    const { path, kind } = file
    if (kind.test) continue
    if (kind.role === 'dockerfile') {
      folders.add(ownerOf(path, roots) ?? folderOf(path))
      add(ownerOf(path, roots), { file: path, variables: readDockerVariables(file) })
    } else if (/(?:^|\/)chart\.ya?ml$/i.test(path)) folders.add(ownerOf(path, roots) ?? folderOf(path))
  }
  return {
    of: (root) => byRoot.get(root) ?? [],
    has: (root) => byRoot.has(root) || folders.has(root) || [...foldersAround(root)].some((folder) => folders.has(folder)),
  }
}

/** A module runs a root when its folder is the root's or the `srv` of it, whether built (`gen/srv`) or not. */
function rootOf(folder: string, roots: ReadonlySet<string>): string | undefined {
  if (roots.has(folder)) return folder
  return folder === 'srv' || folder.endsWith('/srv') ? ownerOf(folder, roots) : undefined
}
