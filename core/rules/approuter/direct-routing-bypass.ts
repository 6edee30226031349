import { itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const EVERYTHING = /^\^?\(?(?:\.[*+]|\[\^\/\][*+]|\\w[*+])\)?\$?$/

/** Patterns that let requests for every HTML5 app be served by the central descriptor instead of the app's own.
 *  Facts: @sap/approuter 23.0.0 README, "Direct Routing URI Patterns": tested on the first segment of the path. */
export const directRoutingBypass: Rule = defineRule({
  id: 'approuter/direct-routing-bypass',
  severity: 'LOW',
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

  text: {
    en: {
      title: 'The descriptors of the apps are passed by',
      message: 'DIRECT_ROUTING_URI_PATTERNS has {pattern}, which fits every app.',
      why: 'Requests for an app use the routes of the central xs-app.json: what the app asks for in its own is not asked.',
      fix: 'Name the segments: ["^healthz$", "^public$"].',
    },
    fr: {
      title: 'Les descripteurs des applications sont contournés',
      message: 'DIRECT_ROUTING_URI_PATTERNS contient {pattern}, qui correspond à toute application.',
      why: 'Les requêtes vers une application suivent les routes du xs-app.json central : ce que l’application exige dans le sien n’est pas exigé.',
      fix: 'Nommez les segments : ["^healthz$", "^public$"].',
    },
  },
})
