import type { FlowHit } from '../../flow/index.ts'
import type { Localized } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { meansOf } from './_attack-ways.ts'
import { gradeByOrigin } from './_flow-grade.ts'
import { sentTokens, takesToken } from './_sent-tokens.ts'

const ENCODE: Localized<string> = {
  en: 'Reject the values "." and "..", and encode all others with encodeURIComponent(value).',
  fr: 'Refusez les valeurs "." et "..", et encodez toutes les autres avec encodeURIComponent(valeur).',
}

/**
 * A request of the page whose address others choose. It is the browser that sends it, with the cookies of the user: no server-side request forgery.
 * Facts: Fetch standard; API reference of jQuery 3.7, "ajax"; API reference of SAPUI5, models.
 * Impact: the host gets what is sent, without the cookies of the app, and answers in its place; a part of the path reaches other resources of the same
 * host. What users choose themselves is their own request. A token in the Authorization header opens the session of the user for the host that gets it.
 */
export const clientRequestDynamicUrl: Rule = defineRule({
  id: 'ui5/client-request-dynamic-url',
  impact: 'bounded',
  // what the other resources of the host do is not known
  grades: { path: { evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [441],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html#dealing-with-client-side-csrf-attacks-important',
  on: 'flow',
  yieldsTo: ['ui5/odata-filter-injection'],
  extracts: [sentTokens],

  *check(hit, project) {
    const isHost = hit.detail === 'begin'
    // a key that the backend gave out leads back to its record
    const isOthers =
      hit.origin === 'url' || hit.origin === 'window-message' || (hit.origin === 'backend' && !hit.marks.has('key'))
    if (hit.origin === 'unknown' || hit.origin === 'input' || (!isHost && !isOthers)) return
    const isSocket = hit.api.effects.has('socket')
    const variant = isHost ? (isSocket ? 'socket' : undefined) : 'path'
    yield {
      ...gradeByOrigin(hit, project),
      args: { part: hit.quotedPart, sink: hit.sink, means: meansOf(hit) },
      ...(variant !== undefined && { variant }),
      ...(isHost && takesToken(hit.at, project) && { impact: 'session' as const }),
      // a helper reads the value once for all requests
      groupKey: `${variant ?? ''} ${sourceOf(hit)}`,
      ...(!isHost && { confidence: 'medium' }),
    }
  },

  text: () => ({
    en: {
      title: 'Client-side request forgery: request URL from untrusted input',
      message: 'A value from {part} determines the host to which {sink} sends a request.',
      why: 'An attacker who controls that value receives the request, with any headers and data that the page adds, and can answer in place of your server.',
      fix: 'Use constant paths such as /api/items and look up other targets in a constant object; otherwise send the request only if new URL(url, location.href).origin === location.origin.',
      variants: {
        path: {
          title: 'Unencoded value in a request URL',
          message: 'The URL passed to {sink} contains an unencoded value from {part}.',
          why: 'An attacker can put ../, ? or & into that value {means}, so that the page calls other resources of the same host.',
          fix: ENCODE.en,
        },
        socket: {
          message: 'A value from {part} determines the host to which {sink} connects.',
          why: 'An attacker who controls that value receives what the page sends over the connection, and can answer in place of your server.',
          fix: 'Connect to the app’s own host, for example with "wss://" + location.host + "/news", or look up the host in a constant object.',
        },
      },
    },
    fr: {
      title: 'Falsification de requête côté client : URL issue d’une donnée non fiable',
      message: 'Une valeur issue de {part} détermine l’hôte auquel {sink} envoie une requête.',
      why: 'Un attaquant qui contrôle cette valeur reçoit la requête, avec les éventuels en-têtes et données que la page y ajoute, et peut répondre à la place de votre serveur.',
      fix: 'Utilisez des chemins constants comme /api/items, ou choisissez la cible dans une table de correspondance constante ; sinon, n’envoyez la requête que si new URL(url, location.href).origin === location.origin.',
      variants: {
        path: {
          title: 'Valeur non encodée dans l’URL d’une requête',
          message: 'L’URL transmise à {sink} contient une valeur non encodée issue de {part}.',
          why: 'Un attaquant peut placer ../, ? ou & dans cette valeur, {means} : la page appelle alors d’autres ressources du même hôte.',
          fix: ENCODE.fr,
        },
        socket: {
          message: 'Une valeur issue de {part} détermine l’hôte auquel {sink} se connecte.',
          why: 'Un attaquant qui contrôle cette valeur reçoit ce que la page envoie par cette connexion et peut répondre à la place de votre serveur.',
          fix: 'Connectez-vous à l’hôte de l’application, par exemple par "wss://" + location.host + "/news", ou cherchez l’hôte dans un objet constant.',
        },
      },
    },
  }),
})

/** Where the value was read. */
function sourceOf({ steps, at }: FlowHit): string {
  const { file, span } = steps[0]?.at ?? at
  return `${file} ${span?.start ?? 0}`
}
