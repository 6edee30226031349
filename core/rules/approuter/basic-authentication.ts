import { defineRule, type Rule } from '../rule.ts'

/** Basic authentication on a route: clients send the password of a user with every request.
 *  Facts: @sap/approuter 23.0.0 README, "authenticationType": with "basic" the approuter exchanges user and password for a token at the authentication service.
 *  Impact: nothing by itself, a password must be guessed or leak first. */
export const basicAuthentication: Rule = defineRule({
  id: 'approuter/basic-authentication',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [522],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const { authenticationType, authenticates, authenticationPlace, source, target } of approuter.routes) {
      if (authenticationType !== 'basic' || !authenticates) continue
      yield { at: authenticationPlace, args: { source, target: target.name }, groupKey: `${source} ${target.name}` }
    }
  },

  text: () => ({
    en: {
      title: 'Basic authentication on an approuter route',
      message: 'Route "{source}" sets "authenticationType": "basic": clients log in with a user name and a password.',
      why: 'Clients such as scripts have to store the password, and an attacker can try to guess it over the internet. Basic authentication allows neither single sign-on nor multi-factor authentication.',
      fix: 'Set "authenticationType": "xsuaa" (or "ias") on the route in xs-app.json. Have technical clients call the backend {target} directly with an OAuth 2.0 token.',
    },
    fr: {
      title: 'Authentification basique sur une route de l’approuter',
      message:
        'La route "{source}" définit "authenticationType": "basic" : les clients se connectent avec un identifiant et un mot de passe.',
      why: 'Les clients tels que les scripts doivent stocker le mot de passe, et un attaquant peut tenter de le deviner depuis Internet. L’authentification basique ne permet ni l’authentification unique (SSO) ni l’authentification multifacteur.',
      fix: 'Définissez "authenticationType": "xsuaa" (ou "ias") sur la route dans xs-app.json. Les clients techniques doivent appeler directement le backend {target} avec un jeton OAuth 2.0.',
    },
  }),
})
