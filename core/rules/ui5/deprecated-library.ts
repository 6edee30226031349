import { deprecatedUses, findDeprecatedLibraries } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A deprecated UI5 library; one finding per app and library.
 * Facts: SAPUI5, "Deprecated Themes and Libraries"; "Content Security Policy": these libraries need 'unsafe-eval' and 'unsafe-inline'.
 * Severity: deprecated code that still gets fixes with each UI5 patch (LOW).
 */
export const deprecatedLibrary: Rule = defineRule({
  id: 'ui5/deprecated-library',
  severity: 'LOW',
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/a87ca843bcee469f82a9072927a7dcdb',
  extracts: [deprecatedUses],
  on: 'ui5-app',

  *check(app) {
    for (const { library, at } of findDeprecatedLibraries(app)) yield { at, args: { library } }
  },

  text: {
    en: {
      title: 'Deprecated UI5 library',
      message: 'The app uses the deprecated library {library}.',
      why: "The controls of this library need a CSP that allows 'unsafe-inline' and 'unsafe-eval', which no longer stops injected scripts; UI5 2.x does not contain the library.",
      fix: 'Remove {library} from the dependencies and replace its controls with those of sap.m, sap.ui.table, sap.ui.layout or sap.f: the API reference names the successor of each control.',
    },
    fr: {
      title: 'Bibliothèque UI5 obsolète',
      message: 'L’application utilise la bibliothèque obsolète {library}.',
      why: "Les contrôles de cette bibliothèque exigent une CSP qui autorise 'unsafe-inline' et 'unsafe-eval' et n’arrête alors plus les scripts injectés ; UI5 2.x ne contient plus la bibliothèque.",
      fix: 'Supprimez {library} des dépendances et remplacez ses contrôles par ceux de sap.m, sap.ui.table, sap.ui.layout ou sap.f : la référence de l’API nomme le successeur de chaque contrôle.',
    },
  },
})
