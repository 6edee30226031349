import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin, storedVariantOf } from './_flow-grade.ts'
import { outsideArgs } from './_attack-ways.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'

/**
 * A formatter that puts data between tags without encoding it.
 * Facts: API of sap.ui.core.HTML (shows any markup), sap.m.FormattedText and RichTextEditor (remove what is dangerous); `sap/base/security/encodeXML`.
 * Impact: a script in the data runs in the session of the user, unless the control that shows it sanitizes.
 */
export const formatterHtml: Rule = defineRule({
  id: 'ui5/formatter-html',
  impact: 'session',
  // which control shows it is not seen here
  evidence: 'assumed',
  grades: { sanitized: { impact: 'defence', evidence: 'shown' } },
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/api/module:sap/base/security/encodeXML',
  on: 'flow',

  *check(hit, project) {
    const grade = gradeByOrigin(hit, project)
    const args = { value: hit.quotedPart, ...outsideArgs(hit) }
    if (hit.detail === 'sanitized') yield { ...grade, args, variant: 'sanitized' }
    else if (hit.origin === 'unknown') yield { ...grade, variant: 'untraced' }
    else yield { ...grade, args, variant: storedVariantOf(hit) }
  },

  text: () => ({
    en: {
      title: 'XSS: HTML composed from unencoded data in a formatter',
      message:
        'The formatter of this binding puts a value from {value} between tags without encoding it, and an HTML control shows the result.',
      why: MARKUP_BY_ORIGIN.en.stored.why,
      fix: 'Encode each value before it becomes part of the markup: "<b>" + encodeXML(value) + "</b>", with encodeXML from sap/base/security/encodeXML.',
      variants: {
        link: MARKUP_BY_ORIGIN.en.link,
        own: MARKUP_BY_ORIGIN.en.own,
        indirect: MARKUP_BY_ORIGIN.en.indirect,
        sanitized: {
          title: 'HTML composed from unencoded data in a formatter',
          message:
            'The formatter of this binding puts a value from {value} between tags without encoding it; the control that shows the result sanitizes it.',
          why: 'Tags and links in the data change what users see: an attacker can imitate a part of the app or hide text.',
        },
        untraced: {
          message:
            'The formatter of this binding puts its arguments between tags without encoding them, and an HTML control shows the result.',
          why: 'If an attacker can write the bound data, a script in it runs in the session of every user who opens this page.',
        },
      },
    },
    fr: {
      title: 'XSS : HTML composé à partir de données non encodées dans une fonction formatter',
      message:
        'La fonction formatter de cette liaison place une valeur issue de {value} entre des balises sans l’encoder, et un contrôle HTML affiche le résultat.',
      why: MARKUP_BY_ORIGIN.fr.stored.why,
      fix: 'Encodez chaque valeur avant de l’insérer dans le balisage : "<b>" + encodeXML(valeur) + "</b>", avec encodeXML de sap/base/security/encodeXML.',
      variants: {
        link: MARKUP_BY_ORIGIN.fr.link,
        own: MARKUP_BY_ORIGIN.fr.own,
        indirect: MARKUP_BY_ORIGIN.fr.indirect,
        sanitized: {
          title: 'HTML composé à partir de données non encodées dans une fonction formatter',
          message:
            'La fonction formatter de cette liaison place une valeur issue de {value} entre des balises sans l’encoder ; le contrôle qui affiche le résultat l’assainit.',
          why: 'Des balises et des liens dans les données changent ce que voient les utilisateurs : un attaquant peut imiter une partie de l’application ou masquer du texte.',
        },
        untraced: {
          message:
            'La fonction formatter de cette liaison place ses arguments entre des balises sans les encoder, et un contrôle HTML affiche le résultat.',
          why: 'Si un attaquant peut écrire les données liées, un script qu’elles contiennent s’exécute dans la session de chaque utilisateur qui ouvre cette page.',
        },
      },
    },
  }),
})
