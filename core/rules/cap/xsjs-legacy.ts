import { at, booleanOf, memberOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A package of XS classic without authentication, CSRF protection or TLS.
 * Facts: SAP HANA Developer Guide for XS classic, "The Application-Access File" (.xsaccess: exposed, authentication, prevent_xsrf, force_ssl).
 * Severity: MEDIUM, what the package serves is not examined, and CSRF takes a victim; LOW for TLS, which is off by default.
 */
export const xsjsLegacy: Rule = defineRule({
  id: 'cap/xsjs-legacy',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306, 1104],
  since: '0.1.0',
  docs: 'https://help.sap.com/doc/saphelp_hba/1.0/en-US/2f/05665239086d2de10000000a44176d/content.htm',
  on: 'data',

  *check({ path: file, kind, content }) {
    const [root] = content.roots
    if (kind.role !== 'xsaccess' || booleanOf(at(root, 'exposed')) === false) return
    const args = { file }
    const authentication = memberOf(root, 'authentication')?.value
    if (authentication?.kind === 'null')
      yield { at: { file, span: { start: authentication.start, end: authentication.end } }, args }
    for (const [key, variant, severity] of SWITCHES) {
      // without a login there is no session that a forged request could use
      if (variant === 'xsrf' && authentication?.kind === 'null') continue
      const value = memberOf(root, key)?.value
      if (booleanOf(value) === false && value !== undefined)
        yield { at: { file, span: { start: value.start, end: value.end } }, args, variant, severity }
    }
  },

  text: {
    en: {
      title: 'Missing authentication on an XS classic package',
      message: '"authentication" is null in {file}: everything in this package accepts unauthenticated requests.',
      why: 'An unauthenticated attacker can call the services of the package, which run with the privileges of a database user.',
      fix: 'Set "authentication": [{ "method": "Form" }] and "prevent_xsrf": true in {file}, and move what has to be public into a separate package.',
      variants: {
        xsrf: {
          title: 'CSRF protection disabled for an XS classic package',
          message: '"prevent_xsrf" is false in {file}: requests that change data are accepted without a CSRF token.',
          why: 'Browsers attach the session cookie to requests from other sites, so a malicious page can change data on behalf of a logged-in user.',
          fix: 'Set "prevent_xsrf": true in {file}. UI5 models fetch and send the CSRF token automatically.',
        },
        ssl: {
          title: 'Cleartext HTTP allowed for an XS classic package',
          message: '"force_ssl" is false in {file}: requests over cleartext HTTP are accepted.',
          why: 'An attacker on the network path can read the session cookie and the data.',
          fix: 'Set "force_ssl": true in {file}.',
        },
      },
    },
    fr: {
      title: 'Absence d’authentification sur un paquet XS classic',
      message: '"authentication" vaut null dans {file} : tout le contenu de ce paquet accepte des requêtes non authentifiées.',
      why: 'Un attaquant non authentifié peut appeler les services du paquet, qui s’exécutent avec les privilèges d’un utilisateur de base de données.',
      fix: 'Définissez "authentication": [{ "method": "Form" }] et "prevent_xsrf": true dans {file}, et déplacez ce qui doit être public dans un paquet distinct.',
      variants: {
        xsrf: {
          title: 'Protection CSRF désactivée pour un paquet XS classic',
          message:
            '"prevent_xsrf" vaut false dans {file} : les requêtes qui modifient des données sont acceptées sans jeton CSRF.',
          why: 'Le navigateur joint le cookie de session aux requêtes venant d’autres sites : une page malveillante peut donc modifier des données au nom d’un utilisateur connecté.',
          fix: 'Définissez "prevent_xsrf": true dans {file}. Les modèles UI5 récupèrent et envoient automatiquement le jeton CSRF.',
        },
        ssl: {
          title: 'HTTP en clair autorisé pour un paquet XS classic',
          message: '"force_ssl" vaut false dans {file} : les requêtes HTTP en clair sont acceptées.',
          why: 'Un attaquant placé sur le réseau peut lire le cookie de session et les données.',
          fix: 'Définissez "force_ssl": true dans {file}.',
        },
      },
    },
  },
})

const SWITCHES = [
  ['prevent_xsrf', 'xsrf', undefined],
  ['force_ssl', 'ssl', 'LOW'],
] as const
