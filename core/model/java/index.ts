export { findEndpoints, type JavaEndpoint } from './endpoints.ts'
export {
  decidingRule,
  findSecurity,
  isDevelopment,
  isFallback,
  overlaps,
  type SecurityChain,
  type SecurityRule,
  type SpringSecurity,
} from './security.ts'
export { findSpringModules, type SpringModule } from './spring-modules.ts'
