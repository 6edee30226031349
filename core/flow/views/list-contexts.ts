import { createGraphBuilder } from '../graph/builder.ts'
import { shownStore } from '../pages/shown.ts'
import type { LinkedFile } from '../app/links.ts'
import { CONTEXT_PARAMETERS } from '../tables/web.ts'
import type { FlowPort } from '../types.ts'

/** Rows that events of lists bring, where no view binds such a list: a script or a smart control does, and by convention to the default model. */
export function unboundLists(views: readonly LinkedFile[], scripts: readonly LinkedFile[]): LinkedFile | undefined {
  const bound = new Set(views.flatMap(({ flow }) => flow.ports.flatMap(({ access, store }) => (access === 'write' ? store : []))))
  const stores = new Set([...CONTEXT_PARAMETERS.values()].map((list) => shownStore(undefined, list)))
  const asked = new Set(scripts.flatMap(({ flow }) => flow.ports.flatMap(({ store }) => (stores.has(store) ? store : []))))
  const open = [...asked].filter((store) => !bound.has(store))
  if (open.length === 0) return undefined
  const graph = createGraphBuilder()
  const ports = open.flatMap((store): FlowPort[] => {
    const node = graph.add({ start: 0, end: 0 })
    return [
      { node, access: 'read', store: 'model ', path: [] },
      { node, access: 'write', store, path: [] },
    ]
  })
  const nothing = { calls: [], sources: [], sinks: [], unresolved: [], functions: [], exports: [], classes: [], shown: new Map() }
  return { path: '', flow: { realm: 'browser', ...graph.finish(), ports, ...nothing } }
}
