import { itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const EVERYTHING = /^\^?\(?(?:\.[*+]|\[\^\/\][*+]|\\w[*+])\)?\$?$/

/** Patterns that route requests for every HTML5 app by the central descriptor instead of the one of the app.
 *  Facts: @sap/approuter 23.0.0 README, "Direct Routing URI Patterns": tested on the first segment of the path.
 *  Impact: nothing by itself, the central routes must ask for less than those of an app. */
export const directRoutingBypass: Rule = defineRule({
  id: 'approuter/direct-routing-bypass',
  impact: 'defence',
  reach: 'user',
  confidence: 'medium',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#direct-routing-uri-patterns-configuration',
  on: 'approuter',

  *check(approuter) {
    for (const setting of approuter.environment.settings('DIRECT_ROUTING_URI_PATTERNS')) {
      for (const node of itemsOf(setting.value)) {
        const pattern = stringOf(node) ?? ''
        if (setting.deployed && EVERYTHING.test(pattern)) yield { at: setting.placeOf(node), args: { pattern }, key: pattern }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Direct routing pattern matching every HTML5 app',
      message: 'DIRECT_ROUTING_URI_PATTERNS contains "{pattern}", which matches the first path segment of every app.',
      why: 'If the approuter serves apps from the HTML5 repository, requests for them use the routes of the central xs-app.json: the scopes and authentication that an app’s own xs-app.json requires are not enforced.',
      fix: 'Replace "{pattern}" in DIRECT_ROUTING_URI_PATTERNS with the first path segments to be routed centrally, such as "^healthz$" and "^public$".',
    },
    fr: {
      title: 'Motif de routage direct couvrant toutes les applications HTML5',
      message:
        'DIRECT_ROUTING_URI_PATTERNS contient "{pattern}", qui correspond au premier segment du chemin de toute application.',
      why: 'Si l’approuter sert des applications du dépôt HTML5, les requêtes vers celles-ci suivent les routes du xs-app.json central : les scopes et l’authentification qu’exige le xs-app.json d’une application ne sont pas appliqués.',
      fix: 'Remplacez "{pattern}" dans DIRECT_ROUTING_URI_PATTERNS par un motif pour chaque premier segment de chemin que le xs-app.json central doit traiter, par exemple "^healthz$" et "^public$".',
    },
  }),
})
