import { checksItself } from './_checked-servers.ts'
import { isReadAsStored } from './_stored-destinations.ts'
import { inEachLanguage } from '../../arguments.ts'
import type { Route, Setting } from '../../model/approuter/index.ts'
import { applicationsBehind, capRootOf, isUnbound, rootsBehind, rootsBehindKept } from '../../model/authorization/index.ts'
import {
  areForms,
  authStrategyOf,
  isForDevelopment,
  servedServices,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { isOpen, readUrl, servesFiles, type Deployment, type Destination } from '../../model/deployment/index.ts'
import { isBelow } from '../../paths.ts'
import type { GradeFacts } from '../../types.ts'
import type { Project } from '../subjects.ts'

/**
 * Services that serve files of UI5 and of themes alone, which are public, and modules that a web server of the platform stands for: files that were built for everybody.
 * Facts: SAP BTP, Neo environment, "Application Descriptor File" (`sapui5`); SAP BTP, "UI Theme Designer", consuming themes in xs-app.json (`com.sap.ui.theming`, endpoint
 * `runtime`; the endpoint that a route names is not looked at).
 */
export function leadsToFiles({ kind, name }: Route['target'], deployment: Deployment): boolean {
  if (kind === 'service') return /^(?:sapui5|com\.sap\.ui\.theming)$/i.test(name)
  const applications = kind === 'destination' ? applicationsBehind(name, deployment) : []
  return applications.length > 0 && applications.every(({ node }) => servesFiles(node))
}

/** What only local runs or a landscape for tests read is deployed by nobody. */
export function usageOf({ deployed }: { readonly deployed: boolean }): Pick<GradeFacts, 'usage'> {
  return deployed ? {} : { usage: 'unused' }
}

/** A variable that a script or pipeline sets with `cf set-env` stays set until `cf unset-env`, whatever is deployed. */
export function isSetByCommand({ app }: Setting): boolean {
  return app !== undefined
}

/** What a fix adds where `cf set-env` sets the variable: it stays set when the command is gone. Source: https://cli.cloudfoundry.org/en-US/v8/unset-env.html */
export function unsetCommand({ app, name }: Setting): string {
  if (app === undefined) return ''
  // an argument has room for short names only
  const command = `cf unset-env ${app.length > 36 ? '<app>' : app} ${name}`
  return inEachLanguage({
    en: `. To unset the variable, run "${command}" and restart the app`,
    fr: `. Pour supprimer la variable, exécutez "${command}" et redémarrez l’application`,
  })
}

/**
 * What an unauthenticated route to a backend gives. Where its destination sends stored credentials, as it says or as code of the project reads it, the backend takes every caller for a user of its own; where it is a
 * CAP service or a server of the same project that authenticates, that one must fail to do so first, and its own rules judge that; of other backends nothing in the project tells what they hold.
 * Needs the extracts `checkedServers` and `storedDestinations`.
 * A CAP service that answers nothing but a form and lists of values gives a caller little.
 * CAP Java without a binding authenticates nobody (capire, "Security", CAP Java: "Configure XSUAA Authentication").
 * Fact: SAP BTP Connectivity, "HTTP Destinations" (the authentication types that send stored credentials, whoever calls).
 */
export function publicBackend(
  route: Route,
  project: Pick<Project, 'capRoots' | 'deployment' | 'scripts' | 'reach' | 'files' | 'once'>,
): GradeFacts {
  const { target, authenticationPlace } = route
  const { capRoots, deployment } = project
  const known = deployment.destinations.filter(({ name, isLocal }) => name === target.name && !isLocal)
  if (target.kind === 'destination') {
    if (known.some(({ property }) => STORED.test(property('Authentication')?.text ?? ''))) return {}
    if (known.length === 0 && isReadAsStored(target.name, project)) return {}
    if (mayBeOwn(target.name, known) && capRoots.some((root) => authenticates(root) && !isOpenJava(root, deployment)))
      return { impact: 'defence' }
    const roots = rootsBehind(target.name, deployment, capRoots)
    const open = worstOf(roots.flatMap((root) => openGrade(root, route, project) ?? []))
    if (open !== undefined) return open
    // what says nothing of a login has one in front of it, or nothing to give
    if (roots.length > 0 && roots.every(saysWhatIsOpen) && !roots.some(isMocked)) return { impact: 'defence' }
    const led = roots.length > 0 ? roots : rootsBehindKept(target.name, deployment, capRoots)
    const own = led.length > 0 ? led : mayBeOwn(target.name, known) ? capRoots : []
    // of several applications in one repository, its own is around it
    const near = own.filter(({ root }) => isBelow(authenticationPlace.file, root))
    if (own.length > 0 && (near.length > 0 ? near : own).every(areForms)) return { impact: 'bounded' }
    if (checksItself(target.name, project)) return { impact: 'defence' }
  }
  return { evidence: 'assumed' }
}

const STORED = /^(?:BasicAuthentication|OAuth2ClientCredentials|OAuth2Password|ClientCertificateAuthentication)$/

/** Names that generators give a destination of the project's own service: `srv-api`, `shop-srv`, `backend`. */
const OWN_NAME = /(?:^|[-_.])(?:srv|cap|cds|api|backend|server|service|odata)(?:$|[-_.\d])/i

/** Its address is that of a module, `~{srv-api/srv-url}`; where nothing tells the address, by its name. */
function mayBeOwn(name: string, known: readonly Destination[]): boolean {
  const addresses = known.flatMap(({ property }) => property('URL')?.text ?? [])
  return addresses.length === 0 ? OWN_NAME.test(name) : addresses.some((address) => isOpen(readUrl(address)?.host ?? address))
}

/** No module that runs it is bound to a service for authentication. */
function isOpenJava(root: CapRoot, { applications }: Deployment): boolean {
  return (
    root.runtime === 'java' &&
    applications.some((application) => capRootOf(application, [root]) !== undefined && isUnbound(application))
  )
}

/** What a login would protect is open without a binding. */
const JAVA_DEFAULTS: ReadonlySet<string> = new Set(['default-public', 'default-authenticated', 'default-unknown'])

/** In production its services reject callers without a token, as far as the project says. */
function authenticates(root: CapRoot): boolean {
  if (root.test || servedServices(root).some(({ access }) => access.kind === 'default-public')) return false
  return root.productive().every((configuration) => {
    const { kind, custom } = authStrategyOf(configuration)
    // with `basic` a caller needs a password all the same
    return custom || kind === undefined || kind === 'basic' || !isForDevelopment(kind)
  })
}

/** In production it takes the users that everybody knows from the documentation, so that the login that the route leaves out is all that there was. */
function isMocked(root: CapRoot): boolean {
  return root.productive().some((configuration) => {
    const { kind, custom } = authStrategyOf(configuration)
    return !custom && kind !== undefined && kind !== 'basic' && isForDevelopment(kind)
  })
}

/**
 * What the services that the route leads to give to callers without a login: parts that nothing in the model, the code or the version of CAP keeps these from. Of a
 * demonstration they get little.
 */
function openGrade(
  root: CapRoot,
  route: Route,
  { reach, deployment }: Pick<Project, 'reach' | 'deployment'>,
): GradeFacts | undefined {
  const isJava = root.runtime === 'java'
  if (root.test || (isJava ? !isOpenJava(root, deployment) : isMocked(root))) return undefined
  const path = pathBehind(route)
  const open = servedServices(root)
    .filter(({ access }) => (isJava ? JAVA_DEFAULTS.has(access.kind) : access.kind === 'default-public'))
    .filter((service) => mayAnswer(service, path))
    .flatMap((service) =>
      service.elements.flatMap((element) => {
        const { reach: from, isDemo } = reach.ofElement(service, element)
        const isAsked = isJava ? element.access !== undefined : from !== 'anyone'
        return isAsked ? [] : [{ isDemo, isWritten: element.writable }]
      }),
    )
  if (open.length === 0) return undefined
  const real = open.filter(({ isDemo }) => isDemo !== true)
  if (areForms(root) || real.length === 0) return { impact: 'bounded' }
  return route.writeMethods.length > 0 && real.some(({ isWritten }) => isWritten) ? {} : { evidence: 'assumed' }
}

/** How all paths begin that the back end gets by a route, as far as they are written: `/kiosk/`. */
function pathBehind({ source, rewrite }: Route): string {
  const pattern = source.startsWith('^') && !source.includes('|') ? source.slice(1) : ''
  // a letter in front of a quantifier may be left out
  const [written = ''] = /^(?:[\w/-]|\\[/.-]){0,500}(?![?*{])/.exec(rewrite ?? pattern) ?? []
  const path = written.replaceAll('\\', '').toLowerCase()
  return path.startsWith('/') ? path : `/${path}`
}

function mayAnswer({ endpoints }: CapService, path: string): boolean {
  const paths = endpoints.map((endpoint) => `/${endpoint.path.replace(/^\/|\/$/g, '')}/`.toLowerCase())
  return paths.length === 0 || paths.some((own) => own.startsWith(path) || path.startsWith(own))
}

/** Of several projects by one name the one that gives most. */
function worstOf(grades: readonly GradeFacts[]): GradeFacts | undefined {
  return (
    grades.find(({ impact, evidence }) => impact === undefined && evidence === undefined) ??
    grades.find(({ impact }) => impact === undefined) ??
    grades[0]
  )
}

/** Services that take callers without a login are findings of their own; of a server in front of them, nothing says so. */
function saysWhatIsOpen(root: CapRoot): boolean {
  return !root.test && root.runtime !== 'java' && servedServices(root).length > 0
}

/** Of a fault that a URL shows: one with an empty segment or an encoded slash is changed by clients and proxies on its way. */
export function doubtsOf(url: string): Pick<GradeFacts, 'evidence'> {
  return url.includes('//') || /%(?:2f|5c)/i.test(url) ? { evidence: 'guessed' } : {}
}
