import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { foldersAround } from '../../paths.ts'
import type { Exposure } from '../../types.ts'
import { findKubernetesObjects, textsBelow, type Application, type KubernetesObject } from '../deployment/index.ts'

/** Who gets at a server when none of its own code asks. */
export interface ServerExposure {
  readonly exposure: Exposure
  /** The project itself gives it an address that strangers reach. */
  readonly isPublished: boolean
}

/** What gives a service of a cluster an address outside. Facts: Kyma (APIRule), Istio (VirtualService), Kubernetes API (Ingress, HTTPRoute). */
const EXPOSING = /^(?:APIRule|VirtualService|Ingress|HTTPRoute|Gateway)$/

/** The Kubernetes objects of a project, as far as they say who reaches what. */
interface Cluster {
  /** Services that nothing exposes, by name; none where that is not known. */
  readonly internal: ReadonlySet<string>
  /** All texts of what exposes services; undefined: nothing does, or templates fill it. */
  readonly named: ReadonlySet<string> | undefined
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
  return (file) => {
    const folders = [...foldersAround(file)]
    const nearest = folders.find((folder) => applications.some((one) => one.folder === folder))
    const running = applications.filter(({ folder }) => folder !== undefined && folder === nearest)
    const published = running.find(({ hasPublicRoute }) => hasPublicRoute)
    if (published !== undefined) {
      const { start, end } = published.node
      return { exposure: { reach: 'anyone', by: { file: published.file, span: { start, end } } }, isPublished: true }
    }
    if (running.length > 0) return INSIDE
    cluster ??= readCluster(findKubernetesObjects(files))
    const { internal, named } = cluster
    const names = folders.map((folder) => folder.slice(folder.lastIndexOf('/') + 1).toLowerCase()).filter(Boolean)
    if (names.some((name) => internal.has(name))) return INSIDE
    const [own] = names
    if (named === undefined || own === undefined) return ANYWHERE
    if (named.has(own)) return { ...ANYWHERE, isPublished: true }
    return [...named].some((word) => word.includes(own)) ? ANYWHERE : INSIDE
  }
}

const INSIDE: ServerExposure = { exposure: { reach: 'privileged' }, isPublished: false }
const ANYWHERE: ServerExposure = { exposure: { reach: 'anyone' }, isPublished: false }

function readCluster(objects: readonly KubernetesObject[]): Cluster {
  const exposing = objects.filter(({ kind }) => EXPOSING.test(kind))
  if (exposing.length === 0 || objects.some(({ isTemplate }) => isTemplate)) return { internal: new Set(), named: undefined }
  const named = new Set(exposing.flatMap(({ node }) => textsBelow(node).map(({ text }) => text.toLowerCase())))
  const internal = objects.flatMap(({ kind, name, node }) => {
    const type = stringOf(at(node, 'spec', 'type')) ?? 'ClusterIP'
    return kind === 'Service' && type === 'ClusterIP' && !named.has(name.toLowerCase()) ? name.toLowerCase() : []
  })
  return { internal: new Set(internal), named }
}
