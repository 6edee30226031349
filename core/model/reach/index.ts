import { bodyParsers } from './body-parsers.ts'
import type { Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { fileNameOf, folderOf, foldersAround } from '../../paths.ts'
import type { Exposure, Place, Reach, Usage } from '../../types.ts'
import type { Approuter, Route } from '../approuter/index.ts'
import {
  callerRoleSpans,
  isBehindRole,
  loginGuards,
  roleChecks,
  loginExtracts,
  serviceClasses,
  wrappedHandlers,
  type CapElement,
  type CapRoot,
  type CapService,
  type RowEvent,
} from '../cap/index.ts'
import { commonRoles, type SecurityOf } from '../authorization/index.ts'
import { moduleFolders, type Application, type Mta } from '../deployment/index.ts'
import type { NpmProject } from '../npm/index.ts'
import { isToolFile } from '../script/index.ts'
import { routeExposure } from './approuter.ts'
import { isEnteredByApprouters } from './cluster-entries.ts'
import { createCapReach, type CapReach } from './cap.ts'
import { createHandReader, toolPaths } from './run-by-hand.ts'
import { createDeployedSamples } from './deployed-samples.ts'
import { createLateReader, handlerSpans, sentNames, type HandlerSpan } from './handlers.ts'
import { createLeftOutApps } from './left-out-apps.ts'
import { createLoaders, findUnloaded, loadedModules, withoutEnding } from './modules.ts'
import { createNameReader, createPackageUses } from './packages.ts'
import { findExercises, startedServers } from './exercises.ts'
import { findIdleServers } from './idle-servers.ts'
import { emptyTables } from './empty-tables.ts'
import { queriedTables } from './queried-tables.ts'
import { keepingScripts, livingScripts } from './seed-only.ts'
import { createSeedReader } from './seed-facts.ts'
import { localListeners } from './local-listeners.ts'
import { rawServerSpans } from './raw-servers.ts'
import { fetchHandlerSpans, fetchMiddlewares } from './fetch-handlers.ts'
import { connectingScripts, createSampleReader, namedTables, type TableRoute } from './sample-files.ts'
import { callersOf, createServerReader, type ServerExposure } from './servers.ts'
import { createStartReader } from './started-servers.ts'
import { createStoppedReader } from './stopped.ts'
import { createUnnamedDescriptors } from './unnamed-descriptors.ts'
import { createUnusedReader } from './unused-functions.ts'
import { moduleReads } from './module-reads.ts'
import { isPipeline } from './pipelines.ts'
import { ownFunctions } from './own-functions.ts'
import { usageByPath } from './usage.ts'
import { connectsAsCaller, xsConnections } from './xs-connections.ts'
import { findUnimported, xsImports } from './xs-libraries.ts'
import { createXsPackages } from './xs-packages.ts'
import { createLibraryReader, isInUncalled, xsNamed, xsUncalled } from './xs-uncalled.ts'
import { createHandlerReader, HANDLER_EXTRACTS } from './uncalled-handlers.ts'
import { anonymousXsjs, createXsServers, xsjsServers } from './xsjs-servers.ts'
import { isAround } from '../../facts/span-index.ts'

export { findUnreadBodies } from './body-parsers.ts'
export { blankComments } from './code-words.ts'
export { rankOf, stricter } from './cap.ts'
export { isLocalHost, listensLocally } from './local-listeners.ts'
export { loadedModules } from './modules.ts'
export { followCalls } from './raw-servers.ts'
export { createSwitchReader, switchedBranches } from './switched-off.ts'
export { usageByPath } from './usage.ts'
export { anonymousXsjs } from './xsjs-servers.ts'

/** Where data came in that reached a sink: `entry` is the kind of origin (`cap-request`, `http-request`, `message`), `isOpen` that a route asks nobody who calls. */
export interface ReachedSink {
  readonly at: Place
  readonly entry: string
  readonly isOpen: boolean
  readonly steps: readonly { readonly at: Place }[]
}

/** Who can start what a project holds, and what its files are for: found once, for all rules. */
export interface ReachModel {
  /** Who reaches a place of a file, by all that stands in front of it. */
  at(place: Place): Exposure
  /** Who sends the data that reached a sink. */
  ofSink(sink: ReachedSink): Exposure
  /** The same of the text of a query, which reaches all tables: it is of demonstration data where the whole database is, of nobody whom the database knows no user of, and what the own privileges of a caller in the database are, no project tells. */
  ofStatement(sink: ReachedSink): Exposure
  /** Whether a script or service of XS classic is open to all, and gives the database no user for those who do not log in. */
  isWithoutDatabase(file: string): boolean
  /** Whether all statements of a script or service of XS classic run as the user who logged in, with the privileges that the database gives that user. */
  isCallersOwn(file: string): boolean
  /** Whether a server of XS advanced runs a script or service of XS classic. */
  isRunByXsAdvanced(file: string): boolean
  ofService(service: CapService): Exposure
  /** Of an entity: who sends it the easiest of some events; without events, who it is open to as a whole. The check of its service comes first. */
  ofElement(service: CapService, element: CapElement, events?: readonly RowEvent[]): Exposure
  /** The same where some of those who have access count: users with these roles, pseudo roles as they are. */
  ofRoles(service: CapService, element: CapElement, roles: readonly string[], events?: readonly RowEvent[]): Exposure
  /** Whether nothing in the cluster of a project leads to its CAP application but approuters, whose routes ask for a login. */
  isBehindApprouter(): boolean
  ofRoute(approuter: Approuter, route: Route): Exposure
  /** Who gets at the server that a script belongs to, where no code of it asks who calls. */
  ofServer(file: string): ServerExposure
  /** Whether the CAP project that a file is of lets any caller pass as a user where it is deployed, so that its runtime has verified nobody. */
  isUnverified(file: string): boolean
  /** Whether a script is a server that nothing starts in a project that nothing deploys, or what only such servers load. */
  isExercise(file: string): boolean
  /** Whether nothing but a person starts a script among the tools of a project. */
  isRunByHand(file: string): boolean
  /** Whether a route of a server of the own reaches nothing but rows of CSV files of the project, which nothing deploys. */
  isOfSamples(route: TableRoute): boolean
  /** Whether the rows behind the server that a script or model belongs to are those of a demonstration, whatever its operations do. */
  holdsDemoRows(file: string): boolean
  usageOf(file: string): Usage
  /** The same of a place: what a descriptor says of one module may be for nothing, and a handler in a page or a function of an XS script called by nobody. */
  usageAt(place: Place): Usage
}

/** What the model of reach asks of scripts. */
export const REACH_EXTRACTS: readonly Extract[] = [
  handlerSpans,
  sentNames,
  loadedModules,
  toolPaths,
  roleChecks,
  callerRoleSpans,
  rawServerSpans,
  fetchHandlerSpans,
  fetchMiddlewares,
  anonymousXsjs,
  xsjsServers,
  ...loginExtracts,
  serviceClasses,
  loginGuards,
  wrappedHandlers,
  ...HANDLER_EXTRACTS,
  xsImports,
  xsConnections,
  xsUncalled,
  xsNamed,
  moduleReads,
  ownFunctions,
  livingScripts,
  keepingScripts,
  bodyParsers,
  emptyTables,
  queriedTables,
  startedServers,
  localListeners,
  namedTables,
  connectingScripts,
]

/** What the reach of a project is found in. */
export interface ReachSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly scripts: Scripts
  readonly capRoots: readonly CapRoot[]
  readonly npm: Pick<NpmProject, 'byFolder'>
  readonly approuters?: readonly Approuter[]
  readonly applications?: readonly Application[]
  readonly mtas?: readonly Mta[]
  /** What the project says of services, by their qualified names. */
  readonly settings?: readonly ServiceSetting[]
  /** The descriptors of roles that hold for a root. */
  readonly securityOf?: SecurityOf
}

/** Who reaches a service by the project's own word. */
export interface ServiceSetting {
  readonly service?: string
  readonly reach: Reach
}

/** What somebody runs; a descriptor in a folder of tools may be deployed all the same. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|sh|bash|py|ps1)$/i

/** A service of XS classic, of which nothing is but what the database gives. */
const XSODATA = /\.xsodata$/i

const USER: Exposure = { reach: 'user' }
/** Without a login there is no database; an administrator may have given the package a connection all the same, and has where nothing of the project would work otherwise. */
const CONNECTED: Exposure = { reach: 'user', evidence: 'assumed' }
const ALL_CONNECTED: Exposure = { reach: 'anyone', evidence: 'assumed' }
const LOCAL: Exposure = { reach: 'local' }

export function createReachModel({
  files,
  scripts,
  capRoots,
  npm,
  approuters = [],
  applications = [],
  mtas = [],
  settings = [],
  securityOf = () => [],
}: ReachSources): ReachModel {
  const told = new Map(settings.flatMap(({ service, reach }) => (service === undefined ? [] : [[service, reach] as const])))
  const packageOf = createPackageUses(files, npm, capRoots)
  const xsPackages = createXsPackages(files, npm, createXsServers(files, scripts))
  const loadersOf = createLoaders(scripts)
  const seeds = createSeedReader({ files, scripts, npm, capRoots, applications })
  const { isDeployedSomehow } = seeds
  let isEntered: boolean | undefined
  // which of several back ends a service of the cluster leads to, its name does not prove
  const isBehindApprouter = (): boolean =>
    (isEntered ??=
      capRoots.filter(({ test }) => !test).length === 1 &&
      !applications.some(({ hasPublicRoute }) => hasPublicRoute) &&
      isEnteredByApprouters(files, approuters))
  const reaches = new Map<CapRoot, CapReach>()
  const reachOf = (root: CapRoot): CapReach => {
    const reach =
      reaches.get(root) ??
      createCapReach(root, files, {
        told,
        isPlugin: packageOf(`${root.root}/package.json`)?.kind === 'plugin',
        scripts,
        seeds: seeds.of(root),
        isBehindApprouter,
        commonRoles: commonRoles(securityOf(root)),
        packages: [root.root, ...foldersAround(root.root)].flatMap((folder) => npm.byFolder.get(folder) ?? []),
        loadersOf: (file) => loadersOf(file).filter((loader) => usageByPath(loader) !== 'unused'),
      })
    reaches.set(root, reach)
    return reach
  }
  const known = (root: CapRoot | undefined): CapReach | undefined => root && reachOf(root)
  const rootOfService = new Map(capRoots.flatMap((root) => root.services.map((service) => [service, root] as const)))
  const servedBy = (service: CapService): CapReach | undefined => known(rootOfService.get(service))
  const rootOfFile = new Map(capRoots.flatMap((root) => root.files.map(({ path }) => [path, root] as const)))
  const reachOfFile = (file: string): CapReach | undefined => known(rootOfFile.get(file))
  let unloaded: ReadonlySet<string> | undefined
  let unimported: ReadonlySet<string> | undefined
  let idle: ReadonlySet<string> | undefined
  const usages = new Map<string, Usage>()

  const isGenerated = (file: string): boolean => files.get(file)?.boilerplate !== undefined
  const stopped = createStoppedReader(applications, mtas)
  const isLeftOutApp = createLeftOutApps(files, mtas)
  const isUncalled = createHandlerReader(files, scripts)
  const isNamedInDescriptors = createNameReader(files)
  const isInUnused = createUnusedReader({
    files,
    scripts,
    npm,
    isUnloaded: (file) => usageOf(file) === 'unused' && unloaded?.has(file) === true,
    isForOthers: (file) =>
      (packageOf(file)?.kind ?? 'server') !== 'server' || isNamedInDescriptors(fileNameOf(withoutEnding(file))),
  })
  const isLate = createLateReader(scripts, (file) => rootOfFile.get(file))
  const isUnnamedFunction = createLibraryReader(files, scripts)
  const isUnnamed = createUnnamedDescriptors(files, mtas)
  const localDescriptors = new Set(approuters.flatMap(({ file, deployed }) => (deployed ? [] : file)))
  const usageOf = (file: string): Usage => {
    const before = usages.get(file)
    if (before !== undefined) return before
    unloaded ??= findUnloaded(files, scripts, (file) => rootOfFile.get(file)?.root, isNamedInDescriptors)
    unimported ??= findUnimported(files, scripts)
    idle ??= findIdleServers({ files, scripts, npm, loadersOf, isNamed: isNamedInDescriptors })
    const byPath = usageByPath(file)
    const kind = packageOf(file)?.kind
    const isLibrary = kind === 'plugin' || kind === 'library'
    const isKept = isDeployedSample(file) || isOfModule(file) || xsPackages.isServed(file)
    const isUnused =
      (byPath === 'unused' && !isKept) ||
      localDescriptors.has(file) ||
      stopped.holds(file) ||
      isLeftOutApp(file) ||
      isUnnamed(file)
    const usage = isGenerated(file)
      ? 'boilerplate'
      : isUnused || unloaded.has(file) || unimported.has(file) || idle.has(file)
        ? 'unused'
        : isLibrary
          ? 'library'
          : 'deployed'
    usages.set(file, usage)
    return usage
  }
  let named: readonly string[] | undefined
  /** What an MTA builds a module from is deployed, whatever its folder is called: `apps/sandbox`, a bundle for the HTML5 repository. */
  const isOfModule = (file: string): boolean => {
    named ??= moduleFolders(mtas).flatMap((one) => (usageByPath(one.file) === 'unused' ? [] : `${one.folder}/`))
    return named.some((folder) => file.startsWith(folder) && usageByPath(file.slice(folder.length)) !== 'unused')
  }
  const isDeployedSample = createDeployedSamples(files)
  let exercises: ReadonlySet<string> | undefined
  const isExercise = (file: string): boolean => {
    exercises ??=
      capRoots.length > 0
        ? new Set()
        : findExercises({ files, scripts, npm, loadersOf, isDeployedSomehow, isNamed: isNamedInDescriptors })
    return exercises.has(file)
  }
  const handled = new Map<HandlerSpan, Exposure | undefined>()
  const exposureOf = (
    { service, isConnected, events, entities, isOwn }: HandlerSpan,
    file: string,
    root: CapRoot,
  ): Exposure | undefined =>
    // a service of a plugin that no model defines gets what the plugin itself sends
    reachOf(root).ofEvent({ file, service, isConnected, events, entities }) ??
    (isOwn && packageOf(file)?.kind === 'plugin' ? LOCAL : undefined)
  const handledAt = (place: Place): Exposure | undefined => {
    const start = place.span?.start
    const root = rootOfFile.get(place.file)
    if (start === undefined || root === undefined) return undefined
    const around = scripts
      .of(place.file, handlerSpans)
      .filter((handler) => isAround(handler, start))
      .sort((a, b) => b.start - a.start)[0]
    if (around === undefined) return undefined
    if (!handled.has(around)) handled.set(around, exposureOf(around, place.file, root))
    return handled.get(around)
  }
  const at = (place: Place): Exposure => {
    const { file } = place
    if (isPipeline(file)) return { reach: 'pipeline' }
    if (SCRIPT.test(file) && (isToolFile(file) || packageOf(file)?.kind === 'tool')) return LOCAL
    if (xsPackages.isOpen(file)) return XSODATA.test(file) && isWithoutDatabase(file) ? withoutDatabase() : { reach: 'anyone' }
    const own = handledAt(place)
    if (own !== undefined) return own
    const all = reachOfFile(file)?.all
    // what several services share is reached by users at least as easily as by any of them; that nobody asks for a login is a fault of its own
    return all === undefined || all.reach === 'anyone' ? { ...USER, ...(all?.isDemo && { isDemo: true as const }) } : all
  }
  const isWithoutDatabase = (file: string): boolean =>
    xsPackages.isOpenWithoutConnection(file) && (XSODATA.test(file) || connectsAsCaller(file, scripts))
  let connected: Exposure | undefined
  const withoutDatabase = (): Exposure =>
    (connected ??=
      xsPackages.isAllAnonymous() && !scripts.get(xsConnections).some(({ value }) => value === 'configured')
        ? ALL_CONNECTED
        : CONNECTED)
  const isCallersOwn = (file: string): boolean =>
    xsPackages.isOfDatabaseUsers(file) && (XSODATA.test(file) || connectsAsCaller(file, scripts))
  const toldOfServer = createServerReader(files, applications, approuters)
  const isOfServer = (file: string): boolean => (packageOf(file)?.kind ?? 'server') === 'server'
  const isStarted = createStartReader({ files, scripts, npm, approuters, applications, isOfServer })
  const ofServer = (file: string): ServerExposure => ({ ...toldOfServer(file), ...(isStarted(file) && { isStarted: true }) })
  let guardedFolders: ReadonlySet<string> | undefined
  const isBehindMiddleware = (file: string): boolean => {
    const folders = (guardedFolders ??= new Set(scripts.get(fetchMiddlewares).map((one) => folderOf(one.file))))
    return folders.size > 0 && [...foldersAround(file)].some((folder) => folders.has(folder))
  }
  const isAnsweredRaw = ({ file, span }: Place): boolean =>
    span !== undefined &&
    (scripts.of(file, rawServerSpans).some((one) => isAround(one, span.start)) ||
      (scripts.of(file, fetchHandlerSpans).some((one) => isAround(one, span.start)) && !isBehindMiddleware(file)))
  const ofSink = (sink: ReachedSink): Exposure => {
    const own = at(sink.at)
    if (own.reach === 'local') return own
    // its sender has to get at the broker first
    if (sink.entry === 'message') return { reach: 'privileged' }
    const source = sink.steps[0]
    if (sink.isOpen || OPEN_APPS.has(sink.entry) || (source !== undefined && isAnsweredRaw(source.at)))
      return callersOf(ofServer(sink.at.file))
    const exposure = (source && handledAt(source.at)) ?? own
    const isAsked = exposure.reach === 'user' && isBehindRole(scripts, source?.at ?? sink.at, sink.at)
    return isAsked ? { ...exposure, reach: 'privileged' } : exposure
  }
  return {
    at,
    ofSink,
    ofStatement(sink) {
      if (isWithoutDatabase(sink.at.file)) return withoutDatabase()
      const { isDemo, ...exposure } = ofSink(sink)
      if (isCallersOwn(sink.at.file)) return { ...exposure, evidence: 'assumed' }
      return isDemo === true && reachOfFile(sink.at.file)?.isDemo === true ? { ...exposure, isDemo } : exposure
    },
    isWithoutDatabase,
    isCallersOwn,
    isRunByXsAdvanced: (file) => xsPackages.isRunByXsAdvanced(file),
    ofService: (service) => servedBy(service)?.ofService(service) ?? USER,
    ofElement: (service, ...asked) => servedBy(service)?.ofElement(service, ...asked) ?? USER,
    ofRoles: (service, ...asked) => servedBy(service)?.ofRoles(service, ...asked) ?? USER,
    isBehindApprouter,
    ofRoute: routeExposure,
    ofServer,
    isUnverified: (file) => reachOfFile(file)?.isUnverified === true,
    isExercise,
    isRunByHand: createHandReader({ files, scripts, loadersOf, isNamed: isNamedInDescriptors }),
    isOfSamples: createSampleReader({ files, scripts, npm, isDeployedSomehow }),
    holdsDemoRows: (file) => reachOfFile(file)?.holdsDemoRows === true,
    usageOf,
    usageAt: (place) =>
      stopped.describes(place) ||
      isUncalled(place) ||
      isInUncalled(place, scripts) ||
      isUnnamedFunction(place) ||
      isLate(place) ||
      isInUnused(place)
        ? 'unused'
        : usageOf(place.file),
  }
}

/** Origins of apps whose routes ask nobody. */
const OPEN_APPS: ReadonlySet<string> = new Set(['open-app', 'open-server'])
