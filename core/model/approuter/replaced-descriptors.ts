import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf, joinPath } from '../../paths.ts'

/**
 * Descriptors beside the `ui5.yaml` of an app that do not get into what is built: a task of the build writes one of another folder in their place. A router reads them on the machine of a
 * developer. Facts: UI5 Tooling, "Builder" (an application is built of its webapp folder) and "Custom Tasks"; @sap/ui5-builder-webide-extension (`srcFile`, `destFile`).
 */
export function findReplacedDescriptors(files: ReadonlyMap<string, ProjectFile>): ReadonlySet<string> {
  const replaced = new Set<string>()
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'ui5-yaml' || content.as !== 'data') continue
    const file = joinPath(folderOf(path), NAME)
    if (files.get(file)?.kind.role === 'xs-app' && content.roots.some(writesAnother)) replaced.add(file)
  }
  return replaced
}

const NAME = 'xs-app.json'

function writesAnother(root: DataNode): boolean {
  return itemsOf(at(root, 'builder', 'customTasks')).some((task) => {
    const paths = membersOf(at(task, 'configuration')).map(({ key, value }) => ({ key, path: pathOf(value) }))
    return paths.some(({ key, path }) => TARGET.test(key) && path === NAME) && paths.some(({ path }) => OTHER.test(path))
  })
}

const TARGET = /dest|target|^to$/i
const OTHER = /\/xs-app[\w.-]{0,60}\.json$/

/** In the folder of the project, however it begins: `/config/xs-app.json`, `./xs-app.json`. */
function pathOf(value: DataNode): string {
  return (stringOf(value) ?? '').replace(/^\.?\//, '')
}
