import { codeRedirects } from './_routes/code-redirects.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'
import { IS_OWN_HOST } from './_matches.ts'
import { isWithin } from '../../facts/span-index.ts'

/**
 * A redirect whose address a client chooses.
 * Facts: Express 5, res.redirect and res.location; RFC 9110, "Location".
 * Impact: a link to the application that leads to a page of the attacker: it serves phishing. Where an authorization code or a token goes along, the attacker gets it
 * and acts as the user who followed the link (RFC 9700, 4.1).
 */
export const openRedirect: Rule = defineRule({
  id: 'cap/open-redirect',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'high',
  cwe: [601],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
  extracts: [codeRedirects],
  grades: { code: { impact: 'session' } },
  docsByVariant: { code: 'https://www.rfc-editor.org/rfc/rfc9700#section-4.1' },
  on: 'flow',

  *check(hit, { scripts }) {
    // an address below the own host leads nowhere else
    if (hit.detail !== undefined && hit.detail !== 'begin') return
    // a browser writes the host of the link itself: no link to the application says another one
    if (IS_OWN_HOST.test(hit.part)) return
    const { file, span } = hit.at
    const carriesCode = scripts.of(file, codeRedirects).some((one) => span && isWithin(span, one))
    yield { ...gradeHit(hit), args: { part: hit.quotedPart, sink: hit.quotedSink }, ...(carriesCode && { variant: 'code' }) }
  },

  text: () => ({
    en: {
      title: 'Open redirect through request data',
      message: 'The redirect URL passed to {sink} contains request data ({part}).',
      why: 'An attacker can send users a link that starts with your own host and leads to a phishing page.',
      fix: 'Redirect only to constant paths or to URLs from an allowlist. In Node.js, you can also check the value first: new URL(value, base).origin === base, where base is the origin of your application.',
      variants: {
        code: {
          title: 'Authorization code sent to an address from the request',
          message: 'The redirect URL passed to {sink} contains request data ({part}) and carries an authorization code or token.',
          why: 'A user who follows an attacker’s link sends the code or token to the host of the attacker, who then acts as that user.',
          fix: 'Compare the address with those registered for the client, as a whole text, before anything else: if (!client.redirect_uris.includes(redirect_uri)) return res.sendStatus(400).',
        },
      },
    },
    fr: {
      title: 'Redirection ouverte vers une URL issue de la requête',
      message: 'L’URL de redirection transmise à {sink} contient des données de la requête ({part}).',
      why: 'Un attaquant peut envoyer aux utilisateurs un lien qui commence par votre propre hôte et mène à une page d’hameçonnage.',
      fix: 'Ne redirigez que vers des chemins constants ou des URL d’une liste d’autorisation. Avec Node.js, vous pouvez aussi vérifier d’abord la valeur : new URL(valeur, base).origin === base, où base est l’origine de votre application.',
      variants: {
        code: {
          title: 'Code d’autorisation envoyé à une adresse issue de la requête',
          message:
            'L’URL de redirection transmise à {sink} contient des données de la requête ({part}) et porte un code d’autorisation ou un jeton.',
          why: 'Un utilisateur qui suit le lien d’un attaquant envoie le code ou le jeton à l’hôte de celui-ci, qui agit alors en son nom.',
          fix: 'Comparez d’abord l’adresse, comme texte entier, à celles enregistrées pour le client : if (!client.redirect_uris.includes(redirect_uri)) return res.sendStatus(400).',
        },
      },
    },
  }),
})
