import type { FileFlow, FlowCall, FlowClass, FlowObject, FlowSource } from './types.ts'
import { lastName } from './dotted-names.ts'

/** The flow of one file of an app. */
export interface LinkedFile {
  readonly path: string
  /** Its name as a module of UI5: `my/app/controller/Main.controller`. */
  readonly module?: string
  readonly flow: FileFlow
  /** What the model says of a request that a function turns out to get; undefined: no client sends it. */
  readonly typed?: (source: FlowSource) => FlowSource | undefined
  /** Of a file that is read once more for some of its classes, or for a class that extends one of them. */
  readonly copy?: FileCopy
}

export interface FileCopy {
  /** The file itself. */
  readonly of: number
  /** Classes that are meant by their names. */
  readonly classes: readonly string[]
  /** A file to which the copy is what it knows by these names of classes. */
  readonly for?: { readonly file: number; readonly links: readonly { readonly source: string; readonly name: string }[] }
  /** An object of a class of it, by the node where it is made. */
  readonly made?: { readonly file: number; readonly node: number }
}

/** A function of the app: the file that it is in, and its index there. */
export interface LinkedFunction {
  readonly file: number
  readonly index: number
}

/** What stands for a library of XS classic, before its package and name: `xs:shop/lib/db`. */
export const XS_LIBRARY = 'xs:'

/** What a module begins with that is the path of a file. */
export const FILE = 'file:'

/** What stands for namespaces instead of the name of a module: `my.app.Helper`. */
export const GLOBAL_SOURCE = '@global'

/** Finds what the names of modules stand for. */
export interface Linker {
  /** The functions that a call runs, in its own file or in the one that its module is. */
  called(file: number, call: FlowCall): readonly LinkedFunction[]
  /** The file of a module, as it is named in another one. */
  fileOf(from: number, source: string): number | undefined
  /** The functions that a method of an object is; '' is what the object is itself. */
  methodOf(file: number, object: FlowObject, name: string): readonly LinkedFunction[]
  /** The class of another file that an object is made from. */
  classOf(file: number, object: FlowObject): LinkedClass | undefined
  /** The class of another file that one extends. */
  parentOf(file: number, { parent }: FlowClass): LinkedClass | undefined
}

export interface LinkedClass {
  readonly file: number
  readonly class: FlowClass
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts', '.tsx', '.jsx', '/index.tsx']
/** Classes that extend each other. */
const MAX_PARENTS = 8

export function createLinker(files: readonly LinkedFile[]): Linker {
  const byPath = new Map(files.flatMap(({ path, copy }, index) => (copy === undefined ? [[path, index] as const] : [])))
  const byModule = new Map(
    files.flatMap(({ module, copy }, index) => (module === undefined || copy !== undefined ? [] : [[module, index] as const])),
  )
  const copies = createCopies(files)
  const namespaces = new Map<string, number>()
  const exported = files.map(({ flow, copy }, file) => {
    const names = new Map<string, number[]>()
    for (const [name, target] of flow.exports) {
      names.set(name, [...(names.get(name) ?? []), target])
      if (copy === undefined && name.startsWith('global ')) namespaces.set(name, file)
    }
    if (copy === undefined) for (const { name } of flow.classes) if (name.startsWith('global ')) namespaces.set(name, file)
    return names
  })
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

  const parentOf = (file: number, { parent }: Pick<FlowClass, 'parent'>, made?: number): LinkedClass | undefined => {
    if (parent === undefined) return undefined
    const known = parent.source === GLOBAL_SOURCE ? namespaces.get(parent.name) : fileOf(file, parent.source)
    const target = copies(file, parent, known, made)
    const found = files[target ?? -1]?.flow.classes.find(({ name }) => name === parent.name)
    return found && target !== undefined ? { file: target, class: found } : undefined
  }

  /** `Urls.carrier`, `query.one`, `bold`: a function that a module passes on from another one. */
  const findPassedOn = (file: number, wanted: string, hops = 0): readonly LinkedFunction[] => {
    const end = wanted.search(/[.#]/)
    const head = end < 0 ? wanted : wanted.slice(0, end)
    const rest = wanted.slice(head.length)
    for (const { name, source, imported } of files[file]?.flow.passedOn ?? []) {
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
  const find = (file: number, name: string): readonly LinkedFunction[] => {
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
      const own = files[here]?.flow.classes.find((one) => one.name === wanted.slice(0, at))
      const mixed = own === undefined ? [] : findMixed(here, own, wanted.slice(at + 1))
      if (mixed.length > 0) return mixed
      const parent = own && parentOf(here, own)
      if (parent === undefined) return []
      here = parent.file
      wanted = `${parent.class.name}${wanted.slice(at)}`
    }
    return []
  }
  // a view calls the methods of its controller by their names alone
  const functionsNamed = (file: number | undefined, name: string): LinkedFunction[] => {
    const functions = file === undefined ? [] : (files[file]?.flow.functions ?? [])
    return functions.flatMap((own, index) => (file !== undefined && lastName(own.name) === name ? [{ file, index }] : []))
  }
  const findIn = (
    from: number,
    { source, name, made }: { readonly source: string; readonly name: string; readonly made?: number },
  ): readonly LinkedFunction[] => {
    const [owner = '', method] = name.split('#')
    const known = source === GLOBAL_SOURCE ? (namespaces.get(name) ?? namespaces.get(owner)) : fileOf(from, source)
    const target = method === undefined ? known : copies(from, { source, name: owner }, known, made)
    return target === undefined ? [] : find(target, name)
  }
  return {
    fileOf,
    parentOf: (file, own) => parentOf(file, own),
    classOf: (file, object) => parentOf(file, object, object.node),
    methodOf: (file, { node, methods, parent }, name) => {
      const own = methods.flatMap(([method, index]) => (method === name ? [{ file, index }] : []))
      if (own.length > 0 || parent === undefined) return own
      const isMethod = parent.name.includes('#')
      if (isMethod !== (name === '')) return []
      return findIn(file, isMethod ? parent : { source: parent.source, name: `${parent.name}#${name}`, made: node })
    },
    called: (file, { targets, module }) => {
      if (module === undefined) return targets.map((index) => ({ file, index }))
      if (module.source.startsWith(FILE)) return functionsNamed(byPath.get(module.source.slice(FILE.length)), module.name)
      return findIn(file, module)
    },
  }
}

/** Tells which copy of a file stands for a class of it: for one file, or for all. */
function createCopies(
  files: readonly LinkedFile[],
): (from: number, link: { source: string; name: string }, target: number | undefined, made?: number) => number | undefined {
  const own = new Map<string, number>()
  for (const [index, { copy }] of files.entries()) {
    if (copy === undefined) continue
    for (const name of copy.classes) own.set(`${copy.of} ${name}`, index)
    for (const { source, name } of copy.for?.links ?? []) own.set(`${copy.for?.file} ${source} ${name}`, index)
    if (copy.made !== undefined) own.set(`${copy.made.file} @${copy.made.node}`, index)
  }
  if (own.size === 0) return (_from, _link, target) => target
  return (from, { source, name }, target, made) =>
    (made === undefined ? undefined : own.get(`${from} @${made}`)) ??
    own.get(`${from} ${source} ${name}`) ??
    own.get(`${target} ${name}`) ??
    target
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
