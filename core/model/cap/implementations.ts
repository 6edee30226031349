import { wordOf } from './access.ts'
import type { CapRoot, CapService } from './types.ts'

/** Where CAP looks for the implementation of a service. Fact: @sap/cds 9.9.3, lib/srv/factory.js. */
const FOLDERS = ['', 'lib/', 'handlers/']

/** Whether a script is the implementation of a service by where it lies: beside the service's file, or where `@impl` says. */
export function isImplementedIn(path: string, service: CapService, { root }: Pick<CapRoot, 'root'>): boolean {
  const { file } = service.place
  const withoutEnding = path.replace(/\.[cm]?[jt]s$/, '')
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  const base = file.slice(folder.length).replace(/\.cds$/i, '')
  if (FOLDERS.some((one) => withoutEnding === `${folder}${one}${base}`)) return true
  const said = wordOf(service.annotations.get('impl')?.value)
  if (said === undefined) return false
  const relative = said.replace(/^(?:\.?\/)+/, '').replace(/\.[cm]?[jt]s$/, '')
  return withoutEnding === `${folder}${relative}` || withoutEnding === (root === '' ? relative : `${root}/${relative}`)
}
