import type { StepCounter } from '../../budget.ts'
import type { Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { findMountedDescriptors } from './config-maps.ts'
import { isForTesting, readDeployment, type Deployment } from '../deployment/index.ts'
import { fileNameOf, folderOf } from '../../paths.ts'
import { readDeployments, type ApprouterRoot } from './environment.ts'
import { findManifest, isHtml5App } from './manifest.ts'
import { createRouteLanguages, type RouteLanguages } from './languages.ts'
import { findPublicDestinations, type PublicDestinations } from './purpose.ts'
import { findReplacedDescriptors } from './replaced-descriptors.ts'
import { readRoutes } from './routes.ts'
import { findShadows } from './shadows.ts'
import { createSpareReader } from './spare.ts'
import { startDescriptors } from './start-options.ts'
import { findToolingDescriptors } from './tooling-descriptors.ts'
import type { Approuter, ApprouterManifest, Environment, Shadow } from './types.ts'

export { isDemoData } from './purpose.ts'
export { constrainedPaths, pathsOfRoutes, unprotectedRoutes, type NeoRoute } from './neo-routes.ts'
export { areServicesOpen, readOpenFolders } from './open-services.ts'
export type * from './types.ts'
export { isSet, numberIn } from './environment.ts'
export { versionWithin } from './manifest.ts'
export { judgeOrigin, readOrigins, type OriginVerdict } from './origins.ts'
export { rewriteUrl, takesUrl } from './rewrite.ts'
export { leadsToServer, placeOf, requiresLogin, scopesFor, takesMethod } from './routes.ts'
export { isCatchAll, isUnreachable } from './catch-all.ts'
export { mayAuthenticate, mayLogIn } from './logins.ts'
export { findUnknownKeys, type UnknownKey } from './descriptor-keys.ts'
export { findMethodGaps, type MethodGap } from './shadows.ts'
export { readCsp, type CspFault } from './csp.ts'
export { readResponseHeaders, type ResponseHeader } from './response-headers.ts'

/** What finding approuters asks of scripts. */
export const APPROUTER_EXTRACTS: readonly Extract[] = [startDescriptors]

/** All approuter descriptors of a project. A file of that name that holds something else (they do exist) is left alone. */
export function findApprouters(
  files: ReadonlyMap<string, ProjectFile>,
  scripts: Scripts,
  step: StepCounter['step'] = () => undefined,
  deployment: Deployment = readDeployment(files),
): readonly Approuter[] {
  const found: Descriptor[] = []
  for (const file of files.values()) {
    if (file.kind.role !== 'xs-app' || file.content.as !== 'data' || file.kind.test) continue
    const [root] = file.content.roots
    if (root !== undefined && isDescriptor(root)) found.push(readDescriptor(file.path, root, files))
  }
  for (const { file, value } of scripts.get(startDescriptors))
    if (isDescriptor(value)) found.push(readDescriptor(file, value, files))
  for (const { file, root } of findMountedDescriptors(files))
    if (isDescriptor(root)) found.push({ file, root, kind: 'unknown', folders: new Set() })
  if (found.length === 0) return []
  const deployments = readDeployments(files, found, deployment)
  const placed = found.map((descriptor) => ({ ...descriptor, environment: deployments.environmentOf(descriptor) }))
  const context: Context = {
    isSpare: createSpareReader(placed, deployment.mtas, findToolingDescriptors(files), findReplacedDescriptors(files)),
    publicDestinations: findPublicDestinations(deployment),
    languages: createRouteLanguages(step),
  }
  return placed.map((descriptor) => readApprouter(descriptor, context))
}

/** Keys that tell a descriptor; one without routes is a descriptor, too. */
const TELLING: readonly string[] = [
  'routes',
  'welcomeFile',
  'authenticationMethod',
  'logout',
  'destinations',
  'stateProtection',
  'sessionTimeout',
  'responseHeaders',
  'pluginMetadataEndpoint',
  'whitelistService',
  'websockets',
  'errorPage',
  'cors',
]

function isDescriptor(root: DataNode): boolean {
  return TELLING.some((key) => at(root, key) !== undefined)
}

/** `xs-app-local.json`, `xs-app.dev.json`, `local/xs-app.json`: an approuter reads xs-app.json of its folder and no other, so these are of other runs. */
function isForLocalRuns(file: string): boolean {
  return isForTesting(fileNameOf(file)) || /(?:^|[/_-])local(?:[-_]?dev)?\/[^/]*$/i.test(file)
}

interface Descriptor extends ApprouterRoot {
  readonly root: DataNode
  readonly manifest?: ApprouterManifest
}

/** What a descriptor is, before its environment is looked for. */
function readDescriptor(file: string, root: DataNode, files: ReadonlyMap<string, ProjectFile>): Descriptor {
  const folder = folderOf(file)
  const manifest = findManifest(folder, files)
  const isApp = isHtml5App(file, files)
  const standalone = manifest !== undefined && !(isApp && folderOf(manifest.file) !== folder)
  return {
    file,
    root,
    kind: standalone ? 'standalone' : isApp ? 'html5-app' : 'unknown',
    folders: new Set(standalone ? [folder, folderOf(manifest.file)] : [folder]),
    ...(standalone && { manifest }),
  }
}

/** With what deploys it. */
interface PlacedDescriptor extends Descriptor {
  readonly environment: Environment
}

/** What all approuters of a project share. */
interface Context {
  /** No router reads a descriptor. */
  readonly isSpare: (descriptor: PlacedDescriptor) => boolean
  readonly publicDestinations: PublicDestinations
  readonly languages: RouteLanguages
}

function readApprouter(descriptor: PlacedDescriptor, context: Context): Approuter {
  const { publicDestinations, languages, isSpare } = context
  const { file, root, kind, folders, manifest, environment } = descriptor
  const authenticationMethod = stringOf(at(root, 'authenticationMethod')) ?? 'route'
  const routes = readRoutes(file, root, authenticationMethod, publicDestinations)
  let shadows: readonly Shadow[] | undefined
  return {
    file,
    root,
    kind,
    deployed: !isForLocalRuns(file) && !(folders.size === 0 && isForTesting(file)) && !isSpare(descriptor),
    authenticationMethod,
    routes,
    environment,
    languages,
    ...(manifest && { manifest }),
    get shadows() {
      return (shadows ??= findShadows(routes, languages))
    },
  }
}
