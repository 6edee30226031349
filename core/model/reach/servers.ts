import type { ProjectFile } from '../../files.ts'
import { at, stringOf, textsBelow } from '../../parse/data.ts'
import { fileNameOf, folderOf, foldersAround, joinPath } from '../../paths.ts'
import type { Exposure } from '../../types.ts'
import { findKubernetesObjects, type Application, type KubernetesObject } from '../deployment/index.ts'
import { EXPOSING } from './cluster-entries.ts'

/** Who gets at a server when none of its own code asks. */
export interface ServerExposure {
  readonly exposure: Exposure
  /** The project itself gives it an address that strangers reach. */
  readonly isPublished: boolean
  /** The router of a platform stands in front of it, and hands over requests for its hosts alone. */
  readonly isRouted: boolean
}

/** The Kubernetes objects of a project, as far as they say who reaches what. */
interface Cluster {
  /** Services that nothing exposes, by name; none where that is not known. */
  readonly internal: ReadonlySet<string>
  /** All texts of what exposes services; undefined: nothing does, or templates fill it. */
  readonly named: ReadonlySet<string> | undefined
  /** All texts of all objects. */
  readonly words: readonly string[]
}

/**
 * Tells who reaches the server that a script belongs to: whoever finds its address; other applications alone where the platform gives it none, or where of what exposes
 * the services of a cluster nothing names it. A server that no descriptor tells of listens to everybody.
 */
export function createServerReader(
  files: ReadonlyMap<string, ProjectFile>,
  applications: readonly Application[],
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
    if (names.some((name) => internal.has(name))) return INSIDE
    const [own] = names
    if (named === undefined || own === undefined) return ANYWHERE
    if (named.has(own)) return { ...ANYWHERE, isPublished: true, isRouted: true }
    if ([...named].some((word) => word.includes(own))) return { ...ANYWHERE, isRouted: true }
    // an object runs it, by the name of its folder or image, and nothing exposes that
    return cluster.words.some((word) => word.includes(own)) ? INSIDE : ANYWHERE
  }
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
    return { internal: new Set(), named: undefined, words: [] }
  const named = new Set(exposing.flatMap(textsOf))
  const internal = objects.flatMap(({ kind, name, node }) => {
    const type = stringOf(at(node, 'spec', 'type')) ?? 'ClusterIP'
    return kind === 'Service' && type === 'ClusterIP' && !named.has(name.toLowerCase()) ? name.toLowerCase() : []
  })
  return { internal: new Set(internal), named, words: objects.flatMap(textsOf) }
}

function textsOf({ node }: KubernetesObject): string[] {
  return textsBelow(node).map(({ text }) => text.toLowerCase())
}
