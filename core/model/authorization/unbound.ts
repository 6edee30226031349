import { at } from '../../parse/data.ts'
import { authStrategyOf, effectiveConfiguration, isForDevelopment, profilesOf, type CapRoot } from '../cap/index.ts'
import { isTrue, textOf, type Application } from '../deployment/index.ts'
import { capRootOf } from './cap-root.ts'

/** A public application that is bound to no service that could authenticate its callers. */
export function isUnbound(application: Application): boolean {
  const { isApprouter, hasPublicRoute } = application
  return hasPublicRoute && !isApprouter && !mayAuthenticate(application) && !isBuildOnly(application)
}

/** Whether services of a CAP project rely on an authentication that an application can do with a binding only. */
export function reliesOnBinding(root: CapRoot, { variables }: Application): boolean {
  const served = root.services.filter(({ exposure }) => exposure === 'served')
  // services that are public, on purpose or by the defaults of CAP, have rules of their own: a binding would not close them
  const arePublic =
    served.length > 0 && served.every(({ access }) => access.kind === 'public' || access.kind === 'default-public')
  if (root.test || arePublic) return false
  if (root.runtime === 'java') return true
  const strategy = authStrategyOf(effectiveConfiguration(root, profilesOf(variables), variables))
  return !strategy.custom && !isForDevelopment(strategy.kind ?? 'jwt')
}

/** Whether an application runs the project without the binding that its authentication relies on. */
export function isDeployedUnbound(root: CapRoot, applications: readonly Application[]): boolean {
  return applications.some(
    (application) => capRootOf(application, [root]) !== undefined && isUnbound(application) && reliesOnBinding(root, application),
  )
}

/** Bound to a service that authenticates, or to one of an unknown kind. */
function mayAuthenticate({ bindings }: Application): boolean {
  return bindings.some(({ service }) => service === undefined || service === 'xsuaa' || service === 'identity')
}

/** Modules for the build alone: nothing of them is deployed. */
function isBuildOnly({ node }: Application): boolean {
  const parameters = at(node, 'build-parameters')
  const platforms = at(parameters, 'supported-platforms')
  return isTrue(textOf(at(parameters, 'no-source'))) || (platforms?.kind === 'array' && platforms.items.length === 0)
}
