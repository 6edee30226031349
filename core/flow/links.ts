import type { FileFlow, FlowCall } from './types.ts'

/** The flow of one file of an app. */
export interface LinkedFile {
  readonly path: string
  /** Its name as a module of UI5: `my/app/controller/Main.controller`. */
  readonly module?: string
  readonly flow: FileFlow
}

/** A function of the app: the file that it is in, and its index there. */
export interface LinkedFunction {
  readonly file: number
  readonly index: number
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts']

/** Finds the functions that a call runs, in its own file or in the one that its module is. */
export function createLinker(files: readonly LinkedFile[]): (file: number, call: FlowCall) => readonly LinkedFunction[] {
  const byPath = new Map(files.map(({ path }, index) => [path, index]))
  const byModule = new Map(files.flatMap(({ module }, index) => (module === undefined ? [] : [[module, index] as const])))
  const exported = files.map(({ flow }) => {
    const names = new Map<string, number[]>()
    for (const [name, target] of flow.exports) names.set(name, [...(names.get(name) ?? []), target])
    return names
  })
  return (file, { targets, module }) => {
    if (module === undefined) return targets.map((index) => ({ file, index }))
    const target = byModule.get(module.source) ?? resolveModule(files[file]?.path ?? '', module.source, byPath)
    if (target === undefined) return []
    const names = exported[target]
    const found = names?.get(module.name) ?? names?.get(module.name.replace(/^default\./, '')) ?? []
    return found.map((index) => ({ file: target, index }))
  }
}

function resolveModule(from: string, source: string, byPath: ReadonlyMap<string, number>): number | undefined {
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
