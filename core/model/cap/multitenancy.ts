import { booleanOf } from '../../parse/data.ts'
import type { CapRoot } from './types.ts'

/** Whether tenants share the processes of an application: by its configuration for production. Fact: capire, "Multitenancy" (`requires.multitenancy`). */
export function isMultitenant(root: CapRoot): boolean {
  return root.productive().some((configuration) => {
    const setting = configuration.value('requires', 'multitenancy')
    return setting !== undefined && booleanOf(setting.node) !== false
  })
}
