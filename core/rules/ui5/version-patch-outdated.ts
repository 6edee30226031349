import {
  decidesLocally,
  isPatchRemoved,
  lineOf,
  minorOf,
  patchOf,
  readRemote,
  runningVersions,
  supportOf,
  type Ui5App,
  type VersionSource,
} from '../../model/ui5/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { isDelivered, isLeftOut, servesDevelopment, servesPreview } from './_local-versions.ts'
import { isFromNetwork, isFromOpenNetwork } from './_networks.ts'
import { isUnserved } from './_unserved-apps.ts'
import { folderOf } from '../../paths.ts'

/** So many patches behind, an app misses about half a year of corrections. */
const FAR_BEHIND = 5
/** Dozens: its own corrections ended long ago. */
const DOZENS = 24

/**
 * A fixed patch of a line in maintenance that is far behind the newest patch of that line. What ui5.yaml names for the development server alone is none.
 * Facts: versionoverview.json of the UI5 catalogue (patches by line, `removed`: no longer on the networks of SAPUI5 and OpenUI5); documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery
 * Network": patches are removed from it a year after their release; of a line with long-term maintenance ui5.sap.com/1.136 is always the newest patch.
 * Impact: a patch gets no fixes, dozens of patches behind for years, unless the MTA of the project serves no app, or the build leaves UI5 to who serves the app; where a page loads a patch that is no longer there, the app does not start, unless a launchpad of the project starts it; the catalogue does not tell which one mends a vulnerability.
 */
export const versionPatchOutdated: Rule = defineRule({
  id: 'ui5/version-patch-outdated',
  impact: 'hygiene',
  circumstance: 'unfixed',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/variant-for-bootstrapping-from-content-delivery-network-2d3eb2f.md',
  on: 'ui5-app',

  *check(app, project) {
    for (const source of runningVersions(app.versions)) {
      const { version, kind, at } = source
      const patch = patchOf(version)
      const line = lineOf(version, project.catalogue)
      const newest = line?.patches.find((listed) => patchOf(listed) !== undefined)
      if (patch === undefined || line === undefined || newest === undefined) continue
      const support = supportOf(version, project.catalogue, project.date)
      const behind = (patchOf(newest) ?? 0) - patch
      const isGone = isGoneFrom(app, source, project)
      if (support === undefined || support.state === 'ended' || (behind < FAR_BEHIND && !isGone)) continue
      if (servesDevelopment(app, source, project)) continue
      const match: Omit<Match, 'at'> = {
        args: { version, newest, line: line.minor, file: at.file, folder: folderOf(at.file) },
        variant: isGone ? 'removed' : variantOf(app, source, line.longTerm),
        confidence: kind === 'bootstrap' ? 'high' : 'medium',
        // apps made from one template name one version
        groupKey: `${kind} ${version}${isGone ? ' removed' : ''}`,
        ...(leastBehind(source, newest, project) >= DOZENS &&
          !decidesLocally(app, source) &&
          !servesPreview(app, source) &&
          !isLeftOut(app, source, project) &&
          !isUnserved(at.file, project) && { circumstance: 'ended' as const }),
        ...(isGone && { circumstance: 'unloadable' as const }),
      }
      yield { at, ...match }
      // the copy itself, beside the list of its libraries
      const core = kind === 'shipped' ? `${folderPrefix(at.file)}sap-ui-core.js` : undefined
      if (core !== undefined && project.files.has(core)) yield { at: { file: core, span: { start: 0, end: 0 } }, ...match }
    }
  },

  text: () => ({
    en: {
      title: 'Outdated UI5 patch version',
      message: '{file} specifies UI5 {version}, although patch {newest} is available.',
      why: 'Patches can contain security fixes: UI5 {version} still has the vulnerabilities that later UI5 {line} patches fix.',
      fix: 'Replace {version} with {newest} in {file}.',
      variants: {
        shipped: {
          fix: 'Replace the UI5 files in {folder} with those of UI5 {newest}.',
        },
        removed: {
          title: 'UI5 patch no longer served by SAP',
          message:
            'The app loads UI5 {version} from SAP, but this patch has been removed from SAP’s content delivery network, which still serves later patches of UI5 {line}.',
          why: 'The app does not start, since UI5 {version} can no longer be loaded; a copy that a proxy still holds has the vulnerabilities that later UI5 {line} patches fix.',
          fix: 'Replace {version} with {newest} in the URL in {file}, and update it with each patch: SAP removes patches about a year after their release.',
        },
        network: {
          fix: 'Replace {version} with {newest} in the src URL in {file}. Or use {line}, which always loads the newest patch from SAP but requires data-sap-ui-async="true" and data-sap-ui-on-init.',
        },
      },
    },
    fr: {
      title: 'Version corrective d’UI5 obsolète',
      message: '{file} indique UI5 {version}, alors que la version corrective {newest} est disponible.',
      why: 'Les versions correctives peuvent contenir des correctifs de sécurité : UI5 {version} présente encore les vulnérabilités corrigées depuis dans UI5 {line}.',
      fix: 'Remplacez {version} par {newest} dans {file}.',
      variants: {
        shipped: {
          fix: 'Remplacez les fichiers d’UI5 de {folder} par ceux d’UI5 {newest}.',
        },
        removed: {
          title: 'Version corrective d’UI5 qui n’est plus distribuée par SAP',
          message:
            'L’application charge UI5 {version} depuis SAP, mais cette version corrective a été retirée du réseau de diffusion (CDN) de SAP, qui distribue encore des versions plus récentes d’UI5 {line}.',
          why: 'L’application ne démarre pas, car UI5 {version} ne peut plus être chargé ; une copie encore en cache présente les vulnérabilités corrigées depuis dans UI5 {line}.',
          fix: 'Remplacez {version} par {newest} dans l’URL de {file}, puis suivez les versions correctives : SAP les retire environ un an après leur publication.',
        },
        network: {
          fix: 'Remplacez {version} par {newest} dans l’URL src de {file}. Ou utilisez {line}, qui charge toujours la dernière version corrective depuis SAP, mais exige data-sap-ui-async="true" et data-sap-ui-on-init.',
        },
      },
    },
  }),
})

/**
 * Whether users start an app on a patch that the networks no longer have. What routes of Neo name comes from the platform, and a page may be for developers alone.
 */
function isGoneFrom(app: Ui5App, source: VersionSource, project: Project): boolean {
  const { version, kind, at } = source
  return (
    isPatchRemoved(version, project.catalogue, isFromOpenNetwork(app, source)) &&
    kind !== 'neo-app' &&
    isFromNetwork(app, source) &&
    !(kind === 'bootstrap' && project.isStartedByLaunchpad(app)) &&
    isDelivered(app, source, project) &&
    !isUnserved(at.file, project) &&
    !decidesLocally(app, source)
  )
}

/** Of apps that follow one line the newest patch is the measure of all: which one of them a template named is no difference in age. */
function leastBehind({ version }: VersionSource, newest: string, { ui5Apps, step }: Pick<Project, 'ui5Apps' | 'step'>): number {
  let best = patchOf(version) ?? 0
  step(ui5Apps.length)
  for (const { versions } of ui5Apps)
    for (const other of runningVersions(versions))
      if (minorOf(other.version) === minorOf(version)) best = Math.max(best, patchOf(other.version) ?? 0)
  return (patchOf(newest) ?? 0) - best
}

function variantOf(app: Ui5App, { kind, at }: VersionSource, isLongTerm: boolean): 'shipped' | 'network' | undefined {
  if (kind === 'shipped') return 'shipped'
  return isLongTerm && isSapui5Network(app, at.file) ? 'network' : undefined
}

/** Hosts that serve the newest patch of a line under its number alone. */
function isSapui5Network({ pages }: Ui5App, file: string): boolean {
  const src = pages.find((page) => page.file === file)?.bootstrap.src
  return /^(?:ui5\.sap\.com|sapui5\.hana\.ondemand\.com)$/iu.test(readRemote(src?.value ?? '')?.host ?? '')
}

function folderPrefix(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}
