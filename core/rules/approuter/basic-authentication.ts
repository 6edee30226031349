import { defineRule, type Rule } from '../rule.ts'

/** A route whose users send their password with every request.
 *  Facts: @sap/approuter 23.0.0 README, "authenticationType": basic hands user and password to the authentication service. */
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
      yield { at: authenticationPlace, args: { source }, sameAs: `${source} ${target.name}` }
    }
  },

  text: {
    en: {
      title: 'A route takes user and password',
      message: 'Route {source} authenticates with "basic": every request carries user and password to the approuter.',
      why: 'A password that stands in every request is logged, kept by clients and guessed from outside; single sign-on and second factors are passed by.',
      fix: 'Write "authenticationType": "xsuaa" (or "ias"); let machines call the backend with a token of their own.',
    },
    fr: {
      title: 'Une route accepte nom d’utilisateur et mot de passe',
      message: 'La route {source} authentifie par « basic » : chaque requête apporte le mot de passe à l’approuter.',
      why: 'Un mot de passe présent dans chaque requête finit dans des journaux et des clients, et se devine de l’extérieur ; l’authentification unique et le second facteur sont contournés.',
      fix: 'Écrivez « "authenticationType": "xsuaa" » (ou « ias ») ; que les machines appellent le backend avec leur propre jeton.',
    },
  },
})
