import type { Ui5Control } from '../../model/ui5/index.ts'

/** `.onChange`, `.onChange($event)`. */
const HANDLER = /^\s{0,20}\.?([A-Za-z_$][\w$]{0,100})(?:\([^)]{0,500}\))?\s{0,20}$/

/** The methods that a view names for the events of a control, among what else its constants may say. */
export function handlersOf({ properties }: Ui5Control): readonly string[] {
  return [...properties.values()].flatMap(({ value, binding }) => {
    const [, handler] = binding.kind === 'constant' ? (HANDLER.exec(value) ?? []) : []
    return handler ?? []
  })
}
