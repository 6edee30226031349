import type { StepCounter } from '../../budget.ts'
import type { ProjectFile } from '../../files.ts'
import { findDeployedFolders, isForTesting } from '../deployment/index.ts'
import { fitsSegment, matchSequence } from '../wildcards.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf, foldersAround, joinPath } from '../../paths.ts'
import { findDeclared } from './declared.ts'
import { readManifests, type PackageManifest } from './manifests.ts'
import { commonManager, hasBunLock, managerOfCommand, toldManager } from './managers.ts'
import { findPrivateScopes, markPrivate, readSettings } from './npmrc.ts'
import { findNamed } from './named.ts'
import { findNamedInSettings } from './named-in-settings.ts'
import { scopeByManifests } from './manifest-scopes.ts'
import { scopeShipped } from './shipped.ts'
import type { NpmPackage, NpmProject } from './types.ts'
import type { LockedPackages } from '../../parse/lock/index.ts'

/** Joins each package.json with its lock files, its workspace root and what deploys it; scopes that settings map to a registry are private. */
export function findNpmProject(files: ReadonlyMap<string, ProjectFile>, step: StepCounter['step'] = () => undefined): NpmProject {
  const settings = readSettings(files)
  const scopes = findPrivateScopes(settings)
  const manifests = readManifests(files)
  const found = [...files.values()].flatMap(({ content }) => (content.as === 'lock' ? [content.lock] : []))
  const joined = joinPackages(manifests, found, files, step)
  const locks = scopeAll(found, joined).map((it) => ({ ...it, packages: markPrivate(it.packages, scopes) }))
  const joinedIn = new Map(joined.map((it) => [it.folder, it]))
  const byFile = new Map(locks.map((locked) => [locked.file, locked]))
  const told = joined.map(
    (it) =>
      toldManager(it, it.memberOf === undefined ? undefined : joinedIn.get(it.memberOf)) ??
      (hasBunLock(it, files) ? managerOfCommand('bun') : undefined),
  )
  const byDepth = joined.map(({ folder }, index) => ({
    depth: folder === '' ? 0 : folder.split('/').length,
    manager: told[index],
  }))
  const manager = commonManager(byDepth.sort((a, b) => a.depth - b.depth).map((it) => it.manager))
  const packages = joined.map((it, index) => ({
    ...it,
    manager: told[index] ?? manager,
    locks: it.locks.map((locked) => byFile.get(locked.file) ?? locked),
  }))
  const declared = findDeclared(files, packages)
    .map((it) =>
      scopeShipped(
        it,
        packages.filter(({ file }) => file === it.file),
      ),
    )
    .map((it) => ({ ...it, packages: markPrivate(it.packages, scopes) }))
  const named = findNamed(files, manifests).map((it) => ({ ...it, isPrivate: scopes.has(scopeOf(it.name)) }))
  const byFolder = new Map(packages.map((it) => [it.folder, it]))
  let inSettings: ReadonlySet<string> | undefined
  return {
    packages,
    byFolder,
    manager,
    settings,
    locked: [...locks, ...declared],
    named,
    namedInSettings: (count) => (inSettings ??= findNamedInSettings(files, count)),
  }
}

/** A package before it is known what its project uses. */
type JoinedPackage = Omit<NpmPackage, 'manager'>

function scopeOf(name: string): string {
  return name.startsWith('@') ? name.slice(0, name.indexOf('/')).toLowerCase() : ''
}

function scopeAll(locks: readonly LockedPackages[], packages: readonly JoinedPackage[]): LockedPackages[] {
  return locks.map((locked) => {
    const own = packages.filter((it) => it.locks.includes(locked))
    return scopeShipped(scopeByManifests(locked, own), own)
  })
}

/** Real workspaces have a handful of globs. */
const MAX_WORKSPACES = 200
const MAX_GLOB = 300

/** `./packages/*` and `packages/*` to its segments. */
function toSegments(glob: string): string[] {
  return glob.slice(0, MAX_GLOB).replace(/^\.\//, '').replace(/\/$/, '').split('/')
}

/** pnpm documentation, "pnpm-workspace.yaml": without `packages` all folders below are members. */
function pnpmGlobs(root: DataNode | undefined): string[] {
  const packages = at(root, 'packages')
  return packages === undefined ? ['**'] : itemsOf(packages).flatMap((item) => stringOf(item) ?? [])
}

function joinPackages(
  manifests: readonly PackageManifest[],
  locks: readonly LockedPackages[],
  files: ReadonlyMap<string, ProjectFile>,
  step: StepCounter['step'],
): JoinedPackage[] {
  const byFolder = new Map(manifests.map((manifest) => [manifest.folder, manifest]))
  // settings of CAP beside the sources of a service are no package: the one around is built from there
  const isPackage = ({ folder, name, dependencies, scripts }: PackageManifest): boolean =>
    !/(?:^|\/)srv$/.test(folder) || name !== undefined || dependencies.length > 0 || scripts.length > 0
  const folders = manifests.filter(isPackage).map((it) => it.folder)
  const deployments = findDeployedFolders(files, new Set(folders))
  const locksIn = new Map<string, LockedPackages[]>()
  for (const lock of locks) {
    const known = locksIn.get(folderOf(lock.file))
    if (known === undefined) locksIn.set(folderOf(lock.file), [lock])
    else known.push(lock)
  }
  const globsIn = new Map(
    manifests.map(({ folder, workspaces }) => [folder, workspaces.slice(0, MAX_WORKSPACES).map(toSegments)]),
  )
  const importersOf = new Map(
    locks.map((locked) => [
      locked,
      new Set(locked.lock?.importers?.map((importer) => joinPath(folderOf(locked.file), importer.folder))),
    ]),
  )
  for (const { path, kind, content } of files.values())
    if (kind.role === 'pnpm-workspace' && content.as === 'data')
      globsIn.set(folderOf(path), pnpmGlobs(content.roots[0]).slice(0, MAX_WORKSPACES).map(toSegments))
  const isMember = (folder: string, root: string): boolean => {
    const inside = root === '' ? folder : folder.slice(root.length + 1)
    const segments = inside.split('/')
    const fits = (glob: readonly string[]): boolean => {
      step(inside.length + glob.length)
      return matchSequence(glob, segments, fitsSegment)
    }
    const globs = globsIn.get(root) ?? []
    // npm, yarn and pnpm leave out what a glob with `!` names
    return globs.some(fits) && !globs.some(([first = '', ...rest]) => first.startsWith('!') && fits([first.slice(1), ...rest]))
  }
  return manifests.map((manifest) => {
    const { folder } = manifest
    const root =
      folder === '' ? undefined : [...foldersAround(folder)].find((above) => byFolder.has(above) && isMember(folder, above))
    // a lock file tells for its own folder; where that has none, for the workspaces of its folder, and for what it says that it knows
    const own = locksIn.get(folder) ?? []
    const above = own.length > 0 || folder === '' ? [] : [...foldersAround(folder)]
    const telling = [
      ...own,
      ...above.flatMap((around) =>
        (locksIn.get(around) ?? []).filter((locked) => around === root || importersOf.get(locked)?.has(folder) === true),
      ),
    ]
    const deployed = deployments.of(folder).filter(({ runsJava }) => runsJava !== true)
    const productive = deployed.filter(({ file }) => !isForTesting(file))
    return {
      ...manifest,
      ...(root !== undefined && { memberOf: root }),
      deployedBy: [...new Set(deployed.map(({ file }) => file))],
      isStopped: deployed.length > 0 && deployed.every(({ isStopped }) => isStopped === true),
      isOfFiles: productive.length > 0 && productive.every(({ isOfFiles }) => isOfFiles === true),
      locks: telling,
    }
  })
}
