import { isUi5Network, readRemote } from '../../model/ui5/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An app of which no file tells the UI5 version that it runs with. `minUI5Version` is a lower bound, no such file. */
export const versionUndetermined: Rule = defineRule({
  id: 'ui5/version-undetermined',
  severity: 'INFO',
  confidence: 'medium',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/versionoverview.html',
  on: 'ui5-app',

  *check(app, project) {
    const { manifest, root } = app
    if (manifest === undefined || app.isLibrary || app.served === 'host' || at(manifest.root, 'sap.ui5') === undefined) return
    if (
      app.versions.length > 0 ||
      app.pages.some(({ bootstrap }) => isUi5Network(readRemote(bootstrap.src?.value ?? '')?.host ?? ''))
    )
      return
    // a component inside of an app runs with the app's version
    if (
      project.ui5Apps.some((other) => other !== app && !other.isLoose && (other.root === '' || root.startsWith(`${other.root}/`)))
    )
      return
    // OpenUI5 as a package: the lock file tells
    if (project.packages.some(({ packages }) => packages.some(({ name }) => name === '@openui5/sap.ui.core'))) return
    yield { at: { file: manifest.file }, args: { app: app.id ?? manifest.file }, sameAs: 'undetermined' }
  },

  text: {
    en: {
      title: 'UI5 version of the app is not known',
      message: 'No file of the project tells which UI5 version {app} runs with.',
      why: 'Whether that version still gets corrections could not be checked.',
      fix: 'Name it: framework.version in ui5.yaml, or a version in the address of the bootstrap.',
    },
    fr: {
      title: 'La version d’UI5 de l’application n’est pas connue',
      message: 'Aucun fichier du projet ne dit avec quelle version d’UI5 {app} s’exécute.',
      why: 'Il n’a pas été possible de vérifier si cette version reçoit encore des corrections.',
      fix: 'Nommez-la : framework.version dans ui5.yaml, ou une version dans l’adresse de l’amorçage.',
    },
  },
})
