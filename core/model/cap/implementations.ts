import { append } from '../../lists.ts'
import { stringOf } from '../../parse/data.ts'
import { wordOf } from './access.ts'
import type { CapRoot, CapService } from './types.ts'

/** Where CAP looks for the implementation of a service. Fact: @sap/cds 9.9.3, lib/srv/factory.js. */
const FOLDERS = ['', 'lib/', 'handlers/']

/**
 * Scripts of services that the configuration alone knows, without their endings: `requires: { courier: { impl: './srv/courier.js' } }`. No protocol serves them, so what they
 * get comes from the project. Fact: @sap/cds 9.9.3, lib/srv/cds-connect.js.
 */
export function requiredImplementations({ root, productive }: Pick<CapRoot, 'root' | 'productive'>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const configuration of productive())
    for (const service of configuration.keys('requires')) {
      const impl = stringOf(configuration.value('requires', service, 'impl')?.node)
      if (impl === undefined || impl.startsWith('@')) continue
      found.add(inRoot(root, relativeTo(impl)))
    }
  return found
}

/** A path without the ending of a script. */
export function withoutEnding(path: string): string {
  return path.replace(/\.[cm]?[jt]s$/, '')
}

/** Whether a script is the implementation of a service by where it lies: beside the service's file, or where `@impl` says. */
export function isImplementedIn(path: string, service: CapService, { root }: Pick<CapRoot, 'root'>): boolean {
  return implementationPaths(service, root).includes(withoutEnding(path))
}

/** Finds the services that a script is the implementation of, by where it lies. */
export function createPlacedServices(services: readonly CapService[], root: string): (path: string) => readonly CapService[] {
  let byPath: Map<string, CapService[]> | undefined
  return (path) => {
    if (byPath === undefined) {
      byPath = new Map()
      for (const service of services) for (const one of new Set(implementationPaths(service, root))) append(byPath, one, service)
    }
    return byPath.get(withoutEnding(path)) ?? []
  }
}

/** Without the ending of a script. */
function implementationPaths(service: CapService, root: string): string[] {
  const { file } = service.place
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  const base = file.slice(folder.length).replace(/\.cds$/i, '')
  const beside = FOLDERS.map((one) => `${folder}${one}${base}`)
  const said = wordOf(service.annotations.get('impl')?.value)
  if (said === undefined) return beside
  const relative = relativeTo(said)
  return [...beside, `${folder}${relative}`, inRoot(root, relative)]
}

/** `srv/courier` of `./srv/courier.js` */
function relativeTo(path: string): string {
  return withoutEnding(path.replace(/^(?:\.?\/)+/, ''))
}

function inRoot(root: string, path: string): string {
  return root === '' ? path : `${root}/${path}`
}
