import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { foldersAround } from '../../paths.ts'
import { findKubernetesObjects, textsBelow, type KubernetesObject } from '../deployment/index.ts'

/** What gives a service of a cluster an address outside. Facts: Kyma (APIRule), Istio (VirtualService), Kubernetes API (Ingress, HTTPRoute). */
const EXPOSING = /^(?:APIRule|VirtualService|Ingress|HTTPRoute|Gateway)$/

/**
 * Tells which files run behind a service that only its cluster reaches: its folder has the name of one, and of what exposes services none names it. Templates
 * and clusters that expose nothing tell nothing.
 */
export function createClusterReader(files: ReadonlyMap<string, ProjectFile>): (file: string) => boolean {
  let internal: ReadonlySet<string> | undefined
  return (file) => {
    internal ??= internalServices(findKubernetesObjects(files))
    if (internal.size === 0) return false
    for (const folder of foldersAround(file)) if (internal.has(folder.slice(folder.lastIndexOf('/') + 1))) return true
    return false
  }
}

function internalServices(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  const exposing = objects.filter(({ kind }) => EXPOSING.test(kind))
  if (exposing.length === 0 || objects.some(({ isTemplate }) => isTemplate)) return new Set()
  const named = new Set(exposing.flatMap(({ node }) => textsBelow(node).map(({ text }) => text)))
  return new Set(
    objects.flatMap(({ kind, name, node }) => {
      const type = stringOf(at(node, 'spec', 'type')) ?? 'ClusterIP'
      return kind === 'Service' && type === 'ClusterIP' && !named.has(name) ? name : []
    }),
  )
}
