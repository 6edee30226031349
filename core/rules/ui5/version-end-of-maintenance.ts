import {
  decidesLocally,
  findTarget,
  isPatchRemoved,
  runningVersions,
  supportOf,
  type Ui5App,
  type VersionSource,
  type VersionSupport,
} from '../../model/ui5/index.ts'
import { defineRule } from '../rule.ts'
import type { Rule } from '../rule.ts'
import { isDelivered, isLeftOut, isPassedBy, servesDevelopment } from './_local-versions.ts'
import { isFromNetwork, isFromOpenNetwork } from './_networks.ts'
import { folderOf } from '../../paths.ts'

/**
 * An app that runs with a UI5 line out of maintenance on the day of the scan; one finding per app and version. What ui5.yaml names for the development
 * server alone is none.
 * Facts: versionoverview.json of the UI5 catalogue; documentation of SAPUI5, "Versioning and Maintenance": the content delivery
 * network serves a line for one more year. SAP Community, "Removing outdated UI5 versions from UI5 CDN": apps on removed lines stop working. `minUI5Version` is a
 * lower bound, never the version that runs.
 * Impact: age alone; where the app loads the line from SAP's network and it is no longer there, it does not start, unless a launchpad of the project starts it. Little where only developers open the page, where all pages load UI5 from another host than the routes of Neo, or where the build leaves the UI5 of ui5.yaml out.
 */
export const versionEndOfMaintenance: Rule = defineRule({
  id: 'ui5/version-end-of-maintenance',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/versionoverview.html',
  on: 'ui5-app',

  *check(app, project) {
    for (const source of runningVersions(app.versions).flatMap((one) => withRoutes(app, one))) {
      const { version, kind, at } = source
      const support = supportOf(version, project.catalogue, project.date)
      if (support?.state !== 'ended' || servesDevelopment(app, source, project)) continue
      const isRemoved =
        support.removed || (kind !== 'neo-app' && isPatchRemoved(version, project.catalogue, isFromOpenNetwork(app, source)))
      const isGone = isRemoved && isFromNetwork(app, source) && !(kind === 'bootstrap' && project.isStartedByLaunchpad(app))
      const isOpened = isDelivered(app, source, project) && !isPassedBy(app, source) && !isLeftOut(app, source, project)
      const circumstance = !isOpened ? 'unfixed' : isGone ? 'unloadable' : isRecent(support, project.date) ? 'unfixed' : 'ended'
      yield {
        at,
        args: {
          version,
          line: support.line.minor,
          target: findTarget(version, project.catalogue, project.date),
          file: at.file,
          folder: folderOf(at.file),
        },
        variant: isGone && isOpened ? 'removed' : variantOf(app, source),
        circumstance,
        ...(decidesLocally(app, source) && { usage: 'unused' }),
        // a launchpad or another server may decide otherwise; a page loads what it names
        confidence: kind === 'bootstrap' ? 'high' : 'medium',
        // apps made from one template load one version in one way; one MTA descriptor speaks for several apps
        groupKey: `${kind} ${version} ${circumstance}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 version out of maintenance',
      message: '{file} specifies UI5 {version}, but UI5 {line} is out of maintenance.',
      why: 'Vulnerabilities found after the end of maintenance, such as XSS through a control, are not fixed in this version, and attackers can read about them in the release notes of newer ones.',
      fix: 'Replace {version} in {file} with {target}, which is in maintenance, and test the app: the UI5 change log lists incompatible changes.',
      variants: {
        served: {
          fix: 'Make UI5 {target}, which is in maintenance, available on the server that the src URL points to, replace {version} with it in {file}, and test the app: the UI5 change log lists incompatible changes.',
        },
        shipped: {
          fix: 'Replace the UI5 files in {folder} with those of UI5 {target}, which is in maintenance, and test the app: the UI5 change log lists incompatible changes.',
        },
        removed: {
          title: 'UI5 version no longer served by SAP',
          message:
            'The app loads UI5 {version} from SAP, but UI5 {line} is out of maintenance, and this version has been removed from SAP’s content delivery network.',
          why: 'The app does not start, since UI5 {version} can no longer be loaded; vulnerabilities found after the end of maintenance are not fixed in it either.',
        },
      },
    },
    fr: {
      title: 'Version d’UI5 hors maintenance',
      message: '{file} indique UI5 {version}, mais UI5 {line} n’est plus maintenu.',
      why: 'Les vulnérabilités découvertes après la fin de la maintenance, comme des XSS dans un contrôle, ne sont pas corrigées dans cette version, et les attaquants peuvent en trouver la description dans les notes de publication des versions suivantes.',
      fix: 'Remplacez {version} dans {file} par {target}, une version maintenue, et testez l’application : le journal des modifications d’UI5 signale les changements incompatibles.',
      variants: {
        served: {
          fix: 'Déposez UI5 {target}, une version maintenue, sur le serveur que désigne l’URL src, remplacez {version} par {target} dans {file} et testez l’application : le journal des modifications d’UI5 signale les changements incompatibles.',
        },
        shipped: {
          fix: 'Remplacez les fichiers d’UI5 de {folder} par ceux d’UI5 {target}, une version maintenue, et testez l’application : le journal des modifications d’UI5 signale les changements incompatibles.',
        },
        removed: {
          title: 'Version d’UI5 qui n’est plus distribuée par SAP',
          message:
            'L’application charge UI5 {version} depuis SAP, mais UI5 {line} n’est plus maintenu, et cette version a été retirée du réseau de diffusion (CDN) de SAP.',
          why: 'L’application ne démarre pas, car UI5 {version} ne peut plus être chargé ; les vulnérabilités découvertes après la fin de la maintenance n’y sont pas corrigées non plus.',
        },
      },
    },
  }),
})

/** Each route of Neo to the service `sapui5` names its version once more. */
function withRoutes({ versions }: Ui5App, source: VersionSource): readonly VersionSource[] {
  if (source.kind !== 'neo-app') return [source]
  return versions.filter(
    ({ kind, version, at }) => kind === 'neo-app' && version === source.version && at.file === source.at.file,
  )
}

/** Where a new version has to be provided first: among the files of the app, or on the server that the page names. */
function variantOf(app: Ui5App, source: VersionSource): 'shipped' | 'served' | undefined {
  if (source.kind === 'shipped') return 'shipped'
  return source.kind === 'bootstrap' && !isFromNetwork(app, source) ? 'served' : undefined
}

const DAY = 24 * 60 * 60 * 1000
const HALF_A_YEAR = 183 * DAY
const YEAR = 365 * DAY

/** Out of maintenance for less than half a year. Where the catalogue names no last day, the network's is one year later. */
function isRecent({ ended, line }: VersionSupport, today: string): boolean {
  const { endOfProvisioning } = line
  const last = ended !== undefined ? Date.parse(ended) : endOfProvisioning && Date.parse(endOfProvisioning) - YEAR
  return typeof last === 'number' && Date.parse(today.slice(0, 10)) - last < HALF_A_YEAR
}
