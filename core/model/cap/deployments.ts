import type { ProjectFile } from '../../files.ts'
import type { DataNode } from '../../parse/data.ts'
import { findApplications } from '../deployment/find-applications.ts'
import { createOrigins } from '../deployment/origins.ts'
import { folderOf, foldersAround } from '../ui5/paths.ts'
import { ownerOf } from './roots.ts'
import type { CapDeployment, EnvironmentVariable } from './types.ts'

/** A descriptor's text has no more variables than that; the rest of a hostile one is not looked at. */
const MAX_VARIABLES = 1000

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
      add(ownerOf(path, roots), { file: path, variables: readDockerfile(file) })
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

function toVariable(file: string, name: string, value: DataNode): EnvironmentVariable {
  return { name, value, place: { file, span: { start: value.start, end: value.end } } }
}

/** `ENV KEY=value OTHER="x y"` and `ENV KEY value`; of all stages, a later one counts more. */
function readDockerfile({ path, content }: ProjectFile): EnvironmentVariable[] {
  const text = content.as === 'text' ? (content.text ?? '') : ''
  const variables: EnvironmentVariable[] = []
  for (const { 0: line, index } of text.matchAll(/^[ \t]{0,20}ENV[ \t](?:[^\r\n\\]|\\(?:\r?\n|[^\r\n])){0,10000}/gim)) {
    if (variables.length >= MAX_VARIABLES) break
    const from = index + line.toUpperCase().indexOf('ENV') + 4
    const rest = text.slice(from, index + line.length)
    const spaced = /^[ \t]*(\w{1,200})[ \t]+([^\s=][^\r\n]*)$/.exec(rest)
    const found = spaced === null ? rest.matchAll(/(\w{1,200})=("[^"]*"|'[^']*'|[^\s"']*)/g) : [spaced]
    for (const match of found) {
      const [whole, name = '', raw = ''] = match
      const quoted = /^["']/.test(raw) ? 1 : 0
      const value = raw.slice(quoted, raw.length - quoted).trimEnd()
      const start = from + (match.index ?? 0) + whole.length - raw.length + quoted
      variables.push(toVariable(path, name, { kind: 'string', value, start, end: start + value.length }))
    }
  }
  return variables
}
