import type { Ui5Control } from '../../model/ui5/index.ts'
import type { AppControl } from './control-classes.ts'
import type { GraphBuilder } from '../graph/builder.ts'
import { GLOBAL_SOURCE } from '../app/links.ts'
import type { FlowObject, FlowPort } from '../types.ts'

/** Controls of the app's own that a view makes: scripts that ask for one by its id call the methods of its class. */
export function controlObjects(
  controls: readonly Ui5Control[],
  own: ReadonlyMap<string, AppControl>,
  { graph, ports }: { readonly graph: GraphBuilder; readonly ports: FlowPort[] },
): FlowObject[] {
  const found: FlowObject[] = []
  for (const { type, id, at } of own.size === 0 ? [] : controls) {
    if (id === undefined || !own.has(type)) continue
    const node = graph.add(at)
    ports.push({ node, access: 'write', store: `control #${id}`, path: [] })
    // a class by its full name, and one that its module gives
    found.push({ node, methods: [], parent: { source: GLOBAL_SOURCE, name: `global ${type}` } })
    found.push({ node, methods: [], parent: { source: type.replaceAll('.', '/'), name: '' } })
  }
  return found
}
