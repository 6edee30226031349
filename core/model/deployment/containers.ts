import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { findDockerfiles, runningStages } from './docker.ts'
import { findKubernetesObjects, podOf } from './kubernetes.ts'
import { textOf } from './resolve.ts'

/** A variable of the environment that an image, a pod or the values of a chart set. */
export interface ContainerVariable {
  readonly name: string
  readonly text: string
  readonly place: Place
  /** Of what it is set for: the image, the container, the chart. */
  readonly owner: string
}

/** Variables of one file that are looked at. */
const MAX_VARIABLES = 2000
const PAIR = /([A-Za-z_]\w{0,100})=("[^"]{0,500}"|'[^']{0,500}'|[^\s"']{1,500})/g

/** The variables of Dockerfiles (of what runs), of containers, and under `env` of charts; tests are left out. */
export function* findContainerVariables(files: ReadonlyMap<string, ProjectFile>): Generator<ContainerVariable> {
  for (const dockerfile of findDockerfiles(files)) {
    for (const { name, arguments: rest, argumentStart } of runningStages(dockerfile).flatMap(
      ({ instructions }) => instructions,
    )) {
      if (name !== 'ENV') continue
      const plain = /^([A-Za-z_]\w{0,100})\s{1,5}([^=]{1,500})$/.exec(rest)
      const pairs = plain === null ? [...rest.matchAll(PAIR)].slice(0, MAX_VARIABLES) : [plain]
      for (const { 0: whole, 1: key = '', 2: written = '', index } of pairs) {
        const start = argumentStart + index
        const place = { file: dockerfile.file, span: { start, end: start + whole.length } }
        yield { name: key, text: written.replace(/^(["'])(.*)\1$/, '$2'), place, owner: dockerfile.file }
      }
    }
  }
  for (const object of findKubernetesObjects(files)) {
    const pod = podOf(object)
    for (const container of ['containers', 'initContainers'].flatMap((key) => [...itemsOf(at(pod, key))]))
      yield* listed(object.file, stringOf(at(container, 'name')) ?? object.name, at(container, 'env'))
  }
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'kubernetes' || kind.test || content.as !== 'data') continue
    for (const root of content.roots) {
      if (stringOf(at(root, 'kind')) !== undefined) continue
      for (const { key, value } of membersOf(root).slice(0, MAX_VARIABLES)) {
        yield* listed(path, key, key === 'env' ? value : at(value, 'env'))
        for (const inner of membersOf(value).slice(0, MAX_VARIABLES)) yield* listed(path, inner.key, at(inner.value, 'env'))
      }
    }
  }
}

/** `[{ name, value }]`, or a map. */
function* listed(file: string, owner: string, node: DataNode | undefined): Generator<ContainerVariable> {
  const pairs = [
    ...itemsOf(node).map((item) => ({ name: stringOf(at(item, 'name')), value: at(item, 'value') })),
    ...membersOf(node).map(({ key, value }) => ({ name: key, value })),
  ]
  for (const { name, value } of pairs.slice(0, MAX_VARIABLES)) {
    const text = textOf(value)
    if (name !== undefined && value !== undefined && text !== undefined)
      yield { name, text, place: { file, span: { start: value.start, end: value.end } }, owner }
  }
}
