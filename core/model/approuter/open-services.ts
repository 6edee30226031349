import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, foldersAround } from '../../paths.ts'
import { unprotectedRoutes } from './neo-routes.ts'
import { leadsToServer } from './routes.ts'
import type { Approuter } from './types.ts'

/** What is asked of a project. */
interface Asked {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly approuters: readonly Approuter[]
  readonly step: (count?: number) => void
}

/**
 * Whether requests of an app get to servers without any login: the nearest descriptor in its folder or above, or in its `webapp`, asks for none, and leads to a server.
 * Descriptors of other apps say nothing about it. Facts: SAP BTP Neo documentation, "Authentication" of neo-app.json; @sap/approuter README, `authenticationMethod` and
 * `authenticationType`.
 */
export function areServicesOpen(app: string, open: ReadonlyMap<string, boolean>): boolean {
  for (const folder of foldersAround(`${app === '' ? '' : `${app}/`}webapp/`)) {
    const isOpen = open.get(folder)
    if (isOpen !== undefined) return isOpen
  }
  return false
}

/** By the folders of descriptors that lead to servers, or of Neo: whether none in it asks for a login. Read once for a project. */
export function readOpenFolders({ files, approuters, step }: Asked): ReadonlyMap<string, boolean> {
  const open = new Map<string, boolean>()
  const add = (file: string, isOpen: boolean): void => {
    const folder = folderOf(file)
    open.set(folder, isOpen && open.get(folder) !== false)
  }
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'neo-app' || kind.test || content.as !== 'data') continue
    const [root] = content.roots
    add(path, stringOf(at(root, 'authenticationMethod')) === 'none' && unprotectedRoutes(root).length > 0)
  }
  for (const { file, deployed, routes } of approuters) {
    step(1 + routes.length)
    const toServers = deployed ? routes.filter(leadsToServer) : []
    if (toServers.length > 0) add(file, !toServers.some(({ authenticates }) => authenticates))
  }
  return open
}
