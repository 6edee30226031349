import valid from 'semver/functions/valid.js'
import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf, foldersAround, joinPath } from '../../paths.ts'
import { placeOf } from './routes.ts'
import type { Approuter, ApprouterManifest } from './types.ts'

const PACKAGE = '@sap/approuter'

/** The package.json that runs the approuter of a folder: beside the descriptor, or above it where nothing nearer has a descriptor of its own. */
export function findManifest(folder: string, files: ReadonlyMap<string, ProjectFile>): ApprouterManifest | undefined {
  const own = readManifestIn(folder, files)
  if (own !== undefined || folder === '' || files.has(joinPath(folder, 'package.json'))) return own
  for (const above of foldersAround(folder)) {
    const found = readManifestIn(above, files)
    if (found !== undefined) return files.has(joinPath(above, 'xs-app.json')) ? undefined : found
    if (files.has(joinPath(above, 'package.json'))) return undefined
  }
  return undefined
}

function readManifestIn(folder: string, files: ReadonlyMap<string, ProjectFile>): ApprouterManifest | undefined {
  const file = joinPath(folder, 'package.json')
  const content = files.get(file)?.content
  const root = content?.as === 'data' ? content.roots[0] : undefined
  if (root === undefined) return undefined
  const named = at(root, 'dependencies', PACKAGE)
  if (named !== undefined) {
    const version = lockedVersion(folder, files) ?? stringOf(named)
    return { file, root, versionPlace: placeOf(file, named), ...(version !== undefined && { version }) }
  }
  return /approuter/.test(startOf(root)) ? { file, root } : undefined
}

function startOf(root: DataNode): string {
  return stringOf(at(root, 'scripts', 'start')) ?? ''
}

/** What the nearest lock file resolved, where it knows one version only. */
function lockedVersion(folder: string, files: ReadonlyMap<string, ProjectFile>): string | undefined {
  for (const around of foldersAround(joinPath(folder, 'package.json'))) {
    for (const name of ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock']) {
      const content = files.get(joinPath(around, name))?.content
      if (content?.as !== 'lock') continue
      const versions = new Set(content.lock.packages.flatMap((locked) => (locked.name === PACKAGE ? locked.version : [])))
      const [only] = versions
      if (only !== undefined) return versions.size === 1 ? only : undefined
    }
  }
  return undefined
}

/** Whether every version that may be installed lies in a range; `undefined`: the project does not tell. */
export function versionWithin({ manifest }: Approuter, range: string): boolean | undefined {
  const version = manifest?.version
  if (version === undefined || version.length > 200) return undefined
  if (valid(version) === null && (validRange(version) === null || /^(?:\*|x|latest|>=?\s*\d[\d.]*)?$/i.test(version.trim())))
    return undefined
  return subset(version, range)
}

/** Whether a UI5 app stands beside a descriptor: then the managed approuter reads it. */
export function isHtml5App(file: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  const folder = folderOf(file)
  const beside = ['manifest.json', 'webapp/manifest.json', 'ui5.yaml', 'ui5-deploy.yaml', 'src/manifest.json']
  return folder.endsWith('webapp') || beside.some((name) => files.has(joinPath(folder, name)))
}
