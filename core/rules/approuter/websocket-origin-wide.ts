import { judgeOrigin, readOrigins } from '../../model/approuter/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import { unsetCommand, usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An allowlist for WebSockets that contains origins which an attacker can use or register.
 *  Facts: @sap/approuter 23.0.0 README, WS_ALLOWED_ORIGINS: unset, the origin has to be the approuter's own host; lib/configuration/validators.js: which
 *  hosts it accepts.
 *  Impact: a page of another site uses WebSockets with the session of its visitor; a host that the approuter rejects is a fault of operation. */
export const websocketOriginWide: Rule = defineRule({
  id: 'approuter/websocket-origin-wide',
  impact: 'session',
  reach: 'anyone',
  // what the backend offers over WebSockets is not in the project
  evidence: 'assumed',
  grades: { invalid: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [1385],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#web-sockets',
  on: 'approuter',

  *check(approuter) {
    if (booleanOf(at(approuter.root, 'websockets', 'enabled')) !== true) return
    for (const setting of approuter.environment.settings('WS_ALLOWED_ORIGINS')) {
      for (const { host, node } of readOrigins(setting.value)) {
        const verdict = judgeOrigin(host)
        if (verdict === 'own') continue
        const found = { at: setting.placeOf(node), args: { host, unset: unsetCommand(setting) }, key: host }
        // a wildcard without a dot and a domain is no valid host: the approuter does not start
        yield verdict === 'shared' ? { ...found, ...usageOf(setting) } : { ...found, variant: 'invalid' }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Cross-site WebSocket hijacking: overly broad origin allowlist',
      message: 'WS_ALLOWED_ORIGINS allows pages of every host that matches "{host}" to open WebSockets with a user’s session.',
      why: 'If the browser attaches the session cookie, a malicious page on such a host can exchange messages with the backend on behalf of a logged-in user who opens it.',
      fix: 'Remove WS_ALLOWED_ORIGINS (default: the approuter’s host), or replace the entry for "{host}" with entries for the hosts that need access, including the approuter’s own: {"host": "portal.example.com", "protocol": "https"}{unset}.',
      variants: {
        invalid: {
          title: 'Invalid host in the WebSocket origin allowlist',
          message:
            'WS_ALLOWED_ORIGINS lists "{host}", which the approuter rejects: it accepts a wildcard only as "*." at the start of a host name.',
          why: 'The approuter does not start with this value: the app is not available until the entry is corrected.',
        },
      },
    },
    fr: {
      title: 'Détournement de WebSocket intersite : liste d’origines trop large',
      message:
        'WS_ALLOWED_ORIGINS autorise les pages de tout hôte correspondant à "{host}" à ouvrir des WebSockets avec la session d’un utilisateur.',
      why: 'Si le navigateur joint le cookie de session, une page malveillante servie par un tel hôte peut échanger des messages avec le backend au nom d’un utilisateur connecté qui ouvre cette page.',
      fix: 'Supprimez WS_ALLOWED_ORIGINS (valeur par défaut : l’hôte de l’approuter), ou remplacez l’entrée "{host}" par des entrées pour les hôtes qui ont besoin d’un accès, y compris celui de l’approuter : {"host": "portal.example.com", "protocol": "https"}{unset}.',
      variants: {
        invalid: {
          title: 'Hôte non valide dans la liste d’origines WebSocket',
          message:
            'WS_ALLOWED_ORIGINS contient "{host}", que l’approuter rejette : il n’accepte un caractère générique que sous la forme "*." au début d’un nom d’hôte.',
          why: 'L’approuter ne démarre pas avec cette valeur : l’application reste indisponible tant que l’entrée n’est pas corrigée.',
        },
      },
    },
  }),
})
