import { authStrategyOf, type CapRoot } from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'

/** Adapters that answer requests of OData V2 by those of V4. */
export const V2_ADAPTERS: ReadonlySet<string> = new Set(['@cap-js-community/odata-v2-adapter', '@sap/cds-odata-v2-adapter-proxy'])

/** Whether the adapter for OData V2 runs as a plug-in. Fact: @cap-js-community/odata-v2-adapter 1.14, README, "Plugin" (`cds.cov2ap.plugin`). */
export function hasV2Plugin(root: CapRoot): boolean {
  return root.productive().some((configuration) => {
    const setting = configuration.value('cov2ap', 'plugin')
    return setting !== undefined && booleanOf(setting.node) !== false
  })
}

/** Whether CAP verifies tokens of callers with @sap/xssec. Fact: @sap/cds 6 to 9 (lib/auth/jwt-auth.js, ias-auth.js); of a project that says nothing nobody knows. */
export function verifiesTokens(root: CapRoot): boolean {
  if (root.runtime === 'java' || root.services.length === 0) return false
  return root.productive().some((configuration) => {
    const { kind = '', custom } = authStrategyOf(configuration)
    return !custom && /^(?:jwt|xsuaa|ias)$/.test(kind)
  })
}
