import type { Advisory } from '../../advisories/types.ts'
import { packagesOf, type NpmPackage } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import { ownerOf } from '../../paths.ts'
import { isServerFramework } from '../../server-frameworks.ts'
import type { Project } from '../subjects.ts'
import { isHostedApp, startsServer } from './_hosted-apps.ts'
import { loadedByApp } from './_loaded-packages.ts'
import { neededFrom, requirersAtRuntime } from './_package-loads.ts'

/** What builds an app to static files. Facts: documentation of the packages (Create React App, Vue CLI, Angular CLI, Vite, Parcel, webpack). */
const PAGE_BUILDERS: ReadonlySet<string> = new Set(
  'react-scripts @craco/craco @vue/cli-service @angular/cli @angular/build @angular-devkit/build-angular vite parcel webpack'.split(
    ' ',
  ),
)
/** Frameworks that run the same sources on a server too. */
const ON_BOTH_SIDES =
  /^(?:next|nuxt|gatsby|astro|hono|h3|nitropack|@sap\/.*|@cap-js\/.*|@remix-run\/.*|@react-router\/(?:node|serve)|@sveltejs\/kit|@angular\/ssr)$/

/** Exhausted memory or time, a crash: all that it gives is that something no longer answers (CWE 4.18). 918: requests from where a server stands. */
const OF_AVAILABILITY: ReadonlySet<number> = new Set([
  248, 400, 405, 407, 409, 674, 730, 754, 755, 770, 776, 789, 834, 835, 918, 1050, 1176, 1333,
])
/** Stands beside any other one: improper input validation. */
const OF_INPUT = 20
/** Older advisories call everything a consumption of resources. */
const GIVES_MORE = /pollution|inject|script|execut|disclos|bypass|travers/i

/** Whether an advisory is about a program that stops answering, or requests in a server's name alone: in a page, this hits the tab of its user. */
export function endsWithTab({ cwe, title }: Pick<Advisory, 'cwe' | 'title'>): boolean {
  return (
    cwe.some((id) => OF_AVAILABILITY.has(id)) &&
    cwe.every((id) => OF_AVAILABILITY.has(id) || id === OF_INPUT) &&
    !GIVES_MORE.test(title.en)
  )
}

/**
 * What these packages load on a server alone: of what a page loads, bundlers take the files that the field `browser` gives, and these load something else or nothing.
 * Facts: axios 0.27.2, 1.9.0 and 1.18.0 (`browser`: lib/adapters/http.js, lib/platform/node); styled-components 6.3.12 (`browser`: dist/styled-components.browser.esm.js).
 */
const ON_SERVER_ALONE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['axios', new Set(['follow-redirects', 'form-data', 'https-proxy-agent', 'proxy-from-env'])],
  ['styled-components', new Set(['css-to-react-native', 'postcss'])],
])

/** What bundlers make pages of. Functions of a cloud, jobs and the main process of Electron stand beside: `api/send.js`, `electron/main.js`. */
const SOURCES_OF_PAGES = /(?:^|\/)(?:src|webapp)\//

/** Whether a package loads another one in pages too: what builds them is no part of them. */
export function isLoadedInPages(by: string, name: string): boolean {
  return !PAGE_BUILDERS.has(by) && ON_SERVER_ALONE.get(by)?.has(name) !== true
}

/**
 * Tells of packages of a lock file or package.json whether pages in browsers alone need them: no part that runs anywhere else does, and no script of a server.
 * `none`: not even they load it, since what brings it in needs it on servers.
 */
export function createPageReader(
  locked: LockedPackages,
  project: Pick<Project, 'npm' | 'once' | 'scripts' | 'reach' | 'files' | 'ui5Apps'>,
): (found: LockedPackage) => 'page' | 'none' | undefined {
  const { npm, ui5Apps } = project
  const own = packagesOf(locked.file, npm)
  const pages = own.filter((one) => isBuiltToPages(one) || isHostedApp(one, ui5Apps, () => false))
  if (pages.length === 0) return () => undefined
  let elsewhere: ReadonlySet<string> | undefined
  const readElsewhere = (): ReadonlySet<string> => {
    const folders = new Set(own.map(({ folder }) => folder))
    const onServer = loadedByApp(project).flatMap(({ file, value }) => {
      const around = value.onServer ? ownerOf(file, npm.byFolder) : undefined
      return around !== undefined && folders.has(around) ? value.name : []
    })
    const named = own.flatMap((one) =>
      pages.includes(one) ? [] : one.dependencies.flatMap(({ name, member }) => (member === 'devDependencies' ? [] : name)),
    )
    return neededFrom([...onServer, ...named], locked.packages)
  }
  let inPages: ReadonlySet<string> | undefined
  const readInPages = (): ReadonlySet<string> => {
    const direct = locked.packages.flatMap((one) => (one.direct && one.scope !== 'development' ? one.name : []))
    const loaded = loadedByApp(project)
    const imported = loaded.map(({ value }) => value.name)
    const besides = new Set(loaded.flatMap(({ file, value }) => (value.byTool || SOURCES_OF_PAGES.test(file) ? [] : value.name)))
    const runs = requirersAtRuntime(locked.packages)
    const counts = (by: string, name: string): boolean => runs(by) && (besides.has(by) || isLoadedInPages(by, name))
    return neededFrom([...direct, ...imported], locked.packages, counts)
  }
  return ({ name, direct, neededBy = [] }) => {
    elsewhere ??= readElsewhere()
    if (elsewhere.has(name)) return undefined
    if (direct || neededBy.length === 0) return 'page'
    inPages ??= readInPages()
    return inPages.has(name) ? 'page' : 'none'
  }
}

/** Whether a package is an app that a bundler makes static files of, and no server beside it. */
function isBuiltToPages({ dependencies, scripts: commands }: NpmPackage): boolean {
  return (
    dependencies.some(({ name }) => PAGE_BUILDERS.has(name)) &&
    !dependencies.some(({ name }) => ON_BOTH_SIDES.test(name) || isServerFramework(name)) &&
    !commands.some(startsServer)
  )
}
