import { defineRule, type Rule } from '../rule.ts'
import { policyOf } from './_kept-destinations.ts'

/** Administrator accounts of SAP systems and databases. */
const SUPER_USER = /^(?:ddic|sap\*|system|sys|admin|administrator|root|superuser|dbadmin|sapadm|sapjsf|tmsadm|earlywatch)$/i

/**
 * A destination that logs on with one technical user and password for all users. A literal password is reported by the rules on secrets.
 * Facts: SAP BTP Connectivity, "HTTP Destinations" (BasicAuthentication; `SystemUser` is deprecated).
 * Impact: nothing by itself, the password must leak first; with an administrator, users reach data that is not theirs.
 */
export const destinationBasicAuth: Rule = defineRule({
  id: 'btp/destination-basic-auth',
  impact: 'defence',
  reach: 'user',
  // every user of the app calls the backend as an administrator; what the app lets them call is not in the descriptor
  grades: { super: { impact: 'data', reach: 'user', evidence: 'assumed' } },
  confidence: 'high',
  cwe: [522],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-connectivity/blob/main/docs/1-connectivity-documentation/basic-authentication-4af3980.md',
  docsByVariant: {
    system:
      'https://github.com/SAP-docs/btp-connectivity/blob/main/docs/1-connectivity-documentation/oauth-saml-bearer-assertion-authentication-c69ea6a.md',
  },
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      const policy = policyOf(destination)
      if (kind !== 'service') continue
      const authentication = property('Authentication')
      if (authentication !== undefined && /^BasicAuthentication$/i.test(authentication.text)) {
        const user = property('User')?.text ?? ''
        const internet = /^internet$/i.test(property('ProxyType')?.text ?? 'Internet')
        const instead = internet ? 'OAuth2SAMLBearerAssertion' : 'PrincipalPropagation'
        // a client certificate does not get through the Cloud Connector
        const technical = internet ? 'ClientCertificateAuthentication' : 'OAuth2TechnicalUserPropagation'
        const keys = internet ? 'KeyStoreLocation, KeyStorePassword' : 'tokenServiceURL, clientId, clientSecret'
        const userKeys = internet ? ' (tokenServiceURL, audience, clientKey, authnContextClassRef)' : ''
        const args = { name, user: user === '' ? '' : ` ("User": "${user}")`, instead, userKeys, technical, keys, policy }
        yield internet && SUPER_USER.test(user)
          ? { at: authentication.place, args, variant: 'super' }
          : { at: authentication.place, args }
      }
      const system = property('SystemUser')
      if (system !== undefined && system.text.trim() !== '')
        yield { at: system.place, args: { name, user: system.text, policy }, variant: 'system' }
    }
  },

  text: () => ({
    en: {
      title: 'Basic authentication with a technical user in a destination',
      message: 'Destination {name} logs on to its backend with "BasicAuthentication"{user}.',
      why: 'All calls run as one technical user: the backend can’t tell users apart, and a leaked password gives an attacker all of this user’s permissions.',
      fix: 'Set "Authentication" of destination {name} to "{instead}"{userKeys} or, for technical access, "{technical}" ({keys}). Then remove "User" and "Password"{policy}.',
      variants: {
        super: {
          title: 'Basic authentication as an administrator in a destination',
          why: 'If this account is an administrator, as its name suggests, every user of the destination acts as an administrator, and a leaked password gives an attacker the same permissions over the internet.',
        },
        system: {
          title: 'Fixed user (SystemUser) in a destination',
          message: 'Destination {name} sets the deprecated property "SystemUser" to "{user}".',
          why: 'All calls run as {user}, whichever user is logged on: users get permissions that are not their own, and the backend logs the wrong name.',
          fix: 'Remove "SystemUser" from destination {name}: the assertion then identifies the user who is logged on{policy}.',
        },
      },
    },
    fr: {
      title: 'Authentification basique avec un compte technique dans une destination',
      message: 'La destination {name} se connecte à son backend avec "BasicAuthentication"{user}.',
      why: 'Tous les appels s’exécutent avec les droits d’un seul compte technique : le backend ne peut pas distinguer les utilisateurs, et un mot de passe divulgué donne tous ces droits à un attaquant.',
      fix: 'Donnez à "Authentication", dans la destination {name}, la valeur "{instead}"{userKeys} ou, pour un accès technique, "{technical}" ({keys}). Supprimez ensuite "User" et "Password"{policy}.',
      variants: {
        super: {
          title: 'Authentification basique avec un compte d’administrateur dans une destination',
          why: 'Si ce compte est celui d’un administrateur, comme son nom le suggère, tout utilisateur de la destination agit avec des droits d’administrateur, et un attaquant sur Internet qui connaît le mot de passe obtient les mêmes droits.',
        },
        system: {
          title: 'Utilisateur fixe (SystemUser) dans une destination',
          message: 'La destination {name} donne à la propriété obsolète "SystemUser" la valeur "{user}".',
          why: 'Tous les appels s’exécutent avec les droits du compte {user}, quel que soit l’utilisateur connecté : chacun obtient des droits qui ne sont pas les siens, et le backend journalise le mauvais nom.',
          fix: 'Supprimez "SystemUser" de la destination {name} : l’assertion désigne alors l’utilisateur connecté{policy}.',
        },
      },
    },
  }),
})
