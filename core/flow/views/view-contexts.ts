import type { Binding, Ui5Control, ControlProperty, Ui5App } from '../../model/ui5/index.ts'
import { segmentsOf, connectBinding, type BindingScope } from './bindings.ts'
import { defaultAggregationOf } from '../tables/controls.ts'
import { ANY_FIELD } from '../types.ts'
import { append } from '../../lists.ts'
import { shownStore } from '../pages/shown.ts'
import { handlersOf } from './view-functions.ts'
import type { Span } from '../../types.ts'

/** Controls around one that are asked for its context. */
const MAX_AROUND = 200
/** Aggregations that lists of other libraries have by default. */
const LISTS: ReadonlySet<string> = new Set(
  'items rows content columns cells tiles pages buttons tokens suggestionItems attributes formElements headerContent sections blocks'.split(
    ' ',
  ),
)

/** Where the relative paths of a control begin in a model: the element binding of it or of one around it, and the lists that it is an item of. */
export function contextOf(control: Ui5Control, model: string): readonly string[] | undefined {
  const pieces: (readonly string[])[] = []
  let here: Ui5Control | undefined = control
  for (let count = 0; here !== undefined && count < MAX_AROUND; count++) {
    const own = pathIn(here.properties.get('binding')?.binding, model)
    if (own !== undefined) pieces.push(segmentsOf(own))
    const list = own?.startsWith('/') === true ? undefined : pathIn(aggregationAround(here), model)
    if (list !== undefined) pieces.push([...segmentsOf(list), ANY_FIELD])
    if ((own ?? '').startsWith('/') || (list ?? '').startsWith('/')) return pieces.toReversed().flat()
    here = here.parent
  }
  return undefined
}

function aggregationAround({ parent, aggregation }: Ui5Control): Binding | undefined {
  if (parent === undefined) return undefined
  const named = aggregation ?? defaultAggregationOf(parent.type)
  if (named !== undefined) return parent.properties.get(named)?.binding
  const bound = [...parent.properties].find(([name, { binding }]) => LISTS.has(name) && binding.kind === 'bound')
  return bound?.[1].binding
}

function pathIn(binding: Binding | undefined, model: string): string | undefined {
  const [part] = binding?.kind === 'bound' ? binding.parts : []
  if (part === undefined || part.kind === 'expression') return undefined
  return (part.kind === 'path' ? [part] : part.paths).find((path) => path.model === model)?.path
}

const SHOWN = shownStore(undefined, '')

/** Whether a store is what scripts ask controls for. */
export function isShownStore(store: string): boolean {
  return store.startsWith(SHOWN)
}

/** What scripts ask controls for. */
export interface AskedControls {
  readonly stores: ReadonlySet<string>
  /** By property: the methods in which the control whose event it is is asked. */
  readonly handlers: ReadonlyMap<string, readonly string[]>
  /** The methods that the views of the app name. */
  readonly named: ReadonlySet<string>
}

export function readAsked(stores: ReadonlySet<string>, views: Ui5App['views']): AskedControls {
  const handlers = new Map<string, string[]>()
  for (const store of stores) {
    const [, handler, property] = OF_HANDLER.exec(store) ?? []
    if (handler !== undefined && property !== undefined) append(handlers, property, handler)
  }
  const named = handlers.size === 0 ? [] : views.flatMap(({ controls }) => controls.flatMap((control) => handlersOf(control)))
  return { stores, handlers, named: new Set(named) }
}

const OF_HANDLER = /^shown @([\w$]{1,101})\.(.{1,200})$/

/** The stores of a property of a control; of a method that no view names, nobody knows whose event it handles. */
function storesOf(control: Ui5Control | undefined, property: string, { stores, handlers, named }: AskedControls): string[] {
  const own = new Set(control === undefined ? [] : handlersOf(control))
  const asking = (handlers.get(property) ?? []).filter((handler) => own.has(handler) || !named.has(handler))
  return [
    shownStore(undefined, property),
    ...(control?.id === undefined ? [] : [shownStore(`#${control.id}`, property)]),
    ...asking.map((handler) => shownStore(`@${handler}`, property)),
  ].filter((store) => stores.has(store))
}

const CUSTOM_DATA = 'sap.ui.core.CustomData'

/** A node for what a binding of a control brings there. */
export function shownNode(control: Ui5Control, binding: Binding, at: Span, scope: Omit<BindingScope, 'contextOf'>): number {
  const node = scope.graph.add(at)
  connectBinding(binding, node, at, { ...scope, contextOf: (model) => contextOf(control, model) })
  return node
}

/** What a view binds to a property that a script asks the control for, custom data too. */
export function addShown(
  control: Ui5Control,
  name: string,
  { at, binding }: ControlProperty,
  { scope, asked }: { readonly scope: Omit<BindingScope, 'contextOf'>; readonly asked: AskedControls },
): void {
  if (binding.kind !== 'bound') return
  const key = control.type === CUSTOM_DATA && name === 'value' ? control.properties.get('key')?.value : undefined
  const property = key === undefined ? name : `data:${key}`
  const owner = key === undefined ? control : control.parent
  for (const store of storesOf(owner, property, asked)) {
    const node = shownNode(control, binding, at, scope)
    scope.ports.push({ node, access: 'write', store, path: [] })
  }
}
