import { type ManifestModel, actionHandlersOf, createModuleFinder, type Ui5App } from '../../model/ui5/index.ts'
import { type LinkedFile, FILE } from '../app/links.ts'
import { FIXED_MODELS, CONTEXT_PARAMETERS } from '../tables/web.ts'
import { type FileFlow, type FlowPort, type FlowSource, type Origin, ANY_FIELD, NO_FLOW, type FlowCall } from '../types.ts'
import { createGraphBuilder } from '../graph/builder.ts'
import { shownStore } from '../pages/shown.ts'

/** A model that a descriptor declares. */
export interface DeclaredModel {
  /** '': the default model. */
  readonly name: string
  /** `backend`: an OData service or another server fills it; `own`: the app itself does. */
  readonly filledBy: 'backend' | 'own'
  readonly start: number
  readonly end: number
}

/** What the models of an app hold before a script writes to them, as the flow of its descriptor. */
export function toModelFlow(path: string, models: readonly DeclaredModel[]): LinkedFile {
  const filled = models.filter(({ filledBy }) => filledBy === 'backend')
  return {
    path,
    flow: flowOf(
      filled.flatMap(({ start, end }) => [start, end]),
      filled.map(({ name }, node) => ({ node, store: `model ${name}`, origin: 'backend', weak: false })),
    ),
  }
}

/**
 * Models that are read and that nothing fills, as the flow of a file that is not there. Without a descriptor the default model is by convention the app's OData
 * service.
 */
export function toUnknownModels(
  files: readonly LinkedFile[],
  declared: readonly DeclaredModel[],
  hasDescriptor: boolean,
): LinkedFile | undefined {
  const known = new Set(declared.map(({ name }) => `model ${name}`))
  const ports = files.flatMap(({ flow }) => flow.ports).filter(({ store }) => store.startsWith('model '))
  const written = new Set(ports.flatMap(({ access, store }) => (access === 'write' ? [store] : [])))
  const open = [...new Set(ports.map(({ store }) => store))].filter(
    (store) => !known.has(store) && !written.has(store) && !FIXED_MODELS.test(store.slice('model '.length)),
  )
  if (open.length === 0) return undefined
  const begins = open.map((store, node) => {
    const isDefault = store === 'model ' && !hasDescriptor
    return { node, store, origin: isDefault ? ('backend' as const) : ('unknown' as const), weak: true }
  })
  return {
    path: '',
    flow: flowOf(
      open.flatMap(() => [0, 0]),
      begins,
    ),
  }
}

function flowOf(
  places: readonly number[],
  begins: readonly { node: number; store: string; origin: Origin; weak: boolean }[],
): FileFlow {
  return {
    ...NO_FLOW,
    nodes: new Int32Array(places),
    sources: begins.map(({ node, origin, weak }): FlowSource => ({ node, origin, weak })),
    ports: begins.map(({ node, store }): FlowPort => ({ node, access: 'write', store, path: [] })),
  }
}

/** Whether nobody writes what a model holds. */
export function isConstantModel(name: string, declared: readonly ManifestModel[]): boolean {
  const model = declared.find((one) => one.name === name)
  // what an event brings itself: $parameters, $source
  if (name.startsWith('$')) return true
  return model?.type === undefined ? FIXED_MODELS.test(name) : model.type.endsWith('.ResourceModel')
}

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
  return { path: app.manifest.file, flow: { ...NO_FLOW, ...graph.finish(), ports, calls, shown } }
}

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
  return { path: '', flow: { ...NO_FLOW, ...graph.finish(), ports } }
}
