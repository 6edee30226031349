import { GLOBAL_SOURCE, PAGE, type LinkedClass, type LinkedFile, type LinkedFunction, type Linker } from './links.ts'
import type { FlowClass } from '../types.ts'

/** What files give to others by name. */
export interface Exports {
  /** By the file: the functions of each name. */
  readonly exported: readonly ReadonlyMap<string, readonly number[]>[]
  /** The file in which something global stands, by its name. */
  readonly namespaces: ReadonlyMap<string, number>
}

/** Classes that extend each other, and modules that pass on what others give. */
const MAX_PARENTS = 8

export function readExports(files: readonly LinkedFile[]): Exports {
  const namespaces = new Map<string, number>()
  const shared = new Map<string, number | undefined>()
  const exported = files.map(({ flow, copy }, file) => {
    const names = new Map<string, number[]>()
    for (const [given, target] of flow.exports.functions) {
      const ofPage = given.startsWith(PAGE) ? `global ${given.slice(PAGE.length)}` : undefined
      // of which page a name is that two scripts declare, nobody can tell
      if (ofPage !== undefined && copy === undefined)
        shared.set(ofPage, (shared.has(ofPage) ? shared.get(ofPage) : file) === file ? file : undefined)
      if (ofPage !== undefined) {
        names.set(ofPage, [...(names.get(ofPage) ?? []), target])
        continue
      }
      const name = given
      names.set(name, [...(names.get(name) ?? []), target])
      if (copy === undefined && name.startsWith('global ')) namespaces.set(name, file)
    }
    if (copy === undefined)
      for (const { name } of flow.exports.classes) if (name.startsWith('global ')) namespaces.set(name, file)
    return names
  })
  for (const [name, file] of shared) if (file !== undefined && !namespaces.has(name)) namespaces.set(name, file)
  return { exported, namespaces }
}

interface Lookup extends Exports, Pick<Linker, 'fileOf'> {
  readonly files: readonly LinkedFile[]
  readonly parentOf: (file: number, own: Pick<FlowClass, 'parent'>) => LinkedClass | undefined
}

/** Finds functions by the names that a file gives them. */
export function createFunctionFinder({
  files,
  fileOf,
  parentOf,
  exported,
  namespaces,
}: Lookup): (file: number, name: string) => readonly LinkedFunction[] {
  /** `Urls.carrier`, `query.one`, `bold`: a function that a module passes on from another one. */
  const findPassedOn = (file: number, wanted: string, hops = 0): readonly LinkedFunction[] => {
    const end = wanted.search(/[.#]/)
    const head = end < 0 ? wanted : wanted.slice(0, end)
    const rest = wanted.slice(head.length)
    for (const { name, source, imported } of files[file]?.flow.exports.passedOn ?? []) {
      const isAll = name === '*'
      if (!isAll && name !== (head === 'default' ? '' : head)) continue
      const target = fileOf(file, source)
      if (target === undefined || hops > MAX_PARENTS) continue
      const inner = isAll ? wanted : `${imported === '*' ? '' : imported}${rest}`.replace(/^\./, '') || 'default'
      const found = exported[target]?.get(inner) ?? exported[target]?.get(inner.replace(/^default\.?/, ''))
      const functions = found?.map((index) => ({ file: target, index })) ?? findPassedOn(target, inner, hops + 1)
      if (functions.length > 0) return functions
    }
    return []
  }

  /** A method that a class has from an object of another file, or from another class. */
  const findMixed = (file: number, { mixed = [] }: FlowClass, method: string): readonly LinkedFunction[] => {
    for (const { source, name } of mixed) {
      const target = source === GLOBAL_SOURCE ? namespaces.get(name) : fileOf(file, source)
      const names = exported[target ?? -1]
      const found = names?.get(name === '' ? method : `${name}.${method}`) ?? names?.get(`${name}#${method}`)
      if (target !== undefined && found !== undefined) return found.map((index) => ({ file: target, index }))
    }
    return []
  }

  /** A function by its name in a file; a method also of a class that the one named extends. */
  return (file: number, name: string): readonly LinkedFunction[] => {
    let here = file
    let wanted = name
    for (let parents = 0; parents < MAX_PARENTS; parents++) {
      const names = exported[here]
      const found = names?.get(wanted) ?? names?.get(wanted.replace(/^default\.?/, ''))
      if (found !== undefined) return found.map((index) => ({ file: here, index }))
      // a function is its own constructor
      const made = wanted.endsWith('#constructor') ? names?.get(wanted.slice(0, -'#constructor'.length) || 'default') : undefined
      if (made !== undefined) return made.map((index) => ({ file: here, index }))
      const passed = findPassedOn(here, wanted)
      if (passed.length > 0) return passed
      const at = wanted.indexOf('#')
      if (at < 0) return []
      const own = files[here]?.flow.exports.classes.find((one) => one.name === wanted.slice(0, at))
      const mixed = own === undefined ? [] : findMixed(here, own, wanted.slice(at + 1))
      if (mixed.length > 0) return mixed
      const parent = own && parentOf(here, own)
      if (parent === undefined) return []
      here = parent.file
      wanted = `${parent.class.name}${wanted.slice(at)}`
    }
    return []
  }
}
