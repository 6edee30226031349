import { dayArgument } from '../../arguments.ts'
import { findTarget, runningVersions, supportOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const DAY = 24 * 60 * 60 * 1000
const SOON = 90

/**
 * A line of UI5 whose maintenance ends within ninety days.
 * Facts: versionoverview.json of the UI5 catalogue (`eom`, `lts`).
 * Impact: nothing is open yet.
 */
export const versionNotLongTerm: Rule = defineRule({
  id: 'ui5/version-not-long-term',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/versionoverview.html',
  on: 'ui5-app',

  *check(app, project) {
    for (const { version, kind, at } of runningVersions(app.versions)) {
      const support = supportOf(version, project.catalogue, project.date)
      if (support?.state !== 'maintained' || support.ended === undefined) continue
      const days = Math.ceil((Date.parse(support.ended) - Date.parse(project.date.slice(0, 10))) / DAY)
      if (!(days < SOON)) continue
      yield {
        at,
        args: {
          version,
          date: dayArgument(support.ended),
          target: findTarget(version, project.catalogue, project.date),
          file: at.file,
        },
        ...(kind === 'bootstrap' && !/^\d+\.\d+\.\d/.test(version) && { variant: 'evergreen' }),
        confidence: kind === 'bootstrap' ? 'high' : 'medium',
        groupKey: kind === 'bootstrap' ? `${app.root} ${version}` : `${at.file}:${at.span?.start ?? 0}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 version close to end of maintenance',
      message: '{file} specifies UI5 {version}, whose maintenance ends on {date}.',
      why: 'After that day, fixes for new vulnerabilities in this version are no longer guaranteed.',
      fix: 'Plan the upgrade now: in {file}, replace {version} with {target}, which is maintained for longer.',
      variants: {
        evergreen: {
          fix: 'Plan the upgrade now: in {file}, replace {version} with {target}, which is maintained for longer. A URL without a patch number requires data-sap-ui-async="true" and data-sap-ui-on-init.',
        },
      },
    },
    fr: {
      title: 'Version d’UI5 proche de la fin de maintenance',
      message: '{file} indique UI5 {version}, dont la maintenance se termine le {date}.',
      why: 'Après cette date, la correction de nouvelles vulnérabilités n’est plus garantie dans cette version.',
      fix: 'Planifiez la mise à niveau dès maintenant : dans {file}, remplacez {version} par {target}, une version maintenue plus longtemps.',
      variants: {
        evergreen: {
          fix: 'Planifiez la mise à niveau dès maintenant : dans {file}, remplacez {version} par {target}, une version maintenue plus longtemps. Une URL sans numéro de correctif exige data-sap-ui-async="true" et data-sap-ui-on-init.',
        },
      },
    },
  }),
})
