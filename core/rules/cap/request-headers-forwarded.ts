import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * All headers of a request as headers of a request to another system: a destination, or a host of others that the code names.
 * Facts: RFC 9110, section 7.6.1 (which headers an intermediary removes) and 11.6 (Authorization is for the origin server); RFC 6265, section 8 (cookies are credentials).
 * Impact: who operates that system, or reads its logs, can act as the caller.
 */
export const requestHeadersForwarded: Rule = defineRule({
  id: 'cap/request-headers-forwarded',
  impact: 'takeover',
  reach: 'privileged',
  confidence: 'medium',
  cwe: [201],
  since: '0.3.0',
  docs: 'https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2',
  on: 'flow',

  *check(hit) {
    // what a binding or an answer holds is meant for that system
    if (HEADERS.test(hit.part) && !OF_OTHERS.test(hit.part))
      yield { ...gradeHit(hit), confidence: 'medium', args: { part: hit.quotedPart, sink: hit.quotedSink } }
  },

  text: () => ({
    en: {
      title: 'Request headers forwarded to another system',
      message:
        '{sink} sends {part}, all headers of the incoming request, to another system: the caller’s Authorization header and cookies too.',
      why: 'Whatever that system writes to its logs, or gives to its operators, holds tokens and session cookies with which an attacker can act as the callers of this application.',
      fix: 'Copy only the headers that the system needs, such as headers: { accept: req.headers.accept }. To call it as the user, use a destination with OAuth2JWTBearer or OAuth2SAMLBearerAssertion.',
      steps: { sink: '{sink} sends these headers.' },
    },
    fr: {
      title: 'En-têtes de la requête transmis à un autre système',
      message:
        '{sink} envoie à un autre système {part}, tous les en-têtes de la requête reçue, y compris l’en-tête Authorization et les cookies de l’appelant.',
      why: 'Ce que ce système écrit dans ses journaux ou montre à ses opérateurs contient des jetons et des cookies de session avec lesquels un attaquant peut agir au nom des appelants de cette application.',
      fix: 'Ne copiez que les en-têtes dont le système a besoin, par exemple headers: { accept: req.headers.accept }. Pour l’appeler au nom de l’utilisateur, utilisez une destination avec OAuth2JWTBearer ou OAuth2SAMLBearerAssertion.',
      steps: { sink: '{sink} envoie ces en-têtes.' },
    },
  }),
})

/** `req.headers`, `headers` of a destructured request. */
const HEADERS = /(?:^|[.\s])(?:raw)?headers$/i
const OF_OTHERS = /destination|response|\bres\b|axios|config|error|credential/i
