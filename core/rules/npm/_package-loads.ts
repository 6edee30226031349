import satisfies from 'semver/functions/satisfies.js'
import { groupBy } from '../../lists.ts'
import { installedFor, type NpmPackage } from '../../model/npm/index.ts'
import { isToolFile } from '../../model/script/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import { folderOf, isBelow, joinPath } from '../../paths.ts'
import type { Project } from '../subjects.ts'
import { isTenantAware } from './_cap-settings.ts'
import { loadedByApp, loadedByTools, type LoadingProject } from './_loaded-packages.ts'

/**
 * What other packages load by its name or its keywords, so that no script of a project has to: CAP and its plug-ins, what CAP requires for authentication, data
 * and remote services, what its telemetry sends to, drivers of databases, engines of views, plug-ins. SAP's programs are none of these, nor the first adapter for OData V2, which is no plug-in of CAP:
 * they run where a script or a command starts them.
 * Facts: @sap/cds 9.9.3 (lib/plugins.js, lib/auth, libx/_runtime/remote), @sap/cds-odata-v2-adapter-proxy 1.9.21, SAP Help Portal, "Application Router".
 */
const LOADED_BY_OTHERS =
  /^(?:@sap\/(?!approuter$|cds-odata-v2-adapter-proxy$|html5-app-deployer$|hdi-deploy$|xsjs$|sbf$)|@sap-cloud-sdk\/|@cap-js|@opentelemetry\/|cds-|@types\/|pg|mysql|tedious$|oracledb$|sqlite3$|better-sqlite3$|hdb$|express$|passport$|reflect-metadata$|class-|ejs$|pug$|hbs$|pino-|tslib$|core-js$)|plug-?in|preset|adapter(?!-proxy$)|driver|cap-|-loader$/

/** What of the project loads a package, or what brings it in: the app, scripts that only developers and pipelines run, nothing. */
export type LoadReader = (found: LockedPackage) => 'app' | 'tools' | 'none'

/** Asks scripts, commands and settings of the folders that a lock file or package.json installs for. */
export function createLoadReader(
  locked: LockedPackages,
  project: LoadingProject & Pick<Project, 'capRoots' | 'npm' | 'files' | 'step'>,
): LoadReader {
  const { file, lock, packages: installed } = locked
  const own = installedFor(locked, project.npm)
  const folder = folderOf(file)
  // a lock file alone tells what the scripts beside it find
  const isAlone = own.length === 0 && lock !== undefined && !project.files.has(joinPath(folder, 'package.json'))
  const parts: readonly Part[] = isAlone ? [{ folder, dependencies: [], scripts: [] }] : own
  let loaded: Record<'all' | 'running', ReadonlySet<string>> | undefined
  let byTools: ReadonlySet<string> = new Set()
  /** The direct dependencies that nothing loads: each by those who ask for this version of it. */
  const unloaded = new Set<LockedPackage>()
  const readLoaded = (): Record<'all' | 'running', ReadonlySet<string>> => {
    const uses = parts.map((one) => readUses(one, project))
    const roots = project.capRoots.filter(({ root }) => parts.some((part) => isBelow(root, part.folder)))
    const isIdleService = (name: string): boolean =>
      name === TENANT_SERVICES && roots.length > 0 && !roots.some(isTenantAware) && !isAskedFor(name, uses)
    const isGone = (name: string): boolean =>
      lock?.importers !== undefined && own.length > 0 && !uses.some((use) => asksFor(name, use))
    const direct = installed.filter((it) => it.direct)
    const candidates = direct.filter((it) => isGone(it.name) || isIdleService(it.name) || !isLoaded(it, uses))
    // settings are read where a script tells nothing
    const named = candidates.length === 0 ? new Set<string>() : project.npm.namedInSettings(project.step)
    for (const it of candidates) if (isGone(it.name) || !named.has(it.name)) unloaded.add(it)
    const fromTools = [...unloaded].flatMap(({ name }) => (uses.some((use) => use.importedByTools.has(name)) ? name : []))
    byTools = neededFrom(fromTools, installed)
    const rest = direct.filter((it) => !unloaded.has(it))
    const running = rest.filter(({ scope }) => scope !== 'development')
    return {
      all: neededFrom(
        rest.map(({ name }) => name),
        installed,
      ),
      // what development alone installs brings nothing into what runs
      running: neededFrom(
        running.map(({ name }) => name),
        installed,
        requirersAtRuntime(installed),
      ),
    }
  }
  return (found) => {
    const { name, direct, scope, neededBy = [] } = found
    if (parts.length === 0 || (!direct && neededBy.length === 0)) return 'app'
    loaded ??= readLoaded()
    const needed = scope === 'production' ? loaded.running : loaded.all
    // another version of it, which something loads, tells nothing of this one
    if ((direct && !unloaded.has(found)) || neededBy.some((by) => needed.has(by))) return 'app'
    return byTools.has(name) ? 'tools' : 'none'
  }
}

/** CAP loads them where its configuration asks for tenants, extensions or toggles. Facts: README of @sap/cds-mtxs 3; capire, "Multitenancy". */
const TENANT_SERVICES = '@sap/cds-mtxs'

/** A script or a command says it. */
function isAskedFor(name: string, uses: readonly PackageUses[]): boolean {
  return uses.some(
    ({ imported, importedByTools, commands, below }) =>
      imported.has(name) ||
      importedByTools.has(name) ||
      [commands, ...below.map(commandsOf)].some((it) => it.includes('cds-mtx')),
  )
}

type Part = Pick<NpmPackage, 'folder' | 'name' | 'dependencies' | 'scripts'>

/** What one package.json asks for, and what its scripts and commands load. */
interface PackageUses {
  readonly ranges: ReadonlyMap<string, string>
  readonly imported: ReadonlySet<string>
  readonly importedByTools: ReadonlySet<string>
  readonly commands: string
  /** The packages in folders below: what they don't ask for themselves, their commands find above. */
  readonly below: readonly Part[]
  /** Nothing tells what it will load: it is a template, or has no code and starts nothing. */
  readonly isEmpty: boolean
}

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i

/** Code that the app itself may run, by its path. */
export function isAppCode(file: string): boolean {
  return CODE.test(file) && !isToolFile(file)
}

function readUses(
  { folder, name, dependencies, scripts: commands }: Part,
  project: Parameters<typeof createLoadReader>[1],
): PackageUses {
  const { files, npm, step } = project
  // a script in a folder below finds them too, whatever package.json stands there
  const isHere = ({ file }: { readonly file: string }): boolean => isBelow(file, folder)
  const imported = loadedByApp(project).filter(isHere)
  const importedByTools = loadedByTools(project).filter(isHere)
  step(files.size + npm.packages.length)
  const hasCode = (): boolean => [...files.keys()].some((file) => isAppCode(file) && isBelow(file, folder))
  return {
    ranges: new Map(dependencies.map(({ name, range }) => [name, range])),
    imported: new Set(imported.map(({ value }) => value.name)),
    importedByTools: new Set(importedByTools.map(({ value }) => value.name)),
    commands: commandsOf({ scripts: commands }),
    below: npm.packages.filter((one) => one.folder !== folder && isBelow(one.folder, folder)),
    isEmpty:
      /\{\{|<%|\$\{/.test(name ?? '') ||
      (imported.length + importedByTools.length === 0 && !commands.some((command) => command.name === 'start') && !hasCode()),
  }
}

function commandsOf({ scripts }: Pick<Part, 'scripts'>): string {
  return scripts.map(({ command }) => command).join('\n')
}

function asksFor(name: string, { ranges }: PackageUses): boolean {
  return ranges.has(name) || [...ranges.values()].some((range) => range.startsWith(`npm:${name}@`))
}

function isLoaded({ name, version, range }: LockedPackage, uses: readonly PackageUses[]): boolean {
  if (LOADED_BY_OTHERS.test(name)) return true
  const named = uses.filter(({ ranges }) => ranges.has(name))
  const asking = named.filter(({ ranges }) => range !== undefined || satisfies(version, ranges.get(name) ?? ''))
  const command = name.slice(name.indexOf('/') + 1)
  return (asking.length > 0 ? asking : named.length > 0 ? named : uses).some(
    ({ imported, commands, below, isEmpty }) =>
      isEmpty ||
      imported.has(name) ||
      commands.includes(command) ||
      below.some((part) => !part.dependencies.some((one) => one.name === name) && commandsOf(part).includes(command)),
  )
}

/** The names of packages with all that they need; `counts`: whether what one package requires of another one does. */
export function neededFrom(
  roots: readonly string[],
  installed: readonly LockedPackage[],
  counts: (by: string, name: string) => boolean = () => true,
): ReadonlySet<string> {
  const pairs = installed.flatMap(({ name, neededBy = [] }) => neededBy.flatMap((by) => (counts(by, name) ? { name, by } : [])))
  const needs = groupBy(pairs, ({ by }) => by)
  const found = new Set(roots)
  // what is added on the way is visited too
  for (const name of found) for (const needed of needs.get(name) ?? []) found.add(needed.name)
  return found
}

/** What only development installs requires nothing of what runs, also where it requires another version of the same name. */
export function requirersAtRuntime(installed: readonly LockedPackage[]): (by: string) => boolean {
  const forDevelopment = new Set<string>()
  const others = new Set<string>()
  for (const { name, scope } of installed) (scope === 'development' ? forDevelopment : others).add(name)
  return (by) => others.has(by) || !forDevelopment.has(by)
}
