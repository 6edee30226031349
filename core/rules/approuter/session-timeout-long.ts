import { numberIn, placeOf } from '../../model/approuter/index.ts'
import { at, numberOf } from '../../parse/data.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Sessions that stay open for hours without their user. The environment wins over the descriptor.
 *  Facts: @sap/approuter 23.0.0 README, SESSION_TIMEOUT and sessionTimeout in minutes, 15 by default. */
export const sessionTimeoutLong: Rule = defineRule({
  id: 'approuter/session-timeout-long',
  severity: 'LOW',
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
      if (minutes > 60) yield { at: setting.place, args, severity: gradeSetting(setting, minutes > 480 ? 'MEDIUM' : 'LOW') }
    }
    const node = at(approuter.root, 'sessionTimeout')
    const minutes = numberOf(node) ?? 0
    if (node === undefined || minutes <= 60 || settings.some(({ deployed }) => deployed)) return
    yield {
      at: placeOf(approuter.file, node),
      args: { setting: 'sessionTimeout', minutes: String(minutes) },
      ...(minutes > 480 && { severity: 'MEDIUM' }),
    }
  },

  text: {
    en: {
      title: 'Sessions stay open for a long time',
      message: '{setting} keeps a session for {minutes} minutes without a request.',
      why: 'Who finds an open browser or a stolen cookie hours later still works in the name of the user.',
      fix: 'Set {setting} to 30 or less, as long as the token of the authentication service.',
    },
    fr: {
      title: 'Les sessions restent ouvertes longtemps',
      message: '{setting} garde une session pendant {minutes} minutes sans requête.',
      why: 'Qui trouve des heures plus tard un navigateur ouvert ou un cookie volé travaille encore au nom de l’utilisateur.',
      fix: 'Donnez à {setting} la valeur 30 ou moins, comme la durée du jeton du service d’authentification.',
    },
  },
})
