import { isSet } from '../../model/approuter/index.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Checks between a service and the approuter that let it take over the session of a user, switched off.
 *  Facts: @sap/approuter 23.0.0 README (SVC2AR_DIRECT_EXT_SESSION_ID_USAGE), changelog (SKIP_SERVICE2APPROUTER_APPTID_CHECK). */
export const service2approuterSignatureOff: Rule = defineRule({
  id: 'approuter/service2approuter-signature-off',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [345],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#configurations',
  on: 'approuter',

  *check(approuter) {
    for (const name of ['SVC2AR_DIRECT_EXT_SESSION_ID_USAGE', 'SKIP_SERVICE2APPROUTER_APPTID_CHECK']) {
      for (const setting of approuter.environment.settings(name)) {
        if (!isSet(setting, true)) continue
        const variant = name.startsWith('SKIP') ? { variant: 'tenant' } : {}
        yield { at: setting.place, args: { name }, severity: gradeSetting(setting, 'HIGH'), ...variant }
      }
    }
  },

  text: {
    en: {
      title: 'Session ids of other services are taken without a signature',
      message:
        'SVC2AR_DIRECT_EXT_SESSION_ID_USAGE is true: the header x-approuter-ext-session-id counts without x-approuter-ext-session-id-sig.',
      why: 'Whoever can send this header to the approuter works in the session that it names.',
      fix: 'Remove {name} and let the service sign the session id with SVC2AR_EXTERNAL_SESSION_ID_SECRET.',
      variants: {
        tenant: {
          title: 'Tokens of other tenants are not told apart',
          message: 'SKIP_SERVICE2APPROUTER_APPTID_CHECK is true: the tenant of a token that a service sends is not checked.',
          why: 'A service with a token of one tenant is served in the name of another one.',
          fix: 'Remove {name}.',
        },
      },
    },
    fr: {
      title: 'Les identifiants de session d’autres services sont acceptés sans signature',
      message:
        'SVC2AR_DIRECT_EXT_SESSION_ID_USAGE vaut true : l’en-tête x-approuter-ext-session-id compte sans x-approuter-ext-session-id-sig.',
      why: 'Quiconque peut envoyer cet en-tête à l’approuter travaille dans la session qu’il indique.',
      fix: 'Supprimez {name} et laissez le service signer l’identifiant de session avec SVC2AR_EXTERNAL_SESSION_ID_SECRET.',
      variants: {
        tenant: {
          title: 'Les jetons d’autres tenants ne sont pas distingués',
          message:
            'SKIP_SERVICE2APPROUTER_APPTID_CHECK vaut true : le tenant d’un jeton envoyé par un service n’est pas vérifié.',
          why: 'Un service muni du jeton d’un tenant est servi au nom d’un autre.',
          fix: 'Supprimez {name}.',
        },
      },
    },
  },
})
