import { resolveModule } from './linked-modules.ts'
import type { LinkedFile } from './links.ts'
import { MODULE_STORE } from '../types.ts'

/** Finds the file that a module is, as another file names it. */
export type ModuleFinder = (from: string, source: string) => LinkedFile | undefined

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
function sourcesOf({ flow: { ports, calls, classes, passedOn = [], controls = [] } }: LinkedFile): ReadonlySet<string> {
  const sources = new Set<string>()
  for (const { access, store } of ports)
    if (access === 'read' && store.startsWith(MODULE_STORE)) sources.add(store.slice(MODULE_STORE.length))
  for (const { module } of calls) if (module !== undefined) sources.add(module.source)
  for (const { parent, mixed = [] } of classes)
    for (const one of [parent, ...mixed]) if (one !== undefined) sources.add(one.source)
  for (const { source } of passedOn) sources.add(source)
  for (const { parent } of controls) if (parent?.startsWith(MODULE) === true) sources.add(parent.slice(MODULE.length))
  return sources
}

const MODULE = 'module:'
