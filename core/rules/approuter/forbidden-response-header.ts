import { readResponseHeaders } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Response headers that send credentials to the browser or allow every origin to read responses.
 *  Facts: @sap/approuter 23.0.0 README, "Additional headers configuration": authorization, cookie and set-cookie must not be configured.
 *  Severity: a fixed header is hygiene; CORS without credentials opens only what needs no session, LOW. */
export const forbiddenResponseHeader: Rule = defineRule({
  id: 'approuter/forbidden-response-header',
  severity: 'LOW',
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#additional-headers-configuration',
  on: 'approuter',

  *check(approuter) {
    for (const { name, value, namePlace, valuePlace } of readResponseHeaders(approuter)) {
      if (name === 'authorization' || name === 'cookie' || name === 'set-cookie') yield { at: namePlace, args: { header: name } }
      else if (name === 'access-control-allow-origin' && value.trim() === '*')
        yield { at: valuePlace, args: { header: name }, variant: 'origin' }
    }
  },

  text: {
    en: {
      title: 'Credential header sent to all clients',
      message: 'The header {header} is configured as a response header of the approuter.',
      why: 'Every client and cache gets the same value. A session ID or token in it is disclosed to all users, and set-cookie can overwrite their sessions.',
      fix: 'Remove the {header} entry from "responseHeaders" in xs-app.json, or from httpHeaders in the environment.',
      variants: {
        origin: {
          title: 'CORS allows any origin through a fixed header',
          message:
            'The approuter sends "Access-Control-Allow-Origin: *" with every response, regardless of its CORS configuration.',
          why: 'Any page can read responses that need no session, even from a network that the attacker cannot reach directly.',
          fix: 'Remove the {header} entry from "responseHeaders" or httpHeaders. If other origins need access, name them in "cors" of xs-app.json.',
        },
      },
    },
    fr: {
      title: 'En-tête d’authentification envoyé à tous les clients',
      message: 'L’en-tête {header} est configuré comme en-tête de réponse de l’approuter.',
      why: 'Chaque client et chaque cache reçoit la même valeur. Un identifiant de session ou un jeton qu’elle contient est divulgué à tous les utilisateurs, et set-cookie peut écraser leurs sessions.',
      fix: 'Supprimez l’entrée {header} de "responseHeaders" dans xs-app.json, ou de httpHeaders dans l’environnement.',
      variants: {
        origin: {
          title: 'CORS autorise toute origine par un en-tête fixe',
          message:
            'L’approuter envoie "Access-Control-Allow-Origin: *" avec chaque réponse, quelle que soit sa configuration CORS.',
          why: 'N’importe quelle page peut lire les réponses qui n’exigent pas de session, y compris depuis un réseau que l’attaquant ne peut pas atteindre directement.',
          fix: 'Supprimez l’entrée {header} de "responseHeaders" ou de httpHeaders. Si d’autres origines ont besoin d’un accès, indiquez-les dans "cors" de xs-app.json.',
        },
      },
    },
  },
})
