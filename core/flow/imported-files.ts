import { resolveModule, type LinkedFile } from './links.ts'
import { MODULE_STORE } from './types.ts'

/** The files of an app, and all that they import from elsewhere in the project: packages of the same workspace. */
export function withImported(own: readonly LinkedFile[], byPath: ReadonlyMap<string, LinkedFile>): LinkedFile[] {
  const found = new Map(own.map((file) => [file.path, file]))
  // what is added while it runs, is visited too
  for (const file of found.values())
    for (const source of sourcesOf(file)) {
      const imported = resolveModule(file.path, source, byPath)
      if (imported !== undefined && !found.has(imported.path)) found.set(imported.path, imported)
    }
  return [...found.values()]
}

/** Relative names of the modules that a file imports. */
function sourcesOf({ flow: { ports, calls } }: LinkedFile): ReadonlySet<string> {
  const sources = new Set<string>()
  for (const { access, store } of ports)
    if (access === 'read' && store.startsWith(MODULE_STORE)) sources.add(store.slice(MODULE_STORE.length))
  for (const { module } of calls) if (module !== undefined) sources.add(module.source)
  return sources
}
