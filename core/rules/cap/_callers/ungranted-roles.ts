import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { pathOf } from '../../../facts/paths.ts'
import {
  declaredRoles,
  definesRoles,
  isMisspeltPseudoRole,
  isPlatformRole,
  type DeclaredRoles,
} from '../../../model/authorization/index.ts'
import { PSEUDO_ROLES, type CapRoot } from '../../../model/cap/index.ts'
import type { Project } from '../../subjects.ts'
import { comesFromTokens, isWholeStory } from './scopes.ts'

/** Whether code creates users, or adds to their roles. */
export const givenRoles: Extract<true> = defineExtract({
  name: 'cap-given-roles',
  keywords: ['cds.User', 'user.roles'],
  collect({ facts: { calls, assignments } }) {
    const makesUser = calls.some(
      ({ kind, callee }) => kind === 'new' && /^(?:global:cds|module:@sap\/cds) User$/.test(pathOf(callee)?.join(' ') ?? ''),
    )
    const isRoles = (name: string | undefined): boolean => name === 'roles'
    const adds = assignments.some(
      ({ target }) => isRoles(target.name) || (target.object.kind === 'member' && isRoles(target.object.name)),
    )
    return makesUser || adds ? [true] : []
  },
})

/** A role of the model that no descriptor has. */
export function isMissing(role: string, { scopes, others }: DeclaredRoles): boolean {
  if (PSEUDO_ROLES.has(role) || isPlatformRole(role) || isMisspeltPseudoRole(role)) return false
  return !scopes.has(role) && !others.has(role)
}

/** Whether users get none of some roles in production. */
export type UngrantedReader = (roles: readonly string[]) => boolean

/**
 * Roles that no scope of the project's descriptors stands for: users with them exist where mocked users do, until somebody defines the scope. Needs the extract `givenRoles`.
 * Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth/jwt-auth.js (roles are the scopes of the token, compared letter by letter).
 */
export function createUngrantedReader(root: CapRoot, { securityOf }: Pick<Project, 'securityOf'>): UngrantedReader {
  let declared: DeclaredRoles | false | undefined
  const find = (): DeclaredRoles | false => {
    const instances = securityOf(root)
    const descriptors = instances.filter(({ service, config }) => service === 'xsuaa' && definesRoles(config))
    const isTold = descriptors.length > 0 && isWholeStory(instances) && comesFromTokens(root)
    return isTold && root.scripts.get(givenRoles).length === 0 && declaredRoles(descriptors)
  }
  return (roles) => {
    declared ??= find()
    const known = declared
    return known !== false && roles.length > 0 && roles.every((role) => isMissing(role, known))
  }
}
