import { numberIn, placeOf } from '../../model/approuter/index.ts'
import { at, numberOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Sessions that stay valid for hours without a request. The environment wins over the descriptor.
 *  Facts: @sap/approuter 23.0.0 README, SESSION_TIMEOUT and sessionTimeout in minutes, 15 by default.
 *  Impact: nothing by itself, an open browser or a stolen cookie is needed. */
export const sessionTimeoutLong: Rule = defineRule({
  id: 'approuter/session-timeout-long',
  impact: 'defence',
  reach: 'user',
  confidence: 'high',
  cwe: [613],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#session-timeout-configuration',
  on: 'approuter',

  *check(approuter) {
    if (approuter.kind === 'html5-app') return
    const settings = approuter.environment.settings('SESSION_TIMEOUT')
    for (const setting of settings) {
      const minutes = numberIn(setting) ?? 0
      const args = { setting: setting.name, minutes: String(minutes) }
      if (minutes > 60) yield { at: setting.place, args }
    }
    const node = at(approuter.root, 'sessionTimeout')
    const minutes = numberOf(node) ?? 0
    if (node === undefined || minutes <= 60 || settings.some(({ deployed }) => deployed)) return
    yield {
      at: placeOf(approuter.file, node),
      args: { setting: 'sessionTimeout', minutes: String(minutes) },
    }
  },

  text: () => ({
    en: {
      title: 'Excessive session timeout',
      message: '{setting} keeps a session valid for {minutes} minutes of inactivity (default: 15).',
      why: 'An attacker who finds an unlocked computer or steals a session cookie can still use the user’s session hours later.',
      fix: 'Set {setting} to 30 (minutes) or less. If xs-security.json sets "token-validity" in "oauth2-configuration", set it to the same time in seconds (1800).',
    },
    fr: {
      title: 'Délai d’expiration de session trop long',
      message: '{setting} maintient une session valide pendant {minutes} minutes d’inactivité (valeur par défaut : 15).',
      why: 'Un attaquant qui trouve un poste non verrouillé ou vole un cookie de session peut encore utiliser la session de l’utilisateur des heures plus tard.',
      fix: 'Donnez à {setting} la valeur 30 (minutes) ou moins. Si xs-security.json définit "token-validity" dans "oauth2-configuration", donnez-lui la même durée en secondes (1800).',
    },
  }),
})
