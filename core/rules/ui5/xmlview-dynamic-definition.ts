import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin, storedVariantOf } from './_flow-grade.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'
import { outsideArgs } from './_attack-ways.ts'

/**
 * A view or fragment whose text is put together at run time.
 * Facts: API of sap.ui.core.mvc.XMLView.create and sap.ui.core.Fragment.load (1.136): `definition` is parsed as a view, with its HTML controls, bindings and handlers.
 * Impact: whoever writes a part of the text adds controls and scripts to the page of other users.
 */
export const xmlviewDynamicDefinition: Rule = defineRule({
  id: 'ui5/xmlview-dynamic-definition',
  impact: 'session',
  confidence: 'high',
  cwe: [94],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.core.mvc.XMLView',
  on: 'flow',

  *check(hit, project) {
    const grade = gradeByOrigin(hit, project)
    const args = { value: hit.quotedPart, sink: hit.sink, ...outsideArgs(hit) }
    if (hit.origin === 'unknown') yield { ...grade, args: { sink: hit.sink }, variant: 'untraced' }
    else yield { ...grade, args, variant: storedVariantOf(hit) }
  },

  text: () => ({
    en: {
      title: 'View definition composed from untrusted data',
      message: 'The text that {sink} parses as a view or fragment contains a value from {value}.',
      why: 'An attacker who can write that data can add controls, for example sap.ui.core.HTML with markup that runs a script in the session of every user who opens the view.',
      fix: 'Move the view or fragment into its own file, load it by name with XMLView.create({ viewName: "my.app.view.Main" }) or Fragment.load({ name: "my.app.view.Part" }), and pass the data in a model.',
      variants: {
        link: {
          why: '{bait} can add controls, for example sap.ui.core.HTML with markup that runs a script in the victim’s session.',
        },
        own: MARKUP_BY_ORIGIN.en.own,
        indirect: {
          why: 'If another user, page or file can supply that value, an attacker can add controls with it, for example sap.ui.core.HTML with markup that runs a script in the user’s session.',
        },
        untraced: {
          title: 'View definition composed at run time',
          message: 'The text that {sink} parses as a view or fragment is composed at run time.',
          why: 'If a part of this text comes from a user or the backend, an attacker can add controls, for example sap.ui.core.HTML with markup that runs a script in the user’s session.',
        },
      },
    },
    fr: {
      title: 'Définition de vue composée à partir de données non fiables',
      message: 'Le texte que {sink} interprète comme une vue ou un fragment contient une valeur issue de {value}.',
      why: 'Un attaquant qui peut écrire ces données peut ajouter des contrôles, par exemple sap.ui.core.HTML avec un balisage qui exécute un script dans la session de chaque utilisateur qui ouvre la vue.',
      fix: 'Déplacez la vue ou le fragment dans son propre fichier, chargez-le par son nom avec XMLView.create({ viewName: "my.app.view.Main" }) ou Fragment.load({ name: "my.app.view.Part" }), et transmettez les données par un modèle.',
      variants: {
        link: {
          why: '{bait} peut ajouter des contrôles, par exemple sap.ui.core.HTML avec un balisage qui exécute un script dans la session de la victime.',
        },
        own: MARKUP_BY_ORIGIN.fr.own,
        indirect: {
          why: 'Si un autre utilisateur, une autre page ou un fichier peut fournir cette valeur, un attaquant peut ainsi ajouter des contrôles, par exemple sap.ui.core.HTML avec un balisage qui exécute un script dans la session de l’utilisateur.',
        },
        untraced: {
          title: 'Définition de vue composée à l’exécution',
          message: 'Le texte que {sink} interprète comme une vue ou un fragment est composé à l’exécution.',
          why: 'Si une partie de ce texte vient d’un utilisateur ou du backend, un attaquant peut ajouter des contrôles, par exemple sap.ui.core.HTML avec un balisage qui exécute un script dans la session de l’utilisateur.',
        },
      },
    },
  }),
})
