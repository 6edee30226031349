import { append } from '../../lists.ts'
import { fileAt, type Bases, type JoinedGraph } from './joined-graph.ts'
import type { LinkedFile } from './links.ts'

/** Where functions are written, and where they are values: one that is written in another one may hold something of it. */
export function joinPlaces(files: readonly LinkedFile[], bases: Bases): Pick<JoinedGraph, 'valuesOf' | 'isInside'> {
  const valuesOf = new Map<number, number[]>()
  for (const [file, { flow }] of files.entries())
    for (const [node, index] of flow.callables?.functions ?? [])
      append(valuesOf, (bases.functions[file] ?? 0) + index, (bases.nodes[file] ?? 0) + node)
  return {
    valuesOf,
    isInside(within, place) {
      const file = fileAt(bases.functions, within)
      const flow = files[file]?.flow
      const outer = flow?.functions[within - (bases.functions[file] ?? 0)]
      if (flow === undefined || outer === undefined) return false
      if ('callee' in place) {
        if (place.callee === within || fileAt(bases.functions, place.callee) !== file) return false
        const inner = flow.functions[place.callee - (bases.functions[file] ?? 0)]
        return inner !== undefined && outer.start <= inner.start && inner.end <= outer.end
      }
      if (fileAt(bases.nodes, place.node) !== file) return false
      const at = flow.nodes[(place.node - (bases.nodes[file] ?? 0)) * 2] ?? -1
      return outer.start <= at && at < outer.end
    },
  }
}

/** By file: the one that it is a copy of, which stands before it, or itself. */
export function originalsOf(files: readonly LinkedFile[]): readonly number[] {
  const originals: number[] = []
  for (const [index, { copy }] of files.entries()) originals.push(copy === undefined ? index : (originals[copy.of] ?? copy.of))
  return originals
}
