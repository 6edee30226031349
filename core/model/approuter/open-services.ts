import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { unprotectedRoutes } from './neo-routes.ts'
import { leadsToServer } from './routes.ts'
import type { Approuter } from './types.ts'

/**
 * Whether the descriptors of a project let requests through to servers without any login: there are some, and none of their routes to a server asks for one.
 * Facts: SAP BTP Neo documentation, "Authentication" of neo-app.json; @sap/approuter README, `authenticationMethod` and `authenticationType`.
 */
export function areServicesOpen(
  files: ReadonlyMap<string, ProjectFile>,
  approuters: readonly Approuter[],
  step: (count?: number) => void,
): boolean {
  let isOpen = false
  step(files.size)
  for (const { kind, content } of files.values()) {
    if (kind.role !== 'neo-app' || kind.test || content.as !== 'data') continue
    const [root] = content.roots
    if (stringOf(at(root, 'authenticationMethod')) !== 'none') return false
    isOpen ||= unprotectedRoutes(root).length > 0
  }
  for (const { deployed, routes } of approuters) {
    const toServers = deployed ? routes.filter(leadsToServer) : []
    step(1 + routes.length)
    if (toServers.some(({ authenticates }) => authenticates)) return false
    isOpen ||= toServers.length > 0
  }
  return isOpen
}
