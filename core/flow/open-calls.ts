import { append } from '../lists.ts'
import type { OpenGraph } from './call-graph.ts'
import type { OpenCall } from './called-values.ts'

/** What the files of an app leave open, by the nodes of the whole app. */
export interface OpenParts {
  /** By the node of what is called. */
  readonly callsAt: ReadonlyMap<number, readonly OpenCall[]>
  readonly partialsAt: ReadonlyMap<number, readonly OpenPartial[]>
  readonly written: readonly { readonly node: number; readonly name: string; readonly from: number }[]
  readonly mounted: ReadonlySet<number>
}

interface OpenPartial {
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
  let calls = 0
  for (const [file, { flow }] of files.entries()) {
    const own = flow.callables
    if (own === undefined) continue
    const base = bases[file] ?? 0
    for (const { called, how, isOnce = false, args, result, receiver, filled, via, handed } of own.calls)
      append(callsAt, base + called, {
        id: calls++,
        file,
        how,
        isOnce,
        args: args.map((node) => base + node),
        result: base + result,
        receiver: receiver === undefined ? undefined : base + receiver,
        filled: filled && new Map(filled.map(([argument, node]) => [argument, base + node])),
        via: via === undefined ? undefined : base + via,
        handed,
      })
    for (const node of own.mounted) mounted.add(base + node)
    for (const [node, name, from] of own.written ?? []) written.push({ node: base + node, name, from: base + from })
    for (const { called, result, args, rest } of own.partials)
      append(partialsAt, base + called, { file, result: base + result, args: args.map((node) => base + node), rest: base + rest })
  }
  return { callsAt, partialsAt, written, mounted }
}
