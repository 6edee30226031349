import { decidesLocally, runningVersions, supportOf } from '../../model/ui5/index.ts'
import { defineRule } from '../rule.ts'
import type { Rule } from '../rule.ts'

/**
 * An app that runs with a UI5 line that gets no corrections any more, on the day of the scan.
 * Facts: versionoverview.json of the UI5 catalogue; documentation of SAPUI5, "Versioning and Maintenance": the content delivery
 * network serves a line for one more year. `minUI5Version` is a lower bound, never the version that runs.
 */
export const versionEndOfMaintenance: Rule = defineRule({
  id: 'ui5/version-end-of-maintenance',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/versionoverview.html',
  on: 'ui5-app',

  *check(app, project) {
    for (const source of runningVersions(app.versions)) {
      const { version, kind, at } = source
      const support = supportOf(version, project.catalogue, project.date)
      if (support?.state !== 'ended') continue
      yield {
        at,
        args: { version, line: support.line.minor },
        variant: support.removed ? 'removed' : undefined,
        ...(decidesLocally(app, source) && { severity: 'LOW' }),
        // a launchpad or another server may decide otherwise; a page boots what it says
        confidence: kind === 'bootstrap' ? 'high' : 'medium',
        // one MTA descriptor speaks for several apps
        sameAs: `${at.file}:${at.span?.start ?? 0}`,
      }
    }
  },

  text: {
    en: {
      title: 'UI5 version out of maintenance',
      message: 'The app runs with UI5 {version}; the line {line} is out of maintenance.',
      why: 'Weaknesses found since then, such as script injection through a control, stay open in this app, and attackers know them.',
      fix: 'Move to a line in maintenance, best one with long-term maintenance: see the version overview.',
      variants: {
        removed: {
          message:
            'The app runs with UI5 {version}; the line {line} is out of maintenance, and SAP has removed it from its content delivery network: what loads it from there stops working.',
        },
      },
    },
    fr: {
      title: 'Version d’UI5 hors maintenance',
      message: 'L’application s’exécute avec UI5 {version} ; la ligne {line} n’est plus maintenue.',
      why: 'Les failles découvertes depuis, comme l’injection de script par un contrôle, restent ouvertes dans cette application, et les attaquants les connaissent.',
      fix: 'Passez à une ligne maintenue, de préférence à maintenance longue durée : voir l’aperçu des versions.',
      variants: {
        removed: {
          message:
            'L’application s’exécute avec UI5 {version} ; la ligne {line} n’est plus maintenue et SAP l’a retirée de son réseau de diffusion : ce qui la charge de là ne fonctionne plus.',
        },
      },
    },
  },
})
