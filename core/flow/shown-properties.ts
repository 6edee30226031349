import type { ControlProperty, Ui5Control } from '../model/ui5/index.ts'
import { connectBinding, type BindingScope } from './bindings.ts'
import { shownStore } from './graph/shown.ts'
import { contextOf } from './view-contexts.ts'

const SHOWN = shownStore(undefined, '')

/** Whether a store is what scripts ask controls for. */
export function isShownStore(store: string): boolean {
  return store.startsWith(SHOWN)
}

const CUSTOM_DATA = 'sap.ui.core.CustomData'

/** What a view binds to a property that a script asks the control for, custom data too. */
export function addShown(
  control: Ui5Control,
  name: string,
  { at, binding }: ControlProperty,
  { scope, asked }: { readonly scope: Omit<BindingScope, 'contextOf'>; readonly asked: ReadonlySet<string> },
): void {
  if (binding.kind !== 'bound') return
  const key = control.type === CUSTOM_DATA && name === 'value' ? control.properties.get('key')?.value : undefined
  const property = key === undefined ? name : `data:${key}`
  const owner = key === undefined ? control : control.parent
  const stores = [shownStore(undefined, property), ...(owner?.id === undefined ? [] : [shownStore(owner.id, property)])]
  for (const store of stores.filter((one) => asked.has(one))) {
    const node = scope.graph.add(at)
    connectBinding(binding, node, at, { ...scope, contextOf: (model) => contextOf(control, model) })
    scope.ports.push({ node, access: 'write', store, path: [] })
  }
}
