import { withoutSlashesBehind } from '../../paths.ts'
import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import { foldersAround, joinPath, ownerOf, resolvePath } from '../../paths.ts'
import type { DataFile, Served } from './types.ts'

/** What is asked of an app: its folder and its own descriptors. */
interface Descriptors {
  readonly root: string
  readonly manifest?: DataFile
  readonly tooling: readonly DataFile[]
}

/** Files by which a server, or a service for static files, adds headers. */
const SERVER_FILE =
  /(?:^|\/)(?:nginx[^/]{0,60}\.conf|httpd\.conf|apache2?\.conf|caddyfile|staticfile|\.htaccess|web\.config|web\.xml|netlify\.toml|_headers|vercel\.json|firebase\.json)(?:\.template)?$/iu
/** Middleware that sets headers against framing and for scripts. */
const HEADER_PACKAGE = /^(?:helmet|lusca|@fastify\/helmet|koa-helmet)$/u
/** Tasks of the UI5 Tooling that bring an app into an ABAP repository. */
const ABAP_TASK = /abap|nwabap/iu

/**
 * Answers who serves an app. `host`: a launchpad, an ABAP system or the managed approuter, which decide headers and version; `server`:
 * something of the project serves it and may add headers; `unknown`: nothing tells. One walk over the files, then a few look-ups per app.
 */
export function createHostingReader(files: ReadonlyMap<string, ProjectFile>): (app: Descriptors) => Served {
  const server = [...files.values()].some(mayAddHeaders)
  const html5Folders = new Set([...files.values()].flatMap(html5Modules))
  return (app) => {
    const folders = [app.root, joinPath(app.root, 'webapp')]
    if (folders.some((folder) => ['xs-app.json', 'neo-app.json'].some((name) => files.has(joinPath(folder, name))))) return 'host'
    if (namesHost(app.manifest) || app.tooling.some(deploysToAbap)) return 'host'
    if ([app.root, ...foldersAround(app.root)].some((folder) => folder !== '' && html5Folders.has(folder))) return 'host'
    // a Java server adds headers by its framework (Spring Security does by default)
    return server || /(?:^|\/)src\/main\//u.test(app.root) ? 'server' : 'unknown'
  }
}

/**
 * Answers whether an approuter of the project serves a file from its own disk. Facts: @sap/approuter 23.0.0 README, "routes": `localDir` is relative to the
 * working directory, the folder of xs-app.json.
 */
export function createServedFolders(files: ReadonlyMap<string, ProjectFile>): (path: string) => boolean {
  const served = new Set([...files.values()].flatMap(localFolders))
  return (path) => ownerOf(path, served) !== undefined
}

function localFolders({ path, kind, content }: ProjectFile): string[] {
  if (kind.role !== 'xs-app' || kind.test || content.as !== 'data') return []
  return itemsOf(at(content.roots[0], 'routes')).flatMap((route) => {
    const folder = stringOf(at(route, 'localDir'))
    return (folder !== undefined && resolvePath(path, `./${folder}`)) || []
  })
}

/** Facts: SAPUI5, "Descriptor for Applications": `sap.platform.*`, `sap.cloud`, `sap.flp`, and inbounds, by which a launchpad opens an app. */
function namesHost(manifest: DataFile | undefined): boolean {
  const root = manifest?.root
  if (['sap.platform.abap', 'sap.platform.hcp', 'sap.cloud', 'sap.flp'].some((key) => at(root, key) !== undefined)) return true
  return membersOf(at(root, 'sap.app', 'crossNavigation', 'inbounds')).length > 0
}

/** Whether a ui5*.yaml has a task that brings the app into an ABAP repository. */
export function deploysToAbap({ root }: DataFile): boolean {
  return itemsOf(at(root, 'builder', 'customTasks')).some((task) => ABAP_TASK.test(stringOf(at(task, 'name')) ?? ''))
}

/** Folders of the modules of an MTA that the HTML5 application repository gets. */
function html5Modules({ path, kind, content }: ProjectFile): string[] {
  if (kind.role !== 'mta' || content.as !== 'data') return []
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return itemsOf(at(content.roots[0], 'modules')).flatMap((module) => {
    const source = stringOf(at(module, 'path'))
    return stringOf(at(module, 'type')) === 'html5' && source !== undefined
      ? `${folder}${withoutSlashesBehind(source.replace(/^\.\//u, ''))}`
      : []
  })
}

function mayAddHeaders({ path, kind, content }: ProjectFile): boolean {
  if (kind.test) return false
  if (kind.role === 'xs-app' || SERVER_FILE.test(path)) return true
  if (kind.role !== 'package' || content.as !== 'data') return false
  return membersOf(at(content.roots[0], 'dependencies')).some(({ key }) => HEADER_PACKAGE.test(key) || key === '@sap/approuter')
}
