import { placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Session cookies of a backend that the approuter returns to the browser, beside its own session.
 *  Facts: @sap/approuter 23.0.0 README, setBackendSessionCookies.
 *  Impact: nothing by itself, the backend protects its own session. */
export const setbackendsessioncookies: Rule = defineRule({
  id: 'approuter/setbackendsessioncookies',
  impact: 'defence',
  reach: 'user',
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
      yield { at: placeOf(approuter.file, node), args, groupKey: `${route.source} ${route.target.name}` }
    }
  },

  text: () => ({
    en: {
      title: 'Backend session cookies sent to the browser',
      message:
        'Route "{source}" returns the session cookies of the backend {target} to the browser: "setBackendSessionCookies" is true.',
      why: 'The cookies stay in the browser after the user logs out of the approuter: the next user of this browser can get the previous user’s backend session. They also have only the attributes that the backend sets.',
      fix: 'Remove "setBackendSessionCookies": true from the route in xs-app.json: the approuter then keeps the cookies in its own session.',
    },
    fr: {
      title: 'Cookies de session du backend transmis au navigateur',
      message:
        'La route "{source}" renvoie au navigateur les cookies de session du backend {target} : "setBackendSessionCookies" vaut true.',
      why: 'Les cookies restent dans le navigateur quand l’utilisateur se déconnecte de l’approuter : le prochain utilisateur de ce navigateur peut reprendre la session du précédent auprès du backend. De plus, ces cookies n’ont que les attributs que le backend définit.',
      fix: 'Supprimez "setBackendSessionCookies": true de la route dans xs-app.json : l’approuter garde alors ces cookies dans sa propre session.',
    },
  }),
})
