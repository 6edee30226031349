import { listOf } from './adjacency.ts'
import type { OpenGraph } from './dispatch.ts'
import { outcomeNode, type AddCall, type JoinedGraph } from './join.ts'
import type { Connect } from './joined-edges.ts'
import type { LinkedFile, Linker } from './links.ts'
import { READ, WRITE } from './types.ts'

/** The graph as the search for what values call looks at it, and adds to it. */
export function toOpenGraph({
  bases,
  edges,
  names,
  edgesFrom,
  argumentsAt,
  callersOf,
  resultsAt,
  calls,
  addCall,
}: Pick<JoinedGraph, 'bases' | 'edges' | 'names' | 'edgesFrom' | 'argumentsAt' | 'callersOf' | 'resultsAt' | 'calls'> & {
  readonly addCall: AddCall
}): OpenGraph {
  return {
    bases,
    *edgesFrom(node) {
      for (const at of listOf(edgesFrom, node))
        yield { to: edges[at + 1] ?? 0, operation: edges[at + 2] ?? 0, name: names[edges[at + 3] ?? 0] ?? '' }
    },
    parametersAt: (node) => (argumentsAt.get(node) ?? []).map(({ parameter }) => parameter),
    resultsOf(node) {
      const outcome = resultsAt.get(node)
      return outcome === undefined
        ? []
        : (callersOf.get(outcome.callee) ?? []).flatMap((call) => outcomeNode(calls[call], outcome) ?? [])
    },
    call: addCall,
  }
}

/** The fields of an object that another file's class makes are those of `this` in the class. */
export function connectMade(files: readonly LinkedFile[], bases: readonly number[], linker: Linker, connect: Connect): void {
  for (const [file, { flow }] of files.entries())
    for (const object of flow.objects ?? []) {
      const made = object.isMade === true ? linker.classOf(file, object) : undefined
      const node = (bases[file] ?? 0) + object.node
      for (const [name, field] of made?.class.fields ?? []) {
        const inside = (bases[made?.file ?? 0] ?? 0) + field
        connect(inside, node, WRITE, name)
        connect(node, inside, READ, name)
      }
    }
}
