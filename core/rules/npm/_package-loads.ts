import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { groupBy } from '../../lists.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { Project } from '../subjects.ts'

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

/**
 * What other packages load by its name or its keywords, so that no script of a project has to: CAP and its plug-ins, what CAP requires for authentication, data
 * and remote services, drivers of databases, plug-ins. SAP's programs are none of these: they run where a script or a command starts them.
 * Facts: @sap/cds 9.9.3 (lib/plugins.js, lib/auth, libx/_runtime/remote), SAP Help Portal, "Application Router".
 */
const LOADED_BY_OTHERS =
  /^(?:@sap\/(?!approuter$|html5-app-deployer$|hdi-deploy$|xsjs$|sbf$)|@sap-cloud-sdk\/|@cap-js|cds-|@types\/|pg|mysql|tedious$|oracledb$|sqlite3$|better-sqlite3$|hdb$|express$|passport$|reflect-metadata$|class-)|plug-?in|preset|adapter|driver|cap-/

/** Whether nothing of the project loads a package, nor what brings it in. */
export type LoadReader = (found: LockedPackage) => boolean

/** Asks scripts and commands of the folders that a lock file or package.json installs for. */
export function createLoadReader(
  { file, packages: installed }: LockedPackages,
  { npm, scripts }: Pick<Project, 'npm' | 'scripts'>,
): LoadReader {
  const own = npm.packages.filter((it) => it.file === file || it.locks.some((lock) => lock.file === file))
  const commands = own.flatMap((it) => it.scripts.map(({ command }) => command)).join('\n')
  let loaded: ReadonlySet<string> | undefined
  const readLoaded = (): ReadonlySet<string> => {
    // a script in a folder below finds them too, whatever package.json stands there
    const imported = scripts
      .get(importedPackages)
      .filter((it) => own.some(({ folder }) => folder === '' || it.file.startsWith(`${folder}/`)))
    const names = new Set(imported.flatMap(({ value }) => value))
    const direct = installed.filter((it) => it.direct)
    const isLoaded = ({ name, neededBy = [] }: LockedPackage): boolean =>
      names.has(name) ||
      neededBy.length > 0 ||
      LOADED_BY_OTHERS.test(name) ||
      commands.includes(name.slice(name.indexOf('/') + 1))
    const isTold = imported.length > 0 || own.some((it) => it.scripts.some(({ name }) => name === 'start'))
    return neededFrom(
      (isTold ? direct.filter(isLoaded) : direct).map(({ name }) => name),
      installed,
    )
  }
  return ({ name, direct, neededBy = [] }) => {
    if (own.length === 0 || (!direct && neededBy.length === 0)) return false
    loaded ??= readLoaded()
    return !loaded.has(name)
  }
}

/** The names of packages with all that they need. */
export function neededFrom(roots: readonly string[], installed: readonly LockedPackage[]): ReadonlySet<string> {
  const pairs = installed.flatMap(({ name, neededBy = [] }) => neededBy.map((by) => ({ name, by })))
  const needs = groupBy(pairs, ({ by }) => by)
  const found = new Set(roots)
  // what is added on the way is visited too
  for (const name of found) for (const needed of needs.get(name) ?? []) found.add(needed.name)
  return found
}
