import { declaredModelsOf, type Ui5App } from '../model/ui5/index.ts'
import { createGraphBuilder } from './graph/builder.ts'
import type { LinkedFile } from './links.ts'
import { ANY_FIELD, type FlowPort, type FlowSource } from './types.ts'

/** What the models of a manifest bring into an app. */
export function manifestFlow(app: Pick<Ui5App, 'manifest'>): LinkedFile | undefined {
  const backends = declaredModelsOf(app).filter(({ holds }) => holds === 'backend')
  if (app.manifest === undefined || backends.length === 0) return undefined
  const graph = createGraphBuilder()
  const sources: FlowSource[] = []
  const ports: FlowPort[] = []
  for (const model of backends) {
    const node = graph.add(model)
    sources.push({ node, origin: 'backend', weak: false })
    ports.push({ node, access: 'write', store: `model ${model.name}`, path: [ANY_FIELD] })
  }
  const nothing = { functions: [], calls: [], sinks: [], unresolved: [], exports: [], shown: new Map() }
  return { path: app.manifest.file, flow: { realm: 'browser', ...graph.finish(), sources, ports, ...nothing } }
}
