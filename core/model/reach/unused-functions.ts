import type { Scripts } from '../../extracts/scripts.ts'
import { createSpanIndex } from '../../facts/span-index.ts'
import type { ProjectFile } from '../../files.ts'
import { append, groupBy } from '../../lists.ts'
import { fileNameOf, folderOf, ownerOf, resolvePath } from '../../paths.ts'
import type { Place } from '../../types.ts'
import type { NpmProject } from '../npm/index.ts'
import { startsItself, withoutEnding } from './modules.ts'
import { ALL, moduleReads, NOTHING, PACKAGE } from './module-reads.ts'
import { ownFunctions, type OwnFunctions } from './own-functions.ts'

/** What tells which functions of the project's modules run. */
export interface FunctionSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly scripts: Scripts
  readonly npm: Pick<NpmProject, 'byFolder'>
  /** Scripts that nothing loads read nothing. */
  readonly isUnloaded: (file: string) => boolean
  /** Others call what it exports: it is made for that, or a descriptor names it. */
  readonly isForOthers: (file: string) => boolean
}

/** A module while it is found out what runs of it. */
interface Module extends OwnFunctions {
  readonly file: string
  readonly used: Set<number>
  /** Positions of the functions around an offset, the innermost one first. */
  readonly around: (offset: number) => readonly number[]
  /** By function, -1 for the module itself: of which it speaks in the module, and what it reads of others. */
  readonly next: Map<number, number[]>
  readonly reads: Map<number, { readonly target: Module; readonly name: string }[]>
  /** Its functions by the names under which others may read them. */
  readonly exports: ReadonlyMap<string, readonly number[]>
  /** Whether others read one of them by its name, in functions that run or not. */
  isRead: boolean
}

const MODULE = -1
const NOWHERE = { start: 0, end: 0 }

/**
 * Tells places in functions of modules that nothing calls: neither what runs when a module is loaded, nor a function that is called itself, speaks of them. Those that
 * are exported count as called where something may load the module in a way that is not understood here, or nothing reads a name of it.
 */
export function createUnusedReader(sources: FunctionSources): (place: Place) => boolean {
  let modules: ReadonlyMap<string, Module> | undefined
  return ({ file, span }) => {
    if (span === undefined) return false
    modules ??= follow(sources)
    const own = modules.get(file)
    return own !== undefined && own.around(span.start).some((index) => !own.used.has(index))
  }
}

function follow(sources: FunctionSources): ReadonlyMap<string, Module> {
  const { files, scripts, isForOthers } = sources
  const modules = new Map<string, Module>()
  for (const { file, value } of scripts.get(ownFunctions)) modules.set(file, toModule(file, value))
  const { others, mayLoad } = addReads(modules, sources)
  const waiting: (readonly [Module, number])[] = []
  const use = (module: Module, index: number): void => {
    if (module.used.has(index)) return
    module.used.add(index)
    waiting.push([module, index])
  }
  const useExports = (module: Module, name: string): void => {
    for (const indexes of name === ALL ? module.exports.values() : [module.exports.get(name) ?? []])
      for (const index of indexes) use(module, index)
  }
  use(others, MODULE)
  for (const module of modules.values()) {
    const { file, isOpen, isRead } = module
    use(module, MODULE)
    if (isOpen || !isRead || startsItself(file, files) || mayLoad(file) || isForOthers(file)) useExports(module, ALL)
  }
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    const [module, index] = here
    for (const to of module.next.get(index) ?? []) use(module, to)
    for (const { target, name } of module.reads.get(index) ?? []) useExports(target, name)
  }
  return modules
}

function toModule(file: string, value: OwnFunctions): Module {
  const next = new Map<number, number[]>()
  for (let at = 0; at < value.uses.length; at += 2) append(next, value.uses[at] ?? MODULE, value.uses[at + 1] ?? MODULE)
  const exports = new Map<string, number[]>()
  for (const [index, { exported }] of value.functions.entries()) for (const name of exported) append(exports, name, index)
  const around = createSpanIndex([...value.functions.keys()], (index) => value.functions[index] ?? NOWHERE)
  return { ...value, file, used: new Set(), around, next, reads: new Map(), exports, isRead: false }
}

interface Reads {
  /** Stands for all scripts without functions of their own. */
  readonly others: Module
  /** Whether some script may load a module by a name that is made at run time, or by an alias. */
  readonly mayLoad: (file: string) => boolean
}

function addReads(modules: ReadonlyMap<string, Module>, { scripts, npm, isUnloaded }: FunctionSources): Reads {
  const byBase = groupBy(modules.values(), ({ file }) => baseOf(file))
  const others = toModule('', { functions: [], uses: [], isOpen: true })
  const names = new Set<string>()
  const folders = new Set<string>()
  const packageOf = (file: string): string | undefined => ownerOf(file, npm.byFolder)
  for (const { file, value } of scripts.get(moduleReads)) {
    if (isUnloaded(file)) continue
    const { source, name, at } = value
    if (source === ALL) folders.add(packageOf(file) ?? '')
    if (!source.startsWith('.')) {
      names.add(source)
      continue
    }
    const path = resolvePath(file, source)
    const reader = modules.get(file)
    for (const target of path === undefined ? [] : (byBase.get(baseOf(path)) ?? [])) {
      if (target !== reader && (name === NOTHING || target.exports.has(name))) target.isRead = true
      if (reader === undefined) append(others.reads, MODULE, { target, name })
      else append(reader.reads, reader.around(at)[0] ?? MODULE, { target, name })
    }
  }
  const isNamed = (folder: string): boolean => names.has(`${PACKAGE}${npm.byFolder.get(folder)?.name ?? ''}`)
  return {
    others,
    mayLoad: (file) => {
      const own = packageOf(file) ?? ''
      return folders.has(own) || names.has(fileNameOf(baseOf(file))) || isNamed(own)
    },
  }
}

/** A module by its path without ending; `index` by its folder. */
function baseOf(file: string): string {
  const base = withoutEnding(file)
  return fileNameOf(base) === 'index' ? folderOf(base) : base
}
