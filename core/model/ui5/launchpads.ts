import type { ProjectFile } from '../../files.ts'
import { at, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { textsOfMarkup } from '../../parse/markup.ts'
import type { Ui5App } from './types.ts'

const COMPONENT = /\bSAPUI5\.Component=([\w.]{1,200})/g

/**
 * Tells whether a page of the project with the launchpad, which an approuter serves, starts an app as a component: users get it with the UI5 of that page. The launchpads
 * are read once, when the first app is asked about.
 * Facts: SAPUI5, sap/ushell/bootstrap/sandbox.js (`sap-ushell-config`, and /appconfig/fioriSandboxConfig.json beside it).
 */
export function createLaunchpadReader(
  apps: readonly Ui5App[],
  files: ReadonlyMap<string, ProjectFile>,
): (app: Ui5App) => boolean {
  let known: { readonly pages: readonly Launchpad[]; readonly configured: ReadonlySet<string> } | undefined
  return ({ root, manifest }) => {
    const id = stringOf(at(manifest?.root, 'sap.app', 'id'))
    if (id === undefined) return false
    known ??= { pages: launchpadsOf(apps), configured: configuredIn(files) }
    const others = known.pages.filter((page) => page.root !== root)
    return others.some(({ started }) => started.has(id)) || (others.length > 0 && known.configured.has(id))
  }
}

interface Launchpad {
  /** Of the app that the page belongs to. */
  readonly root: string
  /** Ids of the apps that it starts. */
  readonly started: ReadonlySet<string>
}

function launchpadsOf(apps: readonly Ui5App[]): readonly Launchpad[] {
  return apps.flatMap(({ root, pages }) =>
    pages.flatMap(({ sandbox, test, document }) =>
      sandbox && !test ? { root, started: componentsIn(textsOfMarkup(document)) } : [],
    ),
  )
}

/** What the configurations of launchpads start. */
function configuredIn(files: ReadonlyMap<string, ProjectFile>): ReadonlySet<string> {
  return componentsIn(
    [...files.values()].flatMap(({ kind, content }) =>
      kind.role === 'launchpad-config' && !kind.test && content.as === 'data' ? content.roots.flatMap(targetsIn) : [],
    ),
  )
}

/** `SAPUI5.Component=shop.orders` */
function componentsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => [...text.matchAll(COMPONENT)].flatMap(([, name]) => name ?? [])))
}

/** What the apps of a configuration are: `SAPUI5.Component=shop.orders`. */
function targetsIn(root: DataNode): readonly string[] {
  const inbounds = membersOf(at(root, 'services', 'ClientSideTargetResolution', 'adapter', 'config', 'inbounds'))
  const targets = [
    ...inbounds.map(({ value }) => at(value, 'resolutionResult', 'additionalInformation')),
    ...membersOf(at(root, 'applications')).map(({ value }) => at(value, 'additionalInformation')),
  ]
  return targets.flatMap((one) => stringOf(one) ?? [])
}
