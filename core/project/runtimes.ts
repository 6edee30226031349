import { at, membersOf, type DataNode } from '../parse/data.ts'
import { folderOf, joinPath, ownerOf } from '../paths.ts'
import { SERVER_PACKAGES } from '../server-frameworks.ts'

/** Where the modules of packages run. Plain data. */
export interface PackageRuntimes {
  readonly packages: ReadonlySet<string>
  /** Packages whose modules run on a server where nothing else in them says where. */
  readonly servers: ReadonlySet<string>
  /** Packages that a bundler makes into pages: nothing below their sources runs on a server. */
  readonly browsers: ReadonlySet<string>
}

const OF_BROWSERS =
  /^(?:react|vue|svelte|lit|@angular\/core|@sapui5\/types|@openui5\/types|@openui5\/ts-types-esm|@sapui5\/ts-types-esm)$|^@ui5\/(?:cli|webcomponents)/
/** What only pages are made with. */
const OF_PAGES = /^(?:react|react-dom|vue|svelte|lit|@angular\/core)$|^@ui5\/webcomponents/

/** Frameworks that run the same sources on both sides, and servers that need no other one. */
const OF_BOTH =
  /^(?:next|nuxt|gatsby|astro|hono|h3|nitropack|@remix-run\/.*|@react-router\/(?:node|serve)|@sveltejs\/kit|@sap\/.*|@cap-js\/.*)$/

/** Which packages run on a server: beside one, what no browser's framework is named for, its libraries. Which are pages: what depends on such a framework alone. */
export function runtimesOf(
  parsed: ReadonlyMap<string, DataNode>,
  paths: ReadonlySet<string>,
): Pick<PackageRuntimes, 'servers' | 'browsers'> {
  const packages = [...parsed].flatMap(([path, root]) => {
    if (!path.endsWith('package.json')) return []
    const names = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((kind) =>
      membersOf(at(root, kind)).map(({ key }) => key),
    )
    return [
      {
        folder: folderOf(path),
        isServer: names.some((name) => name === '@sap/cds' || SERVER_PACKAGES.includes(name)),
        isBrowser: names.some((name) => OF_BROWSERS.test(name)),
        isPage: membersOf(at(root, 'dependencies')).some(({ key }) => OF_PAGES.test(key)),
        isBoth: names.some((name) => OF_BOTH.test(name)),
      },
    ]
  })
  const pages = packages.flatMap(({ folder, isServer, isPage, isBoth }) => (isPage && !isServer && !isBoth ? [folder] : []))
  const browsers = new Set(pages)
  if (!packages.some(({ isServer }) => isServer)) return { servers: new Set(), browsers }
  const isShown = (folder: string): boolean =>
    ['ui5.yaml', 'index.html', 'src/index.html', 'webapp/manifest.json'].some((name) => paths.has(joinPath(folder, name)))
  const servers = packages.flatMap(({ folder, isServer, isBrowser }) =>
    isServer || !(isBrowser || isShown(folder)) ? [folder] : [],
  )
  return { servers: new Set(servers), browsers }
}

const OF_APPS = /(?:^|\/)apps?\//

/** Whether a module whose words say nothing runs on a server. */
export function isOfServer(path: string, modules: PackageRuntimes | undefined): boolean {
  if (modules === undefined) return false
  const { packages, servers } = modules
  const folder = ownerOf(path, packages)
  return folder !== undefined && servers.has(folder) && !OF_APPS.test(path.slice(folder.length))
}

const OF_SOURCES = /^\/?src\//
const SERVER_FOLDERS = /(?:^|\/)(?:srv|server|backend)\//

/** Whether a module is part of a page for where it lies: `src/api` of a package of React asks a server, and is none. */
export function isOfPages(path: string, modules: PackageRuntimes | undefined): boolean {
  if (modules === undefined || modules.browsers.size === 0) return false
  const folder = ownerOf(path, modules.packages)
  if (folder === undefined || !modules.browsers.has(folder)) return false
  const inner = path.slice(folder.length)
  return OF_SOURCES.test(inner) && !SERVER_FOLDERS.test(inner)
}
