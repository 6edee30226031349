// Written by `npm run update`; do not edit.
import type { Rule } from './rule.ts'
import { routeAuthenticationNone } from './approuter/route-authentication-none.ts'
import { xsuaaRedirectWildcard } from './btp/xsuaa-redirect-wildcard.ts'
import { authKindNonProduction } from './cap/auth-kind-non-production.ts'
import { cqlInjection } from './cap/cql-injection.ts'
import { knownVulnerability } from './npm/known-vulnerability.ts'
import { basicAuthUrl } from './secrets/basic-auth-url.ts'
import { dbUri } from './secrets/db-uri.ts'
import { privateKey } from './secrets/private-key.ts'
import { sapBindingSecret } from './secrets/sap-binding-secret.ts'
import { bootstrapHttp } from './ui5/bootstrap-http.ts'
import { evalRule } from './ui5/eval.ts'
import { frameOptionsAllow } from './ui5/frame-options-allow.ts'
import { versionEndOfMaintenance } from './ui5/version-end-of-maintenance.ts'
import { xssHtmlControl } from './ui5/xss-html-control.ts'

/** Every rule. */
export const RULES: readonly Rule[] = [
  routeAuthenticationNone,
  xsuaaRedirectWildcard,
  authKindNonProduction,
  cqlInjection,
  knownVulnerability,
  basicAuthUrl,
  dbUri,
  privateKey,
  sapBindingSecret,
  bootstrapHttp,
  evalRule,
  frameOptionsAllow,
  versionEndOfMaintenance,
  xssHtmlControl,
]
