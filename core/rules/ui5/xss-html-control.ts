import { inEachLanguage } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { encodedAddressTexts, gradeEncodedAddress } from './_encoded-addresses.ts'
import { HANDLER_TEXTS } from './_handler-texts.ts'
import { gradeMarkup, isAnswered, isOfRefused, isOwnAnswer, storedVariantOf } from './_flow-grade.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'
import { ROW_EXTRACTS } from './_posted-rows.ts'
import { outsideArgs } from './_attack-ways.ts'

const ENCODED_ADDRESS = encodedAddressTexts('value')

/** Only setContent sanitizes. */
const SETTER = inEachLanguage({
  en: ' and call setContent instead of setProperty',
  fr: ' et appelez setContent au lieu de setProperty',
})

/**
 * Data shown as markup by an HTML control, in a view or from a script.
 * Facts: API of `sap.ui.core.HTML`: `sanitizeContent` is false by default; `sap/base/security/*`. Texts of resource models are part of the app.
 * Impact: whoever can write the data runs a script in the session of another user. The project shows that where its own model lets every user write the field.
 */
export const xssHtmlControl: Rule = defineRule({
  id: 'ui5/xss-html-control',
  impact: 'session',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.core.HTML',
  on: 'flow',
  extracts: ROW_EXTRACTS,

  *check(hit, project) {
    const grade = gradeMarkup(hit, project)
    const args = {
      value: hit.quotedPart,
      setter: hit.api.effects.has('setter') ? SETTER : '',
      ...outsideArgs(hit),
    }
    if (hit.marks.has('handler')) yield { ...grade, args, variant: 'handler' }
    else if (isOwnAnswer(hit)) yield { ...grade, args, variant: 'account' }
    else if (isAnswered(hit) || isOfRefused(hit)) yield { ...grade, args, variant: 'answered' }
    else if (hit.marks.has('encoded-address')) yield { ...gradeEncodedAddress(hit, project), args }
    else if (hit.origin === 'unknown') yield { ...grade, variant: 'untraced', args }
    else if (hit.origin === 'input') yield { ...grade, variant: 'entered', args }
    else yield { ...grade, args, variant: hit.origin === 'property' ? 'property' : storedVariantOf(hit) }
  },

  text: () => ({
    en: {
      title: 'XSS: unsanitized data in an HTML control',
      message: 'The content of this HTML control contains a value from {value} and is not sanitized.',
      why: MARKUP_BY_ORIGIN.en.stored.why,
      fix: 'Set sanitizeContent to true on this HTML control{setter}, or show the text with sap.m.Text or sap.m.FormattedText; encode values inside fixed markup with sap/base/security/encodeXML.',
      variants: {
        address: ENCODED_ADDRESS.en,
        handler: {
          ...HANDLER_TEXTS.en,
          message:
            'A value from {value} becomes part of the JavaScript of an event attribute such as onclick, in the content of this HTML control.',
          fix: 'Set sanitizeContent to true on this HTML control{setter}, which removes event attributes, and call the function from a control such as sap.m.Button with a press handler.',
        },
        account: MARKUP_BY_ORIGIN.en.own,
        answered: MARKUP_BY_ORIGIN.en.unknown,
        link: MARKUP_BY_ORIGIN.en.link,
        indirect: MARKUP_BY_ORIGIN.en.indirect,
        property: {
          ...MARKUP_BY_ORIGIN.en.indirect,
          message: 'The content of this HTML control contains the control property {value} and is not sanitized.',
        },
        entered: {
          title: 'Unsanitized user input in an HTML control',
          message: 'The content of this HTML control contains user input ({value}) and is not sanitized.',
          why: 'A user who pastes text prepared by an attacker runs a script in their own session (self-XSS); once the text is stored or shared, the script can run in the sessions of other users.',
        },
        untraced: {
          title: 'HTML control with dynamic content, not sanitized',
          message: 'The content of this HTML control is composed at run time and is not sanitized.',
          why: 'If a part of it comes from a user or the backend, a script in that part runs in the session of every user who opens this page (XSS).',
        },
      },
    },
    fr: {
      title: 'XSS : données non assainies dans un contrôle HTML',
      message: 'Le contenu de ce contrôle HTML, qui inclut une valeur issue de {value}, n’est pas assaini.',
      why: MARKUP_BY_ORIGIN.fr.stored.why,
      fix: 'Donnez à sanitizeContent la valeur true sur ce contrôle HTML{setter}, ou affichez le texte avec sap.m.Text ou sap.m.FormattedText ; encodez les valeurs placées dans un balisage fixe avec sap/base/security/encodeXML.',
      variants: {
        address: ENCODED_ADDRESS.fr,
        handler: {
          ...HANDLER_TEXTS.fr,
          message:
            'Une valeur issue de {value} entre dans le JavaScript d’un attribut d’événement comme onclick, dans le contenu de ce contrôle HTML.',
          fix: 'Donnez à sanitizeContent la valeur true sur ce contrôle HTML{setter}, ce qui supprime les attributs d’événement, et appelez la fonction depuis un contrôle comme sap.m.Button (événement press).',
        },
        account: MARKUP_BY_ORIGIN.fr.own,
        answered: MARKUP_BY_ORIGIN.fr.unknown,
        link: MARKUP_BY_ORIGIN.fr.link,
        indirect: MARKUP_BY_ORIGIN.fr.indirect,
        property: {
          ...MARKUP_BY_ORIGIN.fr.indirect,
          message: 'Le contenu de ce contrôle HTML, qui inclut la propriété de contrôle {value}, n’est pas assaini.',
        },
        entered: {
          title: 'Contrôle HTML affichant une saisie non assainie',
          message: 'Le contenu de ce contrôle HTML, qui inclut une saisie de l’utilisateur ({value}), n’est pas assaini.',
          why: 'Un utilisateur qui colle un texte préparé par un attaquant exécute un script dans sa propre session (self-XSS) ; une fois le texte stocké ou partagé, le script peut s’exécuter dans les sessions d’autres utilisateurs.',
        },
        untraced: {
          title: 'Contrôle HTML à contenu dynamique non assaini',
          message: 'Le contenu de ce contrôle HTML est composé à l’exécution et n’est pas assaini.',
          why: 'Si une partie de ce contenu vient d’un utilisateur ou du backend, un script dans cette partie s’exécute dans la session de chaque utilisateur qui ouvre cette page (XSS).',
        },
      },
    },
  }),
})
