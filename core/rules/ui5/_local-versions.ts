import type { NpmProject } from '../../model/npm/index.ts'
import { readRemote, type Ui5App, type VersionSource } from '../../model/ui5/index.ts'
import { foldersAround } from '../../paths.ts'

/**
 * Whether a version of ui5.yaml serves the development server alone: the pages of the app load UI5 from another host, and no build puts the framework into the app.
 * Facts: UI5 Tooling, "Builder", task `transformBootstrapHtml`: a self-contained build replaces the address of the bootstrap script; others leave it as it is.
 */
export function servesDevelopment(app: Ui5App, { kind }: VersionSource, { npm }: { readonly npm: NpmProject }): boolean {
  if (kind !== 'ui5-yaml') return false
  const pages = app.pages.filter(({ test, sandbox }) => !test && !sandbox)
  const areElsewhere = pages.every(({ bootstrap }) => readRemote(bootstrap.src?.value ?? '') !== undefined)
  return pages.length > 0 && areElsewhere && !buildsFramework(app, npm)
}

/** By the script `build`, where there is one: others build for other purposes. */
function buildsFramework({ root }: Ui5App, { packages }: NpmProject): boolean {
  const around = new Set([root, ...foldersAround(root)])
  const scripts = packages.filter(({ folder }) => around.has(folder)).flatMap((one) => one.scripts)
  const main = scripts.filter(({ name }) => name === 'build')
  return (main.length > 0 ? main : scripts).some(({ command }) => /\bself-contained\b/.test(command))
}
