import type { LinkedFile } from './links.ts'

/** What stands for a library of XS classic, before its package and name: `xs:shop/lib/db`. */
export const XS_LIBRARY = 'xs:'

/** Finds the files that modules are. */
export interface ModuleFiles {
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
  const libraries = files.flatMap(({ path }, index) => (path.endsWith('.xsjslib') ? [{ path, index }] : []))
  /** A library of XS classic: where its package begins, no file says. */
  const libraryAt = (source: string): number | undefined => {
    if (!source.startsWith(XS_LIBRARY)) return undefined
    const parts = source.slice(XS_LIBRARY.length).split('/')
    for (; parts.length > 0; parts.shift()) {
      const end = `/${parts.join('/')}.xsjslib`
      const found = libraries.filter(({ path }) => `/${path}`.endsWith(end))
      if (found.length > 0) return found.length === 1 ? found[0]?.index : undefined
    }
    return undefined
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
  if (!source.startsWith('.')) return undefined
  const folder = from.split('/').slice(0, -1)
  for (const part of source.split('/')) {
    if (part === '..') folder.pop()
    else if (part !== '.' && part !== '') folder.push(part)
  }
  const path = folder.join('/')
  // TypeScript writes the ending of what it compiles to
  const written = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.mjs$/, '.mts')]
  for (const base of written)
    for (const ending of ENDINGS) {
      const found = byPath.get(`${base}${ending}`)
      if (found !== undefined) return found
    }
  return undefined
}
