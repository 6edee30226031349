import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { resolvePath } from '../../paths.ts'
import { textsBelow } from './services.ts'
import type { Mta, MtaModule } from './types.ts'

/** A folder that a module of an MTA is built from, whatever becomes of it: an application, a bundle of the HTML5 repository, content. */
export interface ModuleFolder {
  readonly folder: string
  readonly file: string
  /** It goes to users as it is built: static files of an app. Fact: SAP BTP, "MTA Module Types" (`html5`). */
  readonly isBundle: boolean
  /** The platform starts nothing of it: `supported-platforms: []`, or a module of content takes what is built. Fact: MTA specification, "build-parameters". */
  readonly isForBuildOnly: boolean
  /** It uploads what other modules build, or files that it names: not its whole folder. */
  readonly isContent: boolean
}

/** Those of modules that name one. */
export function moduleFolders(mtas: readonly Mta[]): readonly ModuleFolder[] {
  return mtas.flatMap(({ file, modules }) => {
    const packed = new Set(modules.flatMap((module) => (CONTENT.test(module.type) ? artifactsOf(module) : [])))
    return modules.flatMap(({ node, type, name }: MtaModule) => {
      const path = stringOf(at(node, 'path'))
      const folder = path === undefined ? undefined : resolvePath(file, path)
      const isForBuildOnly = supportsNoPlatform(node) || packed.has(name)
      return folder === undefined
        ? []
        : { folder, file, isBundle: BUNDLES.test(type), isForBuildOnly, isContent: CONTENT.test(type) }
    })
  })
}

/** Something in it has the name of a folder: a command of the build, or what is called alike, may mean it. */
export function speaksOf({ tree }: Mta, folder: string): boolean {
  const name = folder.slice(folder.lastIndexOf('/') + 1).toLowerCase()
  return textsBelow(tree).some(({ text }) => text.toLowerCase().includes(name))
}

/** The modules whose results a module packs. */
function artifactsOf({ node }: MtaModule): string[] {
  return itemsOf(at(node, 'build-parameters', 'requires')).flatMap((item) => stringOf(at(item, 'name')) ?? [])
}

function supportsNoPlatform(node: DataNode): boolean {
  const platforms = at(node, 'build-parameters', 'supported-platforms')
  return platforms?.kind === 'array' && platforms.items.length === 0
}

const BUNDLES = /^(?:com\.sap\.)?html5(?:\.|$)/i

/** Content of the HTML5 repository, of a portal. */
const CONTENT = /\bcontent$/i
