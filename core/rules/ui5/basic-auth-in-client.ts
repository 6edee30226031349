import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * HTTP Basic authentication that a page does itself, with a password that a value holds. A password written in the code is a finding of `secrets` alone.
 * Facts: RFC 7617, "The 'Basic' HTTP Authentication Scheme"; jQuery API, ajax; API of sap.ui.model.odata.v2.ODataModel, `user` and `password`.
 * Severity: a password that the server gives to the page is that of every user of it (HIGH). One that its user enters is their own, and sent with each request (LOW).
 */
export const basicAuthInClient: Rule = defineRule({
  id: 'ui5/basic-auth-in-client',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [522],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
  on: 'flow',

  *check(hit) {
    const grade = gradeByOrigin(hit, 'HIGH')
    const isGiven = hit.origin === 'backend'
    const isKept = hit.origin === 'storage'
    yield {
      ...grade,
      ...(!isGiven && { severity: isKept ? 'MEDIUM' : 'LOW', variant: 'own' }),
      args: { part: hit.quotedPart, sink: hit.sink },
    }
  },

  text: {
    en: {
      title: 'Shared password used by a browser app',
      message: 'The value of {part} is used as the password for HTTP Basic authentication in the browser ({sink}).',
      why: 'The server sends that password to every user of the page. An attacker with any account can read it in the developer tools and call the backend with it, outside the app.',
      fix: 'Remove the Authorization header or the password setting from the page, and have the approuter log in to the backend: use a relative URL, a route in xs-app.json, and a destination that holds the credentials.',
      variants: {
        own: {
          title: 'Basic authentication in the browser',
          message: 'The value of {part} is used as the password for HTTP Basic authentication in the browser ({sink}).',
          why: 'The page handles the password in cleartext and sends it with each request: any script that an attacker injects into the page, and any log of headers, reveals it.',
          fix: 'Remove the Authorization header or the password setting from the page, and leave the login to the identity provider (XSUAA, Identity Authentication); the approuter calls the backend through a destination.',
        },
      },
    },
    fr: {
      title: 'Mot de passe partagé utilisé par une application dans le navigateur',
      message: 'La valeur de {part} sert de mot de passe à l’authentification HTTP Basic dans le navigateur ({sink}).',
      why: 'Le serveur envoie ce mot de passe à chaque utilisateur de la page. Un attaquant disposant d’un compte peut le lire dans les outils de développement et s’en servir pour appeler le serveur, hors de l’application.',
      fix: 'Retirez de la page l’en-tête Authorization ou le mot de passe transmis, et confiez à l’approuter l’authentification auprès du serveur : une URL relative, une route dans xs-app.json et une destination qui contient les identifiants.',
      variants: {
        own: {
          title: 'Authentification Basic dans le navigateur',
          message: 'La valeur de {part} sert de mot de passe à l’authentification HTTP Basic dans le navigateur ({sink}).',
          why: 'La page manipule le mot de passe en clair et l’envoie à chaque requête : tout script qu’un attaquant injecte dans la page, et tout journal d’en-têtes, le révèle.',
          fix: 'Retirez de la page l’en-tête Authorization ou le mot de passe transmis, et confiez la connexion au fournisseur d’identité (XSUAA, Identity Authentication) ; l’approuter appelle le serveur par une destination.',
        },
      },
    },
  },
})
