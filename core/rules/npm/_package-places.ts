import { moduleFolders } from '../../model/deployment/index.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import { foldersAround } from '../../paths.ts'
import type { Project } from '../subjects.ts'
import { loadedPackages } from './_loaded-packages.ts'
import { neededFrom } from './_package-loads.ts'

/** `elsewhere`: the project deploys other parts; `build`: it runs where an app is built to static files, and no part of it comes into these. */
export type PackagePlace = 'deployed' | 'elsewhere' | 'build'

/** Says of what a lock file or package.json installs where it comes to run. */
export function createPlaceReader(
  { file, packages: installed }: LockedPackages,
  { npm: { packages, byFolder }, deployment, scripts }: Project,
): (found: LockedPackage) => PackagePlace {
  const modules = moduleFolders(deployment.mtas).filter(({ isBundle }) => isBundle)
  const bundled = new Set(modules.map(({ folder }) => folder))
  const started = new Set(modules.flatMap(({ folder, isForBuildOnly }) => (isForBuildOnly ? [] : folder)))
  const own = packages.filter((it) => it.file === file || it.locks.some((lock) => lock.file === file))
  const isNamed = ({ deployedBy, folder }: NpmPackage): boolean => deployedBy.length > 0 || bundled.has(folder)
  // the platform starts an app with files of its own too, where that says how
  const isServer = ({ deployedBy, folder, scripts: commands }: NpmPackage): boolean =>
    deployedBy.length > 0 ||
    (started.has(folder) && commands.some(({ name, command }) => name === 'start' && /\bnode /.test(command)))
  // a server of pages that starts by itself is deployed somewhere, whatever an MTA says of the rest
  const isOwnServer = ({ scripts: commands }: NpmPackage): boolean =>
    commands.some(({ name, command }) => name === 'start' && /(?:^|&&\s{0,4})(?:next|nuxt) start\b/.test(command))
  if (own.length === 0 || own.some(isServer) || own.some(isOwnServer) || !packages.some(isNamed)) return () => 'deployed'
  if (!own.some(isNamed)) return () => 'elsewhere'
  const folders = new Set(own.map(({ folder }) => folder))
  const isOwn = (path: string): boolean => {
    const around = [...foldersAround(path)].find((folder) => byFolder.has(folder))
    return around !== undefined && folders.has(around)
  }
  let inBundle: ReadonlySet<string> | undefined
  return ({ name, path }) => {
    inBundle ??= neededFrom(
      scripts.get(loadedPackages).flatMap(({ file: from, value }) => (isOwn(from) ? value.name : [])),
      installed,
    )
    return inBundle.has(name) || inBundle.has(path?.split(' > ')[0] ?? name) ? 'deployed' : 'build'
  }
}
