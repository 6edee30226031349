import type { CallGraph, Thing } from './call-graph.ts'
import { append } from '../../lists.ts'
import type { NodeThings } from './node-things.ts'
import type { FlowCallables } from '../types.ts'

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
