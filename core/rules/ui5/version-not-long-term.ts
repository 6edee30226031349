import { runningVersions, supportOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const DAY = 24 * 60 * 60 * 1000
const SOON = 90

/** A line of UI5 whose maintenance ends within ninety days. Facts: versionoverview.json of the UI5 catalogue (`eom`, `lts`). */
export const versionNotLongTerm: Rule = defineRule({
  id: 'ui5/version-not-long-term',
  severity: 'LOW',
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
        args: { version, line: support.line.minor, days: String(days), date: support.ended },
        confidence: kind === 'bootstrap' ? 'high' : 'medium',
        sameAs: `${at.file}:${at.span?.start ?? 0}`,
      }
    }
  },

  text: {
    en: {
      title: 'UI5 version is soon out of maintenance',
      message: 'The app runs with UI5 {version}; maintenance of {line} ends in {days} days, on {date}.',
      why: 'Weaknesses found after that day stay open in this app.',
      fix: 'Plan the move to a line with long-term maintenance now: see the version overview.',
    },
    fr: {
      title: 'La version d’UI5 ne sera bientôt plus maintenue',
      message: 'L’application s’exécute avec UI5 {version} ; la maintenance de {line} se termine dans {days} jours, le {date}.',
      why: 'Les failles découvertes après ce jour resteront ouvertes dans cette application.',
      fix: 'Préparez dès maintenant le passage à une ligne à maintenance longue durée : voir l’aperçu des versions.',
    },
  },
})
