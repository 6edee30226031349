import type { ProjectFile } from '../../files.ts'
import { at, booleanOf, itemsOf, memberOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { parseJsonIn } from '../../parse/json.ts'
import type { Place } from '../../types.ts'
import { findContainerVariables } from './containers.ts'
import { findOfferings } from './offerings.ts'
import type { Origins } from './origins.ts'
import { textOf } from './resolve.ts'
import { configurationFile, configurationOf } from './services.ts'
import type { Application, Destination, DestinationProperty, Mta } from './types.ts'

/** Destinations of one place, and properties of one, that are looked at. */
const MAX_DESTINATIONS = 500
const MAX_PROPERTIES = 200

/** Who knows what the references of a text stand for. */
type Resolve = (text: string) => string
const asWritten: Resolve = (text) => text

interface Origin {
  readonly kind: Destination['kind']
  readonly isLocal: boolean
  readonly isKept?: boolean
  readonly resolve: Resolve
}

/** Destinations of the destination service that an MTA makes: `init_data` of a resource, `content` of a module. */
export function* mtaDestinations(mta: Mta, files: ReadonlyMap<string, ProjectFile>, origins: Origins): Generator<Destination> {
  for (const resource of mta.resources) {
    if (resource.service !== 'destination') continue
    const config = configurationOf(resource, configurationFile(mta, resource, files), origins)
    const resolve: Resolve = (text) => mta.resolve(text, resource.node)
    yield* levels(at(config, 'init_data'), { kind: 'service', isLocal: false, resolve }, origins)
  }
  for (const module of mta.modules) {
    const resolve: Resolve = (text) => mta.resolve(text, module.node)
    yield* levels(at(module.node, 'parameters', 'content'), { kind: 'service', isLocal: false, resolve }, origins)
    // in a group, each requirement's properties are one destination of the approuter
    for (const requirement of module.requires) {
      const node = at(requirement.node, 'properties')
      if (requirement.group !== 'destinations' || node === undefined) continue
      const inGroup: Resolve = (text) => mta.resolve(text, module.node, requirement.name)
      yield* toDestination(node, { kind: 'approuter', isLocal: false, resolve: inGroup }, origins)
    }
  }
}

/** Destinations of the destination service that Kubernetes makes, and those in the environment of its approuters. */
export function* kubernetesDestinations(files: ReadonlyMap<string, ProjectFile>, origins: Origins): Generator<Destination> {
  const service: Origin = { kind: 'service', isLocal: false, resolve: asWritten }
  for (const { offering, file, tree, config } of findOfferings(files)) {
    if (offering !== 'destination') continue
    origins.addTree(file, tree)
    yield* levels(at(config, 'init_data'), service, origins)
  }
  // `backendDestinations` of CAP's chart: what it does not serve itself is `external` (capire, "Deploy to Kyma")
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'kubernetes' || kind.test || content.as !== 'data') continue
    for (const root of content.roots) {
      for (const backends of [root, ...membersOf(root).map(({ value }) => value)].map((node) =>
        at(node, 'backendDestinations'),
      )) {
        if (backends === undefined) continue
        origins.addTree(path, root)
        for (const { value } of membersOf(backends).slice(0, MAX_DESTINATIONS))
          if (booleanOf(at(value, 'external')) === true) yield* toDestination(value, service, origins)
      }
    }
  }
  for (const { name, text, place } of findContainerVariables(files)) {
    const node = name === 'destinations' ? readJson(text, place, origins) : undefined
    for (const item of itemsOf(node).slice(0, MAX_DESTINATIONS))
      yield* toDestination(item, { kind: 'approuter', isLocal: false, resolve: asWritten }, origins)
  }
}

/** Destinations in the environment of an application: what the approuter reads. */
export function* environmentDestinations({ variables, resolve }: Application, origins: Origins): Generator<Destination> {
  for (const { name, value } of variables)
    if (name === 'destinations') yield* list(value, { kind: 'approuter', isLocal: false, resolve }, origins)
}

/** Destinations in files of their own: exports, and what approuters read on a developer's machine. */
export function* fileDestinations({ path, kind, content }: ProjectFile, origins: Origins): Generator<Destination> {
  if (kind.test || content.as !== 'data') return
  const [root] = content.roots
  if (root === undefined) return
  if (kind.role === 'default-env' || kind.role === 'env') {
    const node = memberOf(root, 'destinations')?.value
    if (node === undefined) return
    origins.addTree(path, root)
    yield* list(node, { kind: 'approuter', isLocal: true, resolve: asWritten }, origins)
  } else if (kind.role === 'destination') {
    origins.addTree(path, root)
    const origin: Origin = { kind: 'service', isLocal: false, resolve: asWritten }
    yield* levels(at(root, 'init_data') ?? root, origin, origins)
    if (root.kind === 'array') yield* list(root, origin, origins)
    else if (at(root, 'destinations') !== undefined) yield* list(at(root, 'destinations'), origin, origins)
    else yield* toDestination(root, origin, origins)
  }
}

function* levels(node: DataNode | undefined, origin: Origin, origins: Origins): Generator<Destination> {
  for (const level of ['instance', 'subaccount']) {
    const isKept = stringOf(at(node, level, 'existing_destinations_policy')) !== 'update'
    yield* list(at(node, level, 'destinations'), { ...origin, isKept }, origins)
  }
}

/** A list, or JSON of one. */
function* list(node: DataNode | undefined, origin: Origin, origins: Origins): Generator<Destination> {
  const text = stringOf(node)
  const items = node !== undefined && text !== undefined ? readJson(text, origins.placeOf(node), origins) : node
  for (const item of itemsOf(items).slice(0, MAX_DESTINATIONS)) yield* toDestination(item, origin, origins)
}

function readJson(text: string, place: Place, origins: Origins): DataNode | undefined {
  const node = parseJsonIn(text)
  if (node !== undefined) origins.addInside(place, node)
  return node
}

/** A map that names a destination; a file of that name may hold anything. */
function* toDestination(
  node: DataNode,
  { kind, isLocal, isKept = false, resolve }: Origin,
  origins: Origins,
): Generator<Destination> {
  const byName = new Map<string, DestinationProperty>()
  for (const { key, value } of membersOf(node).slice(0, MAX_PROPERTIES)) {
    const written = textOf(value) ?? ''
    byName.set(key.toLowerCase(), { key, written, text: resolve(written), place: origins.placeOf(value) })
  }
  const name = byName.get('name')?.text
  if (name === undefined || name === '') return
  if (!['url', 'type', 'authentication', 'proxytype', 'serviceinstancename'].some((key) => byName.has(key))) return
  yield {
    kind,
    name,
    node,
    place: byName.get('name')?.place ?? origins.placeOf(node),
    isLocal,
    isKept,
    property: (wanted) => byName.get(wanted.toLowerCase()),
    properties: [...byName.values()],
  }
}
