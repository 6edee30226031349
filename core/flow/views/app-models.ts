import type { ManifestModel } from '../../model/ui5/index.ts'
import type { LinkedFile } from '../app/links.ts'
import { FIXED_MODELS } from '../tables/web.ts'
import type { FileFlow, FlowPort, FlowSource, Origin } from '../types.ts'

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
    realm: 'browser',
    nodes: new Int32Array(places),
    edges: new Int32Array(),
    names: [],
    functions: [],
    calls: [],
    sources: begins.map(({ node, origin, weak }): FlowSource => ({ node, origin, weak })),
    sinks: [],
    ports: begins.map(({ node, store }): FlowPort => ({ node, access: 'write', store, path: [] })),
    unresolved: [],
    exports: [],
    classes: [],
    shown: new Map(),
  }
}

/** Whether nobody writes what a model holds. */
export function isConstantModel(name: string, declared: readonly ManifestModel[]): boolean {
  const model = declared.find((one) => one.name === name)
  // what an event brings itself: $parameters, $source
  if (name.startsWith('$')) return true
  return model?.type === undefined ? FIXED_MODELS.test(name) : model.type.endsWith('.ResourceModel')
}
