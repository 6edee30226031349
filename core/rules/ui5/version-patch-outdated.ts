import {
  decidesLocally,
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
import { servesDevelopment, servesPreview } from './_local-versions.ts'
import { isUnserved } from './_unserved-apps.ts'
import { folderOf } from '../../paths.ts'

/** So many patches behind, an app misses about half a year of corrections. */
const FAR_BEHIND = 5
/** Dozens: its own corrections ended long ago. */
const DOZENS = 24

/**
 * A fixed patch of a line in maintenance that is far behind the newest patch of that line. What ui5.yaml names for the development server alone is none.
 * Facts: versionoverview.json of the UI5 catalogue (patches by line); documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery
 * Network": patches are removed from it a year after their release; of a line with long-term maintenance ui5.sap.com/1.136 is always the newest patch.
 * Impact: a patch gets no fixes, dozens of patches behind for years, unless the MTA of the project serves no app; the catalogue does not tell which one mends a vulnerability.
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
      if (support === undefined || support.state === 'ended' || behind < FAR_BEHIND) continue
      if (servesDevelopment(app, source, project)) continue
      const match: Omit<Match, 'at'> = {
        args: { version, newest, line: line.minor, file: at.file, folder: folderOf(at.file) },
        variant: variantOf(app, source, line.longTerm),
        confidence: kind === 'bootstrap' ? 'high' : 'medium',
        // apps made from one template name one version
        groupKey: `${kind} ${version}`,
        ...(leastBehind(source, newest, project) >= DOZENS &&
          !decidesLocally(app, source) &&
          !servesPreview(app, source) &&
          !isUnserved(at.file, project) && { circumstance: 'ended' as const }),
      }
      yield { at, ...match }
      // the copy itself, beside the list of its libraries
      const core = kind === 'shipped' ? `${folderPrefix(at.file)}sap-ui-core.js` : undefined
      if (core !== undefined && project.files.has(core)) yield { at: { file: core, span: { start: 0, end: 0 } }, ...match }
    }
  },

  text: {
    en: {
      title: 'Outdated UI5 patch version',
      message: '{file} specifies UI5 {version}, although patch {newest} is available.',
      why: 'Patches can contain security fixes: UI5 {version} still has the vulnerabilities that later UI5 {line} patches fix.',
      fix: 'Replace {version} with {newest} in {file}.',
      variants: {
        shipped: {
          fix: 'Replace the UI5 files in {folder} with those of UI5 {newest}.',
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
        network: {
          fix: 'Remplacez {version} par {newest} dans l’URL src de {file}. Ou utilisez {line}, qui charge toujours la dernière version corrective depuis SAP, mais exige data-sap-ui-async="true" et data-sap-ui-on-init.',
        },
      },
    },
  },
})

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
