import type { FileFlow, FlowCall, FlowClass, FlowObject, FlowSource } from '../types.ts'
import { createFunctionFinder, readExports } from './exported-functions.ts'
import { createModuleFiles } from './modules.ts'
import { lastName } from '../../paths.ts'

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

interface FileCopy {
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

/** What a module begins with that is the path of a file. */
export const FILE = 'file:'

/** What stands for namespaces instead of the name of a module: `my.app.Helper`. */
export const GLOBAL_SOURCE = '@global'

/** What the names begin with that classic scripts of a page share; they are asked for as those of namespaces are. */
export const PAGE = 'page '

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

export function createLinker(files: readonly LinkedFile[]): Linker {
  const { byPath, fileOf } = createModuleFiles(files)
  const copies = createCopies(files)
  const { exported, namespaces } = readExports(files)
  const parentOf = (file: number, { parent }: Pick<FlowClass, 'parent'>, made?: number): LinkedClass | undefined => {
    if (parent === undefined) return undefined
    const known = parent.source === GLOBAL_SOURCE ? namespaces.get(parent.name) : fileOf(file, parent.source)
    const target = copies(file, parent, known, made)
    const found = files[target ?? -1]?.flow.exports.classes.find(({ name }) => name === parent.name)
    return found && target !== undefined ? { file: target, class: found } : undefined
  }

  const find = createFunctionFinder({ files, fileOf, parentOf, exported, namespaces })
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
