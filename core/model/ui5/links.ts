import { at, stringOf } from '../../parse/data.ts'
import { groupBy } from '../../lists.ts'
import { folderOf, joinPath } from '../../paths.ts'
import type { DataFile, Ui5App, Ui5Script, Ui5View } from './types.ts'

const CONTROLLER = /\.controller\.[jt]s$/u
const ENDING = /(?:\.controller)?\.[jt]s$/u

/** Views with their controllers: by the namespace of the manifest, else the script whose path agrees longest with the name. */
export function linkControllers(
  views: readonly Ui5View[],
  scripts: readonly Ui5Script[],
  manifest: DataFile | undefined,
): Ui5View[] {
  const controllers = scripts.filter((script) => CONTROLLER.test(script.file))
  const byName = groupBy(controllers, moduleName)
  return views.map((view) => {
    if (view.controllerName === undefined) return view
    // a class by its module: `module:my/app/controller/Main.controller`
    const path = view.controllerName.startsWith('module:')
      ? view.controllerName.slice('module:'.length).replace(/\.controller$/u, '')
      : view.controllerName.replaceAll('.', '/')
    const candidates = byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    return { ...view, controller: select(candidates, path, manifest) }
  })
}

/** Finds the script of a module (`my/app/model/formatter`) in the same way. */
export function createModuleFinder({
  scripts,
  manifest,
}: Pick<Ui5App, 'scripts' | 'manifest'>): (module: string) => Ui5Script | undefined {
  const byName = groupBy(scripts, moduleName)
  return (module) => select(byName.get(module.slice(module.lastIndexOf('/') + 1)) ?? [], module, manifest)
}

function select(candidates: readonly Ui5Script[], path: string, manifest: DataFile | undefined): Ui5Script | undefined {
  const id = stringOf(at(manifest?.root, 'sap.app', 'id'))
  const exact = id === undefined || manifest === undefined ? undefined : inNamespace(path, id, folderOf(manifest.file))
  return candidates.find((script) => modulePath(script) === exact) ?? closest(candidates, path)
}

function moduleName(script: Ui5Script): string {
  const path = modulePath(script)
  return path.slice(path.lastIndexOf('/') + 1)
}

function modulePath(script: Ui5Script): string {
  return script.file.replace(ENDING, '')
}

function inNamespace(module: string, id: string, folder: string): string | undefined {
  const namespace = `${id.replaceAll('.', '/')}/`
  return module.startsWith(namespace) ? joinPath(folder, module.slice(namespace.length)) : undefined
}

function closest(candidates: readonly Ui5Script[], path: string): Ui5Script | undefined {
  let found: Ui5Script | undefined
  let most = 0
  for (const script of candidates) {
    const common = commonTail(modulePath(script), path)
    if (common > most) [found, most] = [script, common]
  }
  return found
}

function commonTail(a: string, b: string): number {
  const left = a.split('/').reverse()
  const right = b.split('/').reverse()
  let common = 0
  while (common < left.length && left[common] === right[common]) common++
  return common
}
