import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { groupBy } from '../../lists.ts'
import { moduleFolders } from '../../model/deployment/index.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import { foldersAround } from '../../paths.ts'
import type { Project } from '../subjects.ts'

/** `elsewhere`: the project deploys other parts; `build`: it runs where an app is built to static files, and no part of it comes into these. */
export type PackagePlace = 'deployed' | 'elsewhere' | 'build'

/** `@scope/name/part` to `@scope/name`. */
export function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Packages that a script loads by their names: what builds an app to static files puts these into them. */
export const importedPackages: Extract<string> = defineExtract({
  name: 'npm-imported-packages',
  keywords: ['require', 'import', 'sap.ui'],
  prefilter: (text) => /\b(?:require|import|define)\b/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  collect: ({ facts }) =>
    // modules of UI5 are no packages
    [...new Set(facts.imports.map(({ source }) => packageOf(source)))].filter((name) => !/^(?:[./]|sap$)/.test(name)),
})

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
  if (own.length === 0 || own.some(isServer) || !packages.some(isNamed)) return () => 'deployed'
  if (!own.some(isNamed)) return () => 'elsewhere'
  const folders = new Set(own.map(({ folder }) => folder))
  const isOwn = (path: string): boolean => {
    const around = [...foldersAround(path)].find((folder) => byFolder.has(folder))
    return around !== undefined && folders.has(around)
  }
  let inBundle: ReadonlySet<string> | undefined
  return ({ name, path }) => {
    inBundle ??= neededFrom(
      scripts.get(importedPackages).flatMap((one) => (isOwn(one.file) ? one.value : [])),
      installed,
    )
    return inBundle.has(name) || inBundle.has(path?.split(' > ')[0] ?? name) ? 'deployed' : 'build'
  }
}

/** Packages with all that they need. */
function neededFrom(imported: readonly string[], installed: readonly LockedPackage[]): ReadonlySet<string> {
  const pairs = installed.flatMap(({ name, neededBy = [] }) => neededBy.map((by) => ({ name, by })))
  const needs = groupBy(pairs, ({ by }) => by)
  const found = new Set(imported)
  // what is added on the way is visited too
  for (const name of found) for (const needed of needs.get(name) ?? []) found.add(needed.name)
  return found
}
