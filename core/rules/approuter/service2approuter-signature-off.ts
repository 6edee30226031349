import { isSet } from '../../model/approuter/index.ts'
import { usageOf, unsetCommand } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A disabled check between a service and the approuter that protects the sessions of users.
 *  Facts: @sap/approuter 23.0.0 README (SVC2AR_DIRECT_EXT_SESSION_ID_USAGE). SKIP_SERVICE2APPROUTER_APPTID_CHECK, of the changelog of 20.10.0, is read by no
 *  file of 20.10.0 and 23.0.0.
 *  Impact: with the ID of a session an attacker acts in it. */
export const service2approuterSignatureOff: Rule = defineRule({
  id: 'approuter/service2approuter-signature-off',
  impact: 'session',
  reach: 'user',
  // a session ID that leaks
  evidence: 'assumed',
  confidence: 'high',
  cwe: [345],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#service-to-application-router',
  on: 'approuter',

  *check(approuter) {
    for (const setting of approuter.environment.settings('SVC2AR_DIRECT_EXT_SESSION_ID_USAGE')) {
      if (isSet(setting, true))
        yield {
          at: setting.place,
          args: { name: setting.name, unset: unsetCommand(setting) },
          ...usageOf(setting),
        }
    }
  },

  text: () => ({
    en: {
      title: 'External session IDs accepted without a signature',
      message:
        'SVC2AR_DIRECT_EXT_SESSION_ID_USAGE is true: the x-approuter-ext-session-id header is accepted without x-approuter-ext-session-id-sig.',
      why: 'A caller with a valid token who learns the external session ID of another user can send it in this header and use that session, including its backend cookies.',
      fix: 'Remove {name}, set SVC2AR_EXTERNAL_SESSION_ID_SECRET for the approuter, and have the service send the HMAC-SHA256 of the session ID, computed with that secret, in x-approuter-ext-session-id-sig (base64, without trailing "="){unset}.',
    },
    fr: {
      title: 'Identifiants de session externes acceptés sans signature',
      message:
        'SVC2AR_DIRECT_EXT_SESSION_ID_USAGE vaut true : l’en-tête x-approuter-ext-session-id est accepté sans x-approuter-ext-session-id-sig.',
      why: 'Si un appelant muni d’un jeton valide apprend l’identifiant de session externe d’un autre utilisateur, il peut l’envoyer dans cet en-tête et utiliser la session de cet utilisateur, y compris les cookies du backend.',
      fix: 'Supprimez {name}, définissez SVC2AR_EXTERNAL_SESSION_ID_SECRET pour l’approuter, et faites en sorte que le service envoie dans x-approuter-ext-session-id-sig le HMAC-SHA256 (base64, sans "=" final) de l’identifiant de session, calculé avec ce secret{unset}.',
    },
  }),
})
