import { at, itemsOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import { fileNameOf, folderOf, foldersAround, resolvePath } from '../../paths.ts'
import type { Mta, MtaModule } from './types.ts'

/** A folder that a module of an MTA is built from, whatever becomes of it: an application, a bundle of the HTML5 repository, content. */
export interface ModuleFolder {
  readonly folder: string
  readonly file: string
  /** It goes to users as it is built: static files of an app. Fact: SAP BTP, "MTA Module Types" (`html5`). */
  readonly isBundle: boolean
  /** The platform starts nothing of it: `supported-platforms: []`, or a module of content takes what is built. Fact: MTA specification, "build-parameters". */
  readonly isForBuildOnly: boolean
  /** A web server of the platform serves its files, and starts nothing of them. */
  readonly isStaticSite: boolean
  /** It uploads what other modules build, or files that it names: not its whole folder. */
  readonly isContent: boolean
  /** No lock file gets into its archive. Fact: Cloud MTA Build Tool, "Configuring and customizing the build process" (`ignore`). */
  readonly omitsLock: boolean
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
        : {
            folder,
            file,
            isBundle: BUNDLES.test(type),
            isForBuildOnly,
            isStaticSite: servesFiles(node) && !BUNDLES.test(type),
            isContent: CONTENT.test(type),
            omitsLock: itemsOf(at(node, 'build-parameters', 'ignore')).some((item) => LOCK.test(stringOf(item) ?? '')),
          }
    })
  })
}

/** Files alone, whatever the package beside them depends on. Fact: Cloud Foundry, "Staticfile Buildpack"; "Pushing an App with Multiple Buildpacks" (the last one starts it). */
export function servesFiles(node: DataNode): boolean {
  const several = at(node, 'buildpacks') ?? at(node, 'parameters', 'buildpacks')
  const pack = (several && itemsOf(several).at(-1)) ?? at(node, 'buildpack') ?? at(node, 'parameters', 'buildpack')
  return pack !== undefined && STATIC.test(stringOf(pack) ?? '')
}

const STATIC = /(?:^|\/)staticfile[_-]buildpack(?:\.git)?(?:#|$)/

/**
 * Finds the MTA around a folder that leaves it out: it builds modules, none of the folder, and nothing in it has the folder's name, such as a command of the build. Its own folder is left out
 * where no module comes of a build there. `among`: the MTAs that may leave something out; what any of them all builds is not left out.
 */
export function createLeftOutReader(mtas: readonly Mta[], among: readonly Mta[] = mtas): (folder: string) => Mta | undefined {
  const built = moduleFolders(mtas)
  const sources = new Set(built.flatMap(({ folder, isContent }) => (isContent ? [] : folder)))
  const sourceNames = [...sources].map((one) => fileNameOf(one).toLowerCase())
  const building = new Map(
    among.flatMap((mta) => (built.some(({ file }) => file === mta.file) ? [[folderOf(mta.file), mta] as const] : [])),
  )
  const texts = new Map<Mta, readonly string[]>()
  const textsOf = (mta: Mta): readonly string[] => {
    const known = texts.get(mta) ?? textsBelow(mta.tree).map(({ text }) => text.toLowerCase())
    texts.set(mta, known)
    return known
  }
  return (folder) => {
    const around = [...foldersAround(`${folder}/`)]
    const mta = around.flatMap((one) => building.get(one) ?? [])[0]
    if (mta === undefined || around.some((one) => sources.has(one))) return undefined
    const own = folderOf(mta.file)
    if (folder === own) {
      const builds = [...sources].some((one) => BUILT.test(one.slice(own.length)))
      return builds || textsOf(mta).some((text) => BUILDS.test(text)) ? undefined : mta
    }
    const path = folder.slice(own === '' ? 0 : own.length + 1).toLowerCase()
    const name = fileNameOf(path)
    const longer = sourceNames.filter((one) => one !== name && one.includes(name))
    // `orders-admin` is no word of `orders`
    const isNamed = textsOf(mta).some((text) =>
      names(
        longer.reduce((rest, one) => rest.replaceAll(one, ' '), text),
        path,
      ),
    )
    return isNamed ? undefined : mta
  }
}

const LOCK = /^(?:\.\/)?(?:package-lock|npm-shrinkwrap)\.json$/

/** What `cds build` writes, and the tools that build a folder of Node.js. */
const BUILT = /^\/?gen(?:\/|$)/
const BUILDS = /\b(?:npm|npx|pnpm|yarn|cds|node|ui5)\b/

/** Names that many other words contain: `app`, `srv`, `ui`. */
const SHORT = 3

/** A text that has the last name of a path: not as a folder on the way to another one (`app/react`), nor as the end of another path (`gen/srv/app`). */
function names(text: string, path: string): boolean {
  const parent = path.slice(0, path.lastIndexOf('/') + 1)
  const name = path.slice(parent.length)
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = /[\w./-]{0,200}$/.exec(text.slice(Math.max(0, at - 200), at))?.[0].replace(/^(?:\.{0,2}\/)+/, '') ?? ''
    const isOther = before.endsWith('/') && !parent.endsWith(before)
    const after = text.slice(at + name.length, at + name.length + 2)
    // `approuter` and `webapp` are no words of `app`
    const isInWord = name.length <= SHORT && (/[a-z\d]$/.test(before) || /^[a-z\d]/.test(after))
    if (!isOther && !isInWord && !/^\/[\w-]/.test(after)) return true
  }
  return false
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
