import { at, booleanOf, memberOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A package of XS classic that asks for no login, for no token against forged requests, or for no TLS.
 *  Facts: SAP HANA Developer Guide for XS classic, "The Application-Access File" (.xsaccess: exposed, authentication, prevent_xsrf, force_ssl).
 *  SQL that .xsjs files put together is the business of cap/cql-injection. */
export const xsjsLegacy: Rule = defineRule({
  id: 'cap/xsjs-legacy',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306, 1104],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/SAP_HANA_PLATFORM/4505d0bdaf4948449b7f7379d24d0f0d/5f77ce5bd95844b8a7b29d3bd6b5dbeb.html',
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
      title: 'A package of XS classic asks for no login',
      message: '"authentication" is null in {file}: everything below this package answers to anybody.',
      why: 'Services run with the database user behind them, for whoever reaches the port.',
      fix: 'Write "authentication": [{ "method": "Form" }], and keep what must be public in a package of its own.',
      variants: {
        xsrf: {
          title: 'A package of XS classic takes forged requests',
          message: '"prevent_xsrf" is false in {file}: changes are accepted without a token.',
          why: 'A page of somebody else sends requests with the session of your user, and changes data in their name.',
          fix: 'Write "prevent_xsrf": true; UI5 models fetch and send the token by themselves.',
        },
        ssl: {
          title: 'A package of XS classic answers without TLS',
          message: '"force_ssl" is false in {file}: requests over plain HTTP are answered.',
          why: 'Whoever is on the way reads the session cookie and the data.',
          fix: 'Write "force_ssl": true.',
        },
      },
    },
    fr: {
      title: 'Un paquet XS classic n’exige aucune connexion',
      message: '« authentication » vaut null dans {file} : tout ce qui se trouve sous ce paquet répond à tout le monde.',
      why: 'Les services s’exécutent avec l’utilisateur de base de données qui est derrière, pour quiconque atteint le port.',
      fix: 'Écrivez « "authentication": [{ "method": "Form" }] », et gardez ce qui doit être public dans un paquet à part.',
      variants: {
        xsrf: {
          title: 'Un paquet XS classic accepte des requêtes forgées',
          message: '« prevent_xsrf » vaut false dans {file} : les modifications sont acceptées sans jeton.',
          why: 'La page d’un tiers envoie des requêtes avec la session de votre utilisateur, et modifie des données en son nom.',
          fix: 'Écrivez « "prevent_xsrf": true » ; les modèles UI5 demandent et envoient le jeton eux-mêmes.',
        },
        ssl: {
          title: 'Un paquet XS classic répond sans TLS',
          message: '« force_ssl » vaut false dans {file} : les requêtes en HTTP simple obtiennent une réponse.',
          why: 'Quiconque se trouve sur le chemin lit le cookie de session et les données.',
          fix: 'Écrivez « "force_ssl": true ».',
        },
      },
    },
  },
})

const SWITCHES = [
  ['prevent_xsrf', 'xsrf', undefined],
  ['force_ssl', 'ssl', 'LOW'],
] as const
