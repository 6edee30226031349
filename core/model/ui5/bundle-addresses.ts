import type { ProjectFile } from '../../files.ts'
import { at, membersOf, stringOf } from '../../parse/data.ts'
import { parseProperties } from '../../parse/properties.ts'
import { joinPath } from '../../paths.ts'
import type { Place } from '../../types.ts'
import type { DataFile } from './types.ts'

/** An absolute address that a properties file keeps, by the name by which scripts ask its model: `{servers>orders}`. */
export interface BundleAddress {
  readonly name: string
  readonly address: string
  readonly at: Place
}

/** Each is read by itself. */
const MOST_MODELS = 20
const REMOTE = /^https?:\/\/[\w[]/i

/**
 * Addresses of the properties files that a manifest makes models of: `getModel("servers").getProperty("orders")`.
 * Facts: API of sap.ui.model.resource.ResourceModel (`bundleUrl`, `bundleName`); manifest, `sap.ui5/models` (`uri`).
 */
export function bundleAddressesOf(
  manifest: DataFile | undefined,
  root: string,
  files: ReadonlyMap<string, ProjectFile>,
): BundleAddress[] {
  const id = stringOf(at(manifest?.root, 'sap.app', 'id')) ?? ''
  const models = membersOf(at(manifest?.root, 'sap.ui5', 'models')).flatMap(({ key, value }) => {
    const named = stringOf(at(value, 'settings', 'bundleName'))
    const below =
      named?.startsWith(`${id}.`) === true ? `${named.slice(id.length + 1).replaceAll('.', '/')}.properties` : undefined
    const path = stringOf(at(value, 'uri')) ?? stringOf(at(value, 'settings', 'bundleUrl')) ?? below
    return path?.endsWith('.properties') === true ? [{ key, path }] : []
  })
  return models.slice(0, MOST_MODELS).flatMap(({ key, path }) => {
    const [file] = ['', 'webapp'].flatMap((folder) => files.get(joinPath(joinPath(root, folder), path)) ?? [])
    const content = file?.content
    if (file === undefined || content?.as !== 'text' || content.text === undefined) return []
    return membersOf(parseProperties(content.text)).flatMap((member) => {
      const address = stringOf(member.value) ?? ''
      const { start, end } = member.value
      return REMOTE.test(address)
        ? [{ name: `{${key}>${member.key}}`, address, at: { file: file.path, span: { start, end } } }]
        : []
    })
  })
}
