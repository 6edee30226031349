import { isSet } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Attributes of the approuter's cookies that let other sites or unencrypted connections have them.
 *  Facts: @sap/approuter 23.0.0 README, COOKIES and SECURE_SESSION_COOKIE. */
export const cookieSamesiteNone: Rule = defineRule({
  id: 'approuter/cookie-samesite-none',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1275, 614],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#additional-cookie-attributes',
  on: 'approuter',

  *check(approuter) {
    const { environment } = approuter
    for (const setting of environment.settings('SECURE_SESSION_COOKIE')) {
      // local runs have no TLS
      if (setting.deployed && isSet(setting, false)) yield { at: setting.place, severity: 'HIGH', variant: 'insecure' }
    }
    for (const setting of environment.settings('COOKIES')) {
      const node = at(setting.value, 'SameSite')
      if (node === undefined || stringOf(node) !== 'None' || at(setting.value, 'Partitioned') !== undefined) continue
      if (setting.deployed) yield { at: setting.placeOf(node) }
    }
  },

  text: {
    en: {
      title: 'The session cookie is sent from every site',
      message: 'COOKIES sets SameSite to None without Partitioned.',
      why: 'The browser sends the session cookie also with requests that a page of somebody else makes; only the CSRF token stands between.',
      fix: 'Remove COOKIES, or write "SameSite": "Lax"; where the app is shown in a frame, add "Partitioned".',
      variants: {
        insecure: {
          title: 'The session cookie is sent over http',
          message: 'SECURE_SESSION_COOKIE is false.',
          why: 'Whoever listens to one unencrypted request has the session of the user.',
          fix: 'Remove SECURE_SESSION_COOKIE: the approuter sets the flag by itself where it runs behind TLS.',
        },
      },
    },
    fr: {
      title: 'Le cookie de session est envoyé depuis n’importe quel site',
      message: 'COOKIES donne à SameSite la valeur None sans Partitioned.',
      why: 'Le navigateur envoie le cookie de session même avec les requêtes de la page d’un tiers ; seul le jeton CSRF fait barrage.',
      fix: 'Supprimez COOKIES, ou écrivez « "SameSite": "Lax" » ; si l’application s’affiche dans un cadre, ajoutez « "Partitioned" ».',
      variants: {
        insecure: {
          title: 'Le cookie de session est envoyé en http',
          message: 'SECURE_SESSION_COOKIE vaut false.',
          why: 'Qui écoute une seule requête non chiffrée possède la session de l’utilisateur.',
          fix: 'Supprimez SECURE_SESSION_COOKIE : l’approuter active lui-même cet attribut derrière TLS.',
        },
      },
    },
  },
})
