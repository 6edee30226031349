import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * A response sets a cookie whose name the request chooses.
 * Facts: Express 5, `res.cookie`; RFC 6265, 5.3 (a cookie replaces one of the same name, domain and path); RFC 6265bis, "Cookie Name Prefixes".
 * Impact: a link of an attacker replaces cookies of the user who follows it, such as that of the session or of a token against CSRF. A name that begins with a constant reaches none of them.
 */
export const cookieNameFromRequest: Rule = defineRule({
  id: 'cap/cookie-name-from-request',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'high',
  cwe: [565],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#cookies',
  on: 'flow',

  *check(hit) {
    // cookies that the browser has already
    if (/(?:^|\.)(?:signedC|c)ookies\b/.test(hit.part)) return
    if (hit.concatenated || (hit.entry !== 'http-request' && hit.entry !== 'request')) return
    yield { ...gradeHit(hit), args: { part: hit.quotedPart, sink: hit.quotedSink } }
  },

  text: () => ({
    en: {
      title: 'Cookie name chosen by the request',
      message: 'The name of the cookie set by {sink} comes from the request: {part}.',
      why: 'An attacker sends a user a link that replaces cookies of the application in the user’s browser: it ends the session or puts the user into one of the attacker’s own.',
      fix: 'Set cookies with constant names, such as res.cookie("language", value), and compare the name with a list of allowed names where clients have to choose one.',
    },
    fr: {
      title: 'Nom de cookie choisi par la requête',
      message: 'Le nom du cookie défini par {sink} provient de la requête : {part}.',
      why: 'Un attaquant envoie à un utilisateur un lien qui remplace des cookies de l’application dans son navigateur : il met fin à la session ou place l’utilisateur dans celle de l’attaquant.',
      fix: 'Définissez des cookies aux noms constants, comme res.cookie("language", valeur), et comparez le nom à une liste de noms autorisés si les clients doivent en choisir un.',
    },
  }),
})
