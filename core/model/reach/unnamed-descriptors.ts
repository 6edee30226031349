import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, textsBelow } from '../../parse/data.ts'
import { fileNameOf, folderOf, foldersAround } from '../../paths.ts'
import type { Mta } from '../deployment/index.ts'

/**
 * Tells security descriptors that nothing deploys: the MTA around one gives its instance of XSUAA roles of its own, and nowhere names the file. Fact: SAP BTP, "Service
 * creation parameters" (`path` names the file, `config` stands in its place).
 */
export function createUnnamedDescriptors(
  files: ReadonlyMap<string, ProjectFile>,
  mtas: readonly Mta[],
): (file: string) => boolean {
  const texts = new Map<Mta, readonly string[]>()
  return (file) => {
    if (files.get(file)?.kind.role !== 'xs-security') return false
    const around = [...foldersAround(file)]
    const mta = around.flatMap((folder) => mtas.filter((one) => folderOf(one.file) === folder))[0]
    if (mta === undefined || !mta.resources.some(definesRoles)) return false
    const all = texts.get(mta) ?? textsBelow(mta.tree).map(({ text }) => text)
    texts.set(mta, all)
    const name = fileNameOf(file)
    return !all.some((text) => text.includes(name))
  }
}

function definesRoles({ service, node }: Mta['resources'][number]): boolean {
  return (
    service === 'xsuaa' && ['scopes', 'role-templates'].some((key) => itemsOf(at(node, 'parameters', 'config', key)).length > 0)
  )
}
