import { bundleAddressesOf } from './bundle-addresses.ts'
import { compareTexts } from '../../lists.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile, Role } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import type { DataNode } from '../../parse/data.ts'
import { readRemote } from './addresses.ts'
import { createHostingReader, createServedFolders } from './hosting.ts'
import { htmlUses } from './html-uses.ts'
import { scriptLoads } from './loads.ts'
import { asReadBy, scriptSettings, toPage, toPlainPage } from './pages.ts'
import { folderOf, foldersAround, joinPath, withoutSlashesBehind } from '../../paths.ts'
import type { DataFile, PlainPage, Served, Ui5App, Ui5Page, Ui5View, VersionSource } from './types.ts'
import { minorOf } from './support.ts'
import {
  createWrittenVersions,
  readBootstrapVersion,
  readBowerVersion,
  readMtaVersions,
  readNeoVersions,
  readShippedVersion,
  readToolingVersion,
  runningVersions,
  writtenBoots,
} from './versions.ts'
import { linkControllers } from './links.ts'
import { scriptView, typedView, viewsOf } from './views.ts'

export type * from './types.ts'
export { actionHandlersOf, type ActionHandler } from './actions.ts'
export { deploysToAbap } from './hosting.ts'
export { parseBinding, pathsOf } from './binding.ts'
export type { Binding, BindingPart, BindingPath } from './binding.ts'
export { createLaunchpadReader } from './launchpads.ts'
export { createModuleFinder, moduleNameOf } from './links.ts'
export { constructionsOf, settingsOf, fieldOf } from './constructions.ts'
export type { Construction } from './constructions.ts'
export { parseExpression } from './expression.ts'
export { deprecatedUses, findDeprecatedLibraries } from './deprecated.ts'
export type { LibraryUse } from './deprecated.ts'
export { formatsMarkup, holdsMarkup, MARKUP_KEYWORDS, mayFillHtmlControls, mayHoldMarkup } from './concerns.ts'
export { createHtmlControls } from './html-control.ts'
export { htmlContentOf } from './html-uses.ts'
export { findNetworkLibraries, type NetworkLibrary } from './network-libraries.ts'
export { LOAD_WORDS, loadsOf, mayLoadScripts, scriptLoads } from './loads.ts'
export type { ScriptLoad } from './loads.ts'
export { manifestModelsOf, resourcePathOf, scriptRequests, serviceAddressesOf } from './services.ts'
export type { ManifestModel, ServiceAddress } from './services.ts'
export { pagesOutside, settingOf, spelledAs } from './pages.ts'
export { toHyphens } from './bootstrap-script.ts'
export { isDataWrite, MODEL_WRITE_KEYWORDS } from './writes.ts'
export { readPath, readSetting, type ScriptBinding } from './script-binding.ts'
export { findTarget, isPatchRemoved, lineOf, minorOf, patchOf, supportOf } from './support.ts'
export { requestSetups, authorizedRequests, tokenlessWrites } from './tokenless-writes.ts'
export type { TokenlessWrite } from './tokenless-writes.ts'
export { hostRequests, hostRequestsOf, identifiesCaller, isPlayground, openRequestsIn } from './host-requests.ts'
export { hostReads, hostReadsOf } from './host-reads.ts'
export type { HostRead } from './host-reads.ts'
export { askedAddressOf, createAddressFinder, givenAddresses } from './given-addresses.ts'
export type { AskedAddress } from './given-addresses.ts'
export { requestsOf } from './hand-requests.ts'
export type { HostRequest, OpenRequest } from './host-requests.ts'
export { validatesAddresses, holdsRemote, isPackageNetwork, isUi5Network, readRemote } from './addresses.ts'
export type { RemoteAddress } from './addresses.ts'
export { decidesLocally, runningVersions } from './versions.ts'
export { excludesOf, extensionScripts, membersBelow, toolingSteps } from './tooling.ts'
export type { ToolingStep } from './tooling.ts'
export { viewsOf } from './views.ts'
export { controllerOf, controlsOf } from './view-script.ts'
export type { VersionSupport } from './support.ts'

/** An app while its files are collected. */
interface AppBuilder {
  readonly root: string
  manifest?: DataFile
  readonly tooling: DataFile[]
  readonly pages: Ui5Page[]
  readonly plainPages: PlainPage[]
  readonly views: Ui5View[]
  readonly scripts: ProjectFile[]
  /** A .library lies in it. */
  library: boolean
  /** Nothing declares it: views and scripts of UI5 that lie in no app. */
  readonly undeclared: boolean
}

/**
 * The UI5 apps of a project, sorted by root. What makes one: a manifest with `sap.app` or `sap.ui5`, a page that boots UI5, a ui5*.yaml, a .library.
 * A ui5.yaml and the manifest of the folder that it serves are one app. Views and scripts of UI5 that lie in none are `undeclared`.
 */
export function findUi5Apps(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): Ui5App[] {
  const builders = findRoots(files)
  const isServed = createServedFolders(files)
  const pages = [...files.values()].flatMap((file) => toPage(file, scripts, isServed) ?? []).sort(byDepth)
  for (const page of pages) (nearest(builders, page.file) ?? addBuilder(builders, folderOf(page.file))).pages.push(page)
  const booting = new Set(pages.map(({ file }) => file))
  const testPages = new Set(pages.flatMap(({ file, test }) => (test ? [file] : [])))
  const undeclared = [...files.values()].filter((file) => nearest(builders, file.path) === undefined && isOfUi5(file, scripts))
  for (const root of new Set(undeclared.map(({ path }) => undeclaredRootOf(path)))) addBuilder(builders, root, true)
  for (const file of files.values()) {
    const builder = nearest(builders, file.path)
    if (builder === undefined) continue
    const plain = booting.has(file.path) ? undefined : toPlainPage(file)
    if (plain !== undefined) builder.plainPages.push(plain)
    if (file.kind.language === 'script' || file.extracts !== undefined) builder.scripts.push(file)
    for (const view of viewsOf(file, scripts)) builder.views.push(view)
  }
  const byFolder = (role: Role): ReadonlyMap<string, DataFile> =>
    new Map([...filesOf(files, role)].map((file) => [folderOf(file.file), file]))
  const descriptors: Descriptors = {
    mta: byFolder('mta'),
    neo: byFolder('neo-app'),
    bower: byFolder('bower'),
    ui5: byFolder('ui5-version'),
    writtenFor: createWrittenVersions(files, scripts),
  }
  const servedBy = createHostingReader(files)
  return [...builders.values()]
    .sort((a, b) => compareTexts(a.root, b.root))
    .map((builder) => {
      const productive = builder.scripts.filter(({ path, kind }) => !kind.test && !testPages.has(path))
      return {
        ...toApp(builder, descriptors, servedBy(builder), scripts.within(productive)),
        bundleAddresses: bundleAddressesOf(builder.manifest, builder.root, files),
      }
    })
}

/** Whether a productive file speaks of UI5 by itself: a view by its name, a component, a script that loads modules of UI5. */
function isOfUi5({ path, kind, scope }: ProjectFile, scripts: Scripts): boolean {
  if (kind.test || scope !== 'all') return false
  if (kind.role === 'view' || kind.role === 'fragment' || /(?:^|\/)Component(?:-dbg)?\.[jt]s$/u.test(path)) return true
  return scripts.of(path, loadsUi5).length > 0
}

/** Scripts that load modules of UI5; of those that nobody asks for anything an app needs to know nothing. */
const loadsUi5: Extract<true> = defineExtract({
  name: 'ui5-loads',
  collect: ({ kind, facts }) =>
    kind.language === 'script' && facts.imports.some(({ source }) => source.startsWith('sap/ui/')) ? [true] : [],
})

/** What finding apps, their HTML controls and the libraries that they load asks of scripts. */
export const UI5_EXTRACTS: readonly Extract[] = [
  loadsUi5,
  scriptLoads,
  writtenBoots,
  scriptSettings,
  scriptView,
  typedView,
  htmlUses,
]

/** The folder that views and their controllers have in common, where nothing declares an app. */
function undeclaredRootOf(path: string): string {
  const folder = folderOf(path)
  const parts = folder.split('/')
  const webapp = parts.lastIndexOf('webapp')
  if (webapp !== -1) return parts.slice(0, webapp + 1).join('/')
  const part = parts.findIndex((name) => /^(?:views?|fragments?|controllers?|controls?|models?|utils?)$/iu.test(name))
  return part === -1 ? folder : parts.slice(0, part).join('/')
}

function findRoots(files: ReadonlyMap<string, ProjectFile>): Map<string, AppBuilder> {
  const builders = new Map<string, AppBuilder>()
  // folders that a ui5.yaml serves, to the folder that it stands in
  const served = new Map<string, string>()
  for (const [file, folder] of placeTooling(files)) {
    builderAt(builders, folder).tooling.push(file)
    served.set(folder, folder)
    served.set(sourceFolderOf(file, files), folder)
  }
  for (const builder of builders.values()) builder.tooling.sort(byToolingName)
  const rootOf = (folder: string): string => {
    const exact = served.get(folder)
    if (exact !== undefined) return exact
    // a library's sources lie deeper, by its namespace
    for (const around of foldersAround(folder)) {
      const tooling = builders.get(around)?.tooling[0]
      if (tooling !== undefined) return isLibrary(tooling.root) ? around : folder
    }
    return folder
  }
  for (const file of filesOf(files, 'manifest')) {
    if (at(file.root, 'sap.app') === undefined && at(file.root, 'sap.ui5') === undefined) continue
    if (at(file.root, 'sap.ui5') === undefined && isOfOtherFramework(files, folderOf(file.file))) continue
    const builder = builderAt(builders, rootOf(folderOf(file.file)))
    // of a library's several manifests the outermost one names it
    if (builder.manifest === undefined || file.file.length < builder.manifest.file.length) builder.manifest = file
  }
  for (const file of files.values())
    if (file.kind.role === 'library' && file.scope === 'all') builderAt(builders, rootOf(folderOf(file.path))).library = true
  return builders
}

const OTHER_FRAMEWORKS = ['vue', 'react', '@angular/core', 'svelte', 'preact', 'solid-js', 'lit', 'next']

/** Whether an app with a package of this name is made for browsers, without UI5. */
export function isBrowserFramework(name: string): boolean {
  return OTHER_FRAMEWORKS.includes(name)
}

/** An app of another framework that a launchpad opens by a manifest without `sap.ui5`: the nearest package.json names what it is made with. */
function isOfOtherFramework(files: ReadonlyMap<string, ProjectFile>, folder: string): boolean {
  const content = [folder, ...foldersAround(folder)]
    .map((around) => files.get(joinPath(around, 'package.json'))?.content)
    .find(Boolean)
  const root = content?.as === 'data' ? content.roots[0] : undefined
  return OTHER_FRAMEWORKS.some((name) => at(root, 'dependencies', name) !== undefined)
}

function* filesOf(files: ReadonlyMap<string, ProjectFile>, role: Role): Generator<DataFile> {
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== role || content.as !== 'data') continue
    const root = content.roots[0]
    if (root !== undefined) yield { file: path, root }
  }
}

/**
 * Files of the UI5 Tooling with the folder of their app: where several name the same sources (a project and the module in it), the innermost one.
 * Facts: UI5 Tooling, "Configuration": `specVersion` is mandatory; a YAML file of that name without it is something else.
 */
function placeTooling(files: ReadonlyMap<string, ProjectFile>): [DataFile, string][] {
  const tooling = [...filesOf(files, 'ui5-yaml')].filter(({ root }) => at(root, 'specVersion') !== undefined)
  const innermost = new Map<string, string>()
  for (const file of tooling) {
    const [source, folder] = [sourceFolderOf(file, files), folderOf(file.file)]
    if (folder.length >= (innermost.get(source) ?? '').length) innermost.set(source, folder)
  }
  return tooling.map((file) => [file, innermost.get(sourceFolderOf(file, files)) ?? folderOf(file.file)])
}

/**
 * Where the sources lie (UI5 Tooling: `resources.configuration.paths`, by type), from the folder of the package.json: that of the file itself, or one above it where
 * commands name the file (`ui5 serve --config app/ui5.yaml`).
 */
function sourceFolderOf({ file, root }: DataFile, files: ReadonlyMap<string, ProjectFile>): string {
  const kind = isLibrary(root) ? 'src' : 'webapp'
  const written = stringOf(at(root, 'resources', 'configuration', 'paths', kind)) ?? kind
  const path = withoutSlashesBehind(written.replace(/^\.(?:\/|$)/u, ''))
  const folder = folderOf(file)
  const above = [...foldersAround(file)].find((around) => files.has(joinPath(around, 'package.json')))
  const fromAbove = above === undefined ? '' : joinPath(above, path)
  return fromAbove.startsWith(`${folder}/`) ? fromAbove : joinPath(folder, path)
}

function isLibrary(tooling: DataNode): boolean {
  const type = stringOf(at(tooling, 'type'))
  return type === 'library' || type === 'theme-library'
}

function isLibraryManifest(manifest: DataFile | undefined): boolean {
  return stringOf(at(manifest?.root, 'sap.app', 'type')) === 'library'
}

function builderAt(builders: Map<string, AppBuilder>, root: string): AppBuilder {
  return builders.get(root) ?? addBuilder(builders, root)
}

function addBuilder(builders: Map<string, AppBuilder>, root: string, undeclared = false): AppBuilder {
  const builder: AppBuilder = { root, tooling: [], pages: [], plainPages: [], views: [], scripts: [], library: false, undeclared }
  builders.set(root, builder)
  return builder
}

function nearest(builders: ReadonlyMap<string, AppBuilder>, path: string): AppBuilder | undefined {
  for (const folder of foldersAround(path)) {
    const builder = builders.get(folder)
    if (builder !== undefined) return builder
  }
  return undefined
}

/** Descriptors that speak for the apps below them, by folder. */
interface Descriptors {
  readonly mta: ReadonlyMap<string, DataFile>
  readonly neo: ReadonlyMap<string, DataFile>
  /** What Bower installs. */
  readonly bower: ReadonlyMap<string, DataFile>
  /** Of UI5 itself, among the files of an app. */
  readonly ui5: ReadonlyMap<string, DataFile>
  /** Versions in what a server makes its pages from, by the folder of an app. */
  writtenFor(root: string): VersionSource[]
}

function toApp(
  builder: AppBuilder,
  descriptors: Descriptors,
  served: Served,
  productive: Scripts,
): Omit<Ui5App, 'bundleAddresses'> {
  const { root, manifest, tooling, pages, plainPages, views, scripts, undeclared } = builder
  const id = stringOf(at(manifest?.root, 'sap.app', 'id'))
  const scriptFiles = scripts.map(({ path }) => path)
  const told = undeclared ? [] : findVersions(builder, descriptors)
  // a server makes the page that boots the app
  const versions = undeclared || told.length > 0 ? told : descriptors.writtenFor(root)
  return {
    root,
    id,
    isUndeclared: undeclared,
    manifest,
    isLibrary: builder.library || tooling.some(({ root }) => isLibrary(root)) || isLibraryManifest(manifest),
    served,
    tooling,
    pages: pages.map((page) => asReadBy(page, lineThatReads(page, versions))),
    plainPages,
    versions,
    views: linkControllers(views, scriptFiles, manifest),
    scriptFiles,
    scripts: productive,
  }
}

/** The number of the line that a page loads: by its own address, else what the app runs with. */
function lineThatReads(page: Ui5Page, versions: readonly VersionSource[]): number | undefined {
  const [own] = readBootstrapVersion(page)
  const [source] = own === undefined ? runningVersions(versions.filter(({ kind }) => kind !== 'bootstrap')) : [own]
  return source && minorOf(source.version)
}

function findVersions(builder: AppBuilder, { mta, neo, bower, ui5 }: Descriptors): VersionSource[] {
  const folders = [builder.root, ...foldersAround(builder.root)]
  const nearestOf = (files: ReadonlyMap<string, DataFile>): DataFile | undefined =>
    folders.map((folder) => files.get(folder)).find((found) => found !== undefined)
  const [descriptor, application, installed] = [nearestOf(mta), nearestOf(neo), nearestOf(bower)]
  const shipped = ['', 'webapp']
    .flatMap((folder) => [folder, joinPath(folder, 'resources')])
    .flatMap((folder) => ui5.get(joinPath(builder.root, folder)) ?? [])
    .concat([...ui5].flatMap(([folder, file]) => (isCopyIn(builder.root, folder) ? file : [])))
  return [
    ...builder.pages.flatMap(readBootstrapVersion),
    ...(bootsElsewhere(builder.pages) ? [] : shipped.flatMap(readShippedVersion)),
    ...(application === undefined ? [] : readNeoVersions(application)),
    ...builder.tooling.flatMap(readToolingVersion),
    ...(descriptor === undefined ? [] : readMtaVersions(descriptor)),
    ...(installed === undefined ? [] : readBowerVersion(installed)),
  ]
}

/** Its pages load UI5 from another host, so that what a build writes among its files tells what it was built with. */
function bootsElsewhere(pages: readonly Ui5Page[]): boolean {
  const own = pages.filter(({ test, sandbox }) => !test && !sandbox)
  return own.length > 0 && own.every(({ bootstrap }) => readRemote(bootstrap.src?.value ?? '') !== undefined)
}

/** A copy of UI5 in a folder of the app by another name, such as `sapui5` or `lib/openui5/resources`. */
function isCopyIn(root: string, folder: string): boolean {
  const prefix = root === '' ? '' : `${root}/`
  if (!folder.startsWith(prefix)) return false
  const steps = folder.slice(prefix.length).split('/')
  return steps.length <= 3 && steps.some((step) => /^(?:sap|open)ui5(?:[-_.]\d[\w.-]{0,20})?$/i.test(step))
}

/** ui5.yaml first: its siblings are for local runs, mocks and deployment. */
function byToolingName(a: DataFile, b: DataFile): number {
  return Number(isMainTooling(b.file)) - Number(isMainTooling(a.file)) || compareTexts(a.file, b.file)
}

function isMainTooling(file: string): boolean {
  return /(?:^|\/)ui5\.ya?ml$/u.test(file)
}

function byDepth(a: Ui5Page, b: Ui5Page): number {
  return a.file.split('/').length - b.file.split('/').length || compareTexts(a.file, b.file)
}
