import { placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Cookies of a backend that the approuter passes on to the browser, beside its own session.
 *  Facts: @sap/approuter 23.0.0 README, setBackendSessionCookies. */
export const setbackendsessioncookies: Rule = defineRule({
  id: 'approuter/setbackendsessioncookies',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1275],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      const node = at(route.node, 'setBackendSessionCookies')
      if (node === undefined || booleanOf(node) !== true || !route.authenticates) continue
      const args = { source: route.source, target: route.target.name }
      yield { at: placeOf(approuter.file, node), args, sameAs: `${route.source} ${route.target.name}` }
    }
  },

  text: {
    en: {
      title: 'Backend sessions live in the browser',
      message: 'Route {source} passes the session cookies of {target} on to the browser.',
      why: 'The session of the backend outlives the logout of the approuter, and has the attributes that the backend gives it.',
      fix: 'Remove "setBackendSessionCookies": true: the approuter then keeps these cookies in its own session.',
    },
    fr: {
      title: 'Des sessions du backend vivent dans le navigateur',
      message: 'La route {source} transmet au navigateur les cookies de session de {target}.',
      why: 'La session du backend survit à la déconnexion de l’approuter, avec les attributs que le backend lui donne.',
      fix: 'Supprimez « "setBackendSessionCookies": true » : l’approuter garde alors ces cookies dans sa propre session.',
    },
  },
})
