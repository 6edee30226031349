import { deprecatedUses, findDeprecatedLibraries } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Those that the documentation names in "Content Security Policy". */
const EVALUATING = /^sap\.(?:ca\.ui|ca\.scfld\.md|makit|me|ui\.commons|ui\.ux3|uiext\.inbox|zen\.commons|zen\.crosstab|zen\.dsh)$/

/**
 * A deprecated UI5 library; one finding per app and library.
 * Facts: SAPUI5, "Deprecated Themes and Libraries"; "Content Security Policy": most of these libraries need 'unsafe-eval'.
 * Impact: deprecated code that still gets fixes with each UI5 patch.
 */
export const deprecatedLibrary: Rule = defineRule({
  id: 'ui5/deprecated-library',
  impact: 'hygiene',
  // a policy that allows eval is a weaker one
  grades: { evaluating: { impact: 'defence' } },
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/a87ca843bcee469f82a9072927a7dcdb',
  extracts: [deprecatedUses],
  on: 'ui5-app',

  *check(app) {
    for (const { library, at } of findDeprecatedLibraries(app)) {
      yield { at, args: { library, file: at.file }, ...(EVALUATING.test(library) && { variant: 'evaluating' }) }
    }
  },

  text: () => ({
    en: {
      title: 'Deprecated UI5 library',
      message: 'The app uses the deprecated library {library}.',
      why: 'SAP can remove this library from later UI5 versions; the app then cannot be updated to them.',
      fix: 'Remove {library} from {file} and replace its controls with those of sap.m, sap.ui.table, sap.ui.layout or sap.f: the API reference of a deprecated control usually names its successor.',
      variants: {
        evaluating: {
          why: "SAP can remove this library from later UI5 versions; the app then cannot be updated to them. The library also requires 'unsafe-eval' in the content security policy (CSP), which weakens its protection against XSS.",
        },
      },
    },
    fr: {
      title: 'Bibliothèque UI5 obsolète',
      message: 'L’application utilise la bibliothèque obsolète {library}.',
      why: 'SAP peut supprimer cette bibliothèque des prochaines versions d’UI5 ; l’application ne pourra alors pas passer à ces versions.',
      fix: 'Supprimez {library} de {file} et remplacez ses contrôles par ceux de sap.m, sap.ui.table, sap.ui.layout ou sap.f : la référence de l’API d’un contrôle obsolète indique en général son successeur.',
      variants: {
        evaluating: {
          why: "SAP peut supprimer cette bibliothèque des prochaines versions d’UI5 ; l’application ne pourra alors pas passer à ces versions. Cette bibliothèque exige aussi 'unsafe-eval' dans la Content Security Policy (CSP), qui protège alors moins contre les XSS.",
        },
      },
    },
  }),
})
