import type { ProjectFile } from '../../files.ts'
import { at, membersOf, stringOf, type DataNode } from '../../parse/data.ts'

/** An instance of a service that Kubernetes makes, with its parameters. */
export interface Offering {
  readonly file: string
  readonly tree: DataNode
  /** `xsuaa`, `destination`. */
  readonly offering: string
  readonly name: string
  readonly plan: DataNode | undefined
  readonly config: DataNode
}

/** Objects of one file, and charts below the values of one, that are looked at. */
const MAX_OBJECTS = 500

/**
 * Instances that files of Kubernetes make: objects `ServiceInstance`, and values of charts from which these are made, also of a chart in a chart; tests
 * are left out. Facts: SAP BTP service operator, "Working with SAP BTP Service Operator"; capire, "Deploy to Kyma".
 */
export function* findOfferings(files: ReadonlyMap<string, ProjectFile>): Generator<Offering> {
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'kubernetes' || kind.test || content.as !== 'data') continue
    for (const tree of content.roots.slice(0, MAX_OBJECTS)) {
      for (const { name, node } of candidatesIn(tree)) {
        const offering = stringOf(at(node, 'serviceOfferingName'))
        const config = at(node, 'parameters')
        if (offering !== undefined && config?.kind === 'object')
          yield { file: path, tree, offering, name, plan: at(node, 'servicePlanName'), config }
      }
    }
  }
}

function* candidatesIn(tree: DataNode): Generator<{ name: string; node: DataNode }> {
  const spec = at(tree, 'spec')
  if (stringOf(at(tree, 'kind')) !== undefined) {
    if (spec !== undefined) yield { name: stringOf(at(tree, 'metadata', 'name')) ?? '', node: spec }
    return
  }
  for (const { key, value } of membersOf(tree).slice(0, MAX_OBJECTS)) {
    yield { name: key, node: value }
    for (const inner of membersOf(value).slice(0, MAX_OBJECTS)) yield { name: inner.key, node: inner.value }
  }
}
