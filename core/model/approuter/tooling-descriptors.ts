import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import { folderOf, resolvePath } from '../../paths.ts'

/**
 * Descriptors that the development server of UI5 alone reads, in a project that nothing deploys: a middleware of `ui5.yaml` starts a router with the descriptor beside it, which
 * no task or script of the build names, so that it gets into no archive.
 * Facts: ui5-middleware-approuter 3.6 README (`xsappJson`, xs-app.json beside ui5.yaml by default); UI5 Tooling, "Builder" (an application is built of its webapp folder).
 */
export function findToolingDescriptors(files: ReadonlyMap<string, ProjectFile>): ReadonlySet<string> {
  const read = new Set<string>()
  const named = new Set<string>()
  for (const { path, kind, content } of files.values()) {
    if (DESCRIPTORS.has(kind.role ?? '') || /(?:^|\/)chart\.ya?ml$/i.test(path)) return new Set()
    if (content.as !== 'data') continue
    const folder = folderOf(path)
    if (kind.role === 'package' && speaksOf(at(content.roots[0], 'scripts'))) named.add(folder)
    if (kind.role !== 'ui5-yaml') continue
    for (const root of content.roots) {
      descriptorsRead(path, root).forEach((one) => read.add(one))
      const sources = stringOf(at(root, 'resources', 'configuration', 'paths', 'webapp'))
      if (speaksOf(at(root, 'builder')) || (sources !== undefined && !/\w/.test(sources))) named.add(folder)
    }
  }
  return new Set([...read].filter((file) => !named.has(folderOf(file)) && files.get(file)?.kind.role === 'xs-app'))
}

/** What deploys a project, or is deployed with it, wherever it lies. */
const DESCRIPTORS: ReadonlySet<string> = new Set(
  'mta mtaext cf-manifest dockerfile compose kubernetes procfile jenkinsfile'.split(' '),
)

/** Those beside the file of the tooling: what lies in `webapp` is built. */
function descriptorsRead(path: string, root: DataNode): readonly string[] {
  return itemsOf(at(root, 'server', 'customMiddleware')).flatMap((middleware) => {
    const file = stringOf(at(middleware, 'configuration', 'xsappJson'))
    if (file === undefined && !ROUTERS.test(stringOf(at(middleware, 'name')) ?? '')) return []
    const descriptor = resolvePath(path, file ?? 'xs-app.json')
    return descriptor !== undefined && folderOf(descriptor) === folderOf(path) ? [descriptor] : []
  })
}

const ROUTERS = /^ui5-middleware-(?:approuter|cfdestination)$/

function speaksOf(node: DataNode | undefined): boolean {
  return textsBelow(node).some(({ text }) => /xs-app/i.test(text))
}
