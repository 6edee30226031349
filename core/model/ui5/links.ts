import { at, stringOf } from '../../parse/data.ts'
import { groupBy } from '../../lists.ts'
import { folderOf } from './paths.ts'
import type { DataFile, Ui5Script, Ui5View } from './types.ts'

const CONTROLLER = /\.controller\.[jt]s$/u

/** Views with their controllers: by the namespace of the manifest, else the script whose path agrees longest with the name. */
export function linkControllers(
  views: readonly Ui5View[],
  scripts: readonly Ui5Script[],
  manifest: DataFile | undefined,
): Ui5View[] {
  const controllers = scripts.filter((script) => CONTROLLER.test(script.file))
  const byName = groupBy(controllers, (script) => modulePath(script).slice(modulePath(script).lastIndexOf('/') + 1))
  const id = stringOf(at(manifest?.root, 'sap.app', 'id'))
  return views.map((view) => {
    if (view.controllerName === undefined) return view
    const path = view.controllerName.replaceAll('.', '/')
    const candidates = byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    const exact =
      id === undefined || manifest === undefined ? undefined : inNamespace(view.controllerName, id, folderOf(manifest.file))
    const controller = candidates.find((script) => modulePath(script) === exact) ?? closest(candidates, path)
    return { ...view, controller }
  })
}

function modulePath(script: Ui5Script): string {
  return script.file.replace(CONTROLLER, '')
}

function inNamespace(name: string, id: string, folder: string): string | undefined {
  if (!name.startsWith(`${id}.`)) return undefined
  const path = name.slice(id.length + 1).replaceAll('.', '/')
  return folder === '' ? path : `${folder}/${path}`
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
