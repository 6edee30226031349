import type { Approuter } from '../../../model/approuter/index.ts'
import { definesNoRole } from '../../../model/authorization/index.ts'
import type { ServiceInstance } from '../../../model/deployment/index.ts'
import { ownerOf } from '../../../paths.ts'
import type { Project } from '../../subjects.ts'
import type { XsEntity } from './services.ts'

type Asked = Pick<Project, 'approuters' | 'deployment' | 'files' | 'npm' | 'reach' | 'step'>

/**
 * Tells whether nothing of the way is missing: the server of XS advanced, an approuter that asks for a login and for no scope, and the design-time file of the table. Where the
 * project has no routes, a public route of the server itself does, if its security descriptors define no scope that anything in front could ask for.
 */
export function createWayReader({
  approuters,
  deployment,
  files,
  npm,
  reach,
  step,
}: Asked): (file: string, entity: XsEntity) => boolean {
  const isRouted = scopesInFront(approuters) === 'none'
  const isPublished = definesNoScope({ approuters, deployment })
  let known: ReadonlySet<string> | undefined
  return (file, { table }) => {
    // an application that is deployed with such a file runs it, whether its package names the library or not
    const isRun = isRouted
      ? reach.isRunByXsAdvanced(file)
      : isPublished && reach.ofServer(file).isPublished && !isOfCap(file, npm)
    if (!isRun) return false
    known ??= filledByNobody([...files.keys()], step)
    // `acme.db::stock.Item`: of stock.hdbcds, or of Item.hdbtable
    return table.split(/::|\./).some((name) => known?.has(name) === true)
  }
}

/** Whether no route is in the project, and its security descriptors define no scope that a route elsewhere could ask for. */
export function definesNoScope({ approuters, deployment }: Pick<Project, 'approuters' | 'deployment'>): boolean {
  return approuters.every(({ routes }) => routes.length === 0) && hasNoScope(deployment.services)
}

/** A package of CAP, which serves no such files: they were left from what it replaced. */
function isOfCap(file: string, { byFolder }: Project['npm']): boolean {
  const own = byFolder.get(ownerOf(file, byFolder) ?? '')
  return own?.dependencies.some(({ name }) => name === '@sap/cds') === true
}

/** Descriptors that are there as a whole, of which none defines a scope of the application. */
function hasNoScope(services: readonly ServiceInstance[]): boolean {
  return services.length > 0 && services.every((one) => one.service === 'xsuaa' && one.isComplete && definesNoRole(one))
}

/**
 * Tells tables that the database of the project cannot have: it deploys a container of its own, and neither a file nor a synonym in there has the table’s name.
 * Fact: SAP HANA Developer Guide, "HDI Containers" (.hdiconfig); objects of other schemas are reached through synonyms.
 */
export function createForeignReader(files: Project['files']): (entity: XsEntity) => boolean {
  let known: ReadonlySet<string> | undefined
  return ({ table }) => {
    known ??= containedNames(files)
    return known.size > 0 && !table.split(/::|\./).some((name) => known?.has(name.toLowerCase()) === true)
  }
}

/** Names of what a container gets; none where there is no container, or where synonyms bring more along. */
function containedNames(files: Project['files']): ReadonlySet<string> {
  const paths = [...files.keys()]
  if (paths.some((path) => /\.hdb(?:public)?synonym$/i.test(path))) return new Set()
  const designed = paths.flatMap((path) => /([^/.:]{1,200})\.(?:hdb\w{1,40}|cds)$/i.exec(path)?.[1] ?? [])
  const defined = [...files.values()].flatMap(({ content }) =>
    content.as === 'cds' ? content.document.definitions.flatMap(({ name }) => name.split('.')) : [],
  )
  const isDeployed = paths.some((path) => /(?:^|\/)(?:\.hdiconfig|\w{1,60}\.hdiconfig)$/i.test(path)) || defined.length > 0
  return isDeployed ? new Set([...designed, ...defined].map((name) => name.toLowerCase())) : new Set()
}

/** Names of design-time files of tables; none where rows come with the project, which may be those of a demonstration. */
function filledByNobody(paths: readonly string[], step: (count?: number) => void): ReadonlySet<string> {
  step(2 * paths.length)
  if (paths.some((path) => /\.hdbt(?:abledata|i)$/i.test(path))) return new Set()
  return new Set(paths.flatMap((path) => /([^/.:]{1,200})\.hdb(?:cds|table|dd)$/i.exec(path)?.[1] ?? []))
}

/**
 * What the routes of a project ask of users: `none` is a login alone, `all` a scope on each that leads to a server, `some` is anything else, such as a project without an approuter.
 * Fact: @sap/approuter 23.0.0 README, "routes" (`scope`).
 */
export function scopesInFront(approuters: readonly Approuter[]): 'none' | 'some' | 'all' {
  const routes = approuters.flatMap((one) => one.routes)
  const isLedOn = routes.some(
    ({ authenticates, target: { kind } }) => authenticates && (kind === 'destination' || kind === 'service'),
  )
  if (isLedOn && routes.every(({ scopes }) => scopes === undefined)) return 'none'
  const toServers = routes.filter(({ target: { kind } }) => kind === 'destination')
  return toServers.length > 0 && toServers.every(({ scopes }) => scopes !== undefined) ? 'all' : 'some'
}
