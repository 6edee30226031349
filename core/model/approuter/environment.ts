import type { ProjectFile } from '../../files.ts'
import { at, booleanOf, itemsOf, membersOf, numberOf, stringOf, type DataMember, type DataNode } from '../../parse/data.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseJson } from '../../parse/json.ts'
import type { Place } from '../../types.ts'
import { folderOf, resolvePath } from '../ui5/paths.ts'
import { placeOf } from './routes.ts'
import type { ApprouterDeployment, Environment, Setting } from './types.ts'

/** Modules of the project with the folder that they run, and what extensions add to them: read once for all approuters. */
export interface Deployments {
  /** The environment of an approuter, by the folders that may be its root. */
  environmentOf(folders: ReadonlySet<string>, files: ReadonlyMap<string, ProjectFile>): Environment
}

interface Module {
  readonly folder: string
  readonly deployment: ApprouterDeployment
  readonly settings: readonly Setting[]
}

/** A descriptor has no more variables than that; the rest of a hostile one is not looked at. */
const MAX_VARIABLES = 500

/** Reads the modules of every mta.yaml with its .mtaext files, and the applications of every manifest.yml. */
export function readDeployments(files: ReadonlyMap<string, ProjectFile>): Deployments {
  const modules: Module[] = []
  const extensions: ProjectFile[] = []
  for (const file of files.values()) if (file.kind.role === 'mtaext' && !file.kind.test) extensions.push(file)
  for (const file of files.values()) {
    if (file.kind.test || file.content.as !== 'data') continue
    for (const root of file.content.roots) {
      if (file.kind.role === 'mta') modules.push(...readMta(file.path, root, extensions))
      if (file.kind.role === 'cf-manifest') modules.push(...readManifest(file.path, root))
    }
  }
  return {
    environmentOf(folders, all) {
      const own = modules.filter(({ folder }) => folders.has(folder))
      const settings = own.length === 0 ? localSettings(folders, all) : own.flatMap((module) => module.settings)
      const byName = new Map<string, Setting[]>()
      for (const setting of settings) {
        const known = byName.get(setting.name)
        if (known === undefined) byName.set(setting.name, [setting])
        else known.push(setting)
      }
      return {
        settings: (name) => byName.get(name) ?? [],
        deployments: own.map(({ deployment }) => deployment),
      }
    },
  }
}

function* readMta(file: string, root: DataNode, extensions: readonly ProjectFile[]): Generator<Module> {
  const id = stringOf(at(root, 'ID'))
  const services = new Map(
    itemsOf(at(root, 'resources')).map((resource) => [stringOf(at(resource, 'name')) ?? '', serviceOf(resource)]),
  )
  const added = new Map<string, Setting[]>()
  for (const { path, content } of extensions) {
    const [extension] = content.as === 'data' ? content.roots : []
    if (id === undefined || stringOf(at(extension, 'extends')) !== id) continue
    for (const node of itemsOf(at(extension, 'modules'))) {
      const name = stringOf(at(node, 'name')) ?? ''
      added.set(name, [...(added.get(name) ?? []), ...readProperties(path, node)])
    }
  }
  for (const node of itemsOf(at(root, 'modules'))) {
    const folder = resolvePath(file, stringOf(at(node, 'path')) ?? '.')
    const name = stringOf(at(node, 'name')) ?? ''
    if (folder === undefined) continue
    const bindings = itemsOf(at(node, 'requires')).flatMap((item) => {
      const required = stringOf(at(item, 'name')) ?? stringOf(item)
      return required === undefined ? [] : [{ name: required, service: services.has(required) ? services.get(required) : 'none' }]
    })
    const deployment: ApprouterDeployment = { file, name, place: placeOf(file, at(node, 'name') ?? node), kind: 'mta', bindings }
    yield { folder, deployment, settings: [...readProperties(file, node), ...(added.get(name) ?? [])] }
  }
}

/** `service: xsuaa`, also below `parameters`; of an existing one the type is not written. */
function serviceOf(resource: DataNode): string | undefined {
  return stringOf(at(resource, 'parameters', 'service')) ?? stringOf(at(resource, 'service'))
}

/** `properties` of a module, and those of what it requires: alone they are variables, with a `group` items of the list of that name. */
function* readProperties(file: string, module: DataNode): Generator<Setting> {
  for (const member of membersOf(at(module, 'properties')).slice(0, MAX_VARIABLES)) yield toSetting(file, member, true)
  for (const required of itemsOf(at(module, 'requires')).slice(0, MAX_VARIABLES)) {
    const properties = at(required, 'properties')
    const group = stringOf(at(required, 'group'))
    if (properties === undefined) continue
    if (group === undefined) for (const member of membersOf(properties)) yield toSetting(file, member, true)
    else {
      const { start, end } = properties
      const value: DataNode = { kind: 'array', items: [properties], start, end }
      yield { name: group, value, place: placeOf(file, properties), exact: true, deployed: true }
    }
  }
}

function* readManifest(file: string, root: DataNode): Generator<Module> {
  for (const node of itemsOf(at(root, 'applications'))) {
    const path = stringOf(at(node, 'path'))
    const folder = path === undefined ? folderOf(file) : resolvePath(file, path)
    if (folder === undefined) continue
    const bindings = itemsOf(at(node, 'services')).flatMap((item) => {
      const name = stringOf(item) ?? stringOf(at(item, 'name'))
      return name === undefined ? [] : [{ name, service: undefined }]
    })
    const place = placeOf(file, at(node, 'name') ?? node)
    const deployment: ApprouterDeployment = { file, name: stringOf(at(node, 'name')) ?? '', place, kind: 'manifest', bindings }
    const settings = membersOf(at(node, 'env'))
      .slice(0, MAX_VARIABLES)
      .map((member) => toSetting(file, member, true))
    yield { folder, deployment, settings }
  }
}

/** default-env.json and .env of the approuter's own folder: what a run on a developer's machine reads. */
function localSettings(folders: ReadonlySet<string>, files: ReadonlyMap<string, ProjectFile>): Setting[] {
  const settings: Setting[] = []
  for (const { path, kind, content } of files.values()) {
    if ((kind.role !== 'default-env' && kind.role !== 'env') || content.as !== 'data' || !folders.has(folderOf(path))) continue
    for (const member of membersOf(content.roots[0]).slice(0, MAX_VARIABLES)) settings.push(toSetting(path, member, false))
  }
  return settings
}

function toSetting(file: string, { key, value }: DataMember, deployed: boolean): Setting {
  const { node, exact } = toValue(value)
  return { name: key, value: node, place: placeOf(file, value), exact, deployed }
}

function toValue(node: DataNode): { node: DataNode; exact: boolean } {
  const text = stringOf(node)?.trim()
  if (text === undefined || !/^[[{]/.test(text)) return { node, exact: true }
  try {
    return { node: parseJson(text), exact: false }
  } catch (error) {
    if (error instanceof ParseFailure) return { node, exact: true }
    throw error
  }
}

/** The place of a part of a setting's value, or of the whole where the part stands in a string. */
export function placeInSetting({ place, exact }: Setting, node: DataNode): Place {
  return exact ? placeOf(place.file, node) : place
}

/** `true`, `"true"`: a variable is text to the approuter, however a descriptor writes it. */
export function isSet({ value }: Setting, wanted: boolean): boolean {
  return booleanOf(value) === wanted || stringOf(value)?.trim().toLowerCase() === String(wanted)
}

/** A number, or text that is one. */
export function numberIn({ value }: Setting): number | undefined {
  const text = stringOf(value)?.trim()
  if (text !== undefined) return /^\d{1,9}$/.test(text) ? Number(text) : undefined
  return numberOf(value)
}
