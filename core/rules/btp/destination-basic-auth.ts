import { defineRule, type Rule } from '../rule.ts'

/** Users of SAP systems that may do everything. */
const SUPER_USER = /^(?:ddic|sap\*|system|sys|admin|administrator|root|superuser|dbadmin|sapadm|sapjsf|tmsadm|earlywatch)$/i

/** A destination that logs on with a password, the same for all users. The password itself is the business of the rules on secrets.
 *  Facts: SAP BTP Connectivity, "HTTP Destinations" (BasicAuthentication; `SystemUser` is deprecated). */
export const destinationBasicAuth: Rule = defineRule({
  id: 'btp/destination-basic-auth',
  severity: 'LOW',
  confidence: 'high',
  cwe: [522],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/http-destinations',
  on: 'deployment',

  *check({ destinations }) {
    for (const { kind, name, property } of destinations) {
      if (kind !== 'service') continue
      const authentication = property('Authentication')
      if (authentication !== undefined && /^BasicAuthentication$/i.test(authentication.text)) {
        const user = property('User')?.text ?? ''
        const internet = /^internet$/i.test(property('ProxyType')?.text ?? 'Internet')
        const args = { name, user: user === '' ? '' : ` (${user})` }
        yield internet && SUPER_USER.test(user)
          ? { at: authentication.place, args, severity: 'MEDIUM', variant: 'super' }
          : { at: authentication.place, args }
      }
      const system = property('SystemUser')
      if (system !== undefined && system.text.trim() !== '')
        yield { at: system.place, args: { name, user: system.text }, variant: 'system' }
    }
  },

  text: {
    en: {
      title: 'A destination logs on with a password',
      message: 'Destination {name} uses "BasicAuthentication"{user}.',
      why: 'Everybody acts as one technical user: the backend can’t tell who did what, and a leaked password has all its rights.',
      fix: 'Let users act as themselves: PrincipalPropagation, OAuth2SAMLBearerAssertion or OAuth2UserTokenExchange; for machines a client certificate.',
      variants: {
        super: {
          title: 'A destination logs on as an administrator',
          why: 'Through the internet, every user of the destination has the rights of an administrator, and one leaked password gives them to anybody.',
        },
        system: {
          title: 'A destination acts as a fixed user',
          message: 'Destination {name} names a "SystemUser": {user}.',
          why: 'Every call carries the rights of that one user, whoever is logged on. The property is deprecated.',
          fix: 'Remove "SystemUser" from {name}: the assertion then carries the user who is logged on.',
        },
      },
    },
    fr: {
      title: 'Une destination se connecte par mot de passe',
      message: 'La destination {name} utilise « BasicAuthentication »{user}.',
      why: 'Tout le monde agit sous un seul utilisateur technique : le serveur ne sait pas qui a fait quoi, et un mot de passe divulgué donne tous ses droits.',
      fix: 'Laissez chacun agir en son nom : PrincipalPropagation, OAuth2SAMLBearerAssertion ou OAuth2UserTokenExchange ; pour les machines, un certificat client.',
      variants: {
        super: {
          title: 'Une destination se connecte comme administrateur',
          why: 'Par Internet, tout utilisateur de la destination a les droits d’un administrateur, et un mot de passe divulgué les donne à n’importe qui.',
        },
        system: {
          title: 'Une destination agit sous un utilisateur fixe',
          message: 'La destination {name} nomme un « SystemUser » : {user}.',
          why: 'Chaque appel porte les droits de ce seul utilisateur, quel que soit celui qui est connecté. La propriété est obsolète.',
          fix: 'Supprimez « SystemUser » de {name} : l’assertion porte alors l’utilisateur connecté.',
        },
      },
    },
  },
})
