import { findCommands, findDockerfiles, findStartCommands, moduleFolders, type Deployment } from '../../model/deployment/index.ts'
import type { NpmProject } from '../../model/npm/index.ts'
import {
  decidesLocally,
  deploysToAbap,
  readRemote,
  type Ui5App,
  type Ui5Page,
  type VersionSource,
} from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { folderOf, foldersAround, joinPath } from '../../paths.ts'
import type { Project } from '../subjects.ts'

/**
 * Whether a version of ui5.yaml serves the development server alone: a launchpad or the pages of the app load UI5 from elsewhere, and no build puts it in the place
 * of that. Facts: UI5 Tooling, "Builder", task `transformBootstrapHtml`: a self-contained build replaces the address of the bootstrap script; others leave it as it
 * is, `--all` too.
 */
export function servesDevelopment(app: Ui5App, source: VersionSource, { npm }: { readonly npm: NpmProject }): boolean {
  if (source.kind !== 'ui5-yaml') return false
  return (decidesLocally(app, source) || loadsFromElsewhere(app)) && !buildsFramework(app, npm)
}

/**
 * Whether routes of Neo serve the preview of an app alone: an ABAP system gets it, and brings its own UI5. Facts: SAPUI5, "Descriptor for Applications",
 * `sap.platform.abap`; SAP Web IDE writes its `uri` when it deploys.
 */
export function servesPreview({ manifest, tooling }: Ui5App, { kind }: VersionSource): boolean {
  if (kind !== 'neo-app') return false
  const uri = stringOf(at(manifest?.root, 'sap.platform.abap', 'uri')) ?? ''
  return uri.startsWith('/sap/bc/ui5_ui5/') || tooling.some(deploysToAbap)
}

/** Whether all pages that users open load UI5 from another host, and a version is one that routes or tools would serve. */
export function isPassedBy(app: Ui5App, { kind }: VersionSource): boolean {
  return kind === 'neo-app' && loadsFromElsewhere({ pages: app.pages.filter((page) => !isBesideStart(page, app)) })
}

function loadsFromElsewhere({ pages }: Pick<Ui5App, 'pages'>): boolean {
  const productive = pages.filter(({ test, sandbox }) => !test && !sandbox)
  return productive.length > 0 && productive.every(({ bootstrap }) => readRemote(bootstrap.src?.value ?? '') !== undefined)
}

function buildsFramework(app: Ui5App, npm: NpmProject): boolean {
  return buildsOf(app, npm).some((command) => /\bself-contained\b/.test(command))
}

function scriptsAround({ root }: Ui5App, { packages }: NpmProject): NpmProject['packages'][number]['scripts'] {
  const around = new Set([root, ...foldersAround(root)])
  return packages.filter(({ folder }) => around.has(folder)).flatMap((one) => one.scripts)
}

/** By the script `build`, where there is one: others build for other purposes. */
function buildsOf(app: Ui5App, npm: NpmProject): readonly string[] {
  const scripts = scriptsAround(app, npm)
  const main = scripts.filter(({ name }) => name === 'build')
  return (main.length > 0 ? main : scripts).map(({ command }) => command)
}

/**
 * Whether a version of ui5.yaml is that of the development server, as far as the project tells: no build takes UI5 along and nothing deployed starts that server, so that who
 * serves the app brings its own. Facts: UI5 Tooling, "CLI", `ui5 build`: dependencies, UI5 among them, are built with `--all` or `--include-all-dependencies` alone; `ui5 serve`
 * serves them.
 */
export function isLeftOut(app: Ui5App, { kind }: VersionSource, project: Delivery): boolean {
  if (kind !== 'ui5-yaml' || !buildsOf(app, project.npm).some((command) => BUILD.test(command))) return false
  project.step(project.files.size)
  return !buildsDependencies(app, project) && !startsServer(app, project)
}

type Delivery = Pick<Project, 'npm' | 'files' | 'deployment' | 'step'>

/** A script of the app, a command of its module, or one of an image or a pipeline. */
function buildsDependencies(app: Ui5App, { npm, files, deployment: { mtas } }: Delivery): boolean {
  const takes = (command: string): boolean => BUILD.test(command) && WITH_DEPENDENCIES.test(command)
  const ofModules = mtas.flatMap(({ modules }) =>
    modules.flatMap(({ node }) => itemsOf(at(node, 'build-parameters', 'commands')).map((item) => stringOf(item) ?? '')),
  )
  if (ofModules.some(takes) || scriptsAround(app, npm).some(({ command }) => takes(command))) return true
  for (const { runs, text } of findCommands(files)) if (runs === 'build' && takes(text)) return true
  return false
}

function startsServer(app: Ui5App, { npm, files, deployment }: Delivery): boolean {
  const served = new Set(scriptsAround(app, npm).flatMap(({ name, command }) => (SERVES.test(command) ? name : [])))
  const ofImages = findDockerfiles(files).flatMap(({ stages }) =>
    stages.flatMap(({ instructions }) =>
      instructions.flatMap(({ name, arguments: text }) => (name === 'CMD' || name === 'ENTRYPOINT' ? text : [])),
    ),
  )
  return [...ofImages, ...[...findStartCommands(files, deployment)].map(({ text }) => text)].some((text) => {
    const command = text.replaceAll(/["',[\]]/g, ' ')
    return SERVES.test(command) || served.has(RUNS.exec(command)?.[1] ?? '')
  })
}

const BUILD = /\bui5\s{1,4}build\b/
const WITH_DEPENDENCIES = /\bself-contained\b|\s(?:--all|-a|--include-(?:all-)?dependenc\w{1,6}(?:-regexp|-tree)?)(?![\w-])/
const SERVES = /\bui5\s{1,4}serve\b/
/** `npm start`, `npm run serve`, `yarn start`. */
const RUNS = /\b(?:npm|yarn|pnpm)\s{1,4}(?:run(?:-script)?\s{1,4})?([\w:.-]{1,100})/

function isBesideStart({ file }: Pick<Ui5Page, 'file'>, { pages }: Pick<Ui5App, 'pages'>): boolean {
  const start = joinPath(folderOf(file), 'index.html')
  return OTHER_START.test(file) && pages.some((page) => page.file === start)
}

/** `index-cdn.html` of the templates of UI5, which only `npm run start-cdn` opens. */
const OTHER_START = /(?:^|\/)index[-_.]\w{1,40}\.html$/i

/**
 * Whether users open the page of a version: it is the only start page of its folder, and where MTAs deliver other parts of the project, one of their modules or
 * an ABAP system gets the app as well. A page that nobody delivers is opened by developers alone.
 */
export function isDelivered(
  { pages, tooling }: Ui5App,
  { kind, at: { file } }: VersionSource,
  { deployment: { mtas } }: { readonly deployment: Deployment },
): boolean {
  if (kind !== 'bootstrap') return true
  if (isBesideStart({ file }, { pages })) return false
  const modules = moduleFolders(mtas)
  const isPacked = modules.some((one) => (one.folder === '' ? !one.isContent : file.startsWith(`${one.folder}/`)))
  return modules.length === 0 || isPacked || tooling.some(deploysToAbap)
}
