import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin, variantOf } from './_flow-grade.ts'

/**
 * Data of others that becomes markup of the page: innerHTML, document.write, jQuery.html and the like.
 * Facts: HTML standard, "innerHTML" and "document.write"; jQuery 3.7, "html", "append" (a text with a tag is parsed as markup).
 * Severity: an attacker who sends a link or writes data of the backend runs code in the session of another user (HIGH); what only the same user enters is LOW.
 */
export const xssDomSink: Rule = defineRule({
  id: 'ui5/xss-dom-sink',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/topic/91f0bd316f4d1014b6dd926db0e91070',
  on: 'flow',

  *check(hit) {
    const variant = variantOf(hit)
    const args = { part: hit.quotedPart, sink: hit.sink }
    yield { ...gradeByOrigin(hit, 'HIGH'), args, ...(variant !== undefined && { variant }) }
  },

  text: {
    en: {
      title: 'DOM-based cross-site scripting (XSS)',
      message: '{part} is written to the page as markup by {sink}, without encoding.',
      why: 'A crafted link or a message from another page can put a script into that value; it runs in the session of the victim, with all permissions of that user.',
      fix: 'Display text with textContent or a control such as sap.m.Text, encode the value with sap/base/security/encodeXML, or sanitize markup with DOMPurify.sanitize(value).',
      variants: {
        stored: {
          title: 'Stored cross-site scripting (XSS) through the DOM',
          message: '{part}, which comes from a backend, is written to the page as markup by {sink}.',
          why: 'An attacker who can write that data can store a script in it, which runs in the session of every user who opens this page, with the permissions of that user.',
        },
        own: {
          title: 'User input written to the page as markup',
          message: '{part}, which the user of the page enters, is written as markup by {sink}.',
          why: 'Users can attack only their own session, unless another page or user can supply that value.',
        },
        indirect: {
          title: 'XSS: property, stored or imported value written as markup',
          message:
            '{part} is set elsewhere (a control property, web storage or an imported file) and written as markup by {sink}, without encoding.',
          why: 'If an attacker can influence that value, for example through data bound to the property, a script in it runs in the session of the user.',
        },
        unknown: {
          title: 'Value of unknown origin written as markup',
          message: '{part} is written to the page as markup by {sink}; nothing in the project shows where this value comes from.',
          why: 'If another user can supply that value, they can put a script into it, which runs in the session of the victim.',
        },
      },
    },
    fr: {
      title: 'Cross-site scripting (XSS) par le DOM',
      message: '{part} est écrit dans la page comme du balisage par {sink}, sans encodage.',
      why: 'Un lien forgé ou un message d’une autre page peut placer un script dans cette valeur ; il s’exécute dans la session de la victime, avec tous ses droits.',
      fix: 'Affichez le texte avec textContent ou un contrôle comme sap.m.Text, encodez la valeur avec sap/base/security/encodeXML, ou assainissez le balisage avec DOMPurify.sanitize(valeur).',
      variants: {
        stored: {
          title: 'Cross-site scripting (XSS) persistant par le DOM',
          message: '{part}, qui provient d’un backend, est écrit dans la page comme du balisage par {sink}.',
          why: 'Un attaquant qui peut écrire cette donnée peut y stocker un script, qui s’exécute dans la session de chaque utilisateur qui ouvre cette page, avec ses droits.',
        },
        own: {
          title: 'Saisie de l’utilisateur écrite comme du balisage',
          message: '{part}, saisi par l’utilisateur de la page, est écrit comme du balisage par {sink}.',
          why: 'L’utilisateur ne peut attaquer que sa propre session, sauf si une autre page ou un autre utilisateur peut fournir cette valeur.',
        },
        indirect: {
          title: 'XSS : propriété, valeur stockée ou importée écrite comme du balisage',
          message:
            '{part} est défini ailleurs (propriété d’un contrôle, stockage web ou fichier importé) et écrit comme du balisage par {sink}, sans encodage.',
          why: 'Si un attaquant peut influencer cette valeur, par exemple par des données liées à la propriété, un script qu’elle contient s’exécute dans la session de l’utilisateur.',
        },
        unknown: {
          title: 'Valeur d’origine inconnue écrite comme du balisage',
          message:
            '{part} est écrit dans la page comme du balisage par {sink} ; rien dans le projet ne montre d’où vient cette valeur.',
          why: 'Si un autre utilisateur peut fournir cette valeur, il peut y placer un script, qui s’exécute dans la session de la victime.',
        },
      },
    },
  },
})
