import { at, stringOf } from '../../parse/data.ts'
import { groupBy } from '../../lists.ts'
import { fileNameOf, folderOf, isBelow, joinPath } from '../../paths.ts'
import type { DataFile, Ui5App, Ui5View } from './types.ts'

const CONTROLLER = /\.controller\.[jt]s$/u
/** With the mark of a debug copy. */
const ENDING = /(?:-dbg)?(?:\.controller)?\.[jt]s$/u

/** Views with the paths of their controllers: by the namespace of the manifest, else the script whose path agrees longest with the name. */
export function linkControllers(
  views: readonly Ui5View[],
  scripts: readonly string[],
  manifest: DataFile | undefined,
): Ui5View[] {
  const controllers = scripts.filter((script) => CONTROLLER.test(script))
  const byName = groupBy(controllers, (script) => moduleName(script).toLowerCase())
  return views.map((view) => {
    if (view.controllerName === undefined) return view
    // a class by its module: `module:my/app/controller/Main.controller`
    const path = view.controllerName.startsWith('module:')
      ? view.controllerName.slice('module:'.length).replace(/\.controller$/u, '')
      : view.controllerName.replaceAll('.', '/')
    const named = byName.get(fileNameOf(path).toLowerCase()) ?? []
    // Windows, and the repository of an ABAP system, find files whatever the case of their names
    const exact = named.filter((script) => moduleName(script) === fileNameOf(path))
    const candidates = exact.length > 0 ? exact : named
    return { ...view, controller: select(candidates, path, manifest) }
  })
}

/** Finds the script of a module (`my/app/model/formatter`) in the same way. */
export function createModuleFinder({
  scriptFiles,
  manifest,
}: Pick<Ui5App, 'scriptFiles' | 'manifest'>): (module: string) => string | undefined {
  const byName = groupBy(scriptFiles, moduleName)
  return (module) => select(byName.get(fileNameOf(module)) ?? [], module, manifest)
}

function select(candidates: readonly string[], path: string, manifest: DataFile | undefined): string | undefined {
  const id = stringOf(at(manifest?.root, 'sap.app', 'id'))
  const exact = id === undefined || manifest === undefined ? undefined : inNamespace(path, id, folderOf(manifest.file))
  return candidates.find((script) => modulePath(script) === exact) ?? closest(candidates, path)
}

function moduleName(script: string): string {
  const path = modulePath(script)
  return fileNameOf(path)
}

/** UI5 loads modules by the id of the app and their path below its manifest; a library has them below `src`. Fact: UI5 Tooling, "Project types" (library). */
export function moduleNameOf(
  script: string,
  { id, manifest, root, isLibrary }: Pick<Ui5App, 'id' | 'manifest' | 'root' | 'isLibrary'>,
): string | undefined {
  const folder = manifest === undefined ? root : folderOf(manifest.file)
  if (!isBelow(script, folder)) return undefined
  const own = script
    .slice(folder === '' ? 0 : folder.length + 1)
    .replace(/\.[jt]sx?$/, '')
    .replace(/-dbg(?=\.controller$|$)/, '')
  if (id !== undefined) return `${id.replaceAll('.', '/')}/${own}`
  return isLibrary && own.startsWith(SOURCES) ? own.slice(SOURCES.length) : undefined
}

const SOURCES = 'src/'

function modulePath(script: string): string {
  return script.replace(ENDING, '')
}

function inNamespace(module: string, id: string, folder: string): string | undefined {
  const namespace = `${id.replaceAll('.', '/')}/`
  return module.startsWith(namespace) ? joinPath(folder, module.slice(namespace.length)) : undefined
}

function closest(candidates: readonly string[], path: string): string | undefined {
  let found: string | undefined
  let most = 0
  for (const script of candidates) {
    const common = commonTail(modulePath(script).toLowerCase(), path.toLowerCase())
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
