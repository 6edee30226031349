export { applicationsBehind, rootsBehind, rootsBehindKept } from './backends.ts'
export { commonRoles, scopesOfTemplates } from './roles-of-all.ts'
export { capRootOf } from './cap-root.ts'
export { capSecurityOf, type CapSecurity } from './cap-security.ts'
export {
  declaredRoles,
  definesNoRole,
  definesRoles,
  describedRoles,
  heldRoles,
  indexSecurity,
  isGeneratedInBuild,
  isGivenWithout,
  type DeclaredRoles,
  type HeldRoles,
  type SecurityOf,
} from './security-descriptors.ts'
export {
  isMisspeltPseudoRole,
  isPlatformRole,
  misspeltAnnotation,
  unevaluatedRecord,
  type MisspeltAnnotation,
  type UnevaluatedRecord,
} from './roles.ts'
export { isDeployedUnbound, isUnbound, reliesOnBinding } from './unbound.ts'
