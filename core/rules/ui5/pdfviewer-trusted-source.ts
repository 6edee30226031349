import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * A PDF viewer that trusts any document that data names.
 * Facts: API of sap.m.PDFViewer: `isTrustedSource` is false by default; then the user has to download a document instead of seeing it in the page.
 * Impact: active content of a document that an attacker writes or names runs in the session of the user.
 */
export const pdfviewerTrustedSource: Rule = defineRule({
  id: 'ui5/pdfviewer-trusted-source',
  impact: 'session',
  // what the document can do depends on what shows it
  evidence: 'assumed',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.m.PDFViewer',
  on: 'flow',

  *check(hit, project) {
    yield gradeByOrigin(hit, project)
  },

  text: () => ({
    en: {
      title: 'Untrusted document source in a PDFViewer',
      message: 'isTrustedSource is true, although the source of this PDFViewer is not a fixed URL.',
      why: 'On desktop devices, the viewer then shows the document inside the app: an attacker who can choose its URL or upload the file can show users a malicious or forged document there.',
      fix: 'Remove isTrustedSource (with the default false, users download the document instead), or set source to a fixed path within the app.',
    },
    fr: {
      title: 'Source non fiable pour un PDFViewer',
      message: 'isTrustedSource vaut true, alors que la source de ce PDFViewer n’est pas une URL fixe.',
      why: 'Sur un ordinateur, le PDFViewer affiche alors le document dans l’application : un attaquant qui peut choisir l’URL du document ou déposer le fichier peut y montrer un document malveillant ou falsifié.',
      fix: 'Supprimez isTrustedSource (avec la valeur par défaut false, l’utilisateur télécharge le document), ou donnez à source un chemin fixe de l’application.',
    },
  }),
})
