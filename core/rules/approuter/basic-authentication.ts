import { defineRule, type Rule } from '../rule.ts'

/** Basic authentication on a route: clients send the password of a user with every request.
 *  Facts: @sap/approuter 23.0.0 README, "authenticationType": with "basic" the approuter exchanges user and password for a token at the authentication service.
 *  Severity: a guessed or leaked password is needed, MEDIUM. */
export const basicAuthentication: Rule = defineRule({
  id: 'approuter/basic-authentication',
  severity: 'MEDIUM',
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

  text: {
    en: {
      title: 'Basic authentication on an approuter route',
      message: 'Route "{source}" sets "authenticationType": "basic": clients send a user name and password with every request.',
      why: 'Passwords end up in scripts, clients and logs, and can be guessed over the internet: basic authentication bypasses single sign-on and multi-factor authentication.',
      fix: 'Set "authenticationType": "xsuaa" (or "ias") on the route in xs-app.json. Have technical clients call {target} directly with an OAuth 2.0 token.',
    },
    fr: {
      title: 'Authentification basique sur une route de l’approuter',
      message:
        'La route "{source}" définit "authenticationType": "basic" : les clients envoient un identifiant et un mot de passe à chaque requête.',
      why: 'Les mots de passe se retrouvent dans des scripts, des clients et des journaux, et peuvent être devinés depuis Internet : l’authentification unique (SSO) et l’authentification multifacteur sont contournées.',
      fix: 'Définissez "authenticationType": "xsuaa" (ou "ias") sur la route dans xs-app.json. Les clients techniques doivent appeler {target} directement avec un jeton OAuth 2.0.',
    },
  },
})
