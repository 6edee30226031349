import type { ProjectFile } from '../../files.ts'
import { moduleFolders, type Mta } from '../../model/deployment/index.ts'
import { usageByPath } from '../../model/reach/index.ts'
import { at, stringOf, textsBelow } from '../../parse/data.ts'
import { folderOf, isBelow } from '../../paths.ts'
import type { Project } from '../subjects.ts'

/**
 * Whether the only deployment of a project is an MTA that brings services and tables of CAP alone: it names the app nowhere, and nothing of it could serve one. `gen/srv` takes no app along.
 * Who gets the app is not in the project. Facts: capire, "Deploy to Cloud" (`cds build --production`); SAP BTP, "MTA Module Types".
 */
export function isUnserved(file: string, { deployment: { mtas }, files }: Pick<Project, 'deployment' | 'files'>): boolean {
  const main = mtas.filter((mta) => usageByPath(mta.file) !== 'unused')
  const folder = folderOf(file).replace(/(?:^|\/)webapp$/, '')
  if (main.length === 0 || folder === '' || main.some(mayServeApps) || moduleFolders(main).some(({ isBundle }) => isBundle))
    return false
  return (
    main.some((mta) => isBelow(file, folderOf(mta.file))) &&
    !main.some((mta) => namesFolder(mta, folder)) &&
    !isDeployedElsewhere(main, files)
  )
}

/** A router, a module of content, a service of the HTML5 repository, or a module whose type or folder tells nothing. */
function mayServeApps({ modules, tree }: Mta): boolean {
  return (
    modules.some(({ node, type }) => !BUILT.test(stringOf(at(node, 'path')) ?? '') || !SERVICES.test(type)) ||
    textsBelow(tree).some(({ text }) => REPOSITORY.test(text))
  )
}

/** What `cds build` writes. */
const BUILT = /^(?:\.\/)?(?:[\w-]{1,80}\/)?gen\/(?:srv|db|pg|mtx\/sidecar)\/?$/
const SERVICES = /^(?:nodejs|hdb|com\.sap\.xs\.hdi)/i
const REPOSITORY = /html5-apps-repo|app-?router/i

/** A command may build the app, or copy the folder of all apps: `cp -r app gen/srv`. */
function namesFolder({ tree }: Mta, folder: string): boolean {
  const names = new Set(folder.split('/'))
  return textsBelow(tree).some(({ text }) => text.split(/[\s"'`;|&=/]/).some((word) => names.has(word)))
}

const DEPLOYMENTS: ReadonlySet<string> = new Set(['cf-manifest', 'dockerfile', 'kubernetes'])

/** What goes to a platform beside, to an ABAP system or to a host of pages. */
const DEPLOYS_APP = /(?:^|\/)(?:ui5-deploy\.ya?ml|vercel\.json|netlify\.toml|firebase\.json|chart\.ya?ml)$/i

function isDeployedElsewhere(main: readonly Mta[], files: ReadonlyMap<string, ProjectFile>): boolean {
  const known = new Set(main.map(({ file }) => file))
  return [...files.values()].some(
    ({ path, kind }) =>
      !kind.test &&
      !known.has(path) &&
      usageByPath(path) !== 'unused' &&
      (DEPLOYMENTS.has(kind.role ?? '') || DEPLOYS_APP.test(path)),
  )
}
