import { PSEUDO_ROLES } from '../../model/cap/index.ts'

/** A role that looks like a pseudo role and is none: `authenticated_user`, `Any`. */
export function isMisspeltPseudoRole(role: string): boolean {
  const folded = role.toLowerCase().replaceAll(/[_ -]/g, '')
  const isMeant = /^(?:authenticated(?:users?)?|identifiedusers?|systemusers?|internalusers?)$/.test(folded)
  return (isMeant || (folded === 'any' && role !== 'any')) && !PSEUDO_ROLES.has(role)
}

/**
 * Scopes of the platform and of CAP's own services, which no descriptor of the project has to define: `cds.Subscriber`, `mtcallback`, `uaa.user`.
 * Facts: @sap/cds-dk 10.1.2, templates of multitenancy and event-mesh; @sap/cds-mtxs 4.1.0 (`cds.Subscriber`, `cds.ExtensionDeveloper`).
 */
export function isPlatformRole(role: string): boolean {
  return (
    /^(?:cds\.|uaa\.|xs_|openid$|(?:mt|em)(?:callback|management|deployment)$|Mtx|JobScheduler$)/i.test(role) ||
    role.includes('!')
  )
}
