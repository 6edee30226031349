import { conditionOf, privilegesOf, restrictionsOf, type CapRoot } from '../../model/cap/index.ts'
import { capRootOf } from '../../model/authorization/index.ts'
import { forwardsToken, providerOf } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { policyOf } from './_kept-destinations.ts'

/**
 * A destination by which a UI calls the project's own CAP service with the client's credentials, where conditions of the model compare rows with `$user`.
 * Facts: SAP BTP Connectivity, "OAuth Client Credentials Authentication" (the token is the client's) and "OAuth User Token Exchange"; capire, "Authorization", `$user`.
 * Impact: the service takes all users for the client: each one reads and changes what any of them created. Which roles the client's token has is not in the project.
 */
export const destinationLosesUser: Rule = defineRule({
  id: 'btp/destination-loses-user',
  impact: 'data',
  reach: 'user',
  // without authorities of the client, the service may refuse it
  evidence: 'assumed',
  confidence: 'high',
  cwe: [863],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/oauth-client-credentials-authentication',
  on: 'deployment',

  *check({ destinations, applications }, { approuters, capRoots }) {
    const called = new Set(
      approuters.flatMap(({ routes }) =>
        routes.flatMap(({ target, authenticationType }) =>
          target?.kind === 'destination' && authenticationType !== 'none' ? [target.name] : [],
        ),
      ),
    )
    for (const destination of destinations) {
      const { kind, name, property } = destination
      const authentication = property('Authentication')
      if (kind !== 'service' || !called.has(name) || forwardsToken(destination)) continue
      if (authentication === undefined || !/^OAuth2ClientCredentials$/i.test(authentication.text)) continue
      const application = providerOf(property('URL')?.written ?? '', applications)
      const root = application && capRootOf(application, capRoots)
      const compared = root === undefined || root.test ? undefined : elementOfUser(root)
      if (compared === undefined) continue
      yield { at: authentication.place, args: { name, compared, policy: policyOf(destination) } }
    }
  },

  text: {
    en: {
      title: 'User identity lost on the way to the own service',
      message:
        'The approuter calls the project’s own service by the destination {name} with "OAuth2ClientCredentials", while {compared} is restricted to rows of $user.',
      why: 'For the service, every user is the same client: a condition on $user separates nobody, and each user reads or changes the rows of all others.',
      fix: 'Set "Authentication" of destination {name} to "NoAuthentication" with "HTML5.ForwardAuthToken": true, so that the approuter sends the user’s own token{policy}.',
    },
    fr: {
      title: 'Identité de l’utilisateur perdue en route vers le service du projet',
      message:
        'L’approuter appelle le service du projet par la destination {name} avec "OAuth2ClientCredentials", alors que {compared} est limité aux lignes de $user.',
      why: 'Pour le service, tous les utilisateurs sont le même client : une condition sur $user ne sépare personne, et chacun lit ou modifie les lignes de tous les autres.',
      fix: 'Donnez à "Authentication", dans la destination {name}, la valeur "NoAuthentication", avec "HTML5.ForwardAuthToken": true, pour que l’approuter envoie le jeton de l’utilisateur{policy}.',
    },
  },
})

/** What users get their own rows of alone. */
function elementOfUser(root: CapRoot): string | undefined {
  for (const { name, annotation, service, element } of restrictionsOf(root)) {
    if (name !== 'restrict') continue
    for (const { where } of privilegesOf(annotation.value)) {
      const condition = where && conditionOf(where)
      if (typeof condition === 'object' && /\$user(?![\w.])|\$user\.id\b/.test(condition.text))
        return element === undefined ? service.name : `${service.name}.${element.name}`
    }
  }
  return undefined
}
