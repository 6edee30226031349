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
import { neoAuthenticationNone } from './approuter/neo-authentication-none.ts'
import { neoDestinationWide } from './approuter/neo-destination-wide.ts'
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
import { userDirectoryOpen } from './approuter/user-directory-open.ts'
import { websocketOriginWide } from './approuter/websocket-origin-wide.ts'
import { welcomeFileForeign } from './approuter/welcome-file-foreign.ts'
import { xframeDisabled } from './approuter/xframe-disabled.ts'
import { ciInstallScriptsEnabled } from './btp/ci-install-scripts-enabled.ts'
import { ciUnpinnedAction } from './btp/ci-unpinned-action.ts'
import { ciUntrustedInput } from './btp/ci-untrusted-input.ts'
import { databaseWithoutPassword } from './btp/database-without-password.ts'
import { destinationBasicAuth } from './btp/destination-basic-auth.ts'
import { destinationClientSecretInUrl } from './btp/destination-client-secret-in-url.ts'
import { destinationDynamic } from './btp/destination-dynamic.ts'
import { destinationHttpUrl } from './btp/destination-http-url.ts'
import { destinationLosesUser } from './btp/destination-loses-user.ts'
import { destinationNoAuth } from './btp/destination-no-auth.ts'
import { destinationTokenToForeignHost } from './btp/destination-token-to-foreign-host.ts'
import { destinationTrustAll } from './btp/destination-trust-all.ts'
import { destinationWebideOdataAbapWide } from './btp/destination-webide-odata-abap-wide.ts'
import { developmentServerRemote } from './btp/development-server-remote.ts'
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
import { k8sIngressNoTls } from './btp/k8s-ingress-no-tls.ts'
import { k8sPodHardening } from './btp/k8s-pod-hardening.ts'
import { keepExistingEnv } from './btp/keep-existing-env.ts'
import { kymaApiruleLegacy } from './btp/kyma-apirule-legacy.ts'
import { kymaApiruleNoauth } from './btp/kyma-apirule-noauth.ts'
import { kymaCorsWildcard } from './btp/kyma-cors-wildcard.ts'
import { localBindingFileCommitted } from './btp/local-binding-file-committed.ts'
import { mockedUserVariable } from './btp/mocked-user-variable.ts'
import { moduleWithoutAuthBinding } from './btp/module-without-auth-binding.ts'
import { personalDataCommitted } from './btp/personal-data-committed.ts'
import { phpCodeInjection } from './btp/php-code-injection.ts'
import { phpCorsAnyOrigin } from './btp/php-cors-any-origin.ts'
import { phpErrorDetails } from './btp/php-error-details.ts'
import { phpFileAccess } from './btp/php-file-access.ts'
import { phpOpenRedirect } from './btp/php-open-redirect.ts'
import { phpPasswordPlainText } from './btp/php-password-plain-text.ts'
import { phpScriptUnauthenticated } from './btp/php-script-unauthenticated.ts'
import { phpSqlInjection } from './btp/php-sql-injection.ts'
import { phpTlsOff } from './btp/php-tls-off.ts'
import { phpUploadUnrestricted } from './btp/php-upload-unrestricted.ts'
import { phpXss } from './btp/php-xss.ts'
import { platformLogCommitted } from './btp/platform-log-committed.ts'
import { pythonReflectedXss } from './btp/python-reflected-xss.ts'
import { pythonServiceUnauthenticated } from './btp/python-service-unauthenticated.ts'
import { pythonTlsVerificationOff } from './btp/python-tls-verification-off.ts'
import { pythonTokenUnverified } from './btp/python-token-unverified.ts'
import { secretPropertyNotSensitive } from './btp/secret-property-not-sensitive.ts'
import { servicePlanDev } from './btp/service-plan-dev.ts'
import { tlsOffCommand } from './btp/tls-off-command.ts'
import { tlsOffEnv } from './btp/tls-off-env.ts'
import { uploadsCommitted } from './btp/uploads-committed.ts'
import { xsuaaAcceptGrantedAuthorities } from './btp/xsuaa-accept-granted-authorities.ts'
import { xsuaaAllowedProviders } from './btp/xsuaa-allowed-providers.ts'
import { xsuaaAttributeNotRequired } from './btp/xsuaa-attribute-not-required.ts'
import { xsuaaBrokerPlanMisuse } from './btp/xsuaa-broker-plan-misuse.ts'
import { xsuaaCredentialTypes } from './btp/xsuaa-credential-types.ts'
import { xsuaaForeignScopes } from './btp/xsuaa-foreign-scopes.ts'
import { xsuaaLoginOnly } from './btp/xsuaa-login-only.ts'
import { xsuaaNoScopes } from './btp/xsuaa-no-scopes.ts'
import { xsuaaRedirectHttp } from './btp/xsuaa-redirect-http.ts'
import { xsuaaRedirectWildcard } from './btp/xsuaa-redirect-wildcard.ts'
import { xsuaaRoleTemplateAllScopes } from './btp/xsuaa-role-template-all-scopes.ts'
import { xsuaaScopeGrantedWidely } from './btp/xsuaa-scope-granted-widely.ts'
import { xsuaaSystemAttributesCorporateToken } from './btp/xsuaa-system-attributes-corporate-token.ts'
import { xsuaaTenantModeMismatch } from './btp/xsuaa-tenant-mode-mismatch.ts'
import { xsuaaTokenValidityLong } from './btp/xsuaa-token-validity-long.ts'
import { accountEnumeration } from './cap/account-enumeration.ts'
import { accountStateUnchecked } from './cap/account-state-unchecked.ts'
import { actionBypassesRestriction } from './cap/action-bypasses-restriction.ts'
import { actionRepeatable } from './cap/action-repeatable.ts'
import { actionWithoutRestriction } from './cap/action-without-restriction.ts'
import { administratorByName } from './cap/administrator-by-name.ts'
import { apiDocsInProduction } from './cap/api-docs-in-production.ts'
import { auditLoggingMissing } from './cap/audit-logging-missing.ts'
import { auditTrailWritable } from './cap/audit-trail-writable.ts'
import { authDisabled } from './cap/auth-disabled.ts'
import { authKindNonProduction } from './cap/auth-kind-non-production.ts'
import { authorFromClient } from './cap/author-from-client.ts'
import { batchLimitMissing } from './cap/batch-limit-missing.ts'
import { bodyLimitExcessive } from './cap/body-limit-excessive.ts'
import { bookingNotAdjusted } from './cap/booking-not-adjusted.ts'
import { capTestHelpersInProd } from './cap/cap-test-helpers-in-prod.ts'
import { cardCodeStored } from './cap/card-code-stored.ts'
import { checkOfUnknownElement } from './cap/check-of-unknown-element.ts'
import { codeInjection } from './cap/code-injection.ts'
import { commandInjection } from './cap/command-injection.ts'
import { compatFlagWeakens } from './cap/compat-flag-weakens.ts'
import { conflictingWriteGuard } from './cap/conflicting-write-guard.ts'
import { contextUserOverride } from './cap/context-user-override.ts'
import { cookieNameFromRequest } from './cap/cookie-name-from-request.ts'
import { corsEnabledGlobally } from './cap/cors-enabled-globally.ts'
import { cqlInjection } from './cap/cql-injection.ts'
import { createNotInstanceChecked } from './cap/create-not-instance-checked.ts'
import { credentialCheckSkipped } from './cap/credential-check-skipped.ts'
import { credentialElementExposed } from './cap/credential-element-exposed.ts'
import { csvTestDataProduction } from './cap/csv-test-data-production.ts'
import { customAuthUnsafe } from './cap/custom-auth-unsafe.ts'
import { dbNonProduction } from './cap/db-non-production.ts'
import { deepWriteBypassesRestriction } from './cap/deep-write-bypasses-restriction.ts'
import { defaultUserPrivileged } from './cap/default-user-privileged.ts'
import { destructiveRouteUnrestricted } from './cap/destructive-route-unrestricted.ts'
import { draftEntityWithoutRootAuth } from './cap/draft-entity-without-root-auth.ts'
import { dynamicEntityOrColumn } from './cap/dynamic-entity-or-column.ts'
import { emptyRestriction } from './cap/empty-restriction.ts'
import { entityWithoutRestriction } from './cap/entity-without-restriction.ts'
import { errorDetailsToClient } from './cap/error-details-to-client.ts'
import { errorSanitizationOff } from './cap/error-sanitization-off.ts'
import { eventQueuePrivilegedReplay } from './cap/event-queue-privileged-replay.ts'
import { exceptionEndsProcess } from './cap/exception-ends-process.ts'
import { expandBypassesCondition } from './cap/expand-bypasses-condition.ts'
import { expandBypassesRestriction } from './cap/expand-bypasses-restriction.ts'
import { expressRouteUnauthenticated } from './cap/express-route-unauthenticated.ts'
import { expressUnhandledRejection } from './cap/express-unhandled-rejection.ts'
import { functionChangesState } from './cap/function-changes-state.ts'
import { grantAllToAny } from './cap/grant-all-to-any.ts'
import { graphqlExposed } from './cap/graphql-exposed.ts'
import { graphqlMutationUnprotected } from './cap/graphql-mutation-unprotected.ts'
import { guardWithoutCheck } from './cap/guard-without-check.ts'
import { handlerCheckIneffective } from './cap/handler-check-ineffective.ts'
import { handlerForUnknownTarget } from './cap/handler-for-unknown-target.ts'
import { hdbAccessUnmasked } from './cap/hdb-access-unmasked.ts'
import { hdbDefinerRights } from './cap/hdb-definer-rights.ts'
import { hdbDynamicSql } from './cap/hdb-dynamic-sql.ts'
import { hdbroleWide } from './cap/hdbrole-wide.ts'
import { helmetMissingForOwnHtml } from './cap/helmet-missing-for-own-html.ts'
import { hostHeaderLink } from './cap/host-header-link.ts'
import { hybridProfileDeployed } from './cap/hybrid-profile-deployed.ts'
import { iasValidationOff } from './cap/ias-validation-off.ts'
import { identityWithoutProof } from './cap/identity-without-proof.ts'
import { indexPageInProduction } from './cap/index-page-in-production.ts'
import { insecureRandom } from './cap/insecure-random.ts'
import { instanceConditionMissing } from './cap/instance-condition-missing.ts'
import { instanceFilterMissingForUserData } from './cap/instance-filter-missing-for-user-data.ts'
import { instanceRestrictionBypassed } from './cap/instance-restriction-bypassed.ts'
import { javaActuatorExposed } from './cap/java-actuator-exposed.ts'
import { javaAuthModeRelaxed } from './cap/java-auth-mode-relaxed.ts'
import { javaDashboardOpen } from './cap/java-dashboard-open.ts'
import { javaDeepAuthOff } from './cap/java-deep-auth-off.ts'
import { javaDtoUnsafeJackson } from './cap/java-dto-unsafe-jackson.ts'
import { javaErrorNotThrown } from './cap/java-error-not-thrown.ts'
import { javaH2Console } from './cap/java-h2-console.ts'
import { javaJsonInjection } from './cap/java-json-injection.ts'
import { javaLoginOnly } from './cap/java-login-only.ts'
import { javaMockUsers } from './cap/java-mock-users.ts'
import { javaModuleUnauthenticated } from './cap/java-module-unauthenticated.ts'
import { javaPermitAll } from './cap/java-permit-all.ts'
import { javaSecurityDebug } from './cap/java-security-debug.ts'
import { javaSecurityRuleUnmatched } from './cap/java-security-rule-unmatched.ts'
import { javaSpringBootOutdated } from './cap/java-spring-boot-outdated.ts'
import { javaSqlInjection } from './cap/java-sql-injection.ts'
import { javaTechnicalLogin } from './cap/java-technical-login.ts'
import { javaTlsOff } from './cap/java-tls-off.ts'
import { javaUnknownEndpointsOpen } from './cap/java-unknown-endpoints-open.ts'
import { javaUsersInMemory } from './cap/java-users-in-memory.ts'
import { javaXssecVulnerable } from './cap/java-xssec-vulnerable.ts'
import { javaXsuaaDisabled } from './cap/java-xsuaa-disabled.ts'
import { jwtNotVerified } from './cap/jwt-not-verified.ts'
import { knownAdministrator } from './cap/known-administrator.ts'
import { limitCheckBypassed } from './cap/limit-check-bypassed.ts'
import { logInjection } from './cap/log-injection.ts'
import { logLevelDebugProduction } from './cap/log-level-debug-production.ts'
import { loginAttemptsUnlimited } from './cap/login-attempts-unlimited.ts'
import { lostUpdate } from './cap/lost-update.ts'
import { maskingBypassedByExpand } from './cap/masking-bypassed-by-expand.ts'
import { mcpExposed } from './cap/mcp-exposed.ts'
import { mediaInline } from './cap/media-inline.ts'
import { mediaNoConstraints } from './cap/media-no-constraints.ts'
import { messagingHandlerTrustsPayload } from './cap/messaging-handler-trusts-payload.ts'
import { metadataPublicByCode } from './cap/metadata-public-by-code.ts'
import { missingOwnershipCheck } from './cap/missing-ownership-check.ts'
import { mockUsersInProduction } from './cap/mock-users-in-production.ts'
import { mtxExtensibilityUnrestricted } from './cap/mtx-extensibility-unrestricted.ts'
import { mtxLegacy } from './cap/mtx-legacy.ts'
import { mtxMockedSidecar } from './cap/mtx-mocked-sidecar.ts'
import { nativeSqlBypassesAuth } from './cap/native-sql-bypasses-auth.ts'
import { negativeQuantity } from './cap/negative-quantity.ts'
import { nodeEnvNotProduction } from './cap/node-env-not-production.ts'
import { oauthRequestUnverified } from './cap/oauth-request-unverified.ts'
import { objectKeyFromRequest } from './cap/object-key-from-request.ts'
import { oneTimeCodeGuessable } from './cap/one-time-code-guessable.ts'
import { openRedirect } from './cap/open-redirect.ts'
import { outdatedMajor } from './cap/outdated-major.ts'
import { passwordHashInResponse } from './cap/password-hash-in-response.ts'
import { passwordInResponse } from './cap/password-in-response.ts'
import { passwordPlainText } from './cap/password-plain-text.ts'
import { pathTraversal } from './cap/path-traversal.ts'
import { paymentNotMatched } from './cap/payment-not-matched.ts'
import { personalDataUnannotated } from './cap/personal-data-unannotated.ts'
import { priceFromClient } from './cap/price-from-client.ts'
import { privilegeFromRequest } from './cap/privilege-from-request.ts'
import { privilegedUserInRequest } from './cap/privileged-user-in-request.ts'
import { prototypePollution } from './cap/prototype-pollution.ts'
import { queryLimitDisabled } from './cap/query-limit-disabled.ts'
import { queryObjectFromRequest } from './cap/query-object-from-request.ts'
import { readRoleMayWrite } from './cap/read-role-may-write.ts'
import { readonlyOnlyViaOdataCaps } from './cap/readonly-only-via-odata-caps.ts'
import { reflectedXss } from './cap/reflected-xss.ts'
import { refusalWithoutReturn } from './cap/refusal-without-return.ts'
import { regexDenialOfService } from './cap/regex-denial-of-service.ts'
import { remoteBasicAuthProduction } from './cap/remote-basic-auth-production.ts'
import { remoteBodyFromRequest } from './cap/remote-body-from-request.ts'
import { remoteHttpUrl } from './cap/remote-http-url.ts'
import { requestHeadersForwarded } from './cap/request-headers-forwarded.ts'
import { restrictAllServicesOff } from './cap/restrict-all-services-off.ts'
import { restrictIgnoredProperty } from './cap/restrict-ignored-property.ts'
import { restrictMisspelled } from './cap/restrict-misspelled.ts'
import { restrictWhereInvalid } from './cap/restrict-where-invalid.ts'
import { restrictionsNotEnforced } from './cap/restrictions-not-enforced.ts'
import { roleFilterFailsOpen } from './cap/role-filter-fails-open.ts'
import { roleNotInXsSecurity } from './cap/role-not-in-xs-security.ts'
import { rolesNeverChecked } from './cap/roles-never-checked.ts'
import { routeWithoutScopeCheck } from './cap/route-without-scope-check.ts'
import { rowFilterFailsOpen } from './cap/row-filter-fails-open.ts'
import { secretInRequestUrl } from './cap/secret-in-request-url.ts'
import { selfApproval } from './cap/self-approval.ts'
import { sensitiveEntityAutoexposed } from './cap/sensitive-entity-autoexposed.ts'
import { sensitiveLog } from './cap/sensitive-log.ts'
import { servicePublicAny } from './cap/service-public-any.ts'
import { serviceWithoutAuth } from './cap/service-without-auth.ts'
import { sessionCsrfMissing } from './cap/session-csrf-missing.ts'
import { sharedHandlerState } from './cap/shared-handler-state.ts'
import { signingSecretGuessable } from './cap/signing-secret-guessable.ts'
import { ssrf } from './cap/ssrf.ts'
import { stateNotChecked } from './cap/state-not-checked.ts'
import { staticExposesSources } from './cap/static-exposes-sources.ts'
import { systemUserTooBroad } from './cap/system-user-too-broad.ts'
import { technicalRoleInBusinessRole } from './cap/technical-role-in-business-role.ts'
import { templateXss } from './cap/template-xss.ts'
import { tenantFromRequest } from './cap/tenant-from-request.ts'
import { timingUnsafeCompare } from './cap/timing-unsafe-compare.ts'
import { tlsVerificationOff } from './cap/tls-verification-off.ts'
import { tokenInResponse } from './cap/token-in-response.ts'
import { totalNotUpdated } from './cap/total-not-updated.ts'
import { totalSetConditionally } from './cap/total-set-conditionally.ts'
import { unboundedReadToMemory } from './cap/unbounded-read-to-memory.ts'
import { uncheckedRowWritten } from './cap/unchecked-row-written.ts'
import { unsafeDeserialization } from './cap/unsafe-deserialization.ts'
import { uploadLimitMissing } from './cap/upload-limit-missing.ts'
import { userAttributeNullBypass } from './cap/user-attribute-null-bypass.ts'
import { userIdFromClient } from './cap/user-id-from-client.ts'
import { weakCrypto } from './cap/weak-crypto.ts'
import { websocketUnauthenticated } from './cap/websocket-unauthenticated.ts'
import { whereClauseReplaced } from './cap/where-clause-replaced.ts'
import { writableAuthorizationEntity } from './cap/writable-authorization-entity.ts'
import { writeElementMassAssignment } from './cap/write-element-mass-assignment.ts'
import { xsMissingPrivilegeCheck } from './cap/xs-missing-privilege-check.ts'
import { xsjsLegacy } from './cap/xsjs-legacy.ts'
import { xssecMissing } from './cap/xssec-missing.ts'
import { xsuaaAttributeUnused } from './cap/xsuaa-attribute-unused.ts'
import { zipSlip } from './cap/zip-slip.ts'
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
import { placeholderPackage } from './npm/placeholder-package.ts'
import { sapAdvisoryNotInOsv } from './npm/sap-advisory-not-in-osv.ts'
import { typosquat } from './npm/typosquat.ts'
import { unusedSecurityOverride } from './npm/unused-security-override.ts'
import { basicAuthUrl } from './secrets/basic-auth-url.ts'
import { dbUri } from './secrets/db-uri.ts'
import { privateKey } from './secrets/private-key.ts'
import { sapBindingSecret } from './secrets/sap-binding-secret.ts'
import { tokenRules } from './secrets/token-rules.ts'
import { absoluteServiceUrl } from './ui5/absolute-service-url.ts'
import { accountCreatedInClient } from './ui5/account-created-in-client.ts'
import { basicAuthInClient } from './ui5/basic-auth-in-client.ts'
import { bindingInjection } from './ui5/binding-injection.ts'
import { blobUrlNavigation } from './ui5/blob-url-navigation.ts'
import { bootstrapDefaultVersion } from './ui5/bootstrap-default-version.ts'
import { bootstrapForeignHost } from './ui5/bootstrap-foreign-host.ts'
import { bootstrapHttp } from './ui5/bootstrap-http.ts'
import { clientComputedResult } from './ui5/client-computed-result.ts'
import { clientDecidedValue } from './ui5/client-decided-value.ts'
import { clientRequestDynamicUrl } from './ui5/client-request-dynamic-url.ts'
import { clientSideApproval } from './ui5/client-side-approval.ts'
import { clientSideAuthorization } from './ui5/client-side-authorization.ts'
import { clientSideLogin } from './ui5/client-side-login.ts'
import { cspMissing } from './ui5/csp-missing.ts'
import { pageCspUnsafe } from './ui5/csp-unsafe.ts'
import { csrfTokenDisabled } from './ui5/csrf-token-disabled.ts'
import { debugInProduction } from './ui5/debug-in-production.ts'
import { deprecatedLibrary } from './ui5/deprecated-library.ts'
import { deprecatedSecurityApi } from './ui5/deprecated-security-api.ts'
import { dynamicModuleName } from './ui5/dynamic-module-name.ts'
import { evalRule } from './ui5/eval.ts'
import { firestoreWithoutRules } from './ui5/firestore-without-rules.ts'
import { flpSandboxShipped } from './ui5/flp-sandbox-shipped.ts'
import { formatterHtml } from './ui5/formatter-html.ts'
import { formulaInjection } from './ui5/formula-injection.ts'
import { frameOptionsAllow } from './ui5/frame-options-allow.ts'
import { frameOptionsMissing } from './ui5/frame-options-missing.ts'
import { frameOptionsTrustedWide } from './ui5/frame-options-trusted-wide.ts'
import { hybridAppOpenNavigation } from './ui5/hybrid-app-open-navigation.ts'
import { hybridAppTlsOff } from './ui5/hybrid-app-tls-off.ts'
import { inlineScript } from './ui5/inline-script.ts'
import { javascriptUrl } from './ui5/javascript-url.ts'
import { logInjectionToBackend } from './ui5/log-injection-to-backend.ts'
import { browserLogInjection } from './ui5/log-injection.ts'
import { manifestPseudoKeys } from './ui5/manifest-cors-or-csp-pseudo-keys.ts'
import { metadataPropertyAny } from './ui5/metadata-property-any.ts'
import { mockserverInProduction } from './ui5/mockserver-in-production.ts'
import { nativeHtmlInXmlview } from './ui5/native-html-in-xmlview.ts'
import { networkLibraryVulnerable } from './ui5/network-library-vulnerable.ts'
import { odataFilterInjection } from './ui5/odata-filter-injection.ts'
import { odataHttpUrl } from './ui5/odata-http-url.ts'
import { odataWithCredentialsCrossOrigin } from './ui5/odata-with-credentials-cross-origin.ts'
import { browserOpenRedirect } from './ui5/open-redirect.ts'
import { passwordInUrl } from './ui5/password-in-url.ts'
import { passwordInputVisible } from './ui5/password-input-visible.ts'
import { passwordsReadByPage } from './ui5/passwords-read-by-page.ts'
import { pathInjection } from './ui5/path-injection.ts'
import { pdfviewerTrustedSource } from './ui5/pdfviewer-trusted-source.ts'
import { personalDocumentsServed } from './ui5/personal-documents-served.ts'
import { postmessageNoOriginCheck } from './ui5/postmessage-no-origin-check.ts'
import { postmessageWildcardTarget } from './ui5/postmessage-wildcard-target.ts'
import { rendererApiV1 } from './ui5/renderer-api-v1.ts'
import { rendererUnsafeOutput } from './ui5/renderer-unsafe-output.ts'
import { resourceRootsForeign } from './ui5/resource-roots-foreign.ts'
import { sanitizeContentDisabled } from './ui5/sanitize-content-disabled.ts'
import { secretInBundle } from './ui5/secret-in-bundle.ts'
import { securityTokenHandlers } from './ui5/security-token-handlers.ts'
import { browserSensitiveLog } from './ui5/sensitive-log.ts'
import { sharedTechnicalAccount } from './ui5/shared-technical-account.ts'
import { sourceMapsShipped } from './ui5/source-maps-shipped.ts'
import { stateChangeByGet } from './ui5/state-change-by-get.ts'
import { tabnabbing } from './ui5/tabnabbing.ts'
import { templateEngineRaw } from './ui5/template-engine-raw.ts'
import { thirdPartyScriptNoSri } from './ui5/third-party-script-no-sri.ts'
import { tokenInWebStorage } from './ui5/token-in-web-storage.ts'
import { tokenToForeignHost } from './ui5/token-to-foreign-host.ts'
import { toolingTlsOff } from './ui5/tooling-tls-off.ts'
import { unauthenticatedBackend } from './ui5/unauthenticated-backend.ts'
import { uploadUnrestricted } from './ui5/upload-unrestricted.ts'
import { urlParamsNotIgnored } from './ui5/url-params-not-ignored.ts'
import { urllistTooWide } from './ui5/urllist-too-wide.ts'
import { userIdFromBrowser } from './ui5/user-id-from-browser.ts'
import { vendoredLibraryVulnerable } from './ui5/vendored-library-vulnerable.ts'
import { versionEndOfMaintenance } from './ui5/version-end-of-maintenance.ts'
import { versionNotLongTerm } from './ui5/version-not-long-term.ts'
import { versionPatchOutdated } from './ui5/version-patch-outdated.ts'
import { versionSkew } from './ui5/version-skew.ts'
import { versionUndetermined } from './ui5/version-undetermined.ts'
import { versionUnknown } from './ui5/version-unknown.ts'
import { weakRandomOrHash } from './ui5/weak-random-or-hash.ts'
import { webcomponentsRawHtml } from './ui5/webcomponents-raw-html.ts'
import { xmlviewDynamicDefinition } from './ui5/xmlview-dynamic-definition.ts'
import { xssDomSink } from './ui5/xss-dom-sink.ts'
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
  neoAuthenticationNone,
  neoDestinationWide,
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
  userDirectoryOpen,
  websocketOriginWide,
  welcomeFileForeign,
  xframeDisabled,
  ciInstallScriptsEnabled,
  ciUnpinnedAction,
  ciUntrustedInput,
  databaseWithoutPassword,
  destinationBasicAuth,
  destinationClientSecretInUrl,
  destinationDynamic,
  destinationHttpUrl,
  destinationLosesUser,
  destinationNoAuth,
  destinationTokenToForeignHost,
  destinationTrustAll,
  destinationWebideOdataAbapWide,
  developmentServerRemote,
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
  k8sIngressNoTls,
  k8sPodHardening,
  keepExistingEnv,
  kymaApiruleLegacy,
  kymaApiruleNoauth,
  kymaCorsWildcard,
  localBindingFileCommitted,
  mockedUserVariable,
  moduleWithoutAuthBinding,
  personalDataCommitted,
  phpCodeInjection,
  phpCorsAnyOrigin,
  phpErrorDetails,
  phpFileAccess,
  phpOpenRedirect,
  phpPasswordPlainText,
  phpScriptUnauthenticated,
  phpSqlInjection,
  phpTlsOff,
  phpUploadUnrestricted,
  phpXss,
  platformLogCommitted,
  pythonReflectedXss,
  pythonServiceUnauthenticated,
  pythonTlsVerificationOff,
  pythonTokenUnverified,
  secretPropertyNotSensitive,
  servicePlanDev,
  tlsOffCommand,
  tlsOffEnv,
  uploadsCommitted,
  xsuaaAcceptGrantedAuthorities,
  xsuaaAllowedProviders,
  xsuaaAttributeNotRequired,
  xsuaaBrokerPlanMisuse,
  xsuaaCredentialTypes,
  xsuaaForeignScopes,
  xsuaaLoginOnly,
  xsuaaNoScopes,
  xsuaaRedirectHttp,
  xsuaaRedirectWildcard,
  xsuaaRoleTemplateAllScopes,
  xsuaaScopeGrantedWidely,
  xsuaaSystemAttributesCorporateToken,
  xsuaaTenantModeMismatch,
  xsuaaTokenValidityLong,
  accountEnumeration,
  accountStateUnchecked,
  actionBypassesRestriction,
  actionRepeatable,
  actionWithoutRestriction,
  administratorByName,
  apiDocsInProduction,
  auditLoggingMissing,
  auditTrailWritable,
  authDisabled,
  authKindNonProduction,
  authorFromClient,
  batchLimitMissing,
  bodyLimitExcessive,
  bookingNotAdjusted,
  capTestHelpersInProd,
  cardCodeStored,
  checkOfUnknownElement,
  codeInjection,
  commandInjection,
  compatFlagWeakens,
  conflictingWriteGuard,
  contextUserOverride,
  cookieNameFromRequest,
  corsEnabledGlobally,
  cqlInjection,
  createNotInstanceChecked,
  credentialCheckSkipped,
  credentialElementExposed,
  csvTestDataProduction,
  customAuthUnsafe,
  dbNonProduction,
  deepWriteBypassesRestriction,
  defaultUserPrivileged,
  destructiveRouteUnrestricted,
  draftEntityWithoutRootAuth,
  dynamicEntityOrColumn,
  emptyRestriction,
  entityWithoutRestriction,
  errorDetailsToClient,
  errorSanitizationOff,
  eventQueuePrivilegedReplay,
  exceptionEndsProcess,
  expandBypassesCondition,
  expandBypassesRestriction,
  expressRouteUnauthenticated,
  expressUnhandledRejection,
  functionChangesState,
  grantAllToAny,
  graphqlExposed,
  graphqlMutationUnprotected,
  guardWithoutCheck,
  handlerCheckIneffective,
  handlerForUnknownTarget,
  hdbAccessUnmasked,
  hdbDefinerRights,
  hdbDynamicSql,
  hdbroleWide,
  helmetMissingForOwnHtml,
  hostHeaderLink,
  hybridProfileDeployed,
  iasValidationOff,
  identityWithoutProof,
  indexPageInProduction,
  insecureRandom,
  instanceConditionMissing,
  instanceFilterMissingForUserData,
  instanceRestrictionBypassed,
  javaActuatorExposed,
  javaAuthModeRelaxed,
  javaDashboardOpen,
  javaDeepAuthOff,
  javaDtoUnsafeJackson,
  javaErrorNotThrown,
  javaH2Console,
  javaJsonInjection,
  javaLoginOnly,
  javaMockUsers,
  javaModuleUnauthenticated,
  javaPermitAll,
  javaSecurityDebug,
  javaSecurityRuleUnmatched,
  javaSpringBootOutdated,
  javaSqlInjection,
  javaTechnicalLogin,
  javaTlsOff,
  javaUnknownEndpointsOpen,
  javaUsersInMemory,
  javaXssecVulnerable,
  javaXsuaaDisabled,
  jwtNotVerified,
  knownAdministrator,
  limitCheckBypassed,
  logInjection,
  logLevelDebugProduction,
  loginAttemptsUnlimited,
  lostUpdate,
  maskingBypassedByExpand,
  mcpExposed,
  mediaInline,
  mediaNoConstraints,
  messagingHandlerTrustsPayload,
  metadataPublicByCode,
  missingOwnershipCheck,
  mockUsersInProduction,
  mtxExtensibilityUnrestricted,
  mtxLegacy,
  mtxMockedSidecar,
  nativeSqlBypassesAuth,
  negativeQuantity,
  nodeEnvNotProduction,
  oauthRequestUnverified,
  objectKeyFromRequest,
  oneTimeCodeGuessable,
  openRedirect,
  outdatedMajor,
  passwordHashInResponse,
  passwordInResponse,
  passwordPlainText,
  pathTraversal,
  paymentNotMatched,
  personalDataUnannotated,
  priceFromClient,
  privilegeFromRequest,
  privilegedUserInRequest,
  prototypePollution,
  queryLimitDisabled,
  queryObjectFromRequest,
  readRoleMayWrite,
  readonlyOnlyViaOdataCaps,
  reflectedXss,
  refusalWithoutReturn,
  regexDenialOfService,
  remoteBasicAuthProduction,
  remoteBodyFromRequest,
  remoteHttpUrl,
  requestHeadersForwarded,
  restrictAllServicesOff,
  restrictIgnoredProperty,
  restrictMisspelled,
  restrictWhereInvalid,
  restrictionsNotEnforced,
  roleFilterFailsOpen,
  roleNotInXsSecurity,
  rolesNeverChecked,
  routeWithoutScopeCheck,
  rowFilterFailsOpen,
  secretInRequestUrl,
  selfApproval,
  sensitiveEntityAutoexposed,
  sensitiveLog,
  servicePublicAny,
  serviceWithoutAuth,
  sessionCsrfMissing,
  sharedHandlerState,
  signingSecretGuessable,
  ssrf,
  stateNotChecked,
  staticExposesSources,
  systemUserTooBroad,
  technicalRoleInBusinessRole,
  templateXss,
  tenantFromRequest,
  timingUnsafeCompare,
  tlsVerificationOff,
  tokenInResponse,
  totalNotUpdated,
  totalSetConditionally,
  unboundedReadToMemory,
  uncheckedRowWritten,
  unsafeDeserialization,
  uploadLimitMissing,
  userAttributeNullBypass,
  userIdFromClient,
  weakCrypto,
  websocketUnauthenticated,
  whereClauseReplaced,
  writableAuthorizationEntity,
  writeElementMassAssignment,
  xsMissingPrivilegeCheck,
  xsjsLegacy,
  xssecMissing,
  xsuaaAttributeUnused,
  zipSlip,
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
  placeholderPackage,
  sapAdvisoryNotInOsv,
  typosquat,
  unusedSecurityOverride,
  basicAuthUrl,
  dbUri,
  privateKey,
  sapBindingSecret,
  ...tokenRules,
  absoluteServiceUrl,
  accountCreatedInClient,
  basicAuthInClient,
  bindingInjection,
  blobUrlNavigation,
  bootstrapDefaultVersion,
  bootstrapForeignHost,
  bootstrapHttp,
  clientComputedResult,
  clientDecidedValue,
  clientRequestDynamicUrl,
  clientSideApproval,
  clientSideAuthorization,
  clientSideLogin,
  cspMissing,
  pageCspUnsafe,
  csrfTokenDisabled,
  debugInProduction,
  deprecatedLibrary,
  deprecatedSecurityApi,
  dynamicModuleName,
  evalRule,
  firestoreWithoutRules,
  flpSandboxShipped,
  formatterHtml,
  formulaInjection,
  frameOptionsAllow,
  frameOptionsMissing,
  frameOptionsTrustedWide,
  hybridAppOpenNavigation,
  hybridAppTlsOff,
  inlineScript,
  javascriptUrl,
  logInjectionToBackend,
  browserLogInjection,
  manifestPseudoKeys,
  metadataPropertyAny,
  mockserverInProduction,
  nativeHtmlInXmlview,
  networkLibraryVulnerable,
  odataFilterInjection,
  odataHttpUrl,
  odataWithCredentialsCrossOrigin,
  browserOpenRedirect,
  passwordInUrl,
  passwordInputVisible,
  passwordsReadByPage,
  pathInjection,
  pdfviewerTrustedSource,
  personalDocumentsServed,
  postmessageNoOriginCheck,
  postmessageWildcardTarget,
  rendererApiV1,
  rendererUnsafeOutput,
  resourceRootsForeign,
  sanitizeContentDisabled,
  secretInBundle,
  securityTokenHandlers,
  browserSensitiveLog,
  sharedTechnicalAccount,
  sourceMapsShipped,
  stateChangeByGet,
  tabnabbing,
  templateEngineRaw,
  thirdPartyScriptNoSri,
  tokenInWebStorage,
  tokenToForeignHost,
  toolingTlsOff,
  unauthenticatedBackend,
  uploadUnrestricted,
  urlParamsNotIgnored,
  urllistTooWide,
  userIdFromBrowser,
  vendoredLibraryVulnerable,
  versionEndOfMaintenance,
  versionNotLongTerm,
  versionPatchOutdated,
  versionSkew,
  versionUndetermined,
  versionUnknown,
  weakRandomOrHash,
  webcomponentsRawHtml,
  xmlviewDynamicDefinition,
  xssDomSink,
  xssHtmlControl,
]
