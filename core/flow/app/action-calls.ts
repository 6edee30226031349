import { actionHandlersOf, createModuleFinder, type Ui5App } from '../../model/ui5/index.ts'
import { createGraphBuilder } from '../graph/builder.ts'
import { FILE, type LinkedFile } from './links.ts'
import { ANY_FIELD, type FlowCall, type FlowPort } from '../types.ts'

/**
 * What Fiori elements calls the actions of an app with, as the flow of its descriptor: the context of the page and those that are selected. Fact: documentation
 * of SAPUI5, "Adding Custom Actions Using Extension Points".
 */
export function actionFlow(app: Ui5App): LinkedFile | undefined {
  const handlers = actionHandlersOf(app)
  if (handlers.length === 0 || app.manifest === undefined) return undefined
  const findModule = createModuleFinder(app)
  const graph = createGraphBuilder()
  const ports: FlowPort[] = []
  const calls: FlowCall[] = []
  const shown = new Map<number, string>()
  for (const { module, method, at } of handlers) {
    const file = findModule(module)
    if (file === undefined) continue
    const args = ['context', 'selectedContexts'].map((name) => {
      const node = graph.add(at)
      ports.push({ node, access: 'read', store: 'model ', path: [ANY_FIELD] })
      shown.set(node, name)
      return node
    })
    calls.push({ result: graph.add(at), args, targets: [], module: { source: `${FILE}${file}`, name: method } })
  }
  if (calls.length === 0) return undefined
  const nothing = { sources: [], sinks: [], unresolved: [], functions: [], exports: [], classes: [] }
  return { path: app.manifest.file, flow: { realm: 'browser', ...graph.finish(), ports, calls, shown, ...nothing } }
}
