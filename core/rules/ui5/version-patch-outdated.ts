import { decidesLocally, lineOf, patchOf, runningVersions, supportOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** So many patches behind, an app misses about half a year of corrections. */
const FAR_BEHIND = 5

/**
 * A fixed patch of a line in maintenance that is far behind that line.
 * Facts: versionoverview.json of the UI5 catalogue (patches by line); documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery
 * Network": patches are removed from it a year after their release, the line alone (`1.136`) always gives the newest one.
 */
export const versionPatchOutdated: Rule = defineRule({
  id: 'ui5/version-patch-outdated',
  severity: 'MEDIUM',
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
      const severity = decidesLocally(app, source) ? 'LOW' : 'MEDIUM'
      yield {
        at,
        args: { version, behind: String(behind), newest, line: line.minor },
        severity,
        confidence: kind === 'bootstrap' ? 'high' : 'medium',
        // apps made from one template name one version
        sameAs: kind === 'bootstrap' ? `${at.file}:${at.span?.start ?? 0}` : `${kind} ${version} ${severity}`,
      }
    }
  },

  text: {
    en: {
      title: 'Old patch of a UI5 version',
      message: 'The app runs with UI5 {version}, {behind} patches behind {newest}.',
      why: 'Corrections of weaknesses come with patches: what {line} has closed since then is open in this app, and old patches vanish from SAP’s content delivery network after a year.',
      fix: 'Move to {newest}; a page that loads UI5 from SAP’s network gets the newest patch by itself with …/{line}/resources/sap-ui-core.js, where the line has long-term maintenance.',
    },
    fr: {
      title: 'Ancien correctif d’une version d’UI5',
      message: 'L’application s’exécute avec UI5 {version}, {behind} correctifs derrière {newest}.',
      why: 'Les failles sont corrigées par des correctifs : ce que {line} a fermé depuis reste ouvert dans cette application, et les anciens correctifs disparaissent du réseau de diffusion de SAP au bout d’un an.',
      fix: 'Passez à {newest} ; une page qui charge UI5 du réseau de SAP reçoit d’elle-même le dernier correctif avec …/{line}/resources/sap-ui-core.js, si la ligne est à maintenance longue durée.',
    },
  },
})
