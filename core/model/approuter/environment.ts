import { groupBy } from '../../lists.ts'
import type { ProjectFile } from '../../files.ts'
import { at, booleanOf, itemsOf, membersOf, numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseJson } from '../../parse/json.ts'
import type { Place } from '../../types.ts'
import { findContainers, isForTesting, type Application, type Container, type Deployment } from '../deployment/index.ts'
import { fileNameOf, folderOf } from '../../paths.ts'
import { findCommandVariables, type CommandVariable } from './command-variables.ts'
import { placeOf } from './routes.ts'
import type { Approuter, ApprouterDeployment, Environment, Setting } from './types.ts'

/** What the descriptors of a project say about the environment of its approuters: read once for all of them. */
export interface Deployments {
  environmentOf(root: ApprouterRoot): Environment
}

/** Where an approuter runs: its descriptor, and the folders that may be its root. */
export interface ApprouterRoot {
  readonly file: string
  readonly folders: ReadonlySet<string>
  readonly kind: Approuter['kind']
}

/** A descriptor has no more variables than that; the rest of a hostile one is not looked at. */
const MAX_VARIABLES = 500

/** Reads the modules of every MTA, with and without its extensions, the applications of every manifest.yml, and what images, workloads and charts set. */
export function readDeployments(
  files: ReadonlyMap<string, ProjectFile>,
  roots: readonly ApprouterRoot[],
  deployment: Deployment,
): Deployments {
  const applications = groupBy(deployment.applications, ({ folder }) => folder)
  const local = groupBy(localFiles(files), ({ path }) => folderOf(path))
  const containers = assignContainers(files, roots)
  const commands = [...findCommandVariables(files)]
  const isAlone = new Set(roots.map(({ file }) => folderOf(file))).size === 1
  return {
    environmentOf({ file, folders }) {
      const own = [...folders].flatMap((folder) => applications.get(folder) ?? [])
      const run = containers.get(folderOf(file)) ?? []
      const deployed = [...own.flatMap((one) => [...readSettings(one, deployment)]), ...run.flatMap(containerSettings)]
      const settings =
        own.length === 0 && deployed.length === 0
          ? [...folders].flatMap((folder) => local.get(folder)?.flatMap(localSettings) ?? [])
          : deployed
      const given = commands.filter(({ app, folder }) =>
        app === undefined
          ? folder !== undefined && folders.has(folder)
          : own.some(({ name }) => name === app) || (isAlone && /router/i.test(app)),
      )
      const byName = new Map<string, Map<string, Setting>>()
      for (const setting of [...settings, ...given.map(commandSetting)]) {
        const known = byName.get(setting.name) ?? new Map<string, Setting>()
        byName.set(setting.name, known)
        // an MTA is there once more for each chain of its extensions
        known.set(`${setting.place.file} ${setting.place.span?.start}`, setting)
      }
      const deployments = new Map<string, ApprouterDeployment>()
      for (const one of own) deployments.set(`${one.file} ${one.name}`, toDeployment(one, deployment))
      return {
        settings: (name) => [...(byName.get(name)?.values() ?? [])],
        deployments: [...deployments.values()],
        isRun: own.length + run.length + given.length > 0,
      }
    },
  }
}

function toDeployment(
  { file, name = '', type, node, bindings }: Application,
  { placeOf: find }: Deployment,
): ApprouterDeployment {
  const services = bindings.map((binding) => ({ name: binding.name, service: binding.service }))
  return {
    file,
    name,
    place: find(at(node, 'name') ?? node),
    kind: type === '' ? 'manifest' : 'mta',
    bindings: services,
  }
}

/** The variables of an application; what it requires in a `group` is one item of the list of that name each. */
function* readSettings({ node, variables, resolve }: Application, { placeOf: find }: Deployment): Generator<Setting> {
  const written = (place: Place): Written => ({ place, deployed: !isForTesting(place.file), placeOf: find, resolve })
  for (const { name, value, place } of variables.slice(0, MAX_VARIABLES)) yield toSetting(name, value, written(place))
  for (const required of itemsOf(at(node, 'requires')).slice(0, MAX_VARIABLES)) {
    const [properties, group] = [at(required, 'properties'), stringOf(at(required, 'group'))]
    if (properties === undefined || group === undefined) continue
    const { start, end } = properties
    const inGroup = (text: string): string => resolve(text, stringOf(at(required, 'name')))
    const own = { ...written(find(properties)), resolve: inGroup }
    yield toSetting(group, { kind: 'array', items: [properties], start, end }, own)
  }
}

/** The name of a container that runs an approuter, as generators and tutorials give it. */
const ROUTER = /app-?_?router/i

/** Containers by the folder of the descriptor that they run with: an image packs what lies beside it, any other one goes by its name and to the nearest one. */
function assignContainers(
  files: ReadonlyMap<string, ProjectFile>,
  roots: readonly ApprouterRoot[],
): ReadonlyMap<string, readonly Container[]> {
  const assigned = new Map<string, Container[]>()
  const standalone = roots.filter(({ kind }) => kind === 'standalone')
  const candidates = standalone.length > 0 ? standalone : roots.filter(({ kind }) => kind === 'unknown')
  if (candidates.length === 0) return assigned
  for (const container of findContainers(files)) {
    const { folder } = container
    const own = folder === undefined ? nearest(container, candidates) : candidates.filter(({ folders }) => folders.has(folder))
    for (const key of new Set(own.map(({ file }) => folderOf(file)))) {
      const known = assigned.get(key)
      if (known === undefined) assigned.set(key, [container])
      else known.push(container)
    }
  }
  return assigned
}

/** The one approuter that shares most of its path with the descriptor; none where two are as near. */
function nearest({ file, names }: Container, candidates: readonly ApprouterRoot[]): ApprouterRoot[] {
  const isRouter = names.some((name) => ROUTER.test(name))
  const possible = candidates.filter((root) => isRouter || names.includes(lastFolder(root.file)))
  const shared = possible.map((root) => sharedFolders(file, root.file))
  const most = Math.max(...shared)
  const best = possible.filter((_, index) => shared[index] === most)
  return new Set(best.map((root) => folderOf(root.file))).size === 1 ? best : []
}

function lastFolder(file: string): string {
  const folder = folderOf(file)
  return fileNameOf(folder)
}

function sharedFolders(one: string, other: string): number {
  const [left, right] = [folderOf(one).split('/'), folderOf(other).split('/')]
  const differs = left.findIndex((folder, index) => folder !== right[index])
  return differs === -1 ? left.length : differs
}

function containerSettings({ variables }: Container): Setting[] {
  return variables.map(({ name, value, place }) => {
    const placeIn = (part: DataNode): Place => placeOf(place.file, part)
    return toSetting(name, value, { place, deployed: !isForTesting(place.file), placeOf: placeIn, resolve: (text) => text })
  })
}

function commandSetting({ file, name, value, deployed, app }: CommandVariable): Setting {
  return { ...toSetting(name, value, asWritten(file, value, deployed)), ...(app !== undefined && { app }) }
}

/** default-env.json and .env: what a run on a developer's machine reads, in the approuter's own folder. */
function localFiles(files: ReadonlyMap<string, ProjectFile>): ProjectFile[] {
  return [...files.values()].filter(
    ({ kind, content }) => (kind.role === 'default-env' || kind.role === 'env') && content.as === 'data',
  )
}

function localSettings({ path, content }: ProjectFile): Setting[] {
  const members = content.as === 'data' ? membersOf(content.roots[0]).slice(0, MAX_VARIABLES) : []
  return members.map(({ key, value }) => toSetting(key, value, asWritten(path, value, false)))
}

/** In a file without references that somebody could resolve. */
function asWritten(file: string, node: DataNode, deployed: boolean): Written {
  const place = (part: DataNode): Place => placeOf(file, part)
  return { place: place(node), deployed, placeOf: place, resolve: (text) => text }
}

interface Written {
  readonly place: Place
  readonly deployed: boolean
  placeOf(node: DataNode): Place
  resolve(text: string): string
}

function toSetting(name: string, node: DataNode, { place, deployed, placeOf, resolve }: Written): Setting {
  const text = stringOf(node)
  const setting = {
    name,
    place,
    deployed,
    placeOf: (part: DataNode): Place => (part === node ? place : placeOf(part)),
    textOf(part: DataNode | undefined): string | undefined {
      const written = stringOf(part)
      return written !== undefined && /[$~]\{/.test(written) ? resolve(written) : written
    },
  }
  if (text === undefined) return { ...setting, value: node }
  const resolved = /[$~]\{/.test(text) ? resolve(text) : text
  const value: DataNode = { kind: 'string', value: resolved, start: node.start, end: node.end }
  const inString = { ...setting, placeOf: (): Place => place }
  if (!/^\s*[[{]/.test(resolved)) return { ...inString, value }
  try {
    return { ...inString, value: parseJson(resolved) }
  } catch (error) {
    if (error instanceof ParseFailure) return { ...inString, value }
    throw error
  }
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
