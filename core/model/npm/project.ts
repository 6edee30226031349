import type { ProjectFile } from '../../files.ts'
import { findDeployedFolders } from '../deployment/index.ts'
import { fitsSegment, matchSequence } from '../wildcards.ts'
import { folderOf, foldersAround, joinPath } from '../../paths.ts'
import { findDeclared } from './declared.ts'
import { readManifests, type PackageManifest } from './manifests.ts'
import { findPrivateScopes, markPrivate, readSettings } from './npmrc.ts'
import { findNamed } from './named.ts'
import { groupByLock, scopeByManifests } from './yarn-scopes.ts'
import type { NpmPackage, NpmProject } from './types.ts'
import type { LockedPackages } from '../../parse/lock/index.ts'

/** Joins each package.json with its lock files, its workspace root and what deploys it; scopes that settings map to a registry are private. */
export function findNpmProject(files: ReadonlyMap<string, ProjectFile>): NpmProject {
  const settings = readSettings(files)
  const scopes = findPrivateScopes(settings)
  const manifests = readManifests(files)
  const found = [...files.values()].flatMap(({ content }) => (content.as === 'lock' ? [content.lock] : []))
  const locks = scopeAll(found, manifests).map((it) => ({ ...it, packages: markPrivate(it.packages, scopes) }))
  const declared = findDeclared(files, locks).map((it) => ({ ...it, packages: markPrivate(it.packages, scopes) }))
  const named = findNamed(files, manifests).map((it) => ({ ...it, isPrivate: scopes.has(scopeOf(it.name)) }))
  const packages = joinPackages(manifests, locks, files)
  const byFolder = new Map(packages.map((it) => [it.folder, it]))
  return { packages, byFolder, settings, locked: [...locks, ...declared], named }
}

function scopeOf(name: string): string {
  return name.startsWith('@') ? name.slice(0, name.indexOf('/')).toLowerCase() : ''
}

function scopeAll(locks: readonly LockedPackages[], manifests: readonly PackageManifest[]): LockedPackages[] {
  if (locks.every(({ lock }) => lock?.unscoped === undefined)) return [...locks]
  const groups = groupByLock(new Set(locks.map(({ file }) => folderOf(file))), manifests)
  return locks.map((locked) => scopeByManifests(locked, groups.get(folderOf(locked.file)) ?? []))
}

/** Real workspaces have a handful of globs; what a hostile project may have compared is counted. */
const MAX_WORKSPACES = 200
const MAX_TESTS = 1_000_000
const MAX_GLOB = 300

/** `./packages/*` and `packages/*` to its segments. */
function toSegments(glob: string): string[] {
  return glob.slice(0, MAX_GLOB).replace(/^\.\//, '').replace(/\/$/, '').split('/')
}

function joinPackages(
  manifests: readonly PackageManifest[],
  locks: readonly LockedPackages[],
  files: ReadonlyMap<string, ProjectFile>,
): NpmPackage[] {
  const byFolder = new Map(manifests.map((manifest) => [manifest.folder, manifest]))
  const deployments = findDeployedFolders(files, new Set(byFolder.keys()))
  const locksIn = new Map<string, LockedPackages[]>()
  for (const lock of locks) {
    const known = locksIn.get(folderOf(lock.file))
    if (known === undefined) locksIn.set(folderOf(lock.file), [lock])
    else known.push(lock)
  }
  const globsIn = new Map(
    manifests.map(({ folder, workspaces }) => [folder, workspaces.slice(0, MAX_WORKSPACES).map(toSegments)]),
  )
  let tests = MAX_TESTS
  const importersOf = new Map(
    locks.map((locked) => [
      locked,
      new Set(locked.lock?.importers?.map((importer) => joinPath(folderOf(locked.file), importer.folder))),
    ]),
  )
  const pnpmRoots = new Set<string>()
  for (const path of files.keys()) if (/(?:^|\/)pnpm-workspace\.yaml$/.test(path)) pnpmRoots.add(folderOf(path))
  const isMember = (folder: string, root: string): boolean => {
    const inside = root === '' ? folder : folder.slice(root.length + 1)
    const segments = inside.split('/')
    if (pnpmRoots.has(root)) return true
    return (globsIn.get(root) ?? []).some((glob) => tests-- > 0 && matchSequence(glob, segments, fitsSegment))
  }
  return manifests.map((manifest) => {
    const { folder } = manifest
    const root =
      folder === '' ? undefined : [...foldersAround(folder)].find((above) => byFolder.has(above) && isMember(folder, above))
    // a lock file tells for its own folder, for the workspaces of that folder, and for what it says that it knows
    const telling = [folder, ...(folder === '' ? [] : foldersAround(folder))].flatMap((above) =>
      (locksIn.get(above) ?? []).filter(
        (locked) => above === folder || above === root || importersOf.get(locked)?.has(folder) === true,
      ),
    )
    return {
      ...manifest,
      ...(root !== undefined && { memberOf: root }),
      deployedBy: [...new Set(deployments.of(folder).map(({ file }) => file))],
      locks: telling,
    }
  })
}
