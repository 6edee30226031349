import type { ProjectFile } from '../../files.ts'
import { at, booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf, isBelow } from '../../paths.ts'
import type { Origins } from './origins.ts'
import { extend, namedItems } from './overlay.ts'
import { createResolver } from './resolve.ts'
import type { Mta, MtaModule, MtaRequirement, MtaResource } from './types.ts'

/** Ways to deploy one MTA that are looked at; real projects have a handful of extensions. */
const MAX_VARIANTS = 10

/** Hostile descriptors have no end of modules; each is asked by many rules. */
const MAX_ITEMS = 500

/** The MTAs of a project, each once for every chain of its extensions; without any, as it is. */
export function findMtas(files: ReadonlyMap<string, ProjectFile>, origins: Origins): Mta[] {
  const bases: Descriptor[] = []
  const extensions: Descriptor[] = []
  for (const { path, kind, content } of files.values()) {
    if (kind.test || content.as !== 'data' || (kind.role !== 'mta' && kind.role !== 'mtaext')) continue
    const [tree] = content.roots
    if (tree === undefined) continue
    origins.addTree(path, tree)
    const descriptor = { file: path, tree, id: stringOf(at(tree, 'ID')), base: stringOf(at(tree, 'extends')) }
    if (kind.role === 'mta') bases.push(descriptor)
    else extensions.push(descriptor)
  }
  return bases.flatMap((base) =>
    chainsOf(base, bases, extensions).map((chain) => {
      const tree = chain.reduce((below, { tree: over }) => extend(below, over, origins), base.tree)
      return toMta(base.file, tree)
    }),
  )
}

interface Descriptor {
  readonly file: string
  readonly tree: DataNode
  readonly id: string | undefined
  readonly base: string | undefined
}

/** Extensions from the MTA outwards, one chain for each that nothing else extends; one empty chain where there is none. */
function chainsOf(base: Descriptor, bases: readonly Descriptor[], extensions: readonly Descriptor[]): Descriptor[][] {
  const twins = bases.filter(({ id }) => id === base.id)
  const folder = folderOf(base.file)
  const own = extensions.filter(({ file }) => twins.length < 2 || isBelow(file, folder))
  const byId = new Map(own.map((extension) => [extension.id, extension]))
  const extended = new Set(own.map((extension) => extension.base))
  const chains: Descriptor[][] = []
  for (const leaf of own) {
    if (chains.length >= MAX_VARIANTS) break
    if (leaf.id !== undefined && extended.has(leaf.id)) continue
    const chain: Descriptor[] = []
    let here: Descriptor | undefined = leaf
    while (here !== undefined && chain.length < MAX_VARIANTS && !chain.includes(here)) {
      chain.unshift(here)
      if (here.base === base.id) {
        chains.push(chain)
        break
      }
      here = byId.get(here.base)
    }
  }
  return chains.length === 0 ? [[]] : chains
}

function toMta(file: string, tree: DataNode): Mta {
  const modules = namedItems(at(tree, 'modules')).slice(0, MAX_ITEMS)
  const resources = namedItems(at(tree, 'resources')).slice(0, MAX_ITEMS)
  const resolve = createResolver(tree)
  return {
    file,
    tree,
    modules: modules.map(({ name, node }): MtaModule => ({
      name,
      node,
      type: stringOf(at(node, 'type')) ?? '',
      requires: requirementsOf(node),
    })),
    resources: resources
      .filter(({ node }) => booleanOf(at(node, 'active')) !== false)
      .map(({ name, node }) => toResource(name, node, resolve)),
    resolve,
  }
}

function requirementsOf(node: DataNode): MtaRequirement[] {
  const named = namedItems(at(node, 'requires')).map(({ name, node: item }) => ({
    name,
    group: stringOf(at(item, 'group')),
    node: item,
  }))
  // `requires: [db, uaa]`, as schema 2 had it
  const bare = itemsOf(at(node, 'requires')).flatMap((item) => {
    const name = stringOf(item)
    return name === undefined ? [] : [{ name, group: undefined, node: item }]
  })
  return [...named, ...bare].slice(0, MAX_ITEMS)
}

/** Types that are shorthands for a service (SAP BTP, "MTA Resource Types"). */
const SERVICE_TYPES: readonly (readonly [RegExp, string, string | undefined])[] = [
  [/^com\.sap\.xs\.uaa-space$/, 'xsuaa', 'space'],
  [/^com\.sap\.xs\.uaa/, 'xsuaa', 'application'],
  [/^com\.sap\.xs\.hdi-container$/, 'hana', 'hdi-shared'],
  [/^com\.sap\.xs\.managed-hana/, 'managed-hana', undefined],
  [/^com\.sap\.xs\.jobscheduler/, 'jobscheduler', undefined],
]

function toResource(name: string, node: DataNode, resolve: Mta['resolve']): MtaResource {
  const type = stringOf(at(node, 'type')) ?? ''
  const shorthand = SERVICE_TYPES.find(([pattern]) => pattern.test(type))
  const parameter = (key: string): string | undefined => {
    const text = stringOf(at(node, 'parameters', key))
    return text === undefined ? undefined : resolve(text, node)
  }
  const requires = requirementsOf(node).map((requirement) => requirement.name)
  const own = type === 'org.cloudfoundry.existing-service' || type === 'org.cloudfoundry.user-provided-service'
  return {
    name,
    type,
    service: own ? undefined : (parameter('service') ?? shorthand?.[1]),
    plan: parameter('service-plan') ?? shorthand?.[2],
    node,
    requires,
  }
}
