import type { BindingPart } from './binding.ts'
import type { Ui5Control, ViewNamespace } from './types.ts'

/** The libraries of controls, where each stands first. */
export function typeNamespaces(controls: readonly Ui5Control[]): ViewNamespace[] {
  const namespaces = new Map<string, ViewNamespace>()
  for (const { type, at } of controls) {
    const name = type.slice(0, Math.max(0, type.lastIndexOf('.')))
    if (!namespaces.has(name)) namespaces.set(name, { name, at })
  }
  return [...namespaces.values()]
}

/** The object of a binding, as text: its paths in braces. */
export function infoText({ paths }: BindingPart & { readonly kind: 'info' }): string {
  return `{${paths.map(({ model, path }) => (model === '' ? path : `${model}>${path}`)).join(', ')}}`
}

/** The model that a view makes of its bundle of texts; without a name it is the default one. */
export function textModelOf(bundle: string | undefined, alias: string | undefined): string | undefined {
  return bundle === undefined || bundle.trim() === '' ? undefined : (alias ?? '').trim()
}
