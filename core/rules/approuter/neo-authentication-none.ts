import { listNames } from '../../arguments.ts'
import { isDemoData } from '../../model/approuter/index.ts'
import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An HTML5 application of the Neo environment that asks nobody for a login, with routes to destinations that no security constraint protects.
 * Facts: SAP BTP, Neo environment, "Authentication" (`authenticationMethod`: `saml` is the default, `none` switches it off; a security constraint protects its paths all the
 * same) and "Authorization" (`securityConstraints`, `protectedPaths`).
 * Impact: a caller without a login reads and changes what the destination leads to; which credentials it stores is not in the project.
 */
export const neoAuthenticationNone: Rule = defineRule({
  id: 'approuter/neo-authentication-none',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/btp/sap-btp-neo-environment/authentication',
  keywords: ['authenticationMethod'],
  on: 'data',

  *check({ path: file, kind, content }) {
    const [root] = content.roots
    const method = at(root, 'authenticationMethod')
    if (kind.role !== 'neo-app' || method === undefined || stringOf(method) !== 'none') return
    const constrained = itemsOf(at(root, 'securityConstraints')).flatMap((one) => textItems(at(one, 'protectedPaths')))
    const names = itemsOf(at(root, 'routes')).flatMap((route) => {
      const path = stringOf(at(route, 'path')) ?? ''
      const name = stringOf(at(route, 'target', 'name'))
      const isOpen =
        stringOf(at(route, 'target', 'type')) === 'destination' && !constrained.some(({ text }) => isBelow(path, text))
      return isOpen && name !== undefined && !isDemoData(name) ? name : []
    })
    if (names.length === 0) return
    yield { at: { file, span: { start: method.start, end: method.end } }, args: { destinations: listNames([...new Set(names)]) } }
  },

  text: {
    en: {
      title: 'Authentication disabled for a Neo application',
      message: '"authenticationMethod": "none" makes all routes public, including the one to {destinations:and}.',
      why: 'Anyone on the Internet can send requests to this back end without authentication; the platform adds the credentials stored in the destination, if any.',
      fix: 'Remove "authenticationMethod": "none" from neo-app.json (default: "saml"). If parts of the app must be public, protect the paths of the routes to {destinations:and} with "securityConstraints".',
    },
    fr: {
      title: 'Authentification désactivée pour une application Neo',
      message: '"authenticationMethod": "none" rend toutes les routes publiques, y compris celle qui mène à {destinations:et}.',
      why: 'N’importe qui sur Internet peut envoyer des requêtes à ce backend sans authentification ; la plateforme y joint les identifiants enregistrés dans la destination, s’il y en a.',
      fix: 'Supprimez "authenticationMethod": "none" de neo-app.json (valeur par défaut : "saml"). Si des parties de l’application doivent être publiques, protégez les chemins des routes vers {destinations:et} par "securityConstraints".',
    },
  },
})

/** A constraint holds for a folder and all below it. */
function isBelow(path: string, folder: string): boolean {
  const own = folder.replace(/\/$/, '')
  return path === own || path.startsWith(`${own}/`)
}
