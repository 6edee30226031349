import { deprecatedUses, findDeprecatedLibraries } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A library that gets no development any more; one finding per app and library.
 * Facts: SAPUI5, "Deprecated Themes and Libraries"; "Content Security Policy": these libraries need 'unsafe-eval' and 'unsafe-inline'.
 */
export const deprecatedLibrary: Rule = defineRule({
  id: 'ui5/deprecated-library',
  severity: 'MEDIUM',
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
      message: 'The app uses {library}.',
      why: 'The library is no longer developed, and its controls write markup and code as text: a content security policy must allow "unsafe-inline" and "unsafe-eval" for it, and then stops no injected script.',
      fix: 'Replace its controls by those of sap.m, sap.ui.table, sap.ui.layout or sap.f: the API reference names the successor of each.',
    },
    fr: {
      title: 'Bibliothèque UI5 obsolète',
      message: 'L’application utilise {library}.',
      why: 'La bibliothèque n’est plus développée, et ses contrôles écrivent balisage et code comme du texte : une politique de sécurité du contenu doit lui autoriser « unsafe-inline » et « unsafe-eval », et n’arrête alors plus aucun script injecté.',
      fix: 'Remplacez ses contrôles par ceux de sap.m, sap.ui.table, sap.ui.layout ou sap.f : la référence de l’API nomme le successeur de chacun.',
    },
  },
})
