import { findTarget, isUi5Network, minorOf, readRemote } from '../../model/ui5/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An app of which no file tells the UI5 version that it runs with. `minUI5Version` is a lower bound, not such a version.
 * Facts: documentation of SAPUI5, "Descriptor for Applications"; UI5 Tooling, "Configuration" (`framework.version`).
 * Impact: worth knowing.
 */
export const versionUndetermined: Rule = defineRule({
  id: 'ui5/version-undetermined',
  impact: 'hygiene',
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
      project.ui5Apps.some(
        (other) => other !== app && !other.isUndeclared && (other.root === '' || root.startsWith(`${other.root}/`)),
      )
    )
      return
    // OpenUI5 as a package: the lock file tells
    if (project.packages.some(({ packages }) => packages.some(({ name }) => name === '@openui5/sap.ui.core'))) return
    const lowest = minorOf(stringOf(at(manifest.root, 'sap.ui5', 'dependencies', 'minUI5Version')) ?? '') ?? 0
    const target = findTarget(`1.${lowest}.0`, project.catalogue, project.date)
    yield { at: { file: manifest.file }, args: { app: app.id ?? manifest.file, target }, groupKey: 'undetermined' }
  },

  text: () => ({
    en: {
      title: 'UI5 version not determined',
      message: 'No file in the project specifies the UI5 version that the app "{app}" runs with.',
      why: 'Parapet could not check whether that version is in maintenance and gets security fixes.',
      fix: 'Specify the version in ui5.yaml ("ui5 init" creates this file): framework: { name: SAPUI5, version: "{target}" }, or in the src URL of the bootstrap script: https://ui5.sap.com/{target}/resources/sap-ui-core.js.',
    },
    fr: {
      title: 'Version d’UI5 indéterminée',
      message: 'Aucun fichier du projet n’indique la version d’UI5 avec laquelle l’application "{app}" s’exécute.',
      why: 'Il n’a pas été possible de vérifier si cette version est maintenue et reçoit des correctifs de sécurité.',
      fix: 'Indiquez la version dans ui5.yaml ("ui5 init" crée ce fichier) : framework: { name: SAPUI5, version: "{target}" }, ou dans l’URL src du script d’amorçage : https://ui5.sap.com/{target}/resources/sap-ui-core.js.',
    },
  }),
})
