import { moduleFolders } from '../../model/deployment/index.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import { foldersAround } from '../../paths.ts'
import type { Project } from '../subjects.ts'
import { isHostedApp, namedInBuild } from './_hosted-apps.ts'
import { loadedPackages } from './_loaded-packages.ts'
import { neededFrom } from './_package-loads.ts'

/**
 * `elsewhere`: the project deploys other parts; `stopped`: what is deployed of it is never started; `build`: it runs where an app is built to static files, and
 * no part of it comes into these.
 */
export type PackagePlace = 'deployed' | 'elsewhere' | 'stopped' | 'build'

/** Says of what a lock file or package.json installs where it comes to run. */
export function createPlaceReader(
  { file, packages: installed }: LockedPackages,
  { npm: { packages, byFolder }, deployment, scripts, ui5Apps }: Pick<Project, 'npm' | 'deployment' | 'scripts' | 'ui5Apps'>,
): (found: LockedPackage) => PackagePlace {
  const own = packages.filter((it) => it.file === file || it.locks.some((lock) => lock.file === file))
  if (own.length === 0) return () => 'deployed'
  const modules = moduleFolders(deployment.mtas).filter(({ isBundle }) => isBundle)
  const bundled = new Set(modules.map(({ folder }) => folder))
  const started = new Set(modules.flatMap(({ folder, isForBuildOnly }) => (isForBuildOnly ? [] : folder)))
  const isNamed = ({ deployedBy, folder }: NpmPackage): boolean => deployedBy.length > 0 || bundled.has(folder)
  // the platform starts an app with files of its own too, where that says how
  const isServer = ({ deployedBy, folder, scripts: commands, isStopped }: NpmPackage): boolean =>
    (deployedBy.length > 0 && !isStopped) ||
    (started.has(folder) && commands.some(({ name, command }) => name === 'start' && /\bnode /.test(command)))
  // a server of pages that starts by itself is deployed somewhere, whatever an MTA says of the rest
  const isOwnServer = ({ scripts: commands }: NpmPackage): boolean =>
    commands.some(({ name, command }) => name === 'start' && /(?:^|&&\s{0,4})(?:next|nuxt) start\b/.test(command))
  const packageOf = (path: string): string | undefined => [...foldersAround(path)].find((folder) => byFolder.has(folder))
  // a folder below with a package.json of its own finds what that doesn't name here
  const hasServer = ({ folder, dependencies }: NpmPackage): boolean => {
    const named = new Set(dependencies.map(({ name }) => name))
    return scripts.get(loadedPackages).some(({ file: from, value: { name, onServer } }) => {
      const owner = onServer ? packageOf(from) : undefined
      if (owner === undefined || owner === folder) return owner !== undefined
      const isBelow = folder === '' || owner.startsWith(`${folder}/`)
      return isBelow && named.has(name) && byFolder.get(owner)?.dependencies.every((one) => one.name !== name) === true
    })
  }

  const runs = own.filter((one) => isServer(one) || isOwnServer(one))
  const pages = own.filter((one) => !runs.includes(one) && (bundled.has(one.folder) || isHostedApp(one, ui5Apps, hasServer)))
  const others = own.filter((one) => !pages.includes(one))
  const rest = runs.length > 0 ? 'deployed' : placeOf(others, packages.some(isNamed))
  if (pages.length === 0) return () => rest

  const folders = new Set(pages.map(({ folder }) => folder))
  const isOfPages = (path: string): boolean => folders.has(packageOf(path) ?? '/')
  let inBundle: ReadonlySet<string> | undefined
  const findBundled = (): ReadonlySet<string> => {
    const imported = scripts
      .get(loadedPackages)
      .flatMap(({ file: from, value }) => (isOfPages(from) && !value.onServer ? value.name : []))
    return neededFrom([...imported, ...pages.flatMap(({ folder }) => namedInBuild(folder, ui5Apps))], installed)
  }
  let forOthers: ReadonlySet<string> | undefined
  let forPages: ReadonlySet<string> | undefined
  return ({ name, path }) => {
    const head = path?.split(' > ')[0] ?? name
    inBundle ??= findBundled()
    if (inBundle.has(name) || inBundle.has(head)) return 'deployed'
    if (others.length === 0) return 'build'
    forOthers ??= neededBy(others, installed)
    if (forOthers.has(name)) return rest
    forPages ??= neededBy(pages, installed)
    return forPages.has(name) ? 'build' : rest
  }
}

/** Where packages of the project come to run that are no pages and that nothing starts; none: there are pages alone. */
function placeOf(parts: readonly NpmPackage[], areOthersNamed: boolean): PackagePlace {
  if (parts.length === 0) return 'build'
  if (parts.every(({ isStopped }) => isStopped)) return 'stopped'
  return areOthersNamed ? 'elsewhere' : 'deployed'
}

/** What packages of the project need to run, by name. */
function neededBy(parts: readonly NpmPackage[], installed: readonly LockedPackage[]): ReadonlySet<string> {
  const named = parts.flatMap(({ dependencies }) =>
    dependencies.flatMap(({ name, member }) => (member === 'devDependencies' ? [] : name)),
  )
  return neededFrom(named, installed)
}
