import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { resolvePath } from '../../paths.ts'
import type { Mta, MtaModule } from './types.ts'

/** A folder that a module of an MTA is built from, whatever becomes of it: an application, a bundle of the HTML5 repository, content. */
export interface ModuleFolder {
  readonly folder: string
  readonly file: string
  /** It goes to users as it is built: static files of an app. Fact: SAP BTP, "MTA Module Types" (`html5`). */
  readonly isBundle: boolean
  /** The platform starts nothing of it: `supported-platforms: []`. Fact: MTA specification, "build-parameters". */
  readonly isForBuildOnly: boolean
}

/** Those of modules that name one. */
export function moduleFolders(mtas: readonly Mta[]): readonly ModuleFolder[] {
  return mtas.flatMap(({ file, modules }) =>
    modules.flatMap(({ node, type }: MtaModule) => {
      const path = stringOf(at(node, 'path'))
      const folder = path === undefined ? undefined : resolvePath(file, path)
      return folder === undefined ? [] : { folder, file, isBundle: BUNDLES.test(type), isForBuildOnly: isForBuildOnly(node) }
    }),
  )
}

function isForBuildOnly(node: DataNode): boolean {
  const platforms = at(node, 'build-parameters', 'supported-platforms')
  return platforms?.kind === 'array' && platforms.items.length === 0
}

const BUNDLES = /^(?:com\.sap\.)?html5(?:\.|$)/i
