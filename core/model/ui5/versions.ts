import { at, itemsOf, membersOf, numberOf, stringOf } from '../../parse/data.ts'
import type { DataNode } from '../../parse/data.ts'
import { isPageTemplate } from '../../parse/page-template.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { folderOf, isBelow } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { isDeveloperFile, isToolFile } from '../script/index.ts'
import type { DataFile, Ui5App, Ui5Page, VersionSource } from './types.ts'

const VERSION = /^\d{1,3}\.\d{1,4}(?:\.\d{1,4})?(?:-[\w.-]{1,40})?$/u
/** `…/1.136/resources/…` of SAP's networks and of copies laid out like them; `…@1.108.1/…` of networks that serve packages. */
const SEGMENT = /\/(\d{1,3}\.\d{1,4}(?:\.\d{1,4})?(?:-[\w.-]{1,40})?)\/(?:resources|test-resources)\//u
const PACKAGE = /\/@openui5\/[\w.]{1,100}@(\d{1,3}\.\d{1,4}(?:\.\d{1,4})?(?:-[\w.-]{1,40})?)\//u
/** Hosts that serve UI5 (documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery Network"), with the version as first segment. */
const NETWORK =
  /^https?:\/\/(?:ui5\.sap\.com|sapui5\.hana\.ondemand\.com|openui5\.hana\.ondemand\.com|sdk\.openui5\.org)\/(\d{1,3}\.\d{1,4}(?:\.\d{1,4})?)(?:\/|$)/iu

interface WrittenBoot {
  readonly version: string
  readonly at: Span
}

/** What a server puts into its pages: the address of the core of UI5 on some host. */
const WRITTEN = /["'`](https?:)?(\/\/[\w.-]{1,60}\/[\d.]{3,13}\/)resources\/sap-ui-(?:core|cachebuster|boot)\b/giu

/** Addresses with a version in scripts of servers, from which they make pages. */
export const writtenBoots: Extract<WrittenBoot> = defineExtract({
  name: 'ui5-written-boots',
  keywords: ['/resources/sap-ui-'],
  // of templates; what other pages boot from is read with them
  inPages: true,
  isFor: (path) => !isToolFile(path) && !isDeveloperFile(path) && !/\.x?html?$/iu.test(path),
  collectText: (text) => bootsIn(text),
})

function* bootsIn(text: string): Generator<WrittenBoot> {
  for (const { 0: whole, 1: scheme = 'https:', 2: rest = '', index } of text.matchAll(WRITTEN)) {
    const version = NETWORK.exec(scheme + rest)?.[1]
    if (version === undefined) continue
    const start = index + whole.indexOf(`/${version}/`) + 1
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
    if (!/^\s{0,200}(?:\/[/*]|\*|<!--)/u.test(line)) yield { version, at: { start, end: start + version.length } }
  }
}

/** Tells the versions that scripts of a server and templates of its pages name for the app of a folder, below their own, beside it or around it. */
export function createWrittenVersions(
  files: ReadonlyMap<string, ProjectFile>,
  scripts: Scripts,
): (root: string) => VersionSource[] {
  let known: readonly (WrittenBoot & { readonly file: string })[] | undefined
  return (root) => {
    known ??= [...scripts.get(writtenBoots).map(({ file, value }) => ({ file, ...value })), ...inTemplates(files)]
    return known.flatMap(({ file, version, at }): VersionSource[] => {
      const folder = folderOf(file).replace(/(?:^|\/)views?$/u, '')
      if (!isBelow(root, folder) && !isBelow(folder, root)) return []
      return [{ version, kind: 'server', test: false, at: { file, span: at } }]
    })
  }
}

function inTemplates(files: ReadonlyMap<string, ProjectFile>): (WrittenBoot & { readonly file: string })[] {
  return [...files.values()].flatMap(({ path, kind, content }) =>
    kind.role === 'page-template' && !kind.test && content.as === 'text' && content.text !== undefined
      ? [...bootsIn(content.text)].map((boot) => ({ file: path, ...boot }))
      : [],
  )
}

/** The version in the address that a page boots from. */
export function readBootstrapVersion(page: Ui5Page): VersionSource[] {
  const { src } = page.bootstrap
  // what templates boot from is read with what servers write
  if (src?.at.span === undefined || isPageTemplate(page.file)) return []
  const found = SEGMENT.exec(src.value) ?? PACKAGE.exec(src.value)
  const version = found?.[1]
  return version === undefined ? [] : [{ version, kind: 'bootstrap', test: page.test, at: src.at }]
}

/**
 * The UI5 that lies among the files of the app, by the version of its core. Facts: sap-ui-version.json of a distribution lists its libraries; the one
 * that a build of an app writes lists none, and its version is that of the app.
 */
export function readShippedVersion({ file, root }: DataFile): VersionSource[] {
  const core = itemsOf(at(root, 'libraries')).find((library) => stringOf(at(library, 'name')) === 'sap.ui.core')
  const node = at(core, 'version')
  const version = stringOf(node)?.trim()
  if (node === undefined || version === undefined || !VERSION.test(version)) return []
  return [{ version, kind: 'shipped', test: false, at: { file, span: { start: node.start, end: node.end } } }]
}

/** Facts: SAP BTP, Neo environment, "Application Descriptor File": the service `sapui5` of a route, with the version that it serves. */
export function readNeoVersions({ file, root }: DataFile): VersionSource[] {
  return itemsOf(at(root, 'routes')).flatMap((route): VersionSource[] => {
    const node = at(route, 'target', 'version')
    const version = stringOf(node)?.trim()
    if (node === undefined || version === undefined || !VERSION.test(version)) return []
    if (stringOf(at(route, 'target', 'name'))?.toLowerCase() !== 'sapui5') return []
    return [{ version, kind: 'neo-app', test: false, at: { file, span: { start: node.start, end: node.end } } }]
  })
}

/** `"openui5-sap.ui.core": "openui5/packaged-sap.ui.core#~1.34.0"`, whose patches alone may move. Fact: documentation of OpenUI5, "Bower packages"; Bower, "bower.json" (dependencies). */
export function readBowerVersion({ file, root }: DataFile): VersionSource[] {
  const node = at(root, 'dependencies', 'openui5-sap.ui.core')
  const [whole = '', version] = BOWER.exec(stringOf(node) ?? '') ?? []
  if (node === undefined || version === undefined) return []
  const start = node.start + whole.length - version.length
  return [{ version, kind: 'bower', test: false, at: { file, span: { start, end: start + version.length } } }]
}

const BOWER = /^(?:openui5\/packaged-sap\.ui\.core#)?[~=v]{0,2}(\d{1,3}\.\d{1,4}\.\d{1,4})$/u

/** `framework.version` of a ui5.yaml. */
export function readToolingVersion({ file, root }: DataFile): VersionSource[] {
  const node = at(root, 'framework', 'version')
  const version = node && versionText(node)
  if (node === undefined || version === undefined || !VERSION.test(version)) return []
  return [{ version, kind: 'ui5-yaml', test: false, at: { file, span: { start: node.start, end: node.end } } }]
}

/** Without quotes 1.120 is the number 1.12: its length tells which zeros were written. */
function versionText(node: DataNode): string | undefined {
  const number = numberOf(node)
  return number === undefined ? stringOf(node)?.trim() : String(number).padEnd(Math.min(node.end - node.start, 10), '0')
}

/** Addresses of UI5's networks with a version anywhere in an MTA descriptor: the destination `ui5` that approuter routes lead to. */
export function readMtaVersions({ file, root }: DataFile): VersionSource[] {
  const versions: VersionSource[] = []
  const stack = [root]
  for (let node: DataNode | undefined = stack.pop(); node !== undefined; node = stack.pop()) {
    const version = NETWORK.exec(stringOf(node) ?? '')?.[1]
    if (version !== undefined)
      versions.push({ version, kind: 'mta', test: false, at: { file, span: { start: node.start, end: node.end } } })
    // in the order of the text
    for (const item of [...itemsOf(node)].reverse()) stack.push(item)
    for (const member of [...membersOf(node)].reverse()) stack.push(member.value)
  }
  return versions
}

/** The versions that an app really runs with: those of its productive pages, else the first thing that says one. */
export function runningVersions(versions: readonly VersionSource[]): readonly VersionSource[] {
  const productive = versions.filter((source) => !source.test)
  const booted = productive.filter((source) => source.kind === 'bootstrap')
  return booted.length > 0 ? booted : productive.slice(0, 1)
}

/** Whether a version decides about local runs and the build alone: a launchpad brings its own UI5, a library is run by others, and `ui5-local.yaml` is for one's own machine. */
export function decidesLocally(app: Pick<Ui5App, 'served' | 'isLibrary'>, { kind, at: { file } }: VersionSource): boolean {
  return kind === 'ui5-yaml' && (app.served === 'host' || app.isLibrary || !/(?:^|\/)ui5\.ya?ml$/i.test(file))
}
