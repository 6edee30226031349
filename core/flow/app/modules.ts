import { createPathEndings } from '../../path-endings.ts'
import { resolvePath } from '../../paths.ts'
import type { LinkedFile } from './links.ts'
import { MODULE_STORE } from '../types.ts'

/** What stands for a library of XS classic, before its package and name: `xs:shop/lib/db`. */
export const XS_LIBRARY = 'xs:'
const LIBRARY_ENDING = '.xsjslib'

/** Finds the files that modules are. */
interface ModuleFiles {
  /** Files by their paths, without copies of them. */
  readonly byPath: ReadonlyMap<string, number>
  /** The file of a module, as it is named in another one. */
  fileOf(from: number, source: string): number | undefined
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts', '.tsx', '.jsx', '/index.tsx']

export function createModuleFiles(files: readonly LinkedFile[]): ModuleFiles {
  const byPath = new Map(files.flatMap(({ path, copy }, index) => (copy === undefined ? [[path, index] as const] : [])))
  const byModule = new Map(
    files.flatMap(({ module, copy }, index) => (module === undefined || copy !== undefined ? [] : [[module, index] as const])),
  )
  // a library that a copy stands for as well is found twice, which is none
  const libraries = new Map<string, number | undefined>()
  for (const [index, { path }] of files.entries())
    if (path.endsWith(LIBRARY_ENDING)) libraries.set(path, libraries.has(path) ? undefined : index)
  const endings = createPathEndings(libraries.keys())
  const libraryAt = (source: string): number | undefined => {
    if (!source.startsWith(XS_LIBRARY)) return undefined
    const [found = '', ...others] = endings.closest(`${source.slice(XS_LIBRARY.length)}${LIBRARY_ENDING}`)
    return others.length === 0 ? libraries.get(found) : undefined
  }
  // a file names the same few modules in each of its calls
  const resolved = new Map<string, number | undefined>()
  const fileOf = (from: number, source: string): number | undefined => {
    const key = `${from} ${source}`
    if (resolved.has(key)) return resolved.get(key)
    const target = byModule.get(source) ?? libraryAt(source) ?? resolveModule(files[from]?.path ?? '', source, byPath)
    resolved.set(key, target)
    return target
  }
  return { byPath, fileOf }
}

/** What is known under the path of a module that another file names relative to itself. */
export function resolveModule<Item>(from: string, source: string, byPath: ReadonlyMap<string, Item>): Item | undefined {
  const path = source.startsWith('.') ? resolvePath(from, source) : undefined
  if (path === undefined) return undefined
  // TypeScript writes the ending of what it compiles to
  const written = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.mjs$/, '.mts')]
  for (const base of written)
    for (const ending of ENDINGS) {
      const found = byPath.get(`${base}${ending}`)
      if (found !== undefined) return found
    }
  // the debug copy of a build, where the project holds nothing else of the app
  return (
    byPath.get(`${path.replace(/(?:\.js)?$/, '')}-dbg.js`) ??
    byPath.get(`${path.replace(/\.controller(?:\.js)?$/, '')}-dbg.controller.js`)
  )
}

/** Finds the file that a module is, as another file names it. */
type ModuleFinder = (from: string, source: string) => LinkedFile | undefined

/** Finds modules that are named by their paths. */
export function byRelativePath(byPath: ReadonlyMap<string, LinkedFile>): ModuleFinder {
  return (from, source) => resolveModule(from, source, byPath)
}

/** The files of an app, and all that they import from elsewhere in the project: packages of the same workspace, libraries of UI5. `named`: modules that views of the app name. */
export function withImported(own: readonly LinkedFile[], find: ModuleFinder, named: Iterable<string> = []): LinkedFile[] {
  const found = new Map(own.map((file) => [file.path, file]))
  const add = (from: string, source: string): void => {
    const imported = find(from, source)
    if (imported !== undefined && !found.has(imported.path)) found.set(imported.path, imported)
  }
  for (const source of named) add('', source)
  // what is added while it runs, is visited too
  for (const file of found.values()) for (const source of sourcesOf(file)) add(file.path, source)
  return [...found.values()]
}

/** Names of the modules that a file imports. */
function sourcesOf({ flow: { ports, calls, exports, page } }: LinkedFile): ReadonlySet<string> {
  const sources = new Set<string>()
  for (const { access, store } of ports)
    if (access === 'read' && store.startsWith(MODULE_STORE)) sources.add(store.slice(MODULE_STORE.length))
  for (const { module } of calls) if (module !== undefined) sources.add(module.source)
  for (const { parent, mixed = [] } of exports.classes)
    for (const one of [parent, ...mixed]) if (one !== undefined) sources.add(one.source)
  for (const { source } of exports.passedOn ?? []) sources.add(source)
  for (const { parent } of page?.controls ?? []) if (parent?.startsWith(MODULE) === true) sources.add(parent.slice(MODULE.length))
  return sources
}

const MODULE = 'module:'
