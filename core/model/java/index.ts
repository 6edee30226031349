export { findEndpoints, methodBehind, type JavaEndpoint } from './endpoints.ts'
export {
  decidingRule,
  isDevelopment,
  isFallback,
  overlaps,
  type SecurityChain,
  type SecurityRule,
  type SpringSecurity,
} from './security.ts'
export { shadowedRules } from './shadowed-rules.ts'
export { findUsersInMemory, typedPassword, type UserInMemory } from './users-in-memory.ts'
export { findSpringModules, soleChain, type SpringModule } from './spring-modules.ts'
