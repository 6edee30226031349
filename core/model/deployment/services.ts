import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, memberOf, stringOf, type DataNode } from '../../parse/data.ts'
import { resolvePath } from '../../paths.ts'
import { findOfferings } from './offerings.ts'
import type { Origins } from './origins.ts'
import { overlayFlat } from './overlay.ts'
import type { Mta, MtaResource, ServiceInstance } from './types.ts'

/** Offerings that authenticate users. */
function kindOf(service: string | undefined): ServiceInstance['service'] | undefined {
  return service === 'xsuaa' || service === 'identity' ? service : undefined
}

/**
 * Instances of XSUAA and of the identity service that MTAs and Helm charts make, with their configuration from `path` and `config`
 * (the latter counts more), and the security descriptors that nobody names.
 */
export function findServices(mtas: readonly Mta[], files: ReadonlyMap<string, ProjectFile>, origins: Origins): ServiceInstance[] {
  const found: ServiceInstance[] = []
  const named = new Set<string>()
  for (const mta of mtas) {
    for (const resource of mta.resources) {
      const service = kindOf(resource.service)
      if (service === undefined) continue
      const file = configurationFile(mta, resource, files)
      if (file !== undefined) named.add(file.path)
      found.push(toInstance(service, mta, resource, file, origins))
    }
  }
  for (const file of files.values()) {
    const { path, kind, content } = file
    if (kind.test || content.as !== 'data') continue
    const [root] = content.roots
    if (root === undefined) continue
    if (kind.role === 'xs-security' && !named.has(path)) {
      if (isDescriptor(root)) found.push(standalone(serviceOf(root), path, root, root, origins))
    }
  }
  for (const { file, tree, offering, config, plan } of findOfferings(files)) {
    const service = kindOf(offering)
    if (service === undefined) continue
    const instance = standalone(service, file, tree, config, origins)
    found.push({ ...instance, plan: stringOf(plan), planPlace: plan && origins.placeOf(plan) })
  }
  return found
}

/** Keys that the identity service knows and XSUAA does not (SAP Cloud Identity Services, "Reference Information for the Identity Service"). */
const OF_IDENTITY = [
  'display-name',
  'subject-name-identifier',
  'multi-tenant',
  'provided-apis',
  'consumed-services',
  'consumed-apis',
]

function serviceOf(root: DataNode): ServiceInstance['service'] {
  if (['xsappname', 'scopes', 'role-templates', 'tenant-mode'].some((key) => at(root, key) !== undefined)) return 'xsuaa'
  const isIdentity =
    OF_IDENTITY.some((key) => at(root, key) !== undefined) ||
    ['post-logout-redirect-uris', 'public-client', 'token-policy'].some(
      (key) => at(root, 'oauth2-configuration', key) !== undefined,
    ) ||
    at(root, 'xsuaa-cross-consumption') !== undefined
  return isIdentity ? 'identity' : 'xsuaa'
}

/** Files of that name hold all sorts of things; also a list of scopes is none. */
function isDescriptor(root: DataNode): boolean {
  return [
    'xsappname',
    'scopes',
    'role-templates',
    'oauth2-configuration',
    'tenant-mode',
    'authorities',
    'attributes',
    'provided-apis',
    'consumed-services',
    'xsuaa-cross-consumption',
  ].some((key) => at(root, key) !== undefined)
}

function standalone(
  service: ServiceInstance['service'],
  path: string,
  root: DataNode,
  config: DataNode,
  origins: Origins,
): ServiceInstance {
  origins.addTree(path, root)
  return {
    service,
    name: path,
    plan: undefined,
    config,
    isComplete: true,
    place: { file: path },
    planPlace: undefined,
    mta: undefined,
    resource: undefined,
    resolve: (text) => text,
  }
}

/** The file that a resource takes its configuration from. */
export function configurationFile(
  mta: Mta,
  { node }: MtaResource,
  files: ReadonlyMap<string, ProjectFile>,
): ProjectFile | undefined {
  const path = stringOf(at(node, 'parameters', 'path'))
  const resolved = path === undefined ? undefined : resolvePath(mta.file, mta.resolve(path, node))
  const file = resolved === undefined ? undefined : files.get(resolved)
  return file?.content.as === 'data' && file.content.roots.length > 0 ? file : undefined
}

/** The configuration of a resource: its `path` with its `config` laid over; undefined: it has neither. */
export function configurationOf(resource: MtaResource, file: ProjectFile | undefined, origins: Origins): DataNode | undefined {
  const inline = at(resource.node, 'parameters', 'config')
  const [root] = file?.content.as === 'data' ? file.content.roots : []
  if (file === undefined || root === undefined) return inline
  origins.addTree(file.path, root)
  return inline === undefined ? root : overlayFlat(root, inline, origins)
}

function toInstance(
  service: ServiceInstance['service'],
  mta: Mta,
  resource: MtaResource,
  file: ProjectFile | undefined,
  origins: Origins,
): ServiceInstance {
  const name = memberOf(resource.node, 'name')?.value ?? resource.node
  const plan = at(resource.node, 'parameters', 'service-plan')
  return {
    service,
    name: resource.name,
    plan: resource.plan,
    config: configurationOf(resource, file, origins) ?? resource.node,
    isComplete: file !== undefined || at(resource.node, 'parameters', 'path') === undefined,
    place: origins.placeOf(name),
    planPlace: plan && origins.placeOf(plan),
    mta,
    resource,
    resolve: (text) => mta.resolve(text, resource.node),
  }
}

/** Texts of a list, with the node of each. */
export function textItems(node: DataNode | undefined): { text: string; node: DataNode }[] {
  return itemsOf(node).flatMap((item) => {
    const text = stringOf(item)
    return text === undefined ? [] : [{ text, node: item }]
  })
}
