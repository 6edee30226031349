import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { ServiceInstance } from '../deployment/index.ts'
import { GRANTS, isGeneratedInBuild, isOfApplication, namesOf } from './security-descriptors.ts'

/**
 * Roles that whoever has any role of an app has: each role template gives them, and one of several gives nothing else. None where descriptors don't tell all.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (`scope-references`): users get scopes by role templates alone.
 */
export function commonRoles(instances: readonly ServiceInstance[]): ReadonlySet<string> {
  const isWhole = instances.every(({ service, isComplete }) => service === 'xsuaa' && isComplete)
  if (!isWhole || isGeneratedInBuild(instances)) return new Set()
  const templates = instances.flatMap(({ config }) => scopesOfTemplates(config)).filter(({ size }) => size > 0)
  const [first, ...others] = templates
  if (first === undefined) return new Set()
  const common = new Set([...first].filter((role) => others.every((other) => other.has(role))))
  const sizes = templates.map(({ size }) => size)
  return sizes.includes(common.size) && sizes.some((size) => size > common.size) ? common : new Set()
}

/** The app's own scopes of each template, as roles. */
export function scopesOfTemplates(config: ServiceInstance['config']): ReadonlySet<string>[] {
  const application = stringOf(at(config, 'xsappname'))
  const forOthers = new Set(
    itemsOf(at(config, 'scopes')).flatMap((scope) =>
      GRANTS.some((key) => at(scope, key) !== undefined) ? (stringOf(at(scope, 'name')) ?? []) : [],
    ),
  )
  return itemsOf(at(config, 'role-templates')).map((template) => {
    const scopes = itemsOf(at(template, 'scope-references')).flatMap((scope) => stringOf(scope) ?? [])
    const own = scopes.filter((scope) => isOfApplication(scope, application) && !forOthers.has(scope))
    return new Set(own.flatMap((scope) => namesOf(scope, application)))
  })
}
