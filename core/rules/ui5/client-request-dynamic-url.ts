import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * A request of the page whose address others choose. It is the browser that sends it, with the cookies of the user: no server-side request forgery.
 * Facts: Fetch standard; API reference of jQuery 3.7, "ajax"; API reference of SAPUI5, models.
 * Severity: who decides about the host gets what is sent, and answers in its place (MEDIUM); a part of the path reaches other resources of the same host (LOW).
 */
export const clientRequestDynamicUrl: Rule = defineRule({
  id: 'ui5/client-request-dynamic-url',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [441],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/DOM_based_XSS_Prevention_Cheat_Sheet.html',
  on: 'flow',

  *check(hit) {
    const isHost = hit.detail === 'begin'
    // a key that the backend gave out leads back to its record, and what the user looks for is their own request: typed into a path it may leave that
    const isOthers =
      hit.origin === 'url' ||
      hit.origin === 'window-message' ||
      (hit.origin === 'backend' && !hit.isKey) ||
      (hit.origin === 'input' && hit.detail !== 'query')
    if (hit.origin === 'unknown' || (!isHost && !isOthers)) return
    const grade = gradeByOrigin(hit, isHost ? 'MEDIUM' : 'LOW')
    yield { ...grade, args: { part: hit.part, sink: hit.sink }, ...(!isHost && { variant: 'path', confidence: 'medium' }) }
  },

  text: {
    en: {
      title: 'Request to an address that others choose',
      message: '{part} decides which host {sink} sends a request to.',
      why: 'An attacker gets what the page sends, tokens included, and answers in place of your server with data that the app then shows.',
      fix: 'Use constant paths such as /api/items and look variable targets up in a map; check an address with new URL(url, location.href).origin === location.origin.',
      variants: {
        path: {
          title: 'Unencoded value in the address of a request',
          message: '{part} becomes part of the address of a request by {sink}, without encoding.',
          why: 'With ../ or ? or & in that value a link makes the page call other resources of the same host, in the session of the user.',
          fix: 'Encode the value: encodeURIComponent(value); or hand it over in URLSearchParams or in data.',
        },
      },
    },
    fr: {
      title: 'Requête vers une adresse choisie par d’autres',
      message: '{part} décide de l’hôte auquel {sink} envoie une requête.',
      why: 'Un attaquant reçoit ce que la page envoie, jetons compris, et répond à la place de votre serveur avec des données que l’application affiche ensuite.',
      fix: 'Utilisez des chemins constants comme /api/items et cherchez les cibles variables dans une table ; vérifiez une adresse avec new URL(url, location.href).origin === location.origin.',
      variants: {
        path: {
          title: 'Valeur non encodée dans l’adresse d’une requête',
          message: '{part} entre sans encodage dans l’adresse d’une requête de {sink}.',
          why: 'Avec ../, ? ou & dans cette valeur, un lien fait appeler par la page d’autres ressources du même hôte, dans la session de l’utilisateur.',
          fix: 'Encodez la valeur : encodeURIComponent(valeur) ; ou passez-la dans URLSearchParams ou dans data.',
        },
      },
    },
  },
})
