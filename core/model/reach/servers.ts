import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, stringOf, textsBelow } from '../../parse/data.ts'
import { parseJsonIn } from '../../parse/json.ts'
import { fileNameOf, folderOf, foldersAround, joinPath } from '../../paths.ts'
import type { Exposure } from '../../types.ts'
import { leadsToServer, type Approuter } from '../approuter/index.ts'
import { findKubernetesObjects, podOf, type Application, type KubernetesObject } from '../deployment/index.ts'
import { EXPOSING } from './cluster-entries.ts'

/** Who gets at a server when none of its own code asks. */
export interface ServerExposure {
  readonly exposure: Exposure
  /** The project itself gives it an address that strangers reach. */
  readonly isPublished: boolean
  /** The router of a platform stands in front of it, and hands over requests for its hosts alone. */
  readonly isRouted: boolean
  /** Nothing exposes it in its cluster, but an approuter hands requests of signed-in users on to it. */
  readonly isBehindLogin?: true
  /** Its package starts it for operation, and nothing in the project tells of another way to it. */
  readonly isStarted?: true
  /** The folders of those approuters. */
  readonly approuters?: readonly string[]
}

/** The Kubernetes objects of a project, as far as they say who reaches what. */
interface Cluster {
  /** Services that nothing exposes, by name; none where that is not known. */
  readonly internal: ReadonlySet<string>
  /** All texts of what exposes services; undefined: nothing does, or templates fill it. */
  readonly named: ReadonlySet<string> | undefined
  /** All texts of all objects. */
  readonly words: readonly string[]
  /** Destinations that containers are told, each with the host that it leads to. */
  readonly destinations: readonly { readonly name: string; readonly host: string }[]
}

/**
 * Tells who reaches the server that a script belongs to: whoever finds its address; other applications alone where the platform gives it none, or where of what exposes
 * the services of a cluster nothing names it. A server that no descriptor tells of listens to everybody.
 */
export function createServerReader(
  files: ReadonlyMap<string, ProjectFile>,
  applications: readonly Application[],
  approuters: readonly Approuter[] = [],
): (file: string) => ServerExposure {
  let cluster: Cluster | undefined
  const built = applications.filter(isBuilt)
  const builtFrom = (file: string): readonly Application[] =>
    file.endsWith('.js') ? built.filter(({ folder }) => folder === joinPath(folderOf(file), 'srv')) : []
  return (file) => {
    const folders = [...foldersAround(file)]
    const nearest = folders.find((folder) => applications.some((one) => one.folder === folder))
    const running = nearest === undefined ? builtFrom(file) : applications.filter(({ folder }) => folder === nearest)
    const published = running.find(({ hasPublicRoute }) => hasPublicRoute)
    if (published !== undefined) {
      const { start, end } = published.node
      return {
        exposure: { reach: 'anyone', by: { file: published.file, span: { start, end } } },
        isPublished: true,
        isRouted: true,
      }
    }
    if (running.length > 0) return INSIDE
    cluster ??= readCluster(findKubernetesObjects(files))
    const { internal, named } = cluster
    const names = folders.map((folder) => fileNameOf(folder).toLowerCase()).filter(Boolean)
    const services = names.filter((name) => internal.has(name))
    if (services.length > 0) return inCluster(services, cluster, approuters)
    const built = folders.find((folder) => folder !== '' && BUILDS.some((name) => files.has(joinPath(folder, name))))
    const own = built === undefined ? names[0] : fileNameOf(built).toLowerCase()
    if (named === undefined || own === undefined) return ANYWHERE
    if (named.has(own)) return { ...ANYWHERE, isPublished: true, isRouted: true }
    if ([...named].some((word) => word.includes(own))) return { ...ANYWHERE, isRouted: true }
    // an object runs it, by the name of its folder or image, and nothing exposes that
    if (!cluster.words.some((word) => word.includes(own))) return ANYWHERE
    return inCluster(
      [...internal].filter((name) => name.includes(own)),
      cluster,
      approuters,
    )
  }
}

/** Who sends requests to a server that asks nobody. */
export function callersOf({ exposure, isBehindLogin }: ServerExposure): Exposure {
  return isBehindLogin === true ? { reach: 'user' } : exposure
}

/** What an image is built from. */
const BUILDS: readonly string[] = ['Dockerfile', 'package.json', 'pom.xml']

/** Behind services that nothing exposes: other applications reach it, and whoever an approuter hands on. Fact: @sap/approuter 23.0.0 README (`destinations`, `authenticationType`). */
function inCluster(services: readonly string[], { destinations }: Cluster, approuters: readonly Approuter[]): ServerExposure {
  const names = new Set(destinations.flatMap(({ name, host }) => (services.includes(host) ? name : [])))
  const leading = approuters.flatMap(({ deployed, routes, file, manifest }) =>
    deployed && names.size > 0
      ? routes
          .filter((route) => leadsToServer(route) && route.target.kind === 'destination' && names.has(route.target.name))
          .map(({ authenticates }) => ({ authenticates, folder: folderOf(manifest?.file ?? file) }))
      : [],
  )
  if (leading.length === 0) return INSIDE
  return leading.every(({ authenticates }) => authenticates)
    ? { ...INSIDE, isBehindLogin: true, approuters: [...new Set(leading.map(({ folder }) => folder))] }
    : { ...ANYWHERE, isPublished: true, isRouted: true }
}

/** The module `gen/srv` runs the scripts that stand beside `srv` too. Fact: @sap/cds-dk 9.9.6, lib/build/plugins/nodejs (`copyProjectRootContent`): every `*.js` of the root itself. */
function isBuilt({ node }: Application): boolean {
  return BUILT.test(stringOf(at(node, 'path')) ?? '')
}

const BUILT = /(?:^|\/)gen\/srv\/?$/

const INSIDE: ServerExposure = { exposure: { reach: 'privileged' }, isPublished: false, isRouted: true }
const ANYWHERE: ServerExposure = { exposure: { reach: 'anyone' }, isPublished: false, isRouted: false }

function readCluster(objects: readonly KubernetesObject[]): Cluster {
  const exposing = objects.filter(({ kind }) => EXPOSING.test(kind))
  if (exposing.length === 0 || objects.some(({ isTemplate }) => isTemplate))
    return { internal: new Set(), named: undefined, words: [], destinations: [] }
  const named = new Set(exposing.flatMap(textsOf))
  const internal = objects.flatMap(({ kind, name, node }) => {
    const type = stringOf(at(node, 'spec', 'type')) ?? 'ClusterIP'
    return kind === 'Service' && type === 'ClusterIP' && !named.has(name.toLowerCase()) ? name.toLowerCase() : []
  })
  return { internal: new Set(internal), named, words: objects.flatMap(textsOf), destinations: objects.flatMap(destinationsOf) }
}

/** Of the variable in which an approuter is told them. */
function destinationsOf(object: KubernetesObject): Cluster['destinations'] {
  return itemsOf(at(podOf(object), 'containers')).flatMap((container) =>
    itemsOf(at(container, 'env')).flatMap((variable) => {
      const text = stringOf(at(variable, 'name')) === 'destinations' ? stringOf(at(variable, 'value')) : undefined
      return itemsOf(text === undefined ? undefined : parseJsonIn(text)).flatMap((item) => {
        const name = stringOf(at(item, 'name'))
        const host = /^https?:\/\/([\w-]{1,63})/i.exec(stringOf(at(item, 'url')) ?? '')?.[1]
        return name === undefined || host === undefined ? [] : { name, host: host.toLowerCase() }
      })
    }),
  )
}

function textsOf({ node }: KubernetesObject): string[] {
  return textsBelow(node).map(({ text }) => text.toLowerCase())
}
