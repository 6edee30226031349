import type { Exposure } from '../../types.ts'
import type { Approuter, Route } from '../approuter/index.ts'

/** Who gets through a route of an approuter: everybody where it does not authenticate, users with a scope where it asks for one for each method. */
export function routeExposure({ deployed }: Pick<Approuter, 'deployed'>, route: Route): Exposure {
  const by = route.authenticationPlace
  if (!deployed) return { reach: 'nobody', by }
  if (!route.authenticates) return { reach: 'anyone', by }
  const asked = route.scopes?.get('default')
  return asked === undefined || asked.length === 0 ? { reach: 'user', by } : { reach: 'privileged', by }
}
