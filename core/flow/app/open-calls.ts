import { append } from '../../lists.ts'
import { functionThing, type OpenGraph, type Thing, type CallGraph } from './call-graph.ts'
import type { LinkedFile } from './links.ts'
import type { FlowCallables } from '../types.ts'
import type { NodeThings } from './followed-things.ts'

/** What the files of an app leave open, by the nodes of the whole app. */
interface OpenParts {
  /** By the node of what is called. */
  readonly callsAt: ReadonlyMap<number, readonly OpenCall[]>
  readonly partialsAt: ReadonlyMap<number, readonly OpenPartial[]>
  readonly written: readonly { readonly node: number; readonly name: string; readonly from: number; readonly put: number }[]
  readonly mounted: ReadonlySet<number>
  /** `run.call(object, x)`, `run.bind(object)`: where nothing tells which function that is, it may be one of the object's. */
  readonly onObjects: readonly { readonly called: number; readonly object: number; readonly by: OpenCall | number }[]
}

export interface OpenPartial {
  readonly file: number
  readonly result: number
  readonly args: readonly number[]
  readonly rest: number
}

export function openParts({ files, bases }: Pick<OpenGraph, 'files' | 'bases'>): OpenParts {
  const callsAt = new Map<number, OpenCall[]>()
  const partialsAt = new Map<number, OpenPartial[]>()
  const written: OpenParts['written'][number][] = []
  const mounted = new Set<number>()
  const onObjects: OpenParts['onObjects'][number][] = []
  let calls = 0
  for (const [file, { flow }] of files.entries()) {
    const own = flow.server?.callables
    if (own === undefined) continue
    const base = bases[file] ?? 0
    for (const {
      called,
      how,
      isOnce = false,
      args,
      result,
      receiver,
      object,
      isSuper = false,
      filled,
      via,
      handed,
    } of own.calls) {
      const call: OpenCall = {
        id: calls++,
        file,
        how,
        isOnce,
        args: args.map((node) => base + node),
        result: base + result,
        receiver: receiver === undefined && object === undefined ? undefined : base + (receiver ?? object ?? 0),
        isSuper,
        filled: filled && new Map(filled.map(([argument, node]) => [argument, base + node])),
        via: via === undefined ? undefined : base + via,
        handed,
      }
      append(callsAt, base + called, call)
      if (object !== undefined) onObjects.push({ called: base + called, object: base + object, by: call })
    }
    for (const node of own.mounted) mounted.add(base + node)
    for (const [node, name, from, put] of own.written ?? [])
      written.push({ node: base + node, name, from: base + from, put: base + put })
    for (const { called, result, args, rest, object } of own.partials) {
      if (object !== undefined) onObjects.push({ called: base + called, object: base + object, by: base + result })
      append(partialsAt, base + called, { file, result: base + result, args: args.map((node) => base + node), rest: base + rest })
    }
  }
  return { callsAt, partialsAt, written, mounted, onObjects }
}

/** The methods with decorators of the objects that a function is called on: what is registered by decorators, is called so where nothing else tells what is. */
export function decoratedMethods(
  called: readonly Thing[],
  objects: readonly Thing[],
  files: readonly LinkedFile[],
): readonly Thing[] {
  if (called.some(({ kind }) => kind === 'function')) return []
  return objects.flatMap(({ kind, file, index, fields }) => {
    if (kind !== 'instance' || fields.length > 0) return []
    const methods = files[file]?.flow.server?.callables.classes[index]?.decorated
    return (methods ?? []).map((method) => functionThing(file, method))
  })
}

/** A call of the app whose function is followed. */
export interface OpenCall {
  readonly id: number
  readonly file: number
  readonly how: 'call' | 'new' | 'super'
  readonly isOnce: boolean
  readonly args: readonly number[]
  readonly result: number
  readonly receiver: number | undefined
  readonly isSuper: boolean
  readonly filled: ReadonlyMap<number, number> | undefined
  readonly via: number | undefined
  readonly handed: FlowCallables['calls'][number]['handed']
}

/** What the values of an app are that can be called, by their nodes. */
export function calledValues(
  known: NodeThings,
  things: readonly Thing[],
  functionBases: readonly number[],
): Pick<CallGraph, 'packages' | 'functionsAt' | 'instancesAt'> {
  const instancesAt = new Map<number, Thing[]>()
  const packages = new Map<number, Set<string>>()
  const functionsAt = new Map<number, Set<number>>()
  for (const node of known.nodes())
    for (const id of known.at(node)) {
      const thing = things[id]
      if (thing === undefined || thing.fields.length > 0) continue
      if (thing.kind === 'instance') append(instancesAt, node, thing)
      if (thing.kind === 'package') packages.set(node, (packages.get(node) ?? new Set()).add(thing.path))
      if (thing.kind === 'function')
        functionsAt.set(node, (functionsAt.get(node) ?? new Set()).add((functionBases[thing.file] ?? 0) + thing.index))
    }
  return { packages, functionsAt, instancesAt }
}
