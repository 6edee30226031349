import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, ownerOf } from '../../paths.ts'
import { createLeftOutReader, moduleFolders, type Mta } from '../deployment/index.ts'
import { usageByPath } from './usage.ts'

/**
 * Tells files of UI5 apps that an MTA leaves out: it has modules for other apps (type `html5`), none of its modules is built from this one, and nothing in it speaks of
 * the app's folder. Where the app has a deployment of its own, that counts. Fact: SAP BTP, "MTA Module Types" (`html5`).
 */
export function createLeftOutApps(files: ReadonlyMap<string, ProjectFile>, mtas: readonly Mta[]): (file: string) => boolean {
  let folders: ReadonlySet<string> | undefined
  return (file) => ownerOf(file, (folders ??= findLeftOut(files, mtas))) !== undefined
}

function findLeftOut(files: ReadonlyMap<string, ProjectFile>, mtas: readonly Mta[]): ReadonlySet<string> {
  const main = mtas.filter(({ file }) => usageByPath(file) !== 'unused')
  const withApps = new Set(moduleFolders(main).flatMap(({ file, isBundle }) => (isBundle ? file : [])))
  if (withApps.size === 0) return new Set()
  const leftOutBy = createLeftOutReader(main)
  const ownDeployments = new Set(
    [...files.values()].flatMap(({ path, kind }) => (isDeployment(path, kind.role) ? folderOf(path) : [])),
  )
  const found = new Set<string>()
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'manifest' || content.as !== 'data' || kind.test) continue
    if (stringOf(at(content.roots[0], 'sap.app', 'type')) !== 'application') continue
    const folder = folderOf(path).replace(/(?:^|\/)webapp$/, '')
    const mta = folder === '' || ownDeployments.has(folder) ? undefined : leftOutBy(folder)
    if (mta !== undefined && withApps.has(mta.file)) found.add(folder)
  }
  return found
}

const DEPLOYMENTS: ReadonlySet<string> = new Set(['mta', 'cf-manifest', 'dockerfile', 'kubernetes'])

/** `ui5-deploy.yaml` sends an app to an ABAP system. */
function isDeployment(path: string, role: string | undefined): boolean {
  return DEPLOYMENTS.has(role ?? '') || /(?:^|\/)ui5-deploy\.ya?ml$/.test(path)
}
