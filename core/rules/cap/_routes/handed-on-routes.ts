import { isCatchAll, leadsToServer, rewriteUrl, takesMethod, takesUrl, type Approuter } from '../../../model/approuter/index.ts'
import type { OpenRoute } from '../../../flow/index.ts'

/**
 * Whether an approuter of the project's own hands requests for the path of a route on to a server, and asks for no login: the project gives the route an address itself.
 * A route for all paths may lead to any server, so it tells nothing.
 */
export function isHandedOn(
  { method, address }: Pick<OpenRoute, 'method' | 'address'>,
  approuters: readonly Approuter[],
): boolean {
  // parameters of a path are no part of real URLs, but each is one piece
  const url = address.replace(/:\w{1,80}/g, 'a')
  return approuters.some((approuter) => {
    if (!approuter.deployed || approuter.kind !== 'standalone') return false
    const serving = approuter.routes.find((route) => takesUrl(route, url) && (method === 'ANY' || takesMethod(route, method)))
    if (serving === undefined || serving.authenticates || !leadsToServer(serving)) return false
    return !isCatchAll(approuter, serving) && rewriteUrl(serving, url) === url
  })
}
