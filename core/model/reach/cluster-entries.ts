import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import type { Approuter } from '../approuter/index.ts'
import { leadsToServer } from '../approuter/index.ts'
import { findKubernetesObjects, podOf, type KubernetesObject } from '../deployment/index.ts'

/** What gives a service of a cluster an address outside. Facts: Kyma (APIRule), Istio (VirtualService), Kubernetes API (Ingress, HTTPRoute). */
export const EXPOSING: RegExp = /^(?:APIRule|VirtualService|Ingress|HTTPRoute|Gateway)$/

/**
 * Whether a cluster can be entered by approuters alone, all of whose routes to servers ask for a login: what exposes services names none but those of approuters, and nothing
 * gives another service an address. Facts: Kubernetes API, Service (`type`, `selector`); @sap/approuter 23.0.0 README (`destinations`).
 */
export function isEnteredByApprouters(files: ReadonlyMap<string, ProjectFile>, approuters: readonly Approuter[]): boolean {
  const routes = approuters.flatMap(({ deployed, routes }) => (deployed ? routes : []))
  if (!routes.some(leadsToServer) || routes.some((route) => leadsToServer(route) && !route.authenticates)) return false
  const objects = findKubernetesObjects(files)
  const exposing = objects.filter(({ kind }) => EXPOSING.test(kind))
  if (exposing.length === 0 || exposing.some(({ isTemplate }) => isTemplate)) return false
  const named = new Set(exposing.flatMap(({ node }) => textsInside(at(node, 'spec')).map(({ text }) => firstLabel(text))))
  const services = objects.filter(({ kind }) => kind === 'Service')
  const entries = services.filter(({ name }) => named.has(name.toLowerCase()))
  const others = services.length - entries.length
  if (entries.length === 0 || entries.length > MOST_ENTRIES || others === 0 || hasOtherEntries(files)) return false
  const pods = objects.flatMap((object): Pod[] => {
    const labels = labelsOf(object)
    return labels.length === 0 ? [] : [{ object, labels: new Set(labels.map(pairOf)) }]
  })
  return entries.every((entry) => isApprouter(entry, pods))
}

/** Each entry is compared with all pods. */
const MOST_ENTRIES = 20

interface Pod {
  readonly object: KubernetesObject
  readonly labels: ReadonlySet<string>
}

/** `orders` of `orders`, `orders.default.svc.cluster.local` and `orders:8080`. Fact: Kubernetes, "DNS for Services and Pods". */
function firstLabel(text: string): string {
  return (text.split(/[.:/]/)[0] ?? '').toLowerCase()
}

function pairOf({ key, value }: ReturnType<typeof membersOf>[number]): string {
  return `${key}=${stringOf(value) ?? ''}`
}

/** What leads into the cluster: the addresses that it is known by outside often begin with the name of a service, too. */
function textsInside(spec: DataNode | undefined): readonly { readonly text: string }[] {
  const parts = membersOf(spec).flatMap((part) =>
    part.key === 'tls' ? routesOfTls(part.value) : ADDRESSES.has(part.key) ? [] : part,
  )
  const rules = itemsOf(at(spec, 'rules')).flatMap((rule) => membersOf(rule).filter(({ key }) => key !== 'host'))
  return [...parts.filter(({ key }) => key !== 'rules'), ...rules].flatMap(({ value }) => textsBelow(value))
}

/** Certificates of an Ingress (`hosts`, `secretName`), or the routes of a VirtualService (`match`, `route`). */
function routesOfTls(tls: DataNode): ReturnType<typeof membersOf> {
  return itemsOf(tls).flatMap((one) => membersOf(one).filter(({ key }) => key === 'route'))
}

/** Facts: Kyma, APIRule (`host`, `hosts`); Istio, VirtualService (`hosts`, `tls[].route[].destination.host`), Gateway (`servers`); Kubernetes API, Ingress (`tls`, `rules[].host`), HTTPRoute (`hostnames`). */
const ADDRESSES: ReadonlySet<string> = new Set(['host', 'hosts', 'hostnames', 'servers'])

/** A type of a service that gives it an address, in an object or in values that templates are filled with. */
function hasOtherEntries(files: ReadonlyMap<string, ProjectFile>): boolean {
  return [...files.values()].some(
    ({ kind, content }) =>
      kind.role === 'kubernetes' &&
      content.as === 'data' &&
      content.roots.some((root) => textsBelow(root).some(({ text }) => text === 'LoadBalancer' || text === 'NodePort')),
  )
}

/** A service whose pods run approuters: they are told destinations, or their image is one. */
function isApprouter({ node }: KubernetesObject, pods: readonly Pod[]): boolean {
  const wanted = membersOf(at(node, 'spec', 'selector')).map(pairOf)
  const running = pods.filter(({ labels }) => wanted.length > 0 && wanted.every((label) => labels.has(label)))
  const containers = running.flatMap(({ object }) => itemsOf(at(podOf(object), 'containers')))
  return containers.length > 0 && containers.every(runsApprouter)
}

function labelsOf(object: KubernetesObject): ReturnType<typeof membersOf> {
  if (podOf(object) === undefined) return []
  const template = at(object.node, 'spec', 'template') ?? object.node
  return membersOf(at(template, 'metadata', 'labels'))
}

function runsApprouter(container: DataNode): boolean {
  const isTold = itemsOf(at(container, 'env')).some((variable) => stringOf(at(variable, 'name')) === 'destinations')
  return isTold || /approuter/i.test(stringOf(at(container, 'image')) ?? '')
}
