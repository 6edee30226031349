// Written by `npm run update`; do not edit.
import type { Rule } from './rule.ts'
import { authenticationNoneGlobal } from './approuter/authentication-none-global.ts'
import { basicAuthentication } from './approuter/basic-authentication.ts'
import { clickjackingAllowlistWide } from './approuter/clickjacking-allowlist-wide.ts'
import { cookieSamesiteNone } from './approuter/cookie-samesite-none.ts'
import { corsWide } from './approuter/cors-wide.ts'
import { cspUnsafe } from './approuter/csp-unsafe.ts'
import { csrfDisabled } from './approuter/csrf-disabled.ts'
import { destinationEnvInsecure } from './approuter/destination-env-insecure.ts'
import { directRoutingBypass } from './approuter/direct-routing-bypass.ts'
import { dynamicDestination } from './approuter/dynamic-destination.ts'
import { dynamicIdentityProvider } from './approuter/dynamic-identity-provider.ts'
import { extensionBeforeAuth } from './approuter/extension-before-auth.ts'
import { forbiddenResponseHeader } from './approuter/forbidden-response-header.ts'
import { forwardedHostUnvalidated } from './approuter/forwarded-host-unvalidated.ts'
import { localdirExposesRoot } from './approuter/localdir-exposes-root.ts'
import { logoutGet } from './approuter/logout-get.ts'
import { logoutMissing } from './approuter/logout-missing.ts'
import { logoutPageOpenRedirect } from './approuter/logout-page-open-redirect.ts'
import { managedConfigIneffective } from './approuter/managed-config-ineffective.ts'
import { methodSplitGap } from './approuter/method-split-gap.ts'
import { mtxOrInternalExposed } from './approuter/mtx-or-internal-exposed.ts'
import { noAuthService } from './approuter/no-auth-service.ts'
import { nodeEngineUnsupported } from './approuter/node-engine-unsupported.ts'
import { obsoleteEnv } from './approuter/obsolete-env.ts'
import { pluginMetadataExposed } from './approuter/plugin-metadata-exposed.ts'
import { publicCatchAll } from './approuter/public-catch-all.ts'
import { replaceLeaksEnv } from './approuter/replace-leaks-env.ts'
import { routeAuthenticationNone } from './approuter/route-authentication-none.ts'
import { routeNoScope } from './approuter/route-no-scope.ts'
import { routeRegexRedos } from './approuter/route-regex-redos.ts'
import { routeShadowing } from './approuter/route-shadowing.ts'
import { routeSourceUnanchored } from './approuter/route-source-unanchored.ts'
import { schemaViolation } from './approuter/schema-violation.ts'
import { scopeObjectGap } from './approuter/scope-object-gap.ts'
import { securityHeadersMissing } from './approuter/security-headers-missing.ts'
import { service2approuterSignatureOff } from './approuter/service2approuter-signature-off.ts'
import { sessionStoreInsecure } from './approuter/session-store-insecure.ts'
import { sessionTimeoutLong } from './approuter/session-timeout-long.ts'
import { setbackendsessioncookies } from './approuter/setbackendsessioncookies.ts'
import { stateProtectionOff } from './approuter/state-protection-off.ts'
import { timeoutsDisabled } from './approuter/timeouts-disabled.ts'
import { traceEnvOn } from './approuter/trace-env-on.ts'
import { userApiPublic } from './approuter/user-api-public.ts'
import { websocketOriginWide } from './approuter/websocket-origin-wide.ts'
import { welcomeFileForeign } from './approuter/welcome-file-foreign.ts'
import { xframeDisabled } from './approuter/xframe-disabled.ts'
import { ciInstallScriptsEnabled } from './btp/ci-install-scripts-enabled.ts'
import { ciUnpinnedAction } from './btp/ci-unpinned-action.ts'
import { ciUntrustedInput } from './btp/ci-untrusted-input.ts'
import { destinationBasicAuth } from './btp/destination-basic-auth.ts'
import { destinationClientSecretInUrl } from './btp/destination-client-secret-in-url.ts'
import { destinationDynamic } from './btp/destination-dynamic.ts'
import { destinationHttpUrl } from './btp/destination-http-url.ts'
import { destinationNoAuth } from './btp/destination-no-auth.ts'
import { destinationTokenToForeignHost } from './btp/destination-token-to-foreign-host.ts'
import { destinationTrustAll } from './btp/destination-trust-all.ts'
import { destinationWebideOdataAbapWide } from './btp/destination-webide-odata-abap-wide.ts'
import { dockerCopiesSecrets } from './btp/docker-copies-secrets.ts'
import { dockerRootOrLatest } from './btp/docker-root-or-latest.ts'
import { envDebugOrDev } from './btp/env-debug-or-dev.ts'
import { hanaPublicAccess } from './btp/hana-public-access.ts'
import { html5AppPublic } from './btp/html5-app-public.ts'
import { iasConsumedApiWide } from './btp/ias-consumed-api-wide.ts'
import { iasPublicClientOrImplicit } from './btp/ias-public-client-or-implicit.ts'
import { iasRedirectWildcard } from './btp/ias-redirect-wildcard.ts'
import { iasSecretInsteadOfX509 } from './btp/ias-secret-instead-of-x509.ts'
import { ignoreFileGap } from './btp/ignore-file-gap.ts'
import { internalServicePublicRoute } from './btp/internal-service-public-route.ts'
import { jobOrCallbackEndpointOpen } from './btp/job-or-callback-endpoint-open.ts'
import { k8sPodHardening } from './btp/k8s-pod-hardening.ts'
import { keepExistingEnv } from './btp/keep-existing-env.ts'
import { kymaApiruleLegacy } from './btp/kyma-apirule-legacy.ts'
import { kymaApiruleNoauth } from './btp/kyma-apirule-noauth.ts'
import { kymaCorsWildcard } from './btp/kyma-cors-wildcard.ts'
import { localBindingFileCommitted } from './btp/local-binding-file-committed.ts'
import { moduleWithoutAuthBinding } from './btp/module-without-auth-binding.ts'
import { secretPropertyNotSensitive } from './btp/secret-property-not-sensitive.ts'
import { servicePlanDev } from './btp/service-plan-dev.ts'
import { tlsOffEnv } from './btp/tls-off-env.ts'
import { xsuaaAcceptGrantedAuthorities } from './btp/xsuaa-accept-granted-authorities.ts'
import { xsuaaAllowedProviders } from './btp/xsuaa-allowed-providers.ts'
import { xsuaaAttributeNotRequired } from './btp/xsuaa-attribute-not-required.ts'
import { xsuaaBrokerPlanMisuse } from './btp/xsuaa-broker-plan-misuse.ts'
import { xsuaaCredentialTypes } from './btp/xsuaa-credential-types.ts'
import { xsuaaForeignScopes } from './btp/xsuaa-foreign-scopes.ts'
import { xsuaaNoScopes } from './btp/xsuaa-no-scopes.ts'
import { xsuaaRedirectHttp } from './btp/xsuaa-redirect-http.ts'
import { xsuaaRedirectWildcard } from './btp/xsuaa-redirect-wildcard.ts'
import { xsuaaRoleTemplateAllScopes } from './btp/xsuaa-role-template-all-scopes.ts'
import { xsuaaScopeGrantedWidely } from './btp/xsuaa-scope-granted-widely.ts'
import { xsuaaSystemAttributesCorporateToken } from './btp/xsuaa-system-attributes-corporate-token.ts'
import { xsuaaTenantModeMismatch } from './btp/xsuaa-tenant-mode-mismatch.ts'
import { xsuaaTokenValidityLong } from './btp/xsuaa-token-validity-long.ts'
import { actionWithoutRestriction } from './cap/action-without-restriction.ts'
import { authKindNonProduction } from './cap/auth-kind-non-production.ts'
import { bodyLimitExcessive } from './cap/body-limit-excessive.ts'
import { corsEnabledGlobally } from './cap/cors-enabled-globally.ts'
import { cqlInjection } from './cap/cql-injection.ts'
import { csvTestDataProduction } from './cap/csv-test-data-production.ts'
import { emptyRestriction } from './cap/empty-restriction.ts'
import { expandBypassesRestriction } from './cap/expand-bypasses-restriction.ts'
import { grantAllToAny } from './cap/grant-all-to-any.ts'
import { hdbAccessUnmasked } from './cap/hdb-access-unmasked.ts'
import { hdbDefinerRights } from './cap/hdb-definer-rights.ts'
import { hdbDynamicSql } from './cap/hdb-dynamic-sql.ts'
import { hdbroleWide } from './cap/hdbrole-wide.ts'
import { hybridProfileDeployed } from './cap/hybrid-profile-deployed.ts'
import { indexPageInProduction } from './cap/index-page-in-production.ts'
import { javaActuatorExposed } from './cap/java-actuator-exposed.ts'
import { javaAuthModeRelaxed } from './cap/java-auth-mode-relaxed.ts'
import { javaDashboardOpen } from './cap/java-dashboard-open.ts'
import { javaDeepAuthOff } from './cap/java-deep-auth-off.ts'
import { javaH2Console } from './cap/java-h2-console.ts'
import { javaMockUsers } from './cap/java-mock-users.ts'
import { javaUnknownEndpointsOpen } from './cap/java-unknown-endpoints-open.ts'
import { javaXssecVulnerable } from './cap/java-xssec-vulnerable.ts'
import { javaXsuaaDisabled } from './cap/java-xsuaa-disabled.ts'
import { logLevelDebugProduction } from './cap/log-level-debug-production.ts'
import { mockUsersInProduction } from './cap/mock-users-in-production.ts'
import { nodeEnvNotProduction } from './cap/node-env-not-production.ts'
import { queryLimitDisabled } from './cap/query-limit-disabled.ts'
import { restrictAllServicesOff } from './cap/restrict-all-services-off.ts'
import { restrictIgnoredProperty } from './cap/restrict-ignored-property.ts'
import { restrictMisspelled } from './cap/restrict-misspelled.ts'
import { servicePublicAny } from './cap/service-public-any.ts'
import { serviceWithoutAuth } from './cap/service-without-auth.ts'
import { userAttributeNullBypass } from './cap/user-attribute-null-bypass.ts'
import { xsjsLegacy } from './cap/xsjs-legacy.ts'
import { advisoryCheckSkipped } from './npm/advisory-check-skipped.ts'
import { auditSuppressed } from './npm/audit-suppressed.ts'
import { bundledOrShrinkwrapStale } from './npm/bundled-or-shrinkwrap-stale.ts'
import { dependencyConfusion } from './npm/dependency-confusion.ts'
import { dependencyFileOutsideRoot } from './npm/dependency-file-outside-root.ts'
import { dependencyGitOrUrl } from './npm/dependency-git-or-url.ts'
import { dependencyWildcard } from './npm/dependency-wildcard.ts'
import { deprecatedSapPackage } from './npm/deprecated-sap-package.ts'
import { devToolInProduction } from './npm/dev-tool-in-production.ts'
import { enginesMissing } from './npm/engines-missing.ts'
import { eolNode } from './npm/eol-node.ts'
import { knownMalwareVersion } from './npm/known-malware-version.ts'
import { knownVulnerability } from './npm/known-vulnerability.ts'
import { lifecycleScriptDependency } from './npm/lifecycle-script-dependency.ts'
import { lifecycleScriptOwn } from './npm/lifecycle-script-own.ts'
import { lockfileIntegrityMissing } from './npm/lockfile-integrity-missing.ts'
import { lockfileMissing } from './npm/lockfile-missing.ts'
import { lockfileOutOfSync } from './npm/lockfile-out-of-sync.ts'
import { lockfileResolvedInsecure } from './npm/lockfile-resolved-insecure.ts'
import { missingMinReleaseAge } from './npm/missing-min-release-age.ts'
import { npmrcInsecure } from './npm/npmrc-insecure.ts'
import { sapAdvisoryNotInOsv } from './npm/sap-advisory-not-in-osv.ts'
import { typosquat } from './npm/typosquat.ts'
import { unusedSecurityOverride } from './npm/unused-security-override.ts'
import { basicAuthUrl } from './secrets/basic-auth-url.ts'
import { dbUri } from './secrets/db-uri.ts'
import { privateKey } from './secrets/private-key.ts'
import { sapBindingSecret } from './secrets/sap-binding-secret.ts'
import { absoluteServiceUrl } from './ui5/absolute-service-url.ts'
import { bootstrapDefaultVersion } from './ui5/bootstrap-default-version.ts'
import { bootstrapForeignHost } from './ui5/bootstrap-foreign-host.ts'
import { bootstrapHttp } from './ui5/bootstrap-http.ts'
import { cspMissing } from './ui5/csp-missing.ts'
import { pageCspUnsafe } from './ui5/csp-unsafe.ts'
import { csrfTokenDisabled } from './ui5/csrf-token-disabled.ts'
import { debugInProduction } from './ui5/debug-in-production.ts'
import { deprecatedLibrary } from './ui5/deprecated-library.ts'
import { deprecatedSecurityApi } from './ui5/deprecated-security-api.ts'
import { evalRule } from './ui5/eval.ts'
import { flpSandboxShipped } from './ui5/flp-sandbox-shipped.ts'
import { frameOptionsAllow } from './ui5/frame-options-allow.ts'
import { frameOptionsMissing } from './ui5/frame-options-missing.ts'
import { frameOptionsTrustedWide } from './ui5/frame-options-trusted-wide.ts'
import { inlineScript } from './ui5/inline-script.ts'
import { javascriptUrl } from './ui5/javascript-url.ts'
import { manifestPseudoKeys } from './ui5/manifest-cors-or-csp-pseudo-keys.ts'
import { mockserverInProduction } from './ui5/mockserver-in-production.ts'
import { nativeHtmlInXmlview } from './ui5/native-html-in-xmlview.ts'
import { odataHttpUrl } from './ui5/odata-http-url.ts'
import { odataWithCredentialsCrossOrigin } from './ui5/odata-with-credentials-cross-origin.ts'
import { pdfviewerTrustedSource } from './ui5/pdfviewer-trusted-source.ts'
import { rendererApiV1 } from './ui5/renderer-api-v1.ts'
import { resourceRootsForeign } from './ui5/resource-roots-foreign.ts'
import { sanitizeContentDisabled } from './ui5/sanitize-content-disabled.ts'
import { securityTokenHandlers } from './ui5/security-token-handlers.ts'
import { thirdPartyScriptNoSri } from './ui5/third-party-script-no-sri.ts'
import { toolingTlsOff } from './ui5/tooling-tls-off.ts'
import { uploadUnrestricted } from './ui5/upload-unrestricted.ts'
import { urlParamsNotIgnored } from './ui5/url-params-not-ignored.ts'
import { urllistTooWide } from './ui5/urllist-too-wide.ts'
import { vendoredLibraryVulnerable } from './ui5/vendored-library-vulnerable.ts'
import { versionEndOfMaintenance } from './ui5/version-end-of-maintenance.ts'
import { versionNotLongTerm } from './ui5/version-not-long-term.ts'
import { versionPatchOutdated } from './ui5/version-patch-outdated.ts'
import { versionSkew } from './ui5/version-skew.ts'
import { versionUndetermined } from './ui5/version-undetermined.ts'
import { versionUnknown } from './ui5/version-unknown.ts'
import { xssHtmlControl } from './ui5/xss-html-control.ts'

/** Every rule. */
export const RULES: readonly Rule[] = [
  authenticationNoneGlobal,
  basicAuthentication,
  clickjackingAllowlistWide,
  cookieSamesiteNone,
  corsWide,
  cspUnsafe,
  csrfDisabled,
  destinationEnvInsecure,
  directRoutingBypass,
  dynamicDestination,
  dynamicIdentityProvider,
  extensionBeforeAuth,
  forbiddenResponseHeader,
  forwardedHostUnvalidated,
  localdirExposesRoot,
  logoutGet,
  logoutMissing,
  logoutPageOpenRedirect,
  managedConfigIneffective,
  methodSplitGap,
  mtxOrInternalExposed,
  noAuthService,
  nodeEngineUnsupported,
  obsoleteEnv,
  pluginMetadataExposed,
  publicCatchAll,
  replaceLeaksEnv,
  routeAuthenticationNone,
  routeNoScope,
  routeRegexRedos,
  routeShadowing,
  routeSourceUnanchored,
  schemaViolation,
  scopeObjectGap,
  securityHeadersMissing,
  service2approuterSignatureOff,
  sessionStoreInsecure,
  sessionTimeoutLong,
  setbackendsessioncookies,
  stateProtectionOff,
  timeoutsDisabled,
  traceEnvOn,
  userApiPublic,
  websocketOriginWide,
  welcomeFileForeign,
  xframeDisabled,
  ciInstallScriptsEnabled,
  ciUnpinnedAction,
  ciUntrustedInput,
  destinationBasicAuth,
  destinationClientSecretInUrl,
  destinationDynamic,
  destinationHttpUrl,
  destinationNoAuth,
  destinationTokenToForeignHost,
  destinationTrustAll,
  destinationWebideOdataAbapWide,
  dockerCopiesSecrets,
  dockerRootOrLatest,
  envDebugOrDev,
  hanaPublicAccess,
  html5AppPublic,
  iasConsumedApiWide,
  iasPublicClientOrImplicit,
  iasRedirectWildcard,
  iasSecretInsteadOfX509,
  ignoreFileGap,
  internalServicePublicRoute,
  jobOrCallbackEndpointOpen,
  k8sPodHardening,
  keepExistingEnv,
  kymaApiruleLegacy,
  kymaApiruleNoauth,
  kymaCorsWildcard,
  localBindingFileCommitted,
  moduleWithoutAuthBinding,
  secretPropertyNotSensitive,
  servicePlanDev,
  tlsOffEnv,
  xsuaaAcceptGrantedAuthorities,
  xsuaaAllowedProviders,
  xsuaaAttributeNotRequired,
  xsuaaBrokerPlanMisuse,
  xsuaaCredentialTypes,
  xsuaaForeignScopes,
  xsuaaNoScopes,
  xsuaaRedirectHttp,
  xsuaaRedirectWildcard,
  xsuaaRoleTemplateAllScopes,
  xsuaaScopeGrantedWidely,
  xsuaaSystemAttributesCorporateToken,
  xsuaaTenantModeMismatch,
  xsuaaTokenValidityLong,
  actionWithoutRestriction,
  authKindNonProduction,
  bodyLimitExcessive,
  corsEnabledGlobally,
  cqlInjection,
  csvTestDataProduction,
  emptyRestriction,
  expandBypassesRestriction,
  grantAllToAny,
  hdbAccessUnmasked,
  hdbDefinerRights,
  hdbDynamicSql,
  hdbroleWide,
  hybridProfileDeployed,
  indexPageInProduction,
  javaActuatorExposed,
  javaAuthModeRelaxed,
  javaDashboardOpen,
  javaDeepAuthOff,
  javaH2Console,
  javaMockUsers,
  javaUnknownEndpointsOpen,
  javaXssecVulnerable,
  javaXsuaaDisabled,
  logLevelDebugProduction,
  mockUsersInProduction,
  nodeEnvNotProduction,
  queryLimitDisabled,
  restrictAllServicesOff,
  restrictIgnoredProperty,
  restrictMisspelled,
  servicePublicAny,
  serviceWithoutAuth,
  userAttributeNullBypass,
  xsjsLegacy,
  advisoryCheckSkipped,
  auditSuppressed,
  bundledOrShrinkwrapStale,
  dependencyConfusion,
  dependencyFileOutsideRoot,
  dependencyGitOrUrl,
  dependencyWildcard,
  deprecatedSapPackage,
  devToolInProduction,
  enginesMissing,
  eolNode,
  knownMalwareVersion,
  knownVulnerability,
  lifecycleScriptDependency,
  lifecycleScriptOwn,
  lockfileIntegrityMissing,
  lockfileMissing,
  lockfileOutOfSync,
  lockfileResolvedInsecure,
  missingMinReleaseAge,
  npmrcInsecure,
  sapAdvisoryNotInOsv,
  typosquat,
  unusedSecurityOverride,
  basicAuthUrl,
  dbUri,
  privateKey,
  sapBindingSecret,
  absoluteServiceUrl,
  bootstrapDefaultVersion,
  bootstrapForeignHost,
  bootstrapHttp,
  cspMissing,
  pageCspUnsafe,
  csrfTokenDisabled,
  debugInProduction,
  deprecatedLibrary,
  deprecatedSecurityApi,
  evalRule,
  flpSandboxShipped,
  frameOptionsAllow,
  frameOptionsMissing,
  frameOptionsTrustedWide,
  inlineScript,
  javascriptUrl,
  manifestPseudoKeys,
  mockserverInProduction,
  nativeHtmlInXmlview,
  odataHttpUrl,
  odataWithCredentialsCrossOrigin,
  pdfviewerTrustedSource,
  rendererApiV1,
  resourceRootsForeign,
  sanitizeContentDisabled,
  securityTokenHandlers,
  thirdPartyScriptNoSri,
  toolingTlsOff,
  uploadUnrestricted,
  urlParamsNotIgnored,
  urllistTooWide,
  vendoredLibraryVulnerable,
  versionEndOfMaintenance,
  versionNotLongTerm,
  versionPatchOutdated,
  versionSkew,
  versionUndetermined,
  versionUnknown,
  xssHtmlControl,
]
