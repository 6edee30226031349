/** Scopes that belong to SAP or to its open source projects: nobody else can publish there. */
export const SAP_SCOPES: ReadonlySet<string> = new Set([
  '@sap',
  '@cap-js',
  '@cap-js-community',
  '@ui5',
  '@openui5',
  '@sapui5',
  '@sap-cloud-sdk',
  '@sap-ux',
  '@ui5-community',
  '@sap-samples',
])

/** Packages that CAP and UI5 projects name most, by scope: what an attacker would imitate. */
export const SAP_PACKAGES: Readonly<Record<string, ReadonlySet<string>>> = {
  '@sap': new Set(
    (
      'approuter async-xsjs audit-logging cds cds-common-content cds-compiler cds-dk cds-foss cds-lsp cds-mtx cds-mtxs cds-odata-v2-adapter-proxy ' +
      'e2e-trace eslint-plugin-cds eslint-plugin-ui5-jsdocs hana-client hdbext hdi hdi-deploy hdi-dynamic-deploy html5-app-deployer ' +
      'html5-repo-mock instance-manager jobs-client logging node-jwt sb-mbt sbf site-content-deployer textanalysis textbundle textminer ' +
      'ui5-builder-webide-extension ux-specification ux-ui5-tooling xb-msg xb-msg-amqp-v100 xb-msg-env xsenv xsjs xssec'
    ).split(' '),
  ),
  '@cap-js': new Set(
    (
      'asyncapi attachments audit-logging cds-test cds-typer cds-types change-tracking console data-privacy db-service graphql hana mcp-server ' +
      'notifications openapi ord postgres sdm sqlite telemetry'
    ).split(' '),
  ),
  '@ui5': new Set(
    (
      'builder cli create-webcomponents-package documentation fs linter logger manifest mcp-server project server ts-interface-generator typescript-tools ' +
      'webcomponents webcomponents-base webcomponents-fiori webcomponents-icons webcomponents-localization webcomponents-react webcomponents-theming'
    ).split(' '),
  ),
  '@sap-cloud-sdk': new Set(
    (
      'connectivity core eslint-config generator generator-common http-client mail-client odata-common odata-v2 odata-v4 openapi openapi-generator ' +
      'resilience test-util util'
    ).split(' '),
  ),
}

/** The same by their whole names. */
export const SAP_PACKAGE_NAMES: readonly string[] = Object.entries(SAP_PACKAGES).flatMap(([scope, names]) =>
  Array.from(names, (name) => `${scope}/${name}`),
)

/**
 * Whether two texts are one edit apart: one character more, less or another one, or two neighbours swapped (Damerau-Levenshtein distance 1).
 * False for equal ones.
 */
export function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}
