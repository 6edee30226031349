import satisfies from 'semver/functions/satisfies.js'
import type { Advisory } from '../../advisories/types.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf } from '../../facts/index.ts'
import { groupBy } from '../../lists.ts'
import { isUnreachable, mayLogIn } from '../../model/approuter/index.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { packagesOf } from '../../model/npm/index.ts'
import { booleanOf, at } from '../../parse/data.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import { folderOf, isBelow, joinPath, ownerOf, resolvePath } from '../../paths.ts'
import { loadedModules } from '../../model/reach/index.ts'
import type { Project } from '../subjects.ts'
import { hasV2Plugin, V2_ADAPTERS, V2_PLUGIN, verifiesTokens } from './_cap-settings.ts'
import { namedCalls } from './_named-functions.ts'
import { loadedByApp, loadedPackages, type LoadedPackage } from './_loaded-packages.ts'
import { createLoadReader, isAppCode } from './_package-loads.ts'
import { createPageReader, endsWithTab } from './_page-packages.ts'
import { PARSE_FORMS, READ_JSON, REQUEST_PACKAGES } from './_request-packages.ts'
import { USE_ROWS, type UseRow, type UseSetting } from './_uses-table.ts'

/** Whether something parses each query or form by itself: Express before version 5, NestJS, or what else has a parser of bodies. */
function parsesQueries(packages: readonly LockedPackage[]): boolean {
  const servers = packages.filter(({ scope }) => scope !== 'development')
  const versions = servers.flatMap(({ name, version }) => (name === 'express' ? version : []))
  if (versions.some((version) => /^[0-4]\./.test(version))) return true
  if (servers.some(({ name, version }) => PARSE_FORMS.has(name) && !readsJsonAlone(name, version))) return true
  return versions.length === 0 && !servers.some(({ name, version }) => readsJsonAlone(name, version))
}

/** It has a parser of bodies for JSON, and reads queries with the module of Node.js. */
function readsJsonAlone(name: string, version: string): boolean {
  return satisfies(version, READ_JSON.get(name) ?? '<0.0.0')
}

/** What a package does by its own settings alone, whatever loads it. */
const ITSELF: ReadonlySet<string | undefined> = new Set<UseSetting>(['local-dir', 'login'])
const rowsOf: ReadonlyMap<string, readonly UseRow[]> = groupBy(USE_ROWS, (row) => row.package)
/** Two parameters with something between them that is no slash: `/:from-:to`. */
const TWO_PARAMETERS = /:[A-Za-z_]\w{0,60}(?:\([^()]{0,60}\))?[^/:\s]{0,20}:[A-Za-z_]/
const ROUTE_CALL = /^(?:get|post|put|patch|delete|all|use|route|head|options|controller)$/i
/** A source of a route that one path alone matches: `^/index.html$`. */
const FIXED_PATH = /^\^\/(?:[\w/-]+(?:\\?\.[\w/-]+)*)?\$$/
/** Where one of them may be called: `app.get(`, `app['get'](`, `@Get(`. */
const CALLS_ROUTE = /\b(?:get|post|put|patch|delete|all|use|route|head|options|controller)\b[^\w\n.,;:=]{0,20}[(<]/i
/** The same in a text as a route is written, before anything is parsed: objects without blanks, patterns of dates and styles have such pairs too. */
const WRITTEN_PAIR = /["'`][^"'`\s;,<>{}]{0,200}:[A-Za-z_]\w{0,60}(?:\([^()]{0,60}\))?[^/:\s]{0,20}:[A-Za-z_]/

/** Routes of the own code with two parameters in one segment. */
export const pairedParameters: Extract<true> = defineExtract({
  name: 'npm-paired-route-parameters',
  keywords: ['/:', "':", '":'],
  prefilter: (text) => TWO_PARAMETERS.test(text) && WRITTEN_PAIR.test(text) && CALLS_ROUTE.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  collect({ facts }) {
    const isRoute = facts.calls.some(({ callee, args: [first] }) => {
      const name = callee.kind === 'member' || callee.kind === 'reference' ? (callee.name ?? '') : ''
      const route = first !== undefined && ROUTE_CALL.test(name) ? constantOf(first) : undefined
      return typeof route === 'string' && TWO_PARAMETERS.test(route)
    })
    return isRoute ? [true] : []
  },
})

/** Fact: capire, "Consuming Services" (`destinationOptions`), whose options CAP hands to SAP Cloud SDK. */
function cachesDestinations(root: CapRoot): boolean {
  return root.productive().some((configuration) =>
    configuration.keys('requires').some((name) => {
      const setting = configuration.value('requires', name, 'destinationOptions', 'useCache')
      return setting !== undefined && booleanOf(setting.node) !== false
    }),
  )
}

/** What a rule that asks for the use of packages declares. */
export const USE_EXTRACTS: readonly Extract[] = [loadedPackages, namedCalls, pairedParameters]

/**
 * `absent`: nothing does what the advisory names; `off`: what alone calls it is turned off, or gives it only what the project itself says; `unloaded`: nothing loads the package at all; `unknown`: another
 * package calls it, and nothing tells with whose data. `tab`: in the browser of a user alone, where it can stop that user's own tab; `idle-tab`: nothing does even that.
 * `unbundled`: pages alone need what brings it in, and bundlers leave it out of them.
 */
export type PackageUse = 'shown' | 'unknown' | 'absent' | 'off' | 'unloaded' | 'tab' | 'idle-tab' | 'unbundled'

/** Says of advisories about packages of a lock file or package.json what the project shows of their use. */
export type UseReader = (found: LockedPackage, advisory: Pick<Advisory, 'id' | 'malware' | 'cwe' | 'title'>) => PackageUse

export function createUseReader(
  locked: LockedPackages,
  project: Pick<Project, 'npm' | 'once' | 'scripts' | 'approuters' | 'capRoots' | 'reach' | 'files' | 'step' | 'ui5Apps'>,
): UseReader {
  const { npm, scripts, approuters, reach, files } = project
  const own = packagesOf(locked.file, npm)
  const folders = new Set(own.map(({ folder }) => folder))
  const declared = new Set(own.flatMap(({ dependencies }) => dependencies.map(({ name }) => name)))
  // what the own code loads is the version on top, where it names the package itself
  const onTop = new Set(locked.packages.flatMap(({ name, direct }) => (direct ? name : [])))
  const packageAround = (file: string): string | undefined => ownerOf(file, npm.byFolder)
  const isInOwn = (file: string): boolean => {
    const around = packageAround(file)
    return around === undefined || folders.has(around)
  }
  const isOwn = (file: string): boolean => isInOwn(file) && reach.usageOf(file) !== 'unused'
  let linked: ReadonlySet<string> | undefined
  /** Code of a package below that the own code loads by its path finds what is installed here as well. Fact: Node.js, "Loading from node_modules folders". */
  const isLinked = (file: string): boolean => {
    linked ??= new Set(
      scripts.get(loadedModules).flatMap(({ file: from, value }) => {
        if (!value.sources.some((source) => source.startsWith('../')) || !isOwn(from)) return []
        return value.sources.flatMap((source) => packageAround(resolvePath(from, source) ?? from) ?? [])
      }),
    )
    const around = packageAround(file)
    return (
      around !== undefined && linked.has(around) && isBelow(around, folderOf(locked.file)) && reach.usageOf(file) !== 'unused'
    )
  }
  const descriptors = approuters.filter(({ file, manifest }) => isOwn(file) || (manifest !== undefined && isOwn(manifest.file)))
  const holds: Readonly<Record<UseSetting, (row: UseRow) => boolean>> = {
    'destination-cache': () => project.capRoots.some((root) => isOwnRoot(root) && cachesDestinations(root)),
    websockets: () => descriptors.some(({ root }) => booleanOf(at(root, 'websockets', 'enabled')) === true),
    'local-dir': () =>
      approuters.length === 0 ||
      descriptors.some((one) =>
        one.routes.some(
          (route) => route.target.kind === 'local-dir' && !FIXED_PATH.test(route.source) && !isUnreachable(one, route),
        ),
      ),
    // one that no descriptor is for runs where something starts it, if the project has others
    login: (row) =>
      descriptors.length === 0
        ? approuters.length === 0 || isLoaded(row) || isCommanded(row.package)
        : descriptors.some(mayLogIn),
    'odata-v2': () =>
      project.capRoots.length === 0 ||
      project.capRoots.some((root) => hasV2Plugin(root, versionsOf(V2_PLUGIN))) ||
      isAdapterLoaded(),
    'two-parameters': () => scripts.get(pairedParameters).some(({ file }) => isOwn(file)),
    'extended-query': (row) => parsesQueries(locked.packages) || isLoaded(row),
  }
  const isAdapterLoaded = (): boolean =>
    loadedByApp(project).some(({ file, value }) => V2_ADAPTERS.has(value.name) && (isOwn(file) || isLinked(file)))
  const isOwnRoot = ({ root }: Pick<CapRoot, 'root'>): boolean => isInOwn(joinPath(root, 'package.json'))
  const versionsOf = (name: string): readonly string[] => locked.packages.flatMap((one) => (one.name === name ? one.version : []))
  /** The only version, which is on top: what CAP loads finds it. */
  const isSole = ({ name }: LockedPackage): boolean => locked.packages.filter((one) => one.name === name).length === 1
  const isNamedAnywhere = (names: readonly string[]): boolean =>
    scripts.get(namedCalls).some(({ file, value }) => names.includes(value) && (isOwn(file) || isLinked(file)))
  let loaded: ReadonlyMap<string, readonly (LoadedPackage & { readonly isHere: boolean })[]> | undefined
  const isLoaded = ({ package: name, loads = [name], names, anywhere, onServer }: UseRow): boolean => {
    if (anywhere !== undefined && !isNamedAnywhere(anywhere)) return false
    loaded ??= groupBy(
      loadedByApp(project).flatMap(({ file, value }) => {
        const isHere = isOwn(file)
        return isHere || isLinked(file) ? { ...value, isHere } : []
      }),
      (one) => one.name,
    )
    return loads.some((load) =>
      (loaded?.get(load) ?? []).some(
        (one) =>
          one.isIdle !== true &&
          (one.isHere || declared.has(name)) &&
          (onServer !== true || !one.inBrowser) &&
          (names === undefined || names.some((it) => one.names.includes(it))),
      ),
    )
  }
  /** The own code gives the package a name and never says it again, and no command starts it. */
  const isNeverCalled = (name: string): boolean => {
    const here = loadedByApp(project).filter(({ file, value }) => value.name === name && (isOwn(file) || isLinked(file)))
    return here.length > 0 && here.every(({ value }) => value.isIdle === true) && !isCommanded(name)
  }
  const isCommanded = (name: string): boolean => {
    const command = name.slice(name.indexOf('/') + 1)
    return own.some(({ scripts: commands }) => commands.some((it) => it.command.includes(command)))
  }
  let isTemplate: boolean | undefined
  /** A package without any code of its own, such as a template: what will be loaded nobody knows yet. */
  const hasNoCode = (): boolean => (isTemplate ??= ![...files.keys()].some((file) => isAppCode(file) && isOwn(file)))
  const answers = new Map<UseRow, boolean>()
  const isUsed = (row: UseRow): boolean => {
    const known = answers.get(row)
    if (known !== undefined) return known
    const answer =
      row.needsAnother !== true &&
      ((row.setting !== undefined && holds[row.setting](row)) ||
        (!ITSELF.has(row.setting) && (row.otherwise === undefined || row.names !== undefined) && isLoaded(row)))
    answers.set(row, answer)
    return answer
  }
  /** Whether a package needs another one for what nothing of the project does. */
  const isIdleFor = (by: string, row: UseRow | undefined): boolean => {
    if (row?.ofLogins === true && by === '@sap/approuter' && asksForNoLogin()) return !isLoaded(row)
    return row?.otherwise?.includes(by) === true && !isUsed(row)
  }
  /** Descriptors of which no route asks for a login: nothing that a client sends is taken for a token. */
  const asksForNoLogin = (): boolean =>
    descriptors.length > 0 && descriptors.every(({ routes }) => routes.every(({ authenticates }) => !authenticates))
  let deployed: ReadonlySet<string> | undefined
  const isOutOfReach = ({ setting, ownFilesOf = [] }: UseRow, by: readonly string[]): boolean => {
    if (setting === undefined && ownFilesOf.length === 0) return false
    deployed ??= new Set(locked.packages.flatMap(({ name, scope }) => (scope === 'development' ? [] : name)))
    const neededBy = by.filter((one) => deployed?.has(one) === true)
    if (setting === 'websockets') return descriptors.length > 0 && neededBy.every((one) => one === '@sap/approuter')
    if (setting === 'two-parameters') return neededBy.every((one) => REQUEST_PACKAGES.has(one)) && !hasNoCode()
    return neededBy.length > 0 && neededBy.every((one) => ownFilesOf.includes(one))
  }
  const isStarted = (name: string): boolean =>
    own.some(({ scripts: commands }) => commands.some(({ command }) => command.split(/\s+/).includes(name)))
  const loadOf = createLoadReader(locked, project)
  const inPages = createPageReader(locked, project)
  const useOf = (found: LockedPackage, { id, malware }: Pick<Advisory, 'id' | 'malware'>): PackageUse => {
    if (malware) return 'shown'
    const load = loadOf(found)
    if (load !== 'app') return load === 'none' ? 'unloaded' : 'absent'
    const { name, direct, isOrphan, neededBy = [] } = found
    const rows = rowsOf.get(name) ?? []
    const row = rows.find(({ advisories }) => advisories?.includes(id)) ?? rows.find(({ advisories }) => advisories === undefined)
    if (row?.bySettings === true) return 'unknown'
    if (row?.byCommand === true) return isStarted(name) ? 'shown' : 'off'
    const mayLoad = direct || !onTop.has(name)
    // what nothing needs is there because the project names it, also where the lock file doesn't tell that
    const isDirect = direct || (mayLoad && declared.has(name)) || (neededBy.length === 0 && isOrphan !== true)
    const isOtherwise =
      row?.otherwise !== undefined &&
      (isDirect || neededBy.length === 0 || !neededBy.every((one) => row.otherwise?.includes(one)))
    if (row === undefined && direct && neededBy.length === 0 && isNeverCalled(name)) return 'unknown'
    if (row?.byCapLogins === true && isSole(found) && project.capRoots.some((root) => isOwnRoot(root) && verifiesTokens(root)))
      return 'shown'
    if (row === undefined || isOtherwise)
      return isDirect || neededBy.some((one) => REQUEST_PACKAGES.has(one) && !isIdleFor(one, row)) ? 'shown' : 'unknown'
    if (row.needsAnother !== true && neededBy.some((one) => row.through?.includes(one))) return 'shown'
    if (mayLoad && isUsed(row)) return 'shown'
    if (!isDirect && isOutOfReach(row, neededBy)) return 'off'
    return isDirect && row.setting === undefined && row.needsAnother !== true && hasNoCode() ? 'unknown' : 'absent'
  }
  return (found, advisory) => {
    const use = useOf(found, advisory)
    if (use === 'off' || use === 'unloaded' || advisory.malware) return use
    const where = inPages(found)
    if (where === 'none') return 'unbundled'
    if (where === undefined || !endsWithTab(advisory)) return use
    return use === 'absent' ? 'idle-tab' : 'tab'
  }
}
