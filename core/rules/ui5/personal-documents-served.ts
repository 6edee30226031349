import { isBelow } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Folders whose files a server or a build gives to everybody who asks. */
const SERVED = /(?:^|\/)(?:webapp|public|static|wwwroot|htdocs|www)(?:\/|$)/i
const OF_TESTS = /(?:^|\/)(?:tests?|__tests__|e2e|specs?|fixtures|mocks?|mockdata|localservice|docs?|documentation)(?:\/|$)/i

/**
 * Documents of persons in a folder that is delivered with an app: pay slips, time sheets, lists of customers, by their names alone.
 * Facts: UI5 CLI 4, "Builder" (all resources below webapp are part of what is built); Vite and Create React App (`public` is copied as it is); CWE-538.
 * Impact: whoever knows the address of a file gets it, mostly without a login; whether it is real is not in the project.
 */
export const personalDocumentsServed: Rule = defineRule({
  id: 'ui5/personal-documents-served',
  impact: 'data',
  evidence: 'guessed',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [538, 359],
  since: '0.3.0',
  docs: 'https://cwe.mitre.org/data/definitions/538.html',
  on: 'project',

  *check({ personalDocuments, ui5Apps, step }) {
    for (const { folder, path, count } of personalDocuments) {
      step(1 + ui5Apps.length)
      if (OF_TESTS.test(folder)) continue
      const isOfApp = ui5Apps.some(({ root, manifest }) => manifest !== undefined && root !== '' && isBelow(path, root))
      if (!isOfApp && !SERVED.test(folder)) continue
      yield { at: { file: path }, args: { folder, count: String(count) } }
    }
  },

  text: () => ({
    en: {
      title: 'Documents with personal data delivered with the app',
      message:
        'The app delivers the files of {folder}, and the names of documents there indicate personal or customer data (files: {count}).',
      why: 'Static files are often served without a login, so anyone who knows or guesses the address of such a document can download it.',
      fix: 'Remove the documents from {folder}, and from the history of the repository if they were committed (git filter-repo). Store documents in a service that checks who may read each of them, and load them from there.',
    },
    fr: {
      title: 'Documents contenant des données personnelles livrés avec l’application',
      message:
        'L’application livre les fichiers de {folder}, et les noms de certains documents indiquent des données personnelles ou de clients (fichiers : {count}).',
      why: 'Les fichiers statiques sont souvent servis sans authentification : toute personne qui connaît ou devine l’adresse d’un tel document peut le télécharger.',
      fix: 'Retirez les documents de {folder}, ainsi que de l’historique du dépôt s’ils ont été versionnés (git filter-repo). Conservez les documents dans un service qui vérifie qui peut lire chacun d’eux, et chargez-les depuis ce service.',
    },
  }),
})
