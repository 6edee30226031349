import { isSet, readCsp, readResponseHeaders } from '../../model/approuter/index.ts'
import { quoteValue } from '../../quote.ts'
import type { Localized, RuleText } from '../../types.ts'
import { unsetCommand, usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A value of the header that has no effect. */
const IGNORED: Localized<Pick<RuleText, 'title' | 'message' | 'why'>> = {
  en: {
    title: 'X-Frame-Options value that browsers ignore',
    message:
      'The response header {setting} is {value}, which browsers ignore; SAMEORIGIN is not sent, and no Content-Security-Policy with frame-ancestors restricts framing.',
    why: 'An attacker can load the app in an invisible frame on a malicious page and trick logged-in users into clicking on it.',
  },
  fr: {
    title: 'Valeur de X-Frame-Options que les navigateurs ignorent',
    message:
      'L’en-tête de réponse {setting} vaut {value}, que les navigateurs ignorent ; SAMEORIGIN n’est pas envoyé, et aucune Content-Security-Policy avec frame-ancestors ne limite l’intégration dans une iframe.',
    why: 'Un attaquant peut charger l’application dans une iframe invisible d’une page malveillante et y détourner les clics d’utilisateurs connectés.',
  },
}

/** X-Frame-Options, which the approuter sends by default, disabled or ineffective, without frame-ancestors in its place.
 *  Facts: @sap/approuter 23.0.0 README, "X-Frame-Options configuration"; lib/middleware/additional-headers-middleware.js: SAMEORIGIN is left out only where
 *  "x-frame-options" is listed in lower case, and sent beside any other spelling; HTML standard, "X-Frame-Options": browsers ignore ALLOW-FROM and unknown
 *  values, but block framing where one of several values is SAMEORIGIN or DENY.
 *  Impact: nothing by itself, a page must offer an action that a click of the user completes. */
export const xframeDisabled: Rule = defineRule({
  id: 'approuter/xframe-disabled',
  impact: 'defence',
  reach: 'anyone',
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
    const listed = headers.filter(({ name }) => name === 'x-frame-options')
    if (listed.some(({ value }) => BLOCKS.test(value.trim()))) return
    const disabled = environment.settings('SEND_XFRAMEOPTIONS').filter((setting) => isSet(setting, false))
    for (const setting of disabled)
      yield {
        at: setting.place,
        args: { setting: setting.name, value: 'false', unset: unsetCommand(setting) },
        ...usageOf(setting),
      }
    for (const { name, sentName, value, valuePlace } of listed) {
      if (sentName === name || disabled.length > 0)
        yield {
          at: valuePlace,
          args: {
            setting: sentName,
            value: quoteValue(value),
            unset: disabled.map(unsetCommand).find((text) => text !== '') ?? '',
          },
          variant: disabled.length > 0 ? 'ignoredOff' : 'ignored',
        }
    }
  },

  text: () => ({
    en: {
      title: 'Clickjacking: framing allowed for any origin',
      message:
        '{setting} is {value}, so the approuter does not send X-Frame-Options: SAMEORIGIN, and no Content-Security-Policy with frame-ancestors restricts framing.',
      why: 'An attacker can load the app in an invisible frame on a malicious page and trick logged-in users into clicking on it.',
      fix: 'Remove {setting}: the approuter then sends X-Frame-Options: SAMEORIGIN{unset}. If other sites embed the app, add to "responseHeaders" in xs-app.json: { "name": "Content-Security-Policy", "value": "frame-ancestors \'self\' https://portal.example.com" }.',
      variants: {
        ignored: IGNORED.en,
        ignoredOff: {
          ...IGNORED.en,
          fix: 'Remove {setting} and SEND_XFRAMEOPTIONS: the approuter then sends X-Frame-Options: SAMEORIGIN{unset}. If other sites embed the app, add to "responseHeaders": { "name": "Content-Security-Policy", "value": "frame-ancestors \'self\' https://portal.example.com" }.',
        },
      },
    },
    fr: {
      title: 'Détournement de clic : affichage en iframe autorisé pour toute origine',
      message:
        '{setting} vaut {value} : l’approuter n’envoie pas X-Frame-Options: SAMEORIGIN, et aucune Content-Security-Policy avec frame-ancestors ne limite l’intégration dans une iframe.',
      why: 'Un attaquant peut charger l’application dans une iframe invisible d’une page malveillante et y détourner les clics d’utilisateurs connectés.',
      fix: 'Supprimez {setting} : l’approuter envoie alors X-Frame-Options: SAMEORIGIN{unset}. Si d’autres sites intègrent l’application, ajoutez à "responseHeaders" dans xs-app.json : { "name": "Content-Security-Policy", "value": "frame-ancestors \'self\' https://portal.example.com" }.',
      variants: {
        ignored: IGNORED.fr,
        ignoredOff: {
          ...IGNORED.fr,
          fix: 'Supprimez {setting} et SEND_XFRAMEOPTIONS : l’approuter envoie alors X-Frame-Options: SAMEORIGIN{unset}. Si d’autres sites intègrent l’application, ajoutez à "responseHeaders" : { "name": "Content-Security-Policy", "value": "frame-ancestors \'self\' https://portal.example.com" }.',
        },
      },
    },
  }),
})

/** The values that browsers know. */
const BLOCKS = /^(?:deny|sameorigin)$/i
