import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin, storedVariantOf } from './_flow-grade.ts'

/**
 * Data shown as markup by an HTML control, in a view or from a script.
 * Facts: API of `sap.ui.core.HTML`: `sanitizeContent` is false by default; `sap/base/security/*`. Texts of resource models are part of the app.
 * Severity: any user who can write the data runs a script in the session of another (HIGH); what only the same user enters, and markup of unknown origin, is LOW.
 */
export const xssHtmlControl: Rule = defineRule({
  id: 'ui5/xss-html-control',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.core.HTML',
  on: 'flow',

  *check(hit) {
    const grade = gradeByOrigin(hit, 'HIGH')
    if (hit.origin === 'unknown') yield { ...grade, variant: 'untraced' }
    else if (hit.origin === 'input') yield { ...grade, variant: 'entered', args: { value: hit.quotedPart } }
    else yield { ...grade, args: { value: hit.quotedPart }, variant: storedVariantOf(hit) }
  },

  text: {
    en: {
      title: 'XSS: unsanitized data in an HTML control',
      message: 'The content of this HTML control comes from {value} and is not sanitized.',
      why: 'An attacker who can write that data can store a script in it, which runs in the session of every user who opens this page, with the permissions of that user.',
      fix: 'Set sanitizeContent="true" on this HTML control, or show the text with sap.m.Text or sap.m.FormattedText; encode single values with sap/base/security/encodeXML.',
      variants: {
        link: {
          why: 'A crafted link or a message from another page can put a script into that value; it runs in the session of the victim, with all permissions of that user.',
        },
        indirect: {
          why: 'If another user, page or file can supply that value, a script in it runs in the session of the user.',
        },
        entered: {
          title: 'Unsanitized user input in an HTML control',
          message: 'The content of this HTML control is what the user enters ({value}) and is not sanitized.',
          why: 'A user who pastes prepared text runs a script in their own session (self-XSS); once the text is stored or shared, it runs in the sessions of others.',
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
      message: 'Le contenu de ce contrôle HTML provient de {value} et n’est pas assaini.',
      why: 'Un attaquant qui peut écrire ces données peut y stocker un script, qui s’exécute dans la session de chaque utilisateur qui ouvre cette page, avec ses droits.',
      fix: 'Indiquez sanitizeContent="true" sur ce contrôle HTML, ou affichez le texte avec sap.m.Text ou sap.m.FormattedText ; encodez les valeurs isolées avec sap/base/security/encodeXML.',
      variants: {
        link: {
          why: 'Un lien forgé ou un message d’une autre page peut placer un script dans cette valeur ; il s’exécute dans la session de la victime, avec tous ses droits.',
        },
        indirect: {
          why: 'Si un autre utilisateur, une page ou un fichier peut fournir cette valeur, un script qu’elle contient s’exécute dans la session de l’utilisateur.',
        },
        entered: {
          title: 'Contrôle HTML affichant une saisie non assainie',
          message: 'Le contenu de ce contrôle HTML est la saisie de l’utilisateur ({value}) et n’est pas assaini.',
          why: 'Un utilisateur qui colle un texte préparé exécute un script dans sa propre session (self-XSS) ; une fois le texte stocké ou partagé, il s’exécute dans celle des autres.',
        },
        untraced: {
          title: 'Contrôle HTML à contenu dynamique non assaini',
          message: 'Le contenu de ce contrôle HTML est composé à l’exécution et n’est pas assaini.',
          why: 'Si une partie vient d’un utilisateur ou du backend, un script dans cette partie s’exécute dans la session de chaque utilisateur qui ouvre cette page (XSS).',
        },
      },
    },
  },
})
