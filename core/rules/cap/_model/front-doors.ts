import { capRootOf, definesRoles } from '../../../model/authorization/index.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import type { Application, ServiceInstance } from '../../../model/deployment/index.ts'
import { isDeveloperFile } from '../../../model/script/index.ts'
import { isBrowserFramework } from '../../../model/ui5/index.ts'
import { elementsOf } from '../../../parse/markup.ts'
import { at, textsBelow } from '../../../parse/data.ts'
import { isBelow, joinPath, withoutSlashesBehind } from '../../../paths.ts'
import type { Project } from '../../subjects.ts'

type Around = Pick<Project, 'approuters' | 'ui5Apps' | 'deployment' | 'files' | 'npm'>

/**
 * Whether nothing in a project gets tokens for users of a CAP application: it has no page and no approuter, its MTA deploys nothing but this application and its database, and
 * the XSUAA instance, which the MTA creates, has no role and no address to redirect users to. Who calls it then has the secret of the instance, or comes by a door that the
 * project doesn't show.
 * Fact: SAP BTP, "Application Security Descriptor Configuration Syntax" (`oauth2-configuration`); tokens are issued to the OAuth client of an instance alone.
 */
export function lacksFrontDoor(root: CapRoot, project: Around): boolean {
  const { applications, mtas, services } = project.deployment
  if (mtas.length === 0 || services.length === 0 || hasPages(root, project)) return false
  const own = applications.filter((application) => capRootOf(application, [root]) !== undefined)
  if (own.length === 0 || !own.every(isOfTokens)) return false
  if (!applications.every((one) => own.includes(one) || one.type === DEPLOYER)) return false
  if (mtas.some(({ tree }) => textsBelow(tree).some(({ text }) => LEADS_ELSEWHERE.test(text)))) return false
  return services.every(isForClients)
}

/** Apps of UI5 or of another framework, and pages that run scripts. */
function hasPages(root: CapRoot, { approuters, ui5Apps, npm, files }: Around): boolean {
  if (approuters.length > 0 || ui5Apps.length > 0) return true
  if (npm.packages.some(({ dependencies }) => dependencies.some(({ name }) => isBrowserFramework(name)))) return true
  const apps = foldersOfApps(root)
  return [...files.values()].some(
    ({ path, kind, content }) =>
      content.as === 'markup' &&
      kind.language === 'html' &&
      !kind.test &&
      !isDeveloperFile(path) &&
      (apps.some((folder) => isBelow(path, folder)) || !OF_DOCUMENTATION.test(path)) &&
      [...elementsOf(content.document)].some(({ name }) => name === 'script'),
  )
}

/** Where CAP serves pages from, whatever their folders are called in turn. Fact: capire, "Configuration" (`cds.folders.app`, `app/`). */
function foldersOfApps(root: CapRoot): readonly string[] {
  const set = root.productive().flatMap((configuration) => textsBelow(configuration.value('folders', 'app')?.node))
  return ['app', ...set.map(({ text }) => withoutSlashesBehind(text))].flatMap((folder) => joinPath(root.root, folder) ?? [])
}

/** Pages for people who develop the application. */
const OF_DOCUMENTATION = /(?:^|\/)(?:docs?|documentation|coverage|reports?)\//i

/** Its descriptor is in the project, says that there are no roles, and names nobody else who gets in. */
function isForClients({ service, config, isComplete, mta }: ServiceInstance): boolean {
  if (service !== 'xsuaa' || !isComplete || mta === undefined || definesRoles(config)) return false
  return at(config, 'role-templates') !== undefined && DOORS.every((key) => at(config, key) === undefined)
}

/** The module that deploys the tables. */
const DEPLOYER = 'hdb'
/** An instance that other MTAs have, too, an approuter of the platform, UI5 for pages elsewhere, or a destination by which a page of another MTA gets there. */
const LEADS_ELSEWHERE =
  /existing-service|approuter|html5|\bui5\.|sap\.cloud|oauth2|portal|launchpad|work-?zone|\$\{.{0,40}router/i
const DOORS = ['oauth2-configuration', 'foreign-scope-references', 'granted-apps']

/** It takes tokens, and expects no page of another origin. */
function isOfTokens({ bindings, dependencies }: Application): boolean {
  if (dependencies?.has('cors') === true) return false
  return bindings.some(({ service }) => service === 'xsuaa') && bindings.every(({ service }) => service !== 'identity')
}
