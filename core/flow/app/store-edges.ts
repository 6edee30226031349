import type { Connect } from './joined-edges.ts'
import type { LinkedFile, Linker } from './links.ts'
import { ANY_KEPT, STORAGE } from '../values/store-keys.ts'
import { COPY, MODULE_STORE, READ, WRITE, type FlowPort } from '../types.ts'

/** A store is one object of the whole app: a node behind those of all files, that ports write fields of and read fields from. */
export function connectStores(
  files: readonly LinkedFile[],
  { bases, nodes, linker }: { readonly bases: readonly number[]; readonly nodes: number; readonly linker: Linker },
  connect: Connect,
): { readonly stores: ReadonlyMap<number, string>; readonly end: number } {
  const stores = new Map<string, number>()
  let last = nodes
  const add = ({ node, access, store, path }: FlowPort, base: number): void => {
    const shared = stores.get(store) ?? last++
    stores.set(store, shared)
    const isWrite = access === 'write'
    let here = isWrite ? base + node : shared
    for (const [index, name] of (isWrite ? path.toReversed() : path).entries()) {
      const isEnd = index === path.length - 1
      const to = isEnd ? (isWrite ? shared : base + node) : last++
      connect(here, to, isWrite ? WRITE : READ, name)
      here = to
    }
    if (path.length === 0) connect(here, isWrite ? shared : base + node, COPY, '')
  }
  for (const [file, { flow }] of files.entries()) {
    for (const port of flow.ports) {
      const { node, access, path } = port
      const store = nameOf(port.store, file, linker)
      if (store !== undefined) add({ node, access, store, path }, bases[file] ?? 0)
    }
  }
  return { stores: new Map([...stores].map(([store, node]) => [node, store])), end: last }
}

/** A module is known by its file, whatever others call it. Undefined: none of the app. */
function nameOf(store: string, file: number, linker: Linker): string | undefined {
  if (!store.startsWith(MODULE_STORE)) return store
  const source = store.slice(MODULE_STORE.length)
  const target = source === '' ? file : linker.fileOf(file, source)
  return target === undefined ? undefined : `${MODULE_STORE}${target}`
}

/** Tells which stores hold constants of the app alone: code writes them, and nothing else anywhere. */
export function fixedStores(files: readonly LinkedFile[]): (store: string) => boolean {
  const written = new Map<string, boolean>()
  for (const { flow } of files)
    for (const { store, access, isFixed } of flow.ports)
      if (access === 'write' && store.startsWith(STORAGE)) written.set(store, isFixed === true && written.get(store) !== false)
  return (store) => written.get(store) === true && written.get(ANY_KEPT) !== false
}
