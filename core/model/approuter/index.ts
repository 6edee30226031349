import type { ProjectFile } from '../../files.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf } from '../ui5/paths.ts'
import { readDeployments, type Deployments } from './environment.ts'
import { findManifest, isHtml5App } from './manifest.ts'
import { createRouteLanguages, type RouteLanguages } from './languages.ts'
import { readRoutes } from './routes.ts'
import { findShadows } from './shadows.ts'
import type { Approuter, Shadow } from './types.ts'

export type * from './types.ts'
export { isSet, numberIn } from './environment.ts'
export { versionWithin } from './manifest.ts'
export { judgeOrigin, readOrigins, type OriginVerdict } from './origins.ts'
export { rewriteUrl } from './rewrite.ts'
export { placeOf, scopesFor, takesMethod } from './routes.ts'
export { isCatchAll } from './catch-all.ts'
export { findUnknownKeys, type UnknownKey } from './descriptor-keys.ts'
export { findMethodGaps, type MethodGap } from './shadows.ts'
export { readCsp, type CspFault } from './csp.ts'
export { readResponseHeaders, type ResponseHeader } from './response-headers.ts'

/** All approuter descriptors of a project. A file of that name that holds something else (they do exist) is left alone. */
export function findApprouters(files: ReadonlyMap<string, ProjectFile>): readonly Approuter[] {
  const deployments = readDeployments(files)
  const languages = createRouteLanguages()
  const found: Approuter[] = []
  for (const file of files.values()) {
    if (file.kind.role !== 'xs-app' || file.content.as !== 'data' || file.kind.test) continue
    const [root] = file.content.roots
    if (root !== undefined && isDescriptor(root)) found.push(readApprouter(file.path, root, files, deployments, languages))
  }
  return found
}

function isDescriptor(root: DataNode): boolean {
  return ['routes', 'welcomeFile', 'authenticationMethod', 'logout', 'destinations'].some((key) => at(root, key) !== undefined)
}

function readApprouter(
  file: string,
  root: DataNode,
  files: ReadonlyMap<string, ProjectFile>,
  deployments: Deployments,
  languages: RouteLanguages,
): Approuter {
  const folder = folderOf(file)
  const manifest = findManifest(folder, files)
  const isApp = isHtml5App(file, files)
  const standalone = manifest !== undefined && !(isApp && folderOf(manifest.file) !== folder)
  const folders = new Set(manifest === undefined || !standalone ? [folder] : [folder, folderOf(manifest.file)])
  const authenticationMethod = stringOf(at(root, 'authenticationMethod')) ?? 'route'
  const routes = readRoutes(file, root, authenticationMethod)
  const environment = deployments.environmentOf(folders)
  let shadows: readonly Shadow[] | undefined
  return {
    file,
    root,
    kind: standalone ? 'standalone' : isApp ? 'html5-app' : 'unknown',
    authenticationMethod,
    routes,
    environment,
    languages,
    ...(standalone && { manifest }),
    get shadows() {
      return (shadows ??= findShadows(routes, languages))
    },
  }
}
