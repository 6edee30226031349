import { judgeOrigin, readOrigins } from '../../model/approuter/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Origins that may open WebSockets with the session of a user, and that somebody else can be at.
 *  Facts: @sap/approuter 23.0.0 README, WS_ALLOWED_ORIGINS: unset, the origin has to be the approuter's own host. */
export const websocketOriginWide: Rule = defineRule({
  id: 'approuter/websocket-origin-wide',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1385],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#websockets-property',
  on: 'approuter',

  *check(approuter) {
    if (booleanOf(at(approuter.root, 'websockets', 'enabled')) !== true) return
    for (const setting of approuter.environment.settings('WS_ALLOWED_ORIGINS')) {
      for (const { host, node } of readOrigins(setting.value)) {
        if (judgeOrigin(host) === 'own') continue
        yield { at: setting.placeOf(node), args: { host }, severity: gradeSetting(setting, 'MEDIUM'), key: host }
      }
    }
  },

  text: {
    en: {
      title: "Foreign pages may open WebSockets with the user's session",
      message: 'WS_ALLOWED_ORIGINS allows {host}.',
      why: 'A page at such a host, opened by a user who is logged in, talks to the backend in the name of this user.',
      fix: 'Remove WS_ALLOWED_ORIGINS, or name the hosts that need it with "protocol": "https".',
    },
    fr: {
      title: 'Des pages étrangères peuvent ouvrir des WebSockets avec la session de l’utilisateur',
      message: 'WS_ALLOWED_ORIGINS autorise {host}.',
      why: 'Une page placée sur un tel hôte, ouverte par un utilisateur connecté, parle au backend en son nom.',
      fix: 'Supprimez WS_ALLOWED_ORIGINS, ou indiquez les hôtes nécessaires avec « "protocol": "https" ».',
    },
  },
})
