/** A package that its publisher has given up, and what takes its place. */
export interface Superseded {
  readonly by: string
  /** Versions that are meant; without: all. */
  readonly versions?: string
  /** It checks tokens, parses what attackers send, or isolates code. */
  readonly isSecurity: boolean
}

/**
 * Packages of CAP and UI5 projects that are superseded. Facts: CAP documentation (audit logging, plugins; @sap/cds-mtx is cap/mtx-legacy), change log of @sap/xssec 4,
 * read-me files of SAP Cloud SDK 2, deprecation notices of the packages; 2026-11.
 */
export const SUPERSEDED: ReadonlyMap<string, Superseded> = new Map([
  ['@sap/xssec', { by: '@sap/xssec 4', versions: '<4.0.0-0', isSecurity: true }],
  ['@sap/cds-odata-v2-adapter-proxy', { by: '@cap-js-community/odata-v2-adapter', isSecurity: false }],
  ['@sap-cloud-sdk/core', { by: '@sap-cloud-sdk/connectivity, @sap-cloud-sdk/http-client', isSecurity: true }],
  ['@sap/grunt-sapui5-bestpractice-build', { by: '@ui5/cli', isSecurity: false }],
  ['passport-saml', { by: '@node-saml/passport-saml', isSecurity: true }],
  ['xmldom', { by: '@xmldom/xmldom', isSecurity: true }],
  ['vm2', { by: 'isolated-vm', isSecurity: true }],
  ['csurf', { by: 'csrf-csrf', isSecurity: true }],
  ['request', { by: 'axios, fetch', isSecurity: true }],
  ['request-promise', { by: 'axios, fetch', isSecurity: true }],
  ['request-promise-native', { by: 'axios, fetch', isSecurity: true }],
  ['node-sass', { by: 'sass', isSecurity: false }],
])
