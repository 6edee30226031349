import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * A redirect whose address a client chooses.
 * Facts: Express 5, res.redirect and res.location; RFC 9110, "Location".
 * Severity: needs a victim’s click and serves phishing, MEDIUM.
 */
export const openRedirect: Rule = defineRule({
  id: 'cap/open-redirect',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [601],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
  on: 'flow',

  *check(hit) {
    // an address below the own host leads nowhere else
    if (hit.detail !== undefined && hit.detail !== 'begin') return
    yield { ...gradeHit(hit, 'MEDIUM'), args: { part: hit.quotedPart, sink: hit.quotedSink } }
  },

  text: {
    en: {
      title: 'Open redirect through request data',
      message: '{sink} redirects to an address that comes from the request: {part}.',
      why: 'A link to your own host leads the victim to a phishing page, which can also read tokens from its URL.',
      fix: 'Redirect to constant paths, or check the value first: new URL(value, base).origin === base, or compare it with a list of allowed URLs.',
    },
    fr: {
      title: 'Redirection ouverte par des données de la requête',
      message: '{sink} redirige vers une adresse issue de la requête : {part}.',
      why: 'Un lien vers votre propre hôte redirige la victime vers une page d’hameçonnage, qui peut aussi lire des jetons dans son URL.',
      fix: 'Redirigez vers des chemins constants, ou vérifiez d’abord la valeur : new URL(valeur, base).origin === base, ou comparez-la à une liste d’URL autorisées.',
    },
  },
})
