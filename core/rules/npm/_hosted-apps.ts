import { packagesByPath, type NpmPackage, type PackageScript } from '../../model/npm/index.ts'
import { deploysToAbap, type Ui5App } from '../../model/ui5/index.ts'
import { at, textsBelow } from '../../parse/data.ts'
import { isBuildTool, isPackageName } from '../../parse/lock/index.ts'
import { folderOf } from '../../paths.ts'

/** What starts a server of one's own; tools of UI5 serve an app for its developers. */
const STARTS_SERVER = /\b(?:node|nodemon|ts-node|tsx|cds(?:-serve|-ts)?|nest|next|nuxt|pm2|approuter)\b/
const STARTS_TOOLING = /\b(?:ui5 serve|fiori run)\b/
/** Commands that bring what is built into an ABAP repository. */
const DEPLOYS = /\bfiori deploy\b|\bnwabap\b/

/** Whether a command starts a server of one's own. */
export function startsServer({ name, command }: PackageScript): boolean {
  return name === 'start' && STARTS_SERVER.test(command)
}

/**
 * Tells the packages that are a UI5 app and nothing beside it: an ABAP system or another host serves what `ui5 build` makes of them, and no Node.js runs
 * there. Facts: SAP Fiori tools, "Deployment of application"; UI5 Tooling, "Builder": of node_modules only what a task bundles comes into the result.
 */
export function isHostedApp(one: NpmPackage, apps: readonly Ui5App[], hasServer: (one: NpmPackage) => boolean): boolean {
  const { folder, deployedBy, isOfFiles, dependencies, scripts: commands } = one
  const own = toolingIn(folder, apps)
  if (own.length === 0 || (deployedBy.length > 0 && !isOfFiles)) return false
  if (dependencies.some(({ name, member }) => name === '@sap/cds' && member === 'dependencies')) return false
  const starts = commands.filter(({ name }) => name === 'start')
  if (starts.some(startsServer)) return false
  if (own.some(deploysToAbap) || commands.some(({ command }) => DEPLOYS.test(command))) return true
  return starts.some(({ command }) => STARTS_TOOLING.test(command)) && (isOfFiles || !hasServer(one))
}

/** The packages that settings of a build name, by themselves or by a file of theirs: tasks copy or bundle them. */
export function namedInBuild(folder: string, apps: readonly Ui5App[]): readonly string[] {
  return toolingIn(folder, apps).flatMap(({ root }) =>
    textsBelow(at(root, 'builder')).flatMap(({ text }) =>
      isPackageName(text) && !isBuildTool(text) ? text : packagesByPath(text).slice(0, 1),
    ),
  )
}

function toolingIn(folder: string, apps: readonly Ui5App[]): Ui5App['tooling'] {
  return apps.flatMap(({ isLibrary, tooling }) => (isLibrary ? [] : tooling.filter(({ file }) => folderOf(file) === folder)))
}
