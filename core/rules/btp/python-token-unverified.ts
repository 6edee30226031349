import { defineRule, type Rule } from '../rule.ts'
import { findPythonTokenFaults } from './_python-tokens.ts'

/**
 * A deployed application of Python that decodes the token of the caller without verifying its signature, its audience or its end.
 * Facts: PyJWT 2, "API Reference" (`options`); RFC 8725, 3.9 (audience); SAP BTP, token service: one key signs the tokens of all applications of a subaccount.
 * Impact: an attacker forges any user and scope; a token that another application of the subaccount was given is accepted; one without a check of its end
 * has to be stolen first. Where another place verifies tokens, an unverified one decides nothing that is known.
 */
export const pythonTokenUnverified: Rule = defineRule({
  id: 'btp/python-token-unverified',
  impact: 'takeover',
  evidence: 'assumed',
  grades: { audience: { reach: 'privileged', evidence: 'shown' }, expired: { impact: 'defence', evidence: 'shown' } },
  confidence: 'medium',
  cwe: [347],
  since: '0.3.0',
  docs: 'https://pyjwt.readthedocs.io/en/stable/api.html#jwt.decode',
  on: 'project',

  *check(project) {
    for (const { file, span, setting, kind } of findPythonTokenFaults(project)) {
      const { exposure, isPublished } = project.reach.ofServer(file)
      yield {
        at: { file, span },
        args: { setting },
        ...(kind === 'signature' ? { exposure, ...(isPublished && { evidence: 'shown' as const }) } : { variant: kind }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Token accepted without verifying its signature in Python',
      message:
        'Because of {setting}, the claims of the caller’s token are read without verifying its signature, and no other code of the application verifies tokens.',
      why: 'An attacker can forge a token with any user and any scopes, and call the service as that user.',
      fix: 'Verify the token: xssec.create_security_context(token, credentials), or jwt.decode(token, key, algorithms=["RS256"], audience=client_id) with the key of the token service.',
      variants: {
        audience: {
          title: 'Token for another application accepted in Python',
          message: '{setting}: the audience of the token is not verified here, and no other code of the file looks at it.',
          why: 'The tokens of all applications of a subaccount have signatures of the same key. A token that was issued for another application is accepted here, and with it each of its users.',
          fix: 'Remove {setting} and pass audience=client_id; where the token service leaves out the audience, compare payload["cid"] with the client ID.',
        },
        expired: {
          title: 'Expired token accepted in Python',
          message: '{setting}: a token is accepted here after it has expired.',
          why: 'An attacker who gets hold of an old token, for example in a log, can use it without any limit.',
          fix: 'Remove {setting}; for clocks that differ, pass leeway=30.',
        },
      },
    },
    fr: {
      title: 'Jeton accepté sans vérifier sa signature en Python',
      message:
        'À cause de {setting}, le contenu du jeton de l’appelant est lu sans vérifier la signature, et aucun autre code de l’application ne vérifie de jeton.',
      why: 'Un attaquant peut forger un jeton avec n’importe quel utilisateur et n’importe quels scopes, et appeler le service en son nom.',
      fix: 'Vérifiez le jeton : xssec.create_security_context(token, credentials), ou jwt.decode(token, key, algorithms=["RS256"], audience=client_id) avec la clé du service de jetons.',
      variants: {
        audience: {
          title: 'Jeton d’une autre application accepté en Python',
          message: '{setting} : l’audience du jeton n’est pas vérifiée ici, et aucun autre code du fichier ne la regarde.',
          why: 'Les jetons de toutes les applications d’un sous-compte sont signés avec la même clé. Un jeton émis pour une autre application est accepté ici, et avec lui chacun de ses utilisateurs.',
          fix: 'Supprimez {setting} et passez audience=client_id ; si le service de jetons omet l’audience, comparez payload["cid"] avec l’identifiant du client.',
        },
        expired: {
          title: 'Jeton expiré accepté en Python',
          message: '{setting} : un jeton est accepté ici après son expiration.',
          why: 'Un attaquant qui obtient un ancien jeton, par exemple dans un journal, peut l’utiliser sans aucune limite de durée.',
          fix: 'Supprimez {setting} ; pour des horloges décalées, passez leeway=30.',
        },
      },
    },
  }),
})
