import { at, itemsOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import { folderOf, foldersAround, isBelow, resolvePath } from '../../paths.ts'
import { createLeftOutReader, isForTesting, moduleFolders, type Mta } from '../deployment/index.ts'
import type { ApprouterRoot } from './environment.ts'
import type { Environment } from './types.ts'

/** A descriptor with what deploys it. */
interface PlacedDescriptor extends ApprouterRoot {
  readonly root: DataNode
  readonly environment: Environment
}

/**
 * Tells descriptors that no router reads:
 * a router that nothing runs, in the folder of an MTA that deploys another one, or that builds none of its modules from this one's folder and does not speak of it:
 * developers start it on their own machines. Or the routes of an app that such an MTA leaves out, or that no part of the MTA puts into the HTML5 repository: a router reads them
 * where the app is in the repository. Or one in whose place the build of an app packs another (`replaced`). Or a copy among the files that a router serves from its own folder (`localDir`), which reads the descriptor of its folder alone. Or a file of a static
 * site, which a web server serves. Or what the development server of UI5 alone reads (`tooling`).
 * Facts: SAP BTP, "Developing HTML5 Applications in the Cloud Foundry Environment" (xs-app.json of apps in the repository); @sap/approuter 23.0.0 README, "localDir".
 */
export function createSpareReader(
  placed: readonly PlacedDescriptor[],
  mtas: readonly Mta[],
  tooling: ReadonlySet<string>,
  replaced: ReadonlySet<string>,
): (descriptor: PlacedDescriptor) => boolean {
  const deployed = mtas.filter(({ file }) => !isForTesting(file))
  const leftOutBy = createLeftOutReader(mtas, deployed)
  const routed = new Set(placed.flatMap(foldersRouted))
  const modules = moduleFolders(mtas)
  const apps = new Set(modules.flatMap(({ folder, isBundle }) => (isBundle ? folder : [])))
  /** The platform starts nothing of them. */
  const built = new Set(modules.flatMap(({ folder, isForBuildOnly }) => (isForBuildOnly ? folder : [])))
  const sites = new Set(modules.flatMap(({ folder, isStaticSite }) => (isStaticSite ? folder : [])))
  const served = new Set(placed.flatMap(foldersServed))
  let isRepositoryNamed: boolean | undefined
  const hasRepository = (): boolean =>
    (isRepositoryNamed ??= mtas.some(({ tree }) => textsBelow(tree).some(({ text }) => REPOSITORY.test(text))))
  return (descriptor) => {
    const { kind, file, environment } = descriptor
    const folder = folderOf(file)
    if (replaced.has(file) && (kind !== 'standalone' || apps.has(folder))) return true
    if ((environment.isRun && !(kind !== 'standalone' && built.has(folder))) || apps.has(folder)) return false
    if (sites.has(folder) || (tooling.has(file) && kind !== 'standalone')) return true
    const around = [...foldersAround(file)]
    if (kind === 'standalone') return leftOutBy(folder) !== undefined || around.some((one) => routed.has(one))
    if (around.some((one) => served.has(one))) return true
    if (kind === 'html5-app' && leftOutBy(folder.replace(/\/webapp$/, '')) !== undefined) return true
    const isOfRepository = kind === 'html5-app' || asksRepository(descriptor)
    return (
      isOfRepository && deployed.some((mta) => mta.modules.length > 0 && around.includes(folderOf(mta.file))) && !hasRepository()
    )
  }
}

/** Modules, resources and plans of the repository: `html5`, `html5-apps-repo`, `com.sap.application.content` of a deployer. */
const REPOSITORY = /html5|application\.content/i

/** Folders of MTAs that deploy a router of their own. */
function foldersRouted({ kind, environment }: PlacedDescriptor): readonly string[] {
  return kind === 'standalone' ? environment.deployments.flatMap((one) => (one.kind === 'mta' ? folderOf(one.file) : [])) : []
}

/** Folders below a router whose files its own routes serve. */
function foldersServed({ kind, file, root }: PlacedDescriptor): readonly string[] {
  if (kind !== 'standalone') return []
  const own = folderOf(file)
  return itemsOf(at(root, 'routes')).flatMap((route) => {
    const folder = resolvePath(file, stringOf(at(route, 'localDir')) ?? '.') ?? own
    return folder !== own && isBelow(folder, own) ? folder : []
  })
}

function asksRepository({ root }: PlacedDescriptor): boolean {
  return itemsOf(at(root, 'routes')).some((route) => stringOf(at(route, 'service')) === 'html5-apps-repo-rt')
}
