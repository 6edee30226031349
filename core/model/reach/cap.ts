import type { ProjectFile } from '../../files.ts'
import { stringOf } from '../../parse/data.ts'
import type { Exposure, Place, Reach } from '../../types.ts'
import {
  CRUD_EVENT,
  AUTHENTICATED_ROLES,
  anybodysAuth,
  createLoginGuardReader,
  createWrappedReader,
  isAdministrative,
  isImplementedIn,
  isOrdinary,
  isSampleModel,
  PSEUDO_ROLES,
  readersOf,
  toWords,
  uncheckedInCode,
  type RowUse,
  writersOf,
  type CapAccess,
  type CapElement,
  type CapRoot,
  type CapService,
  type HandledEvent,
} from '../cap/index.ts'
import type { NpmPackage } from '../npm/index.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { lastName } from '../../paths.ts'
import { DATA_TABLE, emptyTables } from './empty-tables.ts'
import { isSeedOnly, isSelfContained, type SeedFacts } from './seed-only.ts'

/** Who reaches what the services of one CAP project offer. */
export interface CapReach {
  ofService(service: CapService): Exposure
  ofElement(service: CapService, element: Pick<CapElement, 'access' | 'name'>): Exposure
  /** Who sends an event that a script handles; undefined: no service of the model is known to have it. */
  ofEvent(handled: HandledEvent): Exposure | undefined
  /** The easiest way to any of its services; undefined: it serves none. */
  readonly all: Exposure | undefined
  /** No service holds more than demonstration data, so that the database behind all of them holds none else. */
  readonly isDemo: boolean
}

/** Events of the platform's own services, which it calls with a token of its own. Fact: capire, "Multitenancy" (cds.xt services). */
const OF_PLATFORM = /^cds\.xt\.|^(?:SaasProvisioningService|ProvisioningService|DeploymentService|ModelProviderService)$/

const PLATFORM: Exposure = { reach: 'privileged' }

/** `service.on('UPDATE', 'tenant', …)` in a script that says no service: a subscription. Fact: @sap/cds-mtx 2 (README, "Event handlers for CDS MTX provisioning events"). */
function isSubscription({ service, events, entities }: HandledEvent): boolean {
  return (
    service === undefined && entities?.join() === 'tenant' && events.every((event) => event === 'UPDATE' || event === 'DELETE')
  )
}

interface CapReachFacts {
  /** What the project says of services, by their names. */
  readonly told?: ReadonlyMap<string, Reach>
  /** The app that loads it decides what holds where a service says nothing, and in production that is a login. */
  readonly isPlugin?: boolean
  /** Its package.json, and those of folders around it. */
  readonly packages?: readonly NpmPackage[]
  /** The scripts that load a script, tests aside. */
  readonly loadersOf?: (file: string) => readonly string[]
  readonly scripts?: Scripts
  readonly isDeployedSomehow?: SeedFacts['isDeployedSomehow']
  readonly keepsRows?: SeedFacts['keepsRows']
  readonly opensHost?: SeedFacts['opensHost']
  readonly isLiving?: SeedFacts['isLiving']
  /** Nothing leads to it but approuters, whose routes ask for a login. */
  readonly isBehindApprouter?: () => boolean
  /** Roles that each role template of the app gives. */
  readonly commonRoles?: ReadonlySet<string>
}

/** Reads one root. `files`: all of the project, for the data that it deploys. */
export function createCapReach(
  root: CapRoot,
  files: ReadonlyMap<string, ProjectFile>,
  {
    told = new Map(),
    isPlugin = false,
    packages = [],
    loadersOf = () => [],
    scripts,
    isDeployedSomehow = () => true,
    keepsRows = () => false,
    opensHost = () => true,
    isLiving = () => true,
    isBehindApprouter = () => false,
    commonRoles = new Set(),
  }: CapReachFacts = {},
): CapReach {
  const served = root.services.filter(({ exposure }) => exposure === 'served')
  const everybodys = new Set([...rolesOfEverybody(served), ...usersOfApp(served), ...ordinaryAmong(commonRoles, served)])
  const demoOf = createDemoReader(root, { packages, isDeployedSomehow, keepsRows, opensHost, isLiving }, () =>
    filledTables(files, scripts),
  )
  const open = anybodysAuth(root)
  const signedIn: Reach = open === undefined ? 'user' : 'anyone'

  const reachOf = ({ kind, roles }: CapAccess): Reach =>
    kind === 'roles' ? reachOfRoles(roles) : isSignedIn(kind) ? signedIn : REACHES[kind]
  const isSignedIn = (kind: CapAccess['kind']): boolean =>
    kind === 'authenticated' || kind === 'default-authenticated' || (isPlugin && kind === 'default-public')
  const reachOfRoles = (roles: readonly string[]): Reach => {
    if (roles.length === 0) return 'nobody'
    if (roles.includes('any') || open === 'dummy') return 'anyone'
    if (roles.some((role) => AUTHENTICATED_ROLES.has(role))) return signedIn
    return roles.some((role) => everybodys.has(role) || isOrdinary(role)) ? 'user' : 'privileged'
  }
  const isBehindLogin = createLoginGuardReader(root)
  const isWrapped = createWrappedReader(root)
  const toExposure = (found: Reach, by: Place, service: CapService, element?: CapElement, use?: RowUse): Exposure => {
    const isLoggedIn =
      found === 'anyone' &&
      (isBehindLogin(service) || (element !== undefined && isWrapped(service, element)) || isBehindApprouter())
    const reach = told.get(service.name) ?? (isLoggedIn ? 'user' : found)
    const isOpen = element !== undefined && (reach === 'anyone' || reach === 'user')
    const isChecked = isOpen && uncheckedInCode(root, service, [element], use).length === 0
    return { reach: isChecked ? 'privileged' : reach, by, ...(demoOf(service) !== undefined && { isDemo: true as const }) }
  }
  const ofService = (service: CapService): Exposure => toExposure(reachOf(service.access), service.access.place, service)
  const ofElement = (
    service: CapService,
    { access: own = service.access, name }: Pick<CapElement, 'access' | 'name'>,
    use?: RowUse,
  ): Exposure => {
    // the check of the service comes first: a privilege without "to" is for whom that lets in
    const isBehindService = own.kind === 'public' && (service.access.kind === 'authenticated' || service.access.kind === 'roles')
    const access = isBehindService ? service.access : own
    const element = service.elements.find((one) => one.name === name)
    return toExposure(reachOf(access), access.place, service, element, use)
  }
  const ofEntityEvent = (service: CapService, entity: CapElement, event: string): Exposure => {
    if (entity.access?.kind === 'none') return toExposure('nobody', entity.access.place, service)
    const readers = readersOf(entity)?.roles
    const roles = READS.test(event) ? readers : CHANGES.test(event) ? writersOf(entity, service) : undefined
    const use = READS.test(event) ? 'read' : CHANGES.test(event) ? 'change' : undefined
    const { place } = entity.access ?? service.access
    return roles === undefined ? ofElement(service, entity, use) : toExposure(reachOfRoles(roles), place, service, entity, use)
  }
  const ofNamed = (service: CapService, event: string, entities: readonly string[] | undefined): readonly Exposure[] =>
    service.elements.flatMap((element) => {
      const { kind, name } = element
      const last = lastName(name)
      if (kind !== 'entity') return last === event || event === '*' ? [ofElement(service, element)] : []
      if (!CRUD_EVENT.test(event)) return []
      return entities === undefined || entities.includes(last) ? [ofEntityEvent(service, element, event)] : []
    })
  /** A module that gets a service from whoever loads it: of the services that these implement, or of all, those that have what it handles. */
  const ofShared = (handled: HandledEvent, services: readonly CapService[]): Exposure | undefined => {
    const loaded = loadersOf(handled.file).map((loader) => services.filter((service) => isImplementedIn(loader, service, root)))
    const isKnown = loaded.length > 0 && loaded.every((owners) => owners.length > 0)
    const owners = new Set(isKnown ? loaded.flat() : services)
    const reached = [...owners].filter(({ exposure }) => exposure === 'served')
    const named = handled.events.map((event) => reached.flatMap((service) => ofNamed(service, event, handled.entities)))
    if (named.length > 0 && named.every((exposures) => exposures.length > 0)) return easiest(named.flat())
    return isKnown ? easiest(reached.map(ofService)) : undefined
  }
  /** Who sends what a handler gets. */
  const ofHandled = (handled: HandledEvent): Exposure | undefined => {
    if ((handled.service !== undefined && OF_PLATFORM.test(handled.service)) || isSubscription(handled)) return PLATFORM
    const { services, isCertain } = root.eventOf(handled)
    const reached = services.filter(({ exposure }) => exposure === 'served')
    if (isCertain && services.length > 0 && reached.length === 0) return { reach: 'nobody' }
    if (!isCertain) return ofShared(handled, services)
    const named = reached.flatMap((service) => handled.events.flatMap((event) => ofNamed(service, event, handled.entities)))
    return easiest(named.length > 0 ? named : reached.map(ofService))
  }
  /** Code may do more with what an operation is sent than with rows. */
  const ofCode = (found: Exposure | undefined): Exposure | undefined => {
    if (found?.isDemo !== true || served.every((service) => demoOf(service) !== 'operations')) return found
    const { isDemo: _, ...exposure } = found
    return exposure
  }
  return {
    ofService,
    ofElement,
    ofEvent: (handled) => ofCode(ofHandled(handled)),
    all: ofCode(easiest(served.map(ofService))),
    isDemo: served.every((service) => demoOf(service) !== undefined || service.elements.every(({ kind }) => kind !== 'entity')),
  }
}

/** Who may call what access is declared for, roles aside. */
const REACHES: Readonly<Record<Exclude<CapAccess['kind'], 'roles'>, Reach>> = {
  authenticated: 'user',
  public: 'anyone',
  'default-authenticated': 'user',
  'default-public': 'anyone',
  'default-unknown': 'anyone',
  none: 'nobody',
}

const READS = /^(?:READ|each)$/
const CHANGES = /^(?:CREATE|UPDATE|UPSERT|INSERT|PATCH|SAVE|NEW|EDIT|WRITE)$/

/**
 * Roles that each service asks for which is not for administrators alone, and that administer nothing: whoever opens the app has one of them. None where users without
 * any role, or with that of all of them, have a service of their own.
 */
function rolesOfEverybody(served: readonly CapService[]): ReadonlySet<string> {
  if (hasUsersWithoutRole(served)) return new Set()
  const asking = served.flatMap(({ access }) =>
    access.kind === 'roles' ? [access.roles.filter((role) => !isAdministrative(role))] : [],
  )
  const [first, ...others] = asking.filter((roles) => roles.length > 0)
  return new Set(first?.filter((role) => others.every((roles) => roles.includes(role))) ?? [])
}

function hasUsersWithoutRole(served: readonly CapService[]): boolean {
  const isForAll = (element: CapElement): boolean => isOpenEntity(element) || rolesAskedBy(element).some(isOrdinary)
  return served.some(({ access, elements }) => access.kind === 'authenticated' && elements.some(isForAll))
}

/** Of the roles that come with every other one those that all users have. Beside users without any role they may be those of the staff, unless the name says else: `DeskUser`. */
function ordinaryAmong(common: ReadonlySet<string>, served: readonly CapService[]): readonly string[] {
  const isAlone = !hasUsersWithoutRole(served)
  return [...common].filter((role) => !isAdministrative(role) && (isAlone || isOrdinary(toWords(role).split(' ').at(-1) ?? '')))
}

/** `Desk.User` of an app whose roles are all called like it: `Desk.User`, `Desk.Author`, `Desk.Audit`. */
function usersOfApp(served: readonly CapService[]): readonly string[] {
  const roles = new Set(served.flatMap(({ access, elements }) => [...access.roles, ...elements.flatMap(rolesAskedBy)]))
  const named = [...roles].filter((role) => role !== 'cds.Subscriber' && !PSEUDO_ROLES.has(role))
  const dotted = named.filter((role) => role.includes('.'))
  const prefixes = new Set(dotted.map((role) => role.slice(0, role.lastIndexOf('.'))))
  // beside a `Customer`, a `Backoffice.User` is one of few
  const isWhole = named.every((role) => role.includes('.') || isAdministrative(role))
  return isWhole && prefixes.size === 1 && dotted.length > 1 ? dotted.filter((role) => isOrdinary(lastName(role))) : []
}

function rolesAskedBy({ kind, access }: CapElement): readonly string[] {
  return kind === 'entity' && access?.kind === 'roles' ? access.roles : []
}

function isOpenEntity({ kind, access }: CapElement): boolean {
  if (kind !== 'entity') return false
  return access === undefined || access.kind === 'authenticated' || access.kind === 'public'
}

/** Of several ways to a place the easiest one. */
export function easiest(exposures: readonly Exposure[]): Exposure | undefined {
  const [first, ...others] = exposures
  return first && others.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one), first)
}

/** Of two checks that both have to be passed the one that fewer pass. */
export function stricter(one: Exposure, other: Exposure): Exposure {
  return ORDER.indexOf(other.reach) > ORDER.indexOf(one.reach) ? other : one
}

const ORDER: readonly Reach[] = ['anyone', 'user', 'pipeline', 'privileged', 'local', 'self', 'nobody']

/** The easiest is least; what is proven comes before what is assumed, data that matters before that of a demonstration. */
export function rankOf({ reach, evidence, isDemo }: Exposure): number {
  return ORDER.indexOf(reach) * 4 + (evidence === undefined ? 0 : 2) + (isDemo === true ? 1 : 0)
}

/** Demonstration data alone; `operations`: beside operations that work on no other rows. */
type Demo = 'rows' | 'operations'

/**
 * A service that holds nothing but CAP's sample model, data that the project deploys from CSV files, or rows that no database keeps, with no remote service behind the project whose credentials
 * would open something else.
 */
function createDemoReader(
  root: CapRoot,
  facts: SeedFacts,
  findTables: () => ReadonlySet<string>,
): (service: CapService) => Demo | undefined {
  const { packages, keepsRows, opensHost } = facts
  const known = new Map<CapService, Demo | undefined>()
  let tables: ReadonlySet<string> | undefined
  let hasRemotes: boolean | undefined
  let isKept: boolean | undefined
  let isSeeded: boolean | undefined
  const read = (service: CapService): Demo | undefined => {
    const entities = service.elements.filter(isEntity)
    if (entities.length === 0) return isBesideDemo(service) ? 'operations' : undefined
    hasRemotes ??= root
      .productive()
      .some((configuration) =>
        configuration
          .keys('requires')
          .some((name) => configuration.value('requires', name, 'credentials') !== undefined && !/^(?:auth|db)$/.test(name)),
      )
    if (hasRemotes) return undefined
    if (isSampleModel(service.elements) || entities.every(isOfBookshop)) return 'rows'
    tables ??= findTables()
    const own = tables
    const keeps = (isKept ??= !isVolatile(root, packages) || (root.deployed && !isAlone(root, packages)))
    // what users write, and what operations do, is more than what the files hold
    const isFilledByFiles = ({ kind, writable, source, qualified }: CapElement): boolean =>
      kind === 'entity' && !(writable && keeps) && own.has(foldedName(source?.name ?? qualified))
    if (own.size > 0 && service.elements.every(isFilledByFiles)) return 'rows'
    if (own.size > 0 && entities.every((entity) => isSeed(entity, own, keeps)) && (isSeeded ??= isSeedOnly(root, facts)))
      return 'rows'
    // what is not kept anywhere is gone with the process
    if (keeps || !isAlone(root, packages) || keepsRows()) return undefined
    // an operation of a server that has nothing but its database works on the same rows
    if (service.elements.every(({ kind }) => kind === 'entity')) return 'rows'
    return packages.every(isSelfContained) && !opensHost() ? 'operations' : undefined
  }
  /** Operations alone, of a server that has nothing but the rows of demonstrations: all that it serves beside them is such a one. */
  const isBesideDemo = ({ elements }: CapService): boolean => {
    const others = root.services.filter(({ exposure, elements: its }) => exposure === 'served' && its.some(isEntity))
    if (elements.length === 0 || others.length === 0 || !others.every((other) => demoOf(other) !== undefined)) return false
    if ((isSeeded ??= isSeedOnly(root, facts))) return true
    return (
      isVolatile(root, packages) && isAlone(root, packages) && packages.every(isSelfContained) && !keepsRows() && !opensHost()
    )
  }
  const demoOf = (service: CapService): Demo | undefined => {
    if (!known.has(service)) known.set(service, read(service))
    return known.get(service)
  }
  return demoOf
}

function isEntity({ kind }: CapElement): boolean {
  return kind === 'entity'
}

/** The tables of which CSV files of the project hold rows. */
function filledTables(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts | undefined): ReadonlySet<string> {
  const empty = new Set(scripts?.get(emptyTables).map(({ file }) => file))
  return new Set([...files.keys()].flatMap((path) => (DATA_TABLE.test(path) && !empty.has(path) ? tableOf(path) : [])))
}

/**
 * It has no database but the one of its developers, which CSV files fill again at each start. What is deployed needs a driver of its database among `dependencies`.
 * Fact: capire, "Using SQLite for Development" (in memory by default, kept in the file of `credentials.url`); a database is a package of `dependencies`.
 */
function isVolatile({ runtime, productive }: CapRoot, packages: readonly NpmPackage[]): boolean {
  if (runtime === 'java' || packages.length === 0) return false
  const isKept = productive().some((configuration) => {
    const kind = stringOf(configuration.value('requires', 'db', 'kind')?.node) ?? ''
    const url = stringOf(configuration.value('requires', 'db', 'credentials', 'url')?.node) ?? ':memory:'
    return KEEPING.test(kind) || (/sqlite/i.test(kind) && !url.includes(':memory:'))
  })
  return (
    !isKept &&
    !packages.some(({ dependencies }) =>
      dependencies.some(({ name, member }) => member !== 'devDependencies' && DATABASE.test(name)),
    )
  )
}

/** Its database is a package for development, none is configured, and no package talks to another system. */
function isAlone({ productive }: CapRoot, packages: readonly NpmPackage[]): boolean {
  const all = packages.flatMap(({ dependencies }) => dependencies)
  return (
    all.some(({ name, member }) => member === 'devDependencies' && DATABASE.test(name)) &&
    !all.some(({ name, member }) => member !== 'devDependencies' && CLIENT.test(name)) &&
    !productive().some((configuration) => configuration.value('requires', 'db') !== undefined)
  )
}

/** Packages that talk to other systems, where a handler may keep or get rows. */
export const CLIENT: RegExp =
  /axios|fetch|^got$|^request|superagent|http-client|cloud-sdk|^@aws|^aws|azure|firebase|supabase|elastic|soap|ldap|rfc|graphql/i
const KEEPING = /hana|postgres/i
/** Packages of databases. */
export const DATABASE: RegExp =
  /hana|hdb|postgres|^pg$|sqlite|mysql|mariadb|mssql|mongo|oracledb|redis|typeorm|prisma|sequelize|^knex$/i

/** Entities of the bookshop that `cds init` and the documentation of CAP start with, by name and elements: a library has books, too, and what it knows of their readers. */
function isOfBookshop({ name, members }: CapElement): boolean {
  return BOOKSHOP.test(name) && members().every((member) => BOOKSHOP_ELEMENTS.has(member.name.toLowerCase()))
}

const BOOKSHOP = /^(?:Books|Authors|Genres|ListOfBooks|Currencies|Languages|Countries)$/
/** In lower case. Facts: capire "Getting Started in a Nutshell", `cds add sample`; the aspects of @sap/cds/common (`cuid`, `managed`, `CodeList`). */
const BOOKSHOP_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'id title descr author genre stock price currency image books name dateofbirth dateofdeath placeofbirth placeofdeath parent children ' +
    'code symbol minorunit createdat createdby modifiedat modifiedby texts localized locale'
  ).split(' '),
)

/** Rows of a CSV file of the project, or a list that @sap/cds-common-content brings its rows for; what users upload, and a database keeps, is neither. */
function isSeed({ source, qualified, members, writable }: CapElement, own: ReadonlySet<string>, keeps: boolean): boolean {
  const table = foldedName(source?.name ?? qualified)
  if (!own.has(table) && (writable || !COMMON.test(table))) return false
  return !keeps || !members().some(({ type }) => type === 'LargeBinary')
}

const COMMON = /\.(?:languages|countries|currencies|timezones)$/

/** `my.shop-Books.csv` and `my-shop-Books.csv` are the entity my.shop.Books. */
export function tableOf(path: string): string {
  return foldedName(path.slice(path.lastIndexOf('/') + 1, -'.csv'.length))
}

export function foldedName(name: string): string {
  return name.replaceAll(/[-._]/g, '.').toLowerCase()
}
