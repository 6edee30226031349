import type { ProjectFile } from '../../files.ts'
import { at, booleanOf, itemsOf, membersOf, numberOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import { fileNameOf, folderOf, foldersAround, isBelow, joinPath, resolvePath } from '../../paths.ts'
import type { Place } from '../../types.ts'
import type { Origins } from './origins.ts'
import { createResolver, textOf } from './resolve.ts'
import type { Application, Binding, EnvironmentVariable, Mta, MtaModule, MtaResource } from './types.ts'

/** An application has no more variables or applications than that; the rest of a hostile descriptor is not looked at. */
const MAX_VARIABLES = 1000
const MAX_APPLICATIONS = 500

/** Module types with a process of their own (SAP BTP, "MTA Module Types"); an HDI deployer is a task. */
const RUNNING = /^(?:javascript\.)?nodejs$|^java(?:\.|$)|^approuter\.nodejs$|^python$|^go$|^custom$|^application$/

/** What the modules of an MTA run. */
export function* readModules(mta: Mta, files: ReadonlyMap<string, ProjectFile>, origins: Origins): Generator<Application> {
  const resources = new Map(mta.resources.map((resource) => [resource.name, resource]))
  const modules = mta.modules.flatMap(({ name, node }) => [name, ...providedNames(node)])
  // those that are not active too
  const provided = new Set([
    ...modules,
    ...itemsOf(at(mta.tree, 'resources')).flatMap((node) => stringOf(at(node, 'name')) ?? []),
  ])
  const archivedFolder = createArchiveReader(mta.file, files)
  for (const module of mta.modules) {
    const { node } = module
    const isPage = module.type === 'html5'
    if (!isPage && !RUNNING.test(module.type.toLowerCase())) continue
    const folder = archivedFolder(module) ?? sourceFolder(mta.file, stringOf(at(node, 'path')))
    const dependencies = dependenciesOf(folder, files)
    if (isPage && (dependencies?.has('@sap/approuter') !== true || isBuiltAlone(node))) continue
    const resolve = (text: string, group?: string): string => mta.resolve(text, node, group)
    yield {
      file: mta.file,
      name: module.name,
      type: module.type,
      folder,
      node,
      isApprouter: module.type === 'approuter.nodejs' || dependencies?.has('@sap/approuter') === true,
      hasPublicRoute: isPublic(at(node, 'parameters'), (text) => resolve(text)),
      isStopped: isStopped(at(node, 'parameters')),
      variables: variablesOf(module, origins),
      bindings: bindingsOf(module, resources, provided),
      dependencies,
      resolve,
    }
  }
}

/** `supported-platforms: []`: what is built is part of another module. Fact: SAP BTP, "MTA Module Types": an `html5` module runs the application router of its folder. */
function isBuiltAlone(node: DataNode): boolean {
  const platforms = at(node, 'build-parameters', 'supported-platforms')
  return platforms !== undefined && itemsOf(platforms).length === 0
}

/** The applications of a manifest.yml. */
export function* readManifest(
  { path, content }: ProjectFile,
  files: ReadonlyMap<string, ProjectFile>,
  origins: Origins,
): Generator<Application> {
  const [root] = content.as === 'data' ? content.roots : []
  if (root === undefined) return
  origins.addTree(path, root)
  const resolve = createResolver(root)
  const pushedFolder = createPushedReader(path, files)
  for (const node of itemsOf(at(root, 'applications')).slice(0, MAX_APPLICATIONS)) {
    if (node.kind !== 'object') continue
    const folder = pushedFolder(stringOf(at(node, 'path')))
    const dependencies = dependenciesOf(folder, files)
    const bindings = itemsOf(at(node, 'services')).slice(0, MAX_VARIABLES)
    yield {
      file: path,
      name: stringOf(at(node, 'name')),
      type: '',
      folder,
      node,
      isApprouter: dependencies?.has('@sap/approuter') === true,
      hasPublicRoute: isPublic(node, resolve),
      isStopped: isStopped(node),
      // what stands on top holds for all of them
      variables: [...toVariables(at(root, 'env'), origins), ...toVariables(at(node, 'env'), origins)],
      bindings: bindings.map((item) => ({
        name: stringOf(item) ?? stringOf(at(item, 'name')) ?? '',
        service: undefined,
        node: item,
      })),
      dependencies,
      resolve: (text) => resolve(text),
    }
  }
}

/** What Maven and Gradle build: `target/orders.jar`. */
const JAVA_ARTIFACT = /(?:^|\/)(?:target|build\/libs)\/[^/]{1,200}\.[jw]ar$/i

/** Built or not: `gen/srv` is made of `srv`, `srv/target/orders.jar` as well. */
function sourceFolder(file: string, path: string | undefined): string | undefined {
  return resolvePath(file, path ?? '.')
    ?.replace(JAVA_ARTIFACT, '')
    .split('/')
    .filter((segment) => segment !== 'gen')
    .join('/')
}

/** What builds write, and the archives that they pack. */
const BUILT = /(?:^|\/)(?:deployment|dist|build|out)$|\.zip$/

/**
 * The folder that an application of a manifest is made of. A folder or an archive of a build below the manifest, of which the project holds nothing, is made of the package beside it.
 * Facts: SAP Cloud SDK for JavaScript, `sap-cloud-sdk package` (writes `deployment/`); Cloud Foundry, "App Manifest Attribute Reference" (`path`).
 */
function createPushedReader(
  manifest: string,
  files: ReadonlyMap<string, ProjectFile>,
): (written: string | undefined) => string | undefined {
  const own = folderOf(manifest)
  let folders: ReadonlySet<string> | undefined
  return (written) => {
    const folder = sourceFolder(manifest, written)
    if (folder === undefined || !BUILT.test(folder) || !isBelow(folder, own) || !files.has(joinPath(own, 'package.json')))
      return folder
    folders ??= new Set([...files.keys()].flatMap((path) => [...foldersAround(path)]))
    return folders.has(folder) ? folder : own
  }
}

/**
 * The paths of an `mtad.yaml` are those of the archive, which nothing has to call like the folders that its entries are built from: the package of that name tells the folder.
 * Fact: SAP BTP, "Defining Multitarget Application Deployment Descriptors" (`path`).
 */
function createArchiveReader(
  descriptor: string,
  files: ReadonlyMap<string, ProjectFile>,
): (module: MtaModule) => string | undefined {
  if (!/(?:^|\/)mtad\.ya?ml$/i.test(descriptor)) return () => undefined
  let named: ReadonlyMap<string, string | undefined> | undefined
  let folders: ReadonlySet<string> | undefined
  return ({ name, node }) => {
    const written = stringOf(at(node, 'path'))
    const entry = written === undefined ? undefined : sourceFolder(descriptor, written)
    folders ??= new Set([...files.keys()].flatMap((path) => [...foldersAround(path)]))
    // an entry of the project's own: the folder of a service whose package is around it, or of Java
    if (entry === undefined || folders.has(entry)) return undefined
    named ??= foldersOfPackages(folderOf(descriptor), files)
    return named.get(name) ?? named.get(fileNameOf(entry))
  }
}

/** Folders by the names of their packages, below a folder; undefined where several packages have the name. */
function foldersOfPackages(around: string, files: ReadonlyMap<string, ProjectFile>): ReadonlyMap<string, string | undefined> {
  const named = new Map<string, string | undefined>()
  for (const { path, content } of files.values()) {
    if (fileNameOf(path) !== 'package.json' || content.as !== 'data' || !isBelow(path, around)) continue
    const name = stringOf(at(content.roots[0], 'name'))
    if (name !== undefined) named.set(name, named.has(name) ? undefined : folderOf(path))
  }
  return named
}

/** Of the folder's package.json; the folder `srv` of CAP has it above. */
function dependenciesOf(folder: string | undefined, files: ReadonlyMap<string, ProjectFile>): ReadonlySet<string> | undefined {
  if (folder === undefined) return undefined
  const above = folder === 'srv' ? '' : folder.endsWith('/srv') ? folder.slice(0, -4) : undefined
  for (const candidate of [folder, above]) {
    const file = candidate === undefined ? undefined : files.get(joinPath(candidate, 'package.json'))
    if (file?.content.as !== 'data') continue
    return new Set(membersOf(at(file.content.roots[0], 'dependencies')).map(({ key }) => key))
  }
  return undefined
}

/** Facts: SAP BTP, "Cloud Foundry module parameters" (`no-route`, `routes`, `no-hostname`); apps.internal is no public domain. */
function isPublic(parameters: DataNode | undefined, resolve: (text: string) => string): boolean {
  if (booleanOf(at(parameters, 'no-route')) === true) return false
  const routes = itemsOf(at(parameters, 'routes')).flatMap((item) => {
    const route = stringOf(at(item, 'route')) ?? stringOf(item)
    return route === undefined ? [] : [resolve(route)]
  })
  const domain = stringOf(at(parameters, 'domain'))
  if (routes.length === 0 && domain !== undefined) routes.push(resolve(domain))
  return routes.length === 0 || routes.some((route) => !/(?:^|\.)apps\.internal(?:[:/]|$)/.test(route))
}

/** Facts: SAP BTP, "Cloud Foundry module parameters" (`no-start`, `instances`, `tasks`): a task runs in an application that isn't started too. */
function isStopped(parameters: DataNode | undefined): boolean {
  const starts = booleanOf(at(parameters, 'no-start')) !== true && numberOf(at(parameters, 'instances')) !== 0
  return !starts && itemsOf(at(parameters, 'tasks')).length === 0
}

function variablesOf({ node, requires }: MtaModule, origins: Origins): EnvironmentVariable[] {
  const own = toVariables(at(node, 'properties'), origins)
  for (const requirement of requires) {
    if (requirement.group !== undefined) continue
    own.push(...toVariables(at(requirement.node, 'properties'), origins))
    if (own.length > MAX_VARIABLES) break
  }
  return own.slice(0, MAX_VARIABLES)
}

function toVariables(node: DataNode | undefined, origins: Origins): EnvironmentVariable[] {
  return membersOf(node)
    .slice(0, MAX_VARIABLES)
    .map(({ key, value }) => ({ name: key, value, place: origins.placeOf(value) }))
}

const AUTHENTICATION = /uaa|auth|identity|(?:^|[-_.])ias(?:$|[-_.])/i

/** The names under which a module of an MTA provides properties to others. */
export function providedNames(node: DataNode | undefined): readonly string[] {
  return itemsOf(at(node, 'provides')).flatMap((item) => stringOf(item) ?? stringOf(at(item, 'name')) ?? [])
}

/** `~{srv-api/srv-url}`: what provides the address. */
const PROVIDER = /~\{([^{}/]{1,100})(?:\/[^{}]{1,100})?\}/

/** The application whose address a text refers to. */
export function providerOf(text: string, applications: readonly Application[]): Application | undefined {
  const [, provider] = PROVIDER.exec(text) ?? []
  if (provider === undefined) return undefined
  return applications.find(({ name, node }) => name === provider || providedNames(node).includes(provider))
}

/** What a module requires, and what that requires, as far as it is a resource. */
function bindingsOf(module: MtaModule, resources: ReadonlyMap<string, MtaResource>, provided: ReadonlySet<string>): Binding[] {
  const bindings = new Map<string, Binding>()
  const queue = module.requires.map(({ name, node }) => ({ name, node }))
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const resource = resources.get(next.name)
    if (bindings.has(next.name)) continue
    // misspelt, or of an extension that is not in the project
    if (resource === undefined && AUTHENTICATION.test(next.name) && !provided.has(next.name))
      bindings.set(next.name, { name: next.name, service: undefined, node: next.node })
    if (resource === undefined) continue
    bindings.set(next.name, { name: next.name, service: resource.service, node: next.node })
    for (const name of resource.requires) queue.push({ name, node: next.node })
  }
  return [...bindings.values()]
}

/** The text of a variable, its references resolved; objects are none. */
export function variableText({ value }: EnvironmentVariable, { resolve }: Application): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : resolve(text)
}

/** Names the applications that a variable's place is for: `env` at the top of a manifest is for all of them. */
export function createAppNames(applications: readonly Application[]): (place: Place) => string {
  const keyOf = ({ file, span }: Place): string => `${file} ${span?.start ?? ''}`
  const names = new Map<string, Set<string>>()
  for (const { file, name, variables } of applications) {
    for (const { place } of variables) {
      const found = names.get(keyOf(place)) ?? new Set()
      names.set(keyOf(place), found.add(name ?? file))
    }
  }
  return (place) => [...(names.get(keyOf(place)) ?? [])].join(', ')
}

/** Fact: SAP BTP, "MTA Module Types"; `javascript.nodejs` is none of them. */
const JAVA = /^(?:com\.sap\.)?java(?:\.|$)/i

/** Whether an application runs Java, by the type of its module, its buildpack or its archive. */
export function runsJava({ type, node }: Application): boolean {
  if (type !== '') return JAVA.test(type)
  return textsBelow(node).some(({ text }) => /java[-_]buildpack|\.(?:war|jar)$/.test(text))
}
