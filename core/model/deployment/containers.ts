import { groupBy } from '../../lists.ts'
import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { fileNameOf, folderOf } from '../../paths.ts'
import { findComposeServices } from './compose.ts'
import { readDockerVariables } from './docker-environment.ts'
import { findKubernetesObjects, podOf, type KubernetesObject } from './kubernetes.ts'
import { textOf } from './resolve.ts'
import type { EnvironmentVariable } from './types.ts'

/** What an image, a service of Compose, a workload of Kubernetes or the values of a chart say about the environment of one container. */
export interface Container {
  readonly file: string
  /** Of the container, of what runs it, its image without registry and tag, its section in the values; none of a Dockerfile. */
  readonly names: readonly string[]
  /** Of a Dockerfile, which lies beside what it packs. */
  readonly folder?: string
  /** Those with a value that is written: secrets of the cluster and templates are none. */
  readonly variables: readonly EnvironmentVariable[]
}

/** Bounds for hostile descriptors: containers of a project, variables of one, sections of a chart's values and how deep they lie. */
const MAX_CONTAINERS = 500
const MAX_VARIABLES = 1000
const MAX_SECTIONS = 2000
const MAX_DEPTH = 3

/** Facts: Dockerfile reference (ENV); Compose file reference (`environment`); Kubernetes API (`env`, `envFrom`, ConfigMap); charts of `cds add helm` and `cds add kyma` (`<section>.env`). */
export function findContainers(files: ReadonlyMap<string, ProjectFile>): Container[] {
  const found: Container[] = []
  for (const file of files.values()) {
    if (file.kind.test) continue
    if (file.kind.role === 'dockerfile')
      found.push({ file: file.path, names: [], folder: folderOf(file.path), variables: readDockerVariables(file) })
    else if (file.kind.role === 'kubernetes' && VALUES.test(file.path)) found.push(...chartContainers(file))
  }
  for (const { file, names, variables } of findComposeServices(files)) found.push({ file, names, variables })
  const objects = findKubernetesObjects(files)
  const maps = groupBy(
    objects.filter(({ kind }) => kind === 'ConfigMap'),
    ({ name }) => name,
  )
  for (const object of objects) if (found.length < MAX_CONTAINERS) found.push(...podContainers(object, maps))
  return found.filter(({ variables }) => variables.length > 0).slice(0, MAX_CONTAINERS)
}

/** A variable that an image, a container or the values of a chart set. */
export interface ContainerVariable {
  readonly name: string
  readonly text: string
  readonly place: Place
  /** What it is set for: the container, the section of the chart, the image's file. */
  readonly owner: string
}

/** The variables of all containers that are texts. */
export function* findContainerVariables(files: ReadonlyMap<string, ProjectFile>): Generator<ContainerVariable> {
  for (const { file, names, variables } of findContainers(files))
    for (const { name, value, place } of variables) {
      const text = textOf(value)
      if (text !== undefined) yield { name, text, place, owner: names[0] ?? file }
    }
}

/** `values.yaml`, `values-prod.yaml` of a chart. */
const VALUES = /(?:^|\/)values[^/]{0,100}\.ya?ml$/i

type ConfigMaps = ReadonlyMap<string, readonly KubernetesObject[]>

function* podContainers(object: KubernetesObject, maps: ConfigMaps): Generator<Container> {
  const pod = podOf(object)
  const nodes = [...itemsOf(at(pod, 'initContainers')), ...itemsOf(at(pod, 'containers'))]
  for (const node of nodes.slice(0, MAX_CONTAINERS)) {
    const names = [stringOf(at(node, 'name')), object.name, imageName(at(node, 'image'))].filter((name) => name !== undefined)
    const shared = itemsOf(at(node, 'envFrom')).flatMap((item) => {
      const name = stringOf(at(item, 'configMapRef', 'name'))
      return (name === undefined ? [] : (maps.get(name) ?? [])).flatMap((map) => variablesIn(map.file, at(map.node, 'data')))
    })
    const own = listedVariables(object.file, at(node, 'env'), maps)
    yield { file: object.file, names, variables: [...shared, ...own].slice(0, MAX_VARIABLES) }
  }
}

/** Each map of a chart's values that has an environment; its section says what it runs. */
function chartContainers({ path, content }: ProjectFile): Container[] {
  const found: Container[] = []
  // a chart for one container has its environment at the top
  const folder = folderOf(path)
  const top = fileNameOf(folder)
  const open = (content.as === 'data' ? content.roots : []).map((node) => ({ node, name: top, depth: 0 }))
  for (let next = open.pop(), visits = 0; next !== undefined && visits < MAX_SECTIONS; next = open.pop(), visits++) {
    const { node, name, depth } = next
    const variables = ['env', 'extraEnv'].flatMap((key) => {
      const written = at(node, key)
      return written?.kind === 'array' ? listedVariables(path, written, new Map()) : variablesIn(path, written)
    })
    if (variables.length > 0) {
      const image = imageName(at(node, 'image')) ?? imageName(at(node, 'image', 'repository'))
      found.push({ file: path, names: image === undefined ? [name] : [name, image], variables })
    }
    if (depth < MAX_DEPTH)
      for (const { key, value } of membersOf(node))
        if (value.kind === 'object') open.push({ node: value, name: key, depth: depth + 1 })
  }
  return found
}

/** `registry/acme/shop-approuter:1.0.0` is called `shop-approuter`. */
function imageName(node: DataNode | undefined): string | undefined {
  const [image = ''] = (stringOf(node) ?? '').split(/[@]/, 1)
  const name = fileNameOf(image).replace(/:[^:]{0,200}$/, '')
  return name === '' ? undefined : name
}

/** `[{ name, value }]`; a value may be that of a ConfigMap of the project. */
function listedVariables(file: string, list: DataNode | undefined, maps: ConfigMaps): EnvironmentVariable[] {
  return itemsOf(list)
    .slice(0, MAX_VARIABLES)
    .flatMap((item) => {
      const name = stringOf(at(item, 'name'))
      if (name === undefined) return []
      const value = at(item, 'value')
      if (value !== undefined) return toVariables(file, name, value)
      const reference = at(item, 'valueFrom', 'configMapKeyRef')
      const [map, key] = [stringOf(at(reference, 'name')), stringOf(at(reference, 'key'))]
      if (map === undefined || key === undefined) return []
      return (maps.get(map) ?? []).flatMap((object) => toVariables(object.file, name, at(object.node, 'data', key)))
    })
}

function variablesIn(file: string, map: DataNode | undefined): EnvironmentVariable[] {
  return membersOf(map)
    .slice(0, MAX_VARIABLES)
    .flatMap(({ key, value }) => toVariables(file, key, value))
}

function toVariables(file: string, name: string, value: DataNode | undefined): EnvironmentVariable[] {
  // what a template puts there is not known
  if (value === undefined || value.kind === 'null' || stringOf(value)?.includes('{{') === true) return []
  return [{ name, value, place: { file, span: { start: value.start, end: value.end } } }]
}
