import { managerOfLock } from '../../model/npm/index.ts'
import { USE_EXTRACTS } from './_package-uses.ts'
import { defineRule, type Rule } from '../rule.ts'
import { affectedIn, levelOf, partOf, toAdvisoryMatch } from './_advisories.ts'
import { createPlaceReader } from './_package-places.ts'

/**
 * A vulnerability of an SAP package that only SAP publishes (notes, change logs, CVE records without npm versions): `npm audit` does not know it.
 * Facts: the bundled snapshot (change log of @sap/approuter 23.0.0, SAP security notes).
 * Impact: the level of the worst advisory (CVSS) stands in its place; one lower where the project deploys other parts alone or nothing uses the package as the advisory says, LOW at most for development.
 */
export const sapAdvisoryNotInOsv: Rule = defineRule({
  id: 'npm/sap-advisory-not-in-osv',
  impact: 'hygiene',
  advisory: 'CRITICAL',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter',
  on: 'packages',
  extracts: USE_EXTRACTS,

  *check(subject, project) {
    const placeOf = createPlaceReader(subject, project)
    const manager = managerOfLock(subject, project.npm)
    for (const all of affectedIn(subject, project)) {
      const it = partOf('npm/sap-advisory-not-in-osv', all)
      if (it === undefined) continue
      yield {
        ...toAdvisoryMatch(subject.file, manager, it),
        ...(it.advisories.length > 1 && { variant: 'several' }),
        ...levelOf(it, placeOf(it.found, it.repaired)),
      }
    }
  },

  text: () => ({
    en: {
      title: 'SAP package vulnerability not reported by npm audit',
      message: '{package} {version}: {title} ({id}). Recommended version: {fixed}. Dependency path: {path}.',
      why: 'SAP has published this vulnerability, so attackers can know about it, but the database behind npm audit does not list it.',
      fix: 'Update {package} to {fixed} or later in package.json and run "{install}". If another package requires it, update that one first.',
      variants: {
        several: {
          message:
            '{package} {version} has {count} vulnerabilities (most severe: {title}, {id}). Recommended version: {fixed}. Dependency path: {path}.',
        },
      },
    },
    fr: {
      title: 'Vulnérabilité d’un paquet SAP non signalée par npm audit',
      message: '{package} {version} : {titre} ({id}). Version recommandée : {fixed}. Chemin de dépendance : {path}.',
      why: 'SAP a publié cette vulnérabilité : les attaquants peuvent la connaître, mais la base utilisée par npm audit ne la mentionne pas.',
      fix: 'Mettez {package} à jour vers {fixed} ou une version plus récente dans package.json et exécutez "{install}". Si un autre paquet installe {package}, mettez d’abord cet autre paquet à jour.',
      variants: {
        several: {
          message:
            '{package} {version} compte {count} vulnérabilités (la plus grave : {titre}, {id}). Version recommandée : {fixed}. Chemin de dépendance : {path}.',
        },
      },
    },
  }),
})
