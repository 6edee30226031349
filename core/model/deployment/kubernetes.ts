import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'

/** One object of Kubernetes in a file, as written or as a template of Helm. */
export interface KubernetesObject {
  readonly file: string
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly node: DataNode
  /** Part of it comes from a template: what is missing may be there when it is rendered. */
  readonly isTemplate: boolean
}

/** What runs containers, and where the pod stands in it (Kubernetes API, apps/v1, batch/v1). */
const POD_PATHS: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
}

/** The objects in files of the role `kubernetes`, those of lists too; tests are left out. */
export function findKubernetesObjects(files: ReadonlyMap<string, ProjectFile>): KubernetesObject[] {
  const found: KubernetesObject[] = []
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'kubernetes' || kind.test || content.as !== 'data') continue
    for (const root of content.roots) {
      for (const node of [root, ...itemsOf(at(root, 'items'))]) {
        const [apiVersion, name] = [stringOf(at(node, 'apiVersion')), stringOf(at(node, 'kind'))]
        if (apiVersion === undefined || name === undefined) continue
        const isTemplate = /(?:^|\/)templates\//.test(path)
        found.push({ file: path, apiVersion, kind: name, name: stringOf(at(node, 'metadata', 'name')) ?? name, node, isTemplate })
      }
    }
  }
  return found
}

/** The pod of what runs containers. */
export function podOf({ kind, node }: KubernetesObject): DataNode | undefined {
  const path = POD_PATHS[kind]
  return path === undefined ? undefined : at(node, ...path)
}
