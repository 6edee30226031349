import satisfies from 'semver/functions/satisfies.js'
import { groupBy } from '../../lists.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { Project } from '../subjects.ts'
import { loadedPackages } from './_loaded-packages.ts'

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
  let loaded: ReadonlySet<string> | undefined
  /** The direct dependencies that nothing loads: each by those who ask for this version of it. */
  const unloaded = new Set<LockedPackage>()
  const readLoaded = (): ReadonlySet<string> => {
    const uses = own.map((one) => readUses(one, scripts))
    const direct = installed.filter((it) => it.direct)
    for (const it of direct) if (uses.length > 0 && !isLoaded(it, uses)) unloaded.add(it)
    return neededFrom(
      direct.filter((it) => !unloaded.has(it)).map(({ name }) => name),
      installed,
    )
  }
  return (found) => {
    const { name, direct, neededBy = [] } = found
    if (own.length === 0 || (!direct && neededBy.length === 0)) return false
    loaded ??= readLoaded()
    return unloaded.has(found) || !loaded.has(name)
  }
}

/** What one package.json asks for, and what its scripts and commands load. */
interface PackageUses {
  readonly ranges: ReadonlyMap<string, string>
  readonly imported: ReadonlySet<string>
  readonly commands: string
  /** Nothing tells what it will load: it is a template, or has no code and starts nothing. */
  readonly isEmpty: boolean
}

function readUses({ folder, name, dependencies, scripts: commands }: NpmPackage, scripts: Project['scripts']): PackageUses {
  // a script in a folder below finds them too, whatever package.json stands there
  const imported = scripts.get(loadedPackages).filter(({ file }) => folder === '' || file.startsWith(`${folder}/`))
  return {
    ranges: new Map(dependencies.map(({ name, range }) => [name, range])),
    imported: new Set(imported.map(({ value }) => value.name)),
    commands: commands.map(({ command }) => command).join('\n'),
    isEmpty: /\{\{|<%|\$\{/.test(name ?? '') || (imported.length === 0 && !commands.some((command) => command.name === 'start')),
  }
}

function isLoaded({ name, version, range, neededBy = [] }: LockedPackage, uses: readonly PackageUses[]): boolean {
  if (neededBy.length > 0 || LOADED_BY_OTHERS.test(name)) return true
  const named = uses.filter(({ ranges }) => ranges.has(name))
  const asking = named.filter(({ ranges }) => range !== undefined || satisfies(version, ranges.get(name) ?? ''))
  const command = name.slice(name.indexOf('/') + 1)
  return (asking.length > 0 ? asking : named.length > 0 ? named : uses).some(
    ({ imported, commands, isEmpty }) => isEmpty || imported.has(name) || commands.includes(command),
  )
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
