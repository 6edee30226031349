import { defineRule, type Rule } from '../rule.ts'
import { affectedIn, isOfSapAlone, severityOf, toAdvisoryMatch } from './_advisories.ts'

/**
 * A vulnerability of an SAP package that only SAP publishes (notes, change logs, CVE records without npm versions): `npm audit` does not know it.
 * Facts: the bundled snapshot (change log of @sap/approuter 23.0.0, SAP security notes).
 * Severity: that of the advisory (CVSS) for what is deployed; LOW at most for development.
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
      title: 'Vulnerable SAP package unknown to npm audit',
      message: '{package} {version}: {title} ({id}). Affected: {affected}. Dependency path: {path}.',
      why: 'SAP published the vulnerability and its fix, so attackers know it, but the databases behind npm audit do not list it.',
      fix: 'Update {package} to {fixed} or later in package.json and run "npm install". If another package requires it, update that one first.',
    },
    fr: {
      title: 'Paquet SAP vulnérable inconnu de npm audit',
      message: '{package} {version} : {titre} ({id}). Versions touchées : {affected}. Chemin de dépendance : {path}.',
      why: 'SAP a publié la vulnérabilité et son correctif, les attaquants la connaissent donc, mais les bases utilisées par npm audit ne la mentionnent pas.',
      fix: 'Mettez {package} à jour en {fixed} ou plus récent dans package.json et exécutez "npm install". Si un autre paquet l’exige, mettez d’abord celui-ci à jour.',
    },
  },
})
