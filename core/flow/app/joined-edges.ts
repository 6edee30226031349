import { doubled, toAdjacency, type Adjacency } from '../solve/fact-table.ts'
import { type FileFlow, COPY, MODULE_STORE, READ, WRITE, type FlowPort } from '../types.ts'
import type { LinkedFile, Linker } from './links.ts'
import { ANY_KEPT, STORAGE } from '../sources/storage.ts'

/** The edges of an app. */
export interface JoinedEdges {
  /** Records of four numbers as in a file: from, to, operation, name. */
  readonly edges: Int32Array
  readonly names: readonly string[]
  /** By node: where the edges that begin at it stand in `edges`. */
  readonly edgesFrom: Adjacency
}

export type Connect = (from: number, to: number, operation: number, name: string) => void

interface Edges {
  readonly add: Connect
  addFile(flow: FileFlow, base: number): void
  /** Without those that begin at nodes that are cut off. */
  finish(nodes: number, cut: ReadonlySet<number>): JoinedEdges
}

const COLUMNS = 4

/** The edges of all files; files name fields by numbers of their own. */
export function createEdges(): Edges {
  // numbers in a list of JavaScript's take twice the place, and of the heap
  let edges = new Int32Array(1024 * COLUMNS)
  let end = 0
  const names: string[] = []
  const indexes = new Map<string, number>()
  const indexOf = (name: string): number => {
    const index = indexes.get(name) ?? names.push(name) - 1
    indexes.set(name, index)
    return index
  }
  const push = (from: number, to: number, operation: number, name: number): void => {
    if (end === edges.length) edges = doubled(edges)
    edges[end++] = from
    edges[end++] = to
    edges[end++] = operation
    edges[end++] = name
  }
  return {
    add: (from, to, operation, name) => push(from, to, operation, indexOf(name)),
    addFile(flow, base) {
      const own = flow.names.map(indexOf)
      const unnamed = indexOf('')
      const { edges: given } = flow
      for (let at = 0; at < given.length; at += COLUMNS) {
        push(base + (given[at] ?? 0), base + (given[at + 1] ?? 0), given[at + 2] ?? 0, own[given[at + 3] ?? -1] ?? unnamed)
      }
    },
    finish(nodes, cut) {
      const places = new Int32Array(end / 2)
      let kept = 0
      for (let at = 0; at < end; at += COLUMNS) {
        const from = edges[at] ?? 0
        if (cut.has(from)) continue
        places[kept++] = from
        places[kept++] = at
      }
      return { edges: edges.subarray(0, end), names, edgesFrom: toAdjacency(nodes, places.subarray(0, kept)) }
    },
  }
}

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
