import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin, variantOf } from './_flow-grade.ts'

/**
 * An address that others choose and that the page goes to, or opens. What stands behind a constant host or path leads nowhere else.
 * Facts: HTML standard, "Location" (javascript: addresses run as code); API reference of SAPUI5, sap.m.URLHelper, sap/base/security/URLListValidator.
 * Severity: one click on a link to the own host leads to a page of the attacker, or runs a javascript: address in the session (HIGH); an address out of the backend
 * needs somebody who may write it, and the page before is where the victim comes from (MEDIUM); the same user's own input is LOW.
 */
export const browserOpenRedirect: Rule = defineRule({
  id: 'ui5/open-redirect',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [601],
  since: '0.2.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/url-list-validation-91f3768.md',
  on: 'flow',

  *check(hit) {
    // an address below the own host leads nowhere else
    if (hit.detail !== 'begin' || hit.origin === 'unknown') return
    const variant = variantOf(hit)
    // the hash alone leads to another place of the own app or launchpad; the page before is where the victim comes from
    const isNear = /(?:set|replace)Hash$/.test(hit.sink) || hit.origin === 'referrer'
    const grade = gradeByOrigin(hit, variant === 'stored' || isNear ? 'MEDIUM' : 'HIGH')
    yield { ...grade, args: { part: hit.quotedPart, sink: hit.sink }, ...(variant !== undefined && { variant }) }
  },

  text: {
    en: {
      title: 'Open redirect in the browser',
      message: '{part} is used as the redirect target of {sink} without validation.',
      why: 'A link to your own app leads the victim to a phishing page; a javascript: URL runs code in the session of the user.',
      fix: 'Check the address first with URLListValidator.validate(url) from sap/base/security/URLListValidator (URLWhitelist before UI5 1.85), or compare new URL(url, location.href).origin with location.origin.',
      variants: {
        stored: {
          title: 'Open redirect to an address from the backend',
          why: 'An attacker who can write that data can redirect other users to a phishing page, or run code in their session with a javascript: URL.',
        },
        own: {
          title: 'Redirect to an address that the user enters',
          why: 'Users can only redirect themselves, unless another page can supply that value.',
        },
        indirect: {
          title: 'Redirect to an address from a property, web storage or a file',
          why: 'If an attacker can influence that value, it leads users to a phishing page, or a javascript: URL runs code in their session.',
        },
      },
    },
    fr: {
      title: 'Redirection ouverte dans le navigateur',
      message: '{part} sert de cible de redirection à {sink} sans validation.',
      why: 'Un lien vers votre propre application mène la victime sur une page d’hameçonnage ; une URL javascript: exécute du code dans la session de l’utilisateur.',
      fix: 'Vérifiez d’abord l’adresse avec URLListValidator.validate(url) de sap/base/security/URLListValidator (URLWhitelist avant UI5 1.85), ou comparez new URL(url, location.href).origin à location.origin.',
      variants: {
        stored: {
          title: 'Redirection ouverte vers une adresse du backend',
          why: 'Un attaquant qui peut écrire cette donnée peut rediriger d’autres utilisateurs vers une page d’hameçonnage, ou exécuter du code dans leur session par une URL javascript:.',
        },
        own: {
          title: 'Redirection vers une adresse saisie par l’utilisateur',
          why: 'L’utilisateur ne peut rediriger que lui-même, sauf si une autre page peut fournir cette valeur.',
        },
        indirect: {
          title: 'Redirection vers une adresse issue d’une propriété, du stockage web ou d’un fichier',
          why: 'Si un attaquant peut influencer cette valeur, elle mène l’utilisateur sur une page d’hameçonnage, ou une URL javascript: exécute du code dans sa session.',
        },
      },
    },
  },
})
