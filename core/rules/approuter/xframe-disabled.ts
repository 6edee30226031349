import { isSet, readCsp, readResponseHeaders } from '../../model/approuter/index.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The header against framing that the approuter sends by default, switched off or emptied, with nothing in its place.
 *  Facts: @sap/approuter 23.0.0 README, "X-Frame-Options configuration"; the browsers ignore ALLOW-FROM and unknown values. */
export const xframeDisabled: Rule = defineRule({
  id: 'approuter/xframe-disabled',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#x-frame-options-configuration',
  on: 'approuter',

  *check(approuter) {
    const { environment } = approuter
    const headers = readResponseHeaders(approuter)
    const isFramed = environment.settings('ENABLE_FRAME_ANCESTORS_CSP_HEADERS').some((setting) => isSet(setting, true))
    if (isFramed || headers.some(({ name, value }) => name === 'content-security-policy' && readCsp(value).frameAncestors)) return
    for (const setting of environment.settings('SEND_XFRAMEOPTIONS')) {
      if (isSet(setting, false))
        yield { at: setting.place, args: { setting: setting.name, value: 'false' }, severity: gradeSetting(setting, 'MEDIUM') }
    }
    for (const { name, value, valuePlace } of headers) {
      if (name === 'x-frame-options' && !/^(?:deny|sameorigin)$/i.test(value.trim()))
        yield { at: valuePlace, args: { setting: 'X-Frame-Options', value } }
    }
  },

  text: {
    en: {
      title: 'Every page may show the app in a frame',
      message: '{setting} is {value}, and no policy says who may frame the app.',
      why: 'A page of somebody else shows the app in an invisible frame, and the clicks of a user do there what he never wanted.',
      fix: 'Remove {setting}; where the app is embedded, send "Content-Security-Policy: frame-ancestors \'self\' https://<host>" instead.',
    },
    fr: {
      title: 'Toute page peut afficher l’application dans un cadre',
      message: '{setting} vaut {value}, et aucune politique ne dit qui peut encadrer l’application.',
      why: 'La page d’un tiers affiche l’application dans un cadre invisible, et les clics de l’utilisateur y font ce qu’il n’a jamais voulu.',
      fix: "Supprimez {setting} ; si l’application est intégrée ailleurs, envoyez plutôt « Content-Security-Policy: frame-ancestors 'self' https://<hôte> ».",
    },
  },
})
