import satisfies from 'semver/functions/satisfies.js'
import { authStrategyOf, isMtxSidecar, type CapRoot } from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'

/** Of the two that answer requests of OData V2 by those of V4, the one that may be a plug-in. */
export const V2_PLUGIN = '@cap-js-community/odata-v2-adapter'
export const V2_ADAPTERS: ReadonlySet<string> = new Set([V2_PLUGIN, '@sap/cds-odata-v2-adapter-proxy'])

/** From here on the adapter is a plug-in by itself, as far as is known; before, only where a setting says so. */
const IS_PLUGIN = '>=1.11.0'

/**
 * Whether the adapter for OData V2 runs as a plug-in of CAP.
 * Facts: @cap-js-community/odata-v2-adapter 1.14.1 and 1.15.3 (README, "Options"; cds-plugin.js: `cds.env.cov2ap.plugin` is true by default); capire documentation before that ("cov2ap": { "plugin": true }).
 */
export function hasV2Plugin(root: CapRoot, versions: readonly string[]): boolean {
  const isDefault = versions.some((version) => satisfies(version, IS_PLUGIN))
  return root.productive().some((configuration) => {
    const setting = configuration.value('cov2ap', 'plugin')
    return setting === undefined ? isDefault : booleanOf(setting.node) !== false
  })
}

/** Whether CAP offers services for tenants, extensions or toggles. Fact: README of @sap/cds-mtxs 3; capire, "Multitenancy", "Extensibility", "Feature Toggles". */
export function isTenantAware(root: CapRoot): boolean {
  const asks = root.productive().some((configuration) =>
    ['multitenancy', 'extensibility', 'toggles'].some((name) => {
      const setting = configuration.value('requires', name)
      return setting !== undefined && booleanOf(setting.node) !== false
    }),
  )
  return asks || root.runtime === 'java' || isMtxSidecar(root)
}

/** Whether CAP verifies tokens of callers with @sap/xssec. Fact: @sap/cds 6 to 9 (lib/auth/jwt-auth.js, ias-auth.js); of a project that says nothing nobody knows. */
export function verifiesTokens(root: CapRoot): boolean {
  if (root.runtime === 'java' || root.services.length === 0) return false
  return root.productive().some((configuration) => {
    const { kind = '', custom } = authStrategyOf(configuration)
    return !custom && /^(?:jwt|xsuaa|ias)$/.test(kind)
  })
}
