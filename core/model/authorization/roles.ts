import type { CdsValue } from '../../parse/cds/types.ts'
import { privilegesOf, PSEUDO_ROLES, type CapAnnotation } from '../cap/index.ts'

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

/** An annotation that CAP does not know, where `@requires` or `@restrict` was meant. */
export interface MisspeltAnnotation {
  readonly word: string
  readonly key: 'requires' | 'restrict'
  readonly annotation: CapAnnotation
}

const MISSPELT_REQUIRES =
  /^(?:requires?|required|requiers?|requries|reqires?|requres?|requireds?|requiredroles?|requiresroles?)$/i
const MISSPELT_RESTRICT = /^(?:restricts?|restricted|restrictions?|restrictto|resricts?|restrcts?|retricts?|restirct)$/i

/** Told by the name and by the value: roles, or records with `grant` or `to`. */
export function misspeltAnnotation(annotations: ReadonlyMap<string, CapAnnotation>): MisspeltAnnotation | undefined {
  if (annotations.has('requires') || annotations.has('restrict')) return undefined
  for (const [written, annotation] of annotations) {
    const { value } = annotation
    const word = written.replaceAll(/^_{1,3}|_{1,3}$/g, '')
    if (MISSPELT_REQUIRES.test(word) && namesRoles(value)) return { word: written, key: 'requires', annotation }
    if (MISSPELT_RESTRICT.test(word) && grants(value)) return { word: written, key: 'restrict', annotation }
  }
  return undefined
}

function namesRoles(value: CdsValue): boolean {
  const items = value.kind === 'array' ? value.items : [value]
  return items.length > 0 && items.every((item) => item.kind === 'string' && item.value !== '')
}

function grants(value: CdsValue): boolean {
  return privilegesOf(value).some(({ record }) => record.members.some(({ key }) => key === 'grant' || key === 'to'))
}
