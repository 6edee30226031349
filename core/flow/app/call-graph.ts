import type { Adjacency } from '../solve/fact-table.ts'
import type { LinkedFile, LinkedFunction } from './links.ts'
import type { FlowSource } from '../types.ts'

/** What joins files by the functions, classes and packages that values are. Nodes, functions and calls are those of the whole app. */
export interface CallGraph {
  /** A function that a call runs, found by following values. `shift`: parameters that `bind` filled before. */
  readonly links: readonly CallLink[]
  /** Requests that frameworks hand to functions. */
  readonly sources: readonly { readonly file: number; readonly source: FlowSource }[]
  /** Fields of objects that are read from outside of their classes. */
  readonly copies: readonly (readonly [from: number, to: number])[]
  /** By the node of what is called: access paths of packages that it may be. */
  readonly packages: ReadonlyMap<number, ReadonlySet<string>>
  /** By the node of a value: the functions that it may be. */
  readonly functionsAt: ReadonlyMap<number, ReadonlySet<number>>
  /** Nodes by which a value would become a field of an object whose setter gets it. */
  readonly taken: ReadonlySet<number>
  /** The classes that one extends. */
  readonly parentsOf: (thing: Pick<Thing, 'file' | 'index'>) => readonly Thing[]
  /** By the node of a value: the classes that it may be an object of. */
  readonly instancesAt: ReadonlyMap<number, readonly Pick<Thing, 'file' | 'index'>[]>
  /** Classes of which there is one object at most, so that all code speaks of the same one. */
  readonly isShared: (file: number, index: number) => boolean
  /** All its objects are made when the server starts: each serves all requests. */
  readonly isMadeOnce: (file: number, index: number) => boolean
  /** False: the steps were used up before all calls were known. */
  readonly isWhole: boolean
}

export interface CallLink {
  readonly file: number
  readonly args: readonly number[]
  readonly result: number
  readonly receiver: number | undefined
  readonly isSuper?: true
  /** By the position of an argument: the node of what is put into it. */
  readonly filled: ReadonlyMap<number, number> | undefined
  readonly target: LinkedFunction
  readonly shift: number
  /** The parameter that is called: `(run) => run(x)`. */
  readonly via: number | undefined
}

/** Something that is followed. */
export interface Thing {
  readonly kind: 'function' | 'class' | 'instance' | 'package'
  readonly file: number
  /** Of the function or class; of functions also how many parameters are filled. */
  readonly index: number
  readonly shift: number
  /** Of a package. */
  readonly path: string
  /** The fields in which it lies. */
  readonly fields: readonly string[]
}

/** What is followed along: the nodes and edges of an app. */
export interface OpenGraph {
  readonly files: readonly LinkedFile[]
  readonly bases: readonly number[]
  readonly functionBases: readonly number[]
  readonly edges: Int32Array
  readonly names: readonly string[]
  readonly edgesFrom: Adjacency
}

/** A function of which no parameter is given yet. */
export function functionThing(file: number, index: number): Thing {
  return { kind: 'function', file, index, shift: 0, path: '', fields: [] }
}
