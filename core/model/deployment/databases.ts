import type { ProjectFile } from '../../files.ts'
import { at } from '../../parse/data.ts'
import { findOfferings } from './offerings.ts'
import type { Origins } from './origins.ts'
import { configurationFile, configurationOf } from './services.ts'
import type { DatabaseInstance, Mta } from './types.ts'

const HANA = /^(?:hana-cloud|hana-db|hana)/

/** Instances of SAP HANA with their parameters: of MTAs, of Kubernetes, and files of parameters that nobody names. */
export function findDatabases(
  mtas: readonly Mta[],
  files: ReadonlyMap<string, ProjectFile>,
  origins: Origins,
): DatabaseInstance[] {
  const found: DatabaseInstance[] = []
  const named = new Set<string>()
  for (const mta of mtas) {
    for (const resource of mta.resources) {
      if (resource.service === undefined || !HANA.test(resource.service)) continue
      const file = configurationFile(mta, resource, files)
      if (file !== undefined) named.add(file.path)
      const config = configurationOf(resource, file, origins)
      if (config !== undefined) found.push({ name: resource.name, config, resolve: (text) => mta.resolve(text, resource.node) })
    }
  }
  const asWritten = (text: string): string => text
  for (const { file, tree, offering, name, config } of findOfferings(files)) {
    if (!HANA.test(offering)) continue
    origins.addTree(file, tree)
    found.push({ name, config, resolve: asWritten })
  }
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'hana-parameters' || kind.test || content.as !== 'data' || named.has(path)) continue
    const [root] = content.roots
    if (root === undefined || at(root, 'data') === undefined) continue
    origins.addTree(path, root)
    found.push({ name: path, config: root, resolve: asWritten })
  }
  return found
}
