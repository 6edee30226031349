import { readResponseHeaders } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Response headers that hand out credentials or open responses to every website.
 *  Facts: @sap/approuter 23.0.0 README, "Additional headers configuration": authorization, cookie and set-cookie must not be configured. */
export const forbiddenResponseHeader: Rule = defineRule({
  id: 'approuter/forbidden-response-header',
  severity: 'MEDIUM',
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
      title: "A response header hands out what is not the browser's",
      message: '{header} is configured as a response header.',
      why: "Every user gets the same value, caches keep it: a session or token in it is everybody's.",
      fix: 'Remove {header} from the configuration.',
      variants: {
        origin: {
          title: 'Every website may read responses',
          message: 'Access-Control-Allow-Origin: * is sent with every response.',
          why: "A page of anybody reads what the approuter answers without a session, past the approuter's own CORS check.",
          fix: 'Remove the header and use "cors" with named hosts.',
        },
      },
    },
    fr: {
      title: 'Un en-tête de réponse divulgue ce qui ne regarde pas le navigateur',
      message: '{header} est configuré comme en-tête de réponse.',
      why: 'Chaque utilisateur reçoit la même valeur, les caches la conservent : une session ou un jeton qu’elle contient appartient à tous.',
      fix: 'Supprimez {header} de la configuration.',
      variants: {
        origin: {
          title: 'Tous les sites web peuvent lire les réponses',
          message: 'Access-Control-Allow-Origin: * est envoyé avec chaque réponse.',
          why: 'La page de n’importe qui lit ce que l’approuter répond sans session, en évitant son propre contrôle CORS.',
          fix: 'Supprimez l’en-tête et utilisez « cors » avec des hôtes nommés.',
        },
      },
    },
  },
})
