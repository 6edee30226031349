export { findCapRoots } from './find-cap-roots.ts'
export { isCdsBelow, mayKnowFlows } from './installed-version.ts'
export {
  entityName,
  findHandlers,
  createHandlerReader,
  handlerFunction,
  unbound,
  type HandlerFunction,
  itemsOf,
  registrationOf,
} from './registrations.ts'
export { HANDLER_PACKAGES, namedParameter, usesHandlerPackage } from './decorated-handlers.ts'
export { connectedName, createServiceReader, type ScriptService } from './script-services.ts'
export { isPrivileged, privilegedSpans, type PrivilegedSpan } from './privileged-users.ts'
export { isImplementedIn, requiredImplementations, withoutEnding } from './implementations.ts'
export { CRUD_EVENT, isMandatory, operationData, type EventFacts, type HandledEvent, type PayloadType } from './payloads.ts'
export { plainElements } from './plain-elements.ts'
export {
  asksForRole,
  eventsCheckedInCode,
  isCheckedInCode,
  roleChecks,
  rowEventsOf,
  uncheckedInCode,
  type RowEvent,
} from './role-checks.ts'
export { asksForCallersRole, callerRoleSpans, isBehindRole } from './caller-roles.ts'
export { REFUSES, VERIFIES, withoutComments } from './caller-checks.ts'
export { createLoginGuardReader, loginGuards, type LoginGuardReader } from './login-guards.ts'
export { createWrappedReader, wrappedHandlers, type WrappedReader } from './wrapped-handlers.ts'
export { createTokenReader, tokenHandlers, type TokenReader } from './token-handlers.ts'
export { loginExtracts } from './login-extracts.ts'
export { javaSetting, scalarText, type JavaSetting } from './java-settings.ts'
export { createReadingReader, operationHandlers } from './reading-handlers.ts'
export type * from './types.ts'
export { areForms, createAnswers, serviceClasses, type Answers, type BareService } from './bare-services.ts'
export {
  declaredAccess,
  isTrue,
  privilegesOf,
  AUTHENTICATED_ROLES,
  PSEUDO_ROLES,
  rolesIn,
  wordOf,
  wordsIn,
  wordsOf,
  type Privilege,
} from './access.ts'
export { areAmong, eventsOf, grantsEvent, grantsMoreThanReading, isSubsumed, usersOf, type Users } from './privileges.ts'
export { grantsActionsOnly, readersOf, sourceNameOf } from './exposed.ts'
export { anybodysAuth, authStrategyOf, filtersByPolicies, hasPolicies, isForDevelopment, type AuthStrategy } from './auth.ts'
export { effectiveConfiguration } from './configuration.ts'
export { profilesOf } from './environment.ts'
export { isExpandOff } from './links.ts'
export {
  accepts,
  ineffectiveCapabilities,
  ineffectiveFlag,
  doUsersWrite,
  isDraftEnabled,
  isAdministrative,
  isFlowStatus,
  isGuarded,
  notesUser,
  isImmutable,
  isHidden,
  isOrdinary,
  isReadable,
  takesData,
  writersOf,
  type WriteEvent,
} from './writing.ts'
export { javaVersion } from './roots.ts'
export { annotatedValue, placeIn } from './annotations.ts'
export { conditionOf, elementPaths, isMissing, type Condition } from './conditions.ts'
export { exposedEntities, exposedMembers, type ExposedEntity, type ExposedMember } from './exposed-entities.ts'
export {
  isEmptyRestriction,
  isOpenToAll,
  openElements,
  restrictionsOf,
  restrictionWithoutRole,
  servedServices,
  type Restriction,
} from './restrictions.ts'
export { findJavaApplications, isBareJava, mayValidateTokens, type JavaApplication } from './java-applications.ts'
export { isMtxSidecar } from './mtx-sidecar.ts'
export { isMultitenant } from './multitenancy.ts'
export { isDemonstration, isSampleModel } from './demonstrations.ts'
export { foldedName, tableOf } from './table-files.ts'
export { cdsWithin, dependencyOf, lockedAs, packageOf } from './packages.ts'
export {
  entityWords,
  isCredential,
  isKeyOfUser,
  isOrganisation,
  isPeople,
  personalKind,
  toWords,
  type PersonalKind,
} from './personal-data.ts'
export { localDatabase, runsOnSqlite } from './local-database.ts'
export { isForProduction, keyIn, placeKey, productionSettings } from './production-settings.ts'
export { remoteCredentials, type RemoteCredentials } from './remote-services.ts'
export { isNumeric } from './validated.ts'
