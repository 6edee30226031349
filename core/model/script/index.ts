/** What one script tells of itself: where it runs, what only holds for developers, what its names are about. */
export { isContext, isContextName, isContextRoot, isRequestName, isSentData } from './request-names.ts'
export {
  isDeveloperFile,
  isOfServerFolder,
  isOfUi5App,
  isDeployedCode,
  isToolFile,
  isXsScript,
  realmByPath,
  runsAnywhere,
  runsInBrowser,
  runsOnServer,
} from './runtime.ts'
export { isPageTemplate } from '../../parse/page-template.ts'
export { createDevelopmentReader, createUnproductiveReader, developmentSpansOf } from './development.ts'
export {
  ACCOUNT_PASSWORD_KEYWORDS,
  isAccountPassword,
  isLoginPassword,
  isPasswordHash,
  isPasswordName,
  isRepeatedPassword,
  mayNamePassword,
  PASSWORD_KEYWORDS,
} from './password-names.ts'
export { secretNounOf, splitWords } from './secret-names.ts'
export { findModelTools, findUncheckedTools, MAY_HOLD_TOOLS, toolArgument } from './model-tools.ts'
export { passwordWords } from './password-words.ts'
export { askedPasswords } from './asked-passwords.ts'
export { addressedVariables, type AddressedVariable } from './addressed-variables.ts'
export { isLogCall } from './log-calls.ts'
export { createFreshReader } from './fresh-reads.ts'
export { createReturnReader } from './returned-values.ts'
export { loopedTexts, loopOf } from './loops.ts'
export { possibleConstants } from './possible-constants.ts'
export { isSecretName, LASTING_SECRET_WORDS, mayNameSecret, secretPartsOf } from './secret-values.ts'
export { cookieKeyOf, storedSecretName } from './stored-secrets.ts'
export { firstPartOf, leadingAddressOf, leadingTextOf } from './first-part.ts'
export { numericFields, numericNames } from './numeric-fields.ts'
export { findNamedUses, type NamedUse } from './named-uses.ts'
export { findGuessableSecrets, mayGuessSecrets, type GuessableSecret } from './randomness.ts'
export { findWeakHashes, type WeakHash } from './weak-hashes.ts'
export { isFormatOfAnswer, openedBlobs, runsScripts, typeOfBlob, type OpenedBlob } from './opened-blobs.ts'
