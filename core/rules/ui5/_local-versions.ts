import type { NpmProject } from '../../model/npm/index.ts'
import { decidesLocally, readRemote, type Ui5App, type VersionSource } from '../../model/ui5/index.ts'
import { foldersAround } from '../../paths.ts'

/**
 * Whether a version of ui5.yaml serves the development server alone: a launchpad or the pages of the app load UI5 from elsewhere, and no build puts it in the place
 * of that. Facts: UI5 Tooling, "Builder", task `transformBootstrapHtml`: a self-contained build replaces the address of the bootstrap script; others leave it as it
 * is, `--all` too.
 */
export function servesDevelopment(app: Ui5App, source: VersionSource, { npm }: { readonly npm: NpmProject }): boolean {
  if (source.kind !== 'ui5-yaml') return false
  return (decidesLocally(app, source) || loadsFromElsewhere(app)) && !buildsFramework(app, npm)
}

function loadsFromElsewhere({ pages }: Ui5App): boolean {
  const productive = pages.filter(({ test, sandbox }) => !test && !sandbox)
  return productive.length > 0 && productive.every(({ bootstrap }) => readRemote(bootstrap.src?.value ?? '') !== undefined)
}

/** By the script `build`, where there is one: others build for other purposes. */
function buildsFramework({ root }: Ui5App, { packages }: NpmProject): boolean {
  const around = new Set([root, ...foldersAround(root)])
  const scripts = packages.filter(({ folder }) => around.has(folder)).flatMap((one) => one.scripts)
  const main = scripts.filter(({ name }) => name === 'build')
  return (main.length > 0 ? main : scripts).some(({ command }) => /\bself-contained\b/.test(command))
}
