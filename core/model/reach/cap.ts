import type { ProjectFile } from '../../files.ts'
import type { Exposure, Place, Reach } from '../../types.ts'
import {
  accepts,
  CRUD_EVENT,
  AUTHENTICATED_ROLES,
  anybodysAuth,
  createLoginGuardReader,
  createTokenReader,
  createWrappedReader,
  isAdministrative,
  isImplementedIn,
  isOrdinary,
  PSEUDO_ROLES,
  readersOf,
  toWords,
  rowEventsOf,
  uncheckedInCode,
  type RowEvent,
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
import { createDemoReader, filledTables, isInMemory, isLog } from './demo-data.ts'
import { javaDemoOf } from './java-demo.ts'
import { LIVELY, type SeedsOfRoot } from './seed-facts.ts'

/** Who reaches what the services of one CAP project offer. */
export interface CapReach {
  ofService(service: CapService): Exposure
  /** Of an entity: who sends it the easiest of some events; without events, who it is open to as a whole. The check of its service comes first. */
  ofElement(service: CapService, element: CapElement, events?: readonly RowEvent[]): Exposure
  /** The same where some of those who have access count: users with these roles, pseudo roles as they are. */
  ofRoles(service: CapService, element: CapElement, roles: readonly string[], events?: readonly RowEvent[]): Exposure
  /** Who sends an event that a script handles; undefined: no service of the model is known to have it. */
  ofEvent(handled: HandledEvent): Exposure | undefined
  /** The easiest way to any of its services; undefined: it serves none. */
  readonly all: Exposure | undefined
  /** Its authentication, as it is deployed, lets any caller pass as a user. */
  readonly isUnverified: boolean
  /** No service holds more than demonstration data, so that the database behind all of them holds none else. */
  readonly isDemo: boolean
  /** The same where one service at least holds such rows, or each profile keeps the database in memory. */
  readonly holdsDemoRows: boolean
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
  readonly seeds?: SeedsOfRoot
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
    seeds = LIVELY,
    isBehindApprouter = () => false,
    commonRoles = new Set(),
  }: CapReachFacts = {},
): CapReach {
  const served = root.services.filter(({ exposure }) => exposure === 'served')
  const everybodys = new Set([...rolesOfEverybody(served), ...usersOfApp(served), ...ordinaryAmong(commonRoles, served)])
  const findTables = (): ReadonlySet<string> => filledTables(files, scripts)
  const demoOf = createDemoReader(
    root,
    {
      packages,
      ...seeds,
      ...(root.runtime === 'java' && {
        javaDemo: () => (root.deployed || seeds.isDeployedSomehow() ? undefined : javaDemoOf(root, files)),
      }),
    },
    findTables,
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
  const tokenFor = createTokenReader(root)
  const hasToken = (service: CapService, element?: CapElement): boolean =>
    element === undefined
      ? service.elements.length > 0 && service.elements.every((one) => tokenFor(service, one) !== undefined)
      : tokenFor(service, element) !== undefined
  const toExposure = (found: Reach, by: Place, service: CapService, element?: CapElement, event?: RowEvent): Exposure => {
    const isLoggedIn =
      found === 'anyone' &&
      (isBehindLogin(service) ||
        (element !== undefined && isWrapped(service, element)) ||
        hasToken(service, element) ||
        isBehindApprouter())
    const reach = told.get(service.name) ?? (isLoggedIn ? 'user' : found)
    // a user of the dummy authentication has each role that code asks for
    const isOpen = element !== undefined && open !== 'dummy' && (reach === 'anyone' || reach === 'user')
    const isChecked = isOpen && uncheckedInCode(root, service, [element], event).length === 0
    const demo = demoOf(service)
    // what the app writes down of its use is no row of a demonstration
    const isDemo = demo === 'rows' || (demo === 'operations' && !(element !== undefined && isLog(element)))
    return { reach: isChecked ? 'privileged' : reach, by, ...(isDemo && { isDemo: true as const }) }
  }
  const ofService = (service: CapService): Exposure => toExposure(reachOf(service.access), service.access.place, service)
  /** A login where the version of CAP would tell whether one is needed. */
  const behindService = (service: CapService, exposure: Exposure): Exposure => {
    const outer = ofService(service)
    return stricter(exposure, service.access.kind === 'default-unknown' ? { ...outer, reach: 'user' } : outer)
  }
  const ofDeclared = (service: CapService, element: CapElement, event?: RowEvent): Exposure => {
    const access = element.access ?? service.access
    return toExposure(reachOf(access), access.place, service, element, event)
  }
  const ofRowEvent = (service: CapService, entity: CapElement, event: RowEvent): Exposure => {
    if (entity.access?.kind === 'none') return ofDeclared(service, entity)
    const roles = event === 'READ' ? readersOf(entity)?.roles : writersOf(entity, service, [event])
    const { place } = entity.access ?? service.access
    return roles === undefined
      ? ofDeclared(service, entity, event)
      : toExposure(reachOfRoles(roles), place, service, entity, event)
  }
  const ofElement = (service: CapService, element: CapElement, events: readonly RowEvent[] = []): Exposure => {
    const found =
      easiest(sentTo(element, events).map((event) => ofRowEvent(service, element, event))) ?? ofDeclared(service, element)
    return behindService(service, found)
  }
  const ofRoles = (
    service: CapService,
    element: CapElement,
    roles: readonly string[],
    events: readonly RowEvent[] = [],
  ): Exposure => {
    const place = element.access?.place ?? element.place
    const sent = sentTo(element, events)
    const asked: readonly (RowEvent | undefined)[] = sent.length > 0 ? sent : [undefined]
    const found = asked.map((event) => toExposure(reachOfRoles(roles), place, service, element, event))
    return behindService(service, easiest(found) ?? ofDeclared(service, element))
  }
  const ofNamed = (service: CapService, event: string, entities: readonly string[] | undefined): readonly Exposure[] =>
    service.elements.flatMap((element) => {
      const { kind, name } = element
      const last = lastName(name)
      if (kind !== 'entity') return last === event || event === '*' ? [ofElement(service, element)] : []
      if (!CRUD_EVENT.test(event)) return []
      return entities === undefined || entities.includes(last) ? [ofElement(service, element, rowEventsOf(event))] : []
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
  const isVolatile = isInMemory(root, { packages, ...seeds }, findTables)
  const isAllDemo =
    isVolatile ||
    served.every((service) => demoOf(service) !== undefined || service.elements.every(({ kind }) => kind !== 'entity'))
  return {
    ofService,
    ofElement,
    ofRoles,
    ofEvent: (handled) => ofCode(ofHandled(handled)),
    all: ofCode(easiest(served.map(ofService))),
    isUnverified: open !== undefined,
    isDemo: isAllDemo,
    // what operations alone work on nobody can tell
    holdsDemoRows: isVolatile || (isAllDemo && served.some((service) => demoOf(service) === 'rows')),
  }
}

/** What the model refuses whoever asks says nothing of who gets through. */
function sentTo(element: CapElement, events: readonly RowEvent[]): readonly RowEvent[] {
  return element.kind === 'entity' ? events.filter((event) => event === 'READ' || accepts(element, event)) : []
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
