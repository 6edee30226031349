import type { ProjectFile } from '../../files.ts'
import { at, stringOf, textsBelow } from '../../parse/data.ts'
import { append } from '../../lists.ts'
import { folderOf, isBelow, joinPath, ownerOf } from '../../paths.ts'
import { createLeftOutReader, moduleFolders, type Mta } from '../deployment/index.ts'
import { usageByPath } from './usage.ts'

/**
 * Tells files of UI5 apps that an MTA leaves out: it has modules for other apps (type `html5`), none of its modules is built from this one, and nothing in it speaks of
 * the app's folder. Where the app has a deployment of its own, that counts. Fact: SAP BTP, "MTA Module Types" (`html5`).
 */
export function createLeftOutApps(files: ReadonlyMap<string, ProjectFile>, mtas: readonly Mta[]): (file: string) => boolean {
  let folders: ReadonlySet<string> | undefined
  return (file) => ownerOf(file, (folders ??= new Set([...findLeftOut(files, mtas), ...findCopies(files)]))) !== undefined
}

function findLeftOut(files: ReadonlyMap<string, ProjectFile>, mtas: readonly Mta[]): ReadonlySet<string> {
  const main = mtas.filter(({ file }) => usageByPath(file) !== 'unused')
  const withApps = new Set(moduleFolders(main).flatMap(({ file, isBundle }) => (isBundle ? file : [])))
  if (withApps.size === 0) return new Set()
  const leftOutBy = createLeftOutReader(main)
  const ownDeployments = new Set([...files.values()].flatMap((file) => (isDeployment(file) ? folderOf(file.path) : [])))
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

/** `app/shop/webapp1`, `app/shop/webapp_old` */
const COPY = /^(?:(.{1,500})\/)?(webapp[-_ ]?(?:\d{1,3}|old|bak|backup|copy|orig))$/i

/** They name packages alone. */
const LOCK = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/

/**
 * Copies of an app beside it, which no file of settings around names. Fact: UI5 Tooling, "Configuration": an application is built from `webapp` unless `ui5.yaml` names another
 * folder (resources.configuration.paths.webapp).
 */
function findCopies(files: ReadonlyMap<string, ProjectFile>): readonly string[] {
  const copies: { readonly folder: string; readonly name: string }[] = []
  for (const { path, kind } of files.values()) {
    const [folder = '', around = '', name = ''] = kind.role === 'manifest' ? (COPY.exec(folderOf(path)) ?? []) : []
    if (folder !== '' && files.has(joinPath(around, 'webapp/manifest.json'))) copies.push({ folder, name: name.toLowerCase() })
  }
  if (copies.length === 0) return []
  const named = namedCopies(files)
  // settings of the app lie beside it, those of the project above
  return copies.flatMap(({ folder, name }) => (named.get(name)?.some((around) => isBelow(folder, around)) === true ? [] : folder))
}

const NAMES_COPY = /webapp[-_ ]?(?:(\d{1,3})|old|bak|backup|copy|orig)/g

/** Which settings name folders as copies are called, by these names in lower case. Each text is read once, whatever the number of copies. */
function namedCopies(files: ReadonlyMap<string, ProjectFile>): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>()
  for (const { path, content } of files.values()) {
    if (content.as !== 'data' || LOCK.test(path)) continue
    const names = new Set<string>()
    for (const { text } of content.roots.flatMap((root) => [...textsBelow(root)]))
      for (const [name, digits = ''] of text.toLowerCase().matchAll(NAMES_COPY))
        // `webapp12` stands for `webapp1`, too
        for (let more = 0; more < Math.max(1, digits.length); more++) names.add(name.slice(0, name.length - more))
    for (const name of names) append(named, name, folderOf(path))
  }
  return named
}

const DEPLOYMENTS: ReadonlySet<string> = new Set(['mta', 'cf-manifest', 'dockerfile', 'kubernetes'])

/**
 * `ui5-deploy.yaml` sends an app to an ABAP system, unless it only packs an archive that an MTA takes. Facts: @sap/ux-ui5-tooling (`deploy-to-abap`), ui5-task-zipper, "Usage": the templates of
 * SAP Fiori tools for Cloud Foundry write a `ui5-deploy.yaml` with it.
 */
function isDeployment({ path, kind, content }: ProjectFile): boolean {
  if (DEPLOYMENTS.has(kind.role ?? '')) return true
  if (!/(?:^|\/)ui5-deploy\.ya?ml$/.test(path)) return false
  const texts = content.as === 'data' ? content.roots.flatMap((root) => textsBelow(root).map(({ text }) => text)) : []
  return texts.includes('deploy-to-abap') || !texts.includes('ui5-task-zipper')
}
