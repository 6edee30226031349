import type { Approuter, ApprouterDeployment } from './types.ts'

/** Whether a binding may log users in; a service whose type is not written may be one that does. */
export function mayAuthenticate({ name, service }: ApprouterDeployment['bindings'][number]): boolean {
  return service === undefined || service === 'xsuaa' || service === 'identity' || /uaa|identity|auth/i.test(name)
}

/** Whether an approuter may log users in: a route asks for that, and one of the modules that run it is bound to a service for it, or none is known. */
export function mayLogIn({ kind, routes, environment: { deployments } }: Approuter): boolean {
  if (!routes.some(({ authenticates }) => authenticates)) return false
  return kind !== 'standalone' || deployments.length === 0 || deployments.some(({ bindings }) => bindings.some(mayAuthenticate))
}
