import { defineRule, type Rule } from '../rule.ts'
import { affectedIn, isOfSapAlone, severityOf, toAdvisoryMatch } from './_advisories.ts'

/**
 * A weakness of a package of SAP that only SAP tells (notes, change logs, CVE records without versions of npm): `npm audit` is silent about it.
 * Facts: the bundled snapshot (change log of @sap/approuter 23.0.0, SAP security notes).
 */
export const sapAdvisoryNotInOsv: Rule = defineRule({
  id: 'npm/sap-advisory-not-in-osv',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter',
  on: 'packages',

  *check(subject, { advisories }) {
    for (const it of affectedIn(subject, advisories))
      if (isOfSapAlone(it.advisory)) yield { ...toAdvisoryMatch(subject.file, it), severity: severityOf(it) }
  },

  text: {
    en: {
      title: 'Package of SAP with a weakness that npm audit does not know',
      message: '{package} {version}: {title} ({id}). Affected: {affected}. In the project through: {path}.',
      why: 'SAP has published the weakness and its fix, the databases behind npm audit have not: nothing else warns you.',
      fix: 'Move to {package} {fixed} or later.',
    },
    fr: {
      title: 'Paquet de SAP avec une faille que npm audit ignore',
      message: '{package} {version} : {titre} ({id}). Versions touchées : {affected}. Présent dans le projet par : {path}.',
      why: 'SAP a publié la faille et sa correction, mais pas les bases derrière npm audit : rien d’autre ne vous avertit.',
      fix: 'Passez à {package} {fixed} ou plus récent.',
    },
  },
})
