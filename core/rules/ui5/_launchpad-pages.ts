import type { ProjectFile } from '../../files.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import { at, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { textsOfMarkup } from '../../parse/markup.ts'

const COMPONENT = /\bSAPUI5\.Component=([\w.]{1,200})/g

interface Launchpads {
  readonly ui5Apps: readonly Ui5App[]
  readonly files: ReadonlyMap<string, ProjectFile>
}

/**
 * Whether a page of the project with the launchpad, which an approuter serves, starts an app as a component: users get it with the UI5 of that page.
 * Facts: SAPUI5, sap/ushell/bootstrap/sandbox.js (`sap-ushell-config`, and /appconfig/fioriSandboxConfig.json beside it).
 */
export function isStartedByLaunchpad({ root, manifest }: Ui5App, { ui5Apps, files }: Launchpads): boolean {
  const id = stringOf(at(manifest?.root, 'sap.app', 'id'))
  const launchpads = ui5Apps.flatMap((app) =>
    app.root === root ? [] : app.pages.filter(({ sandbox, test }) => sandbox && !test),
  )
  if (id === undefined || launchpads.length === 0) return false
  const texts = [
    ...launchpads.flatMap(({ document }) => textsOfMarkup(document)),
    ...[...files.values()].flatMap(({ kind, content }) =>
      kind.role === 'launchpad-config' && !kind.test && content.as === 'data' ? content.roots.flatMap(targetsIn) : [],
    ),
  ]
  return texts.some((text) => [...text.matchAll(COMPONENT)].some(([, name]) => name === id))
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
