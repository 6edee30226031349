import { textItems } from '../deployment/index.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { isDemoData } from './purpose.ts'

/** A route of neo-app.json to a destination that no security constraint protects. */
export interface NeoRoute {
  readonly path: string
  readonly destination: string
  /** Where the destination is named. */
  readonly node: DataNode
  readonly description: string
  /** What of the back end it leads to; undefined: all of it. */
  readonly entryPath?: string
}

/** Routes to destinations that no constraint protects; data for demonstrations left out. */
export function unprotectedRoutes(root: DataNode | undefined): readonly NeoRoute[] {
  const constrained = constrainedPaths(root)
  return itemsOf(at(root, 'routes')).flatMap((route) => {
    const path = stringOf(at(route, 'path')) ?? ''
    const node = at(route, 'target', 'name')
    const destination = stringOf(node)
    const isOpen = stringOf(at(route, 'target', 'type')) === 'destination' && !constrained.some((text) => isProtected(path, text))
    if (!isOpen || node === undefined || destination === undefined || isDemoData(destination)) return []
    const entryPath = stringOf(at(route, 'target', 'entryPath'))
    const description = stringOf(at(route, 'description')) ?? ''
    return [{ path, destination, node, description, ...(entryPath !== undefined && { entryPath }) }]
  })
}

/** The paths of all routes, also of those that constraints protect. */
export function pathsOfRoutes(root: DataNode | undefined): readonly string[] {
  return itemsOf(at(root, 'routes')).flatMap((route) => stringOf(at(route, 'path')) ?? [])
}

export function constrainedPaths(root: DataNode | undefined): readonly string[] {
  return itemsOf(at(root, 'securityConstraints')).flatMap((one) => textItems(at(one, 'protectedPaths')).map(({ text }) => text))
}

/** A constraint holds for a folder and all below it. */
function isProtected(path: string, folder: string): boolean {
  const own = folder.replace(/\/$/, '')
  return path === own || path.startsWith(`${own}/`)
}
