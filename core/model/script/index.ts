/** What one script tells of itself: where it runs, what only holds for developers, what its names are about. */
export { isDeveloperFile, isToolFile, runsAnywhere, runsInBrowser } from './runtime.ts'
export { createDevelopmentReader } from './development.ts'
export { SECRET_WORDS, secretNounOf, splitWords } from './secret-names.ts'
export { firstPartOf, leadingTextOf } from './first-part.ts'
export { findNamedUses, type NamedUse } from './named-uses.ts'
export { findGuessableSecrets, mayGuessSecrets, type GuessableSecret } from './randomness.ts'
export { findWeakHashes, type WeakHash } from './weak-hashes.ts'
