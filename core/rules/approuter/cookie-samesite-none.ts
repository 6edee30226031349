import { isSet } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import type { Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isSetByCommand, unsetCommand } from './_settings.ts'

const CONFIGURATIONS = 'https://www.npmjs.com/package/@sap/approuter#configurations'

const INSECURE: Localized<Omit<RuleText, 'fix'>> = {
  en: {
    title: 'Session cookie without the Secure attribute',
    message: 'SECURE_SESSION_COOKIE is false: the session cookie is set without the Secure attribute.',
    why: 'Browsers also send the cookie over HTTP. An attacker on the network path who sees one such request can take over the session.',
  },
  fr: {
    title: 'Cookie de session sans l’attribut Secure',
    message: 'SECURE_SESSION_COOKIE vaut false : le cookie de session est créé sans l’attribut Secure.',
    why: 'Le navigateur envoie aussi le cookie en HTTP. Un attaquant qui observe une telle requête sur le réseau peut détourner la session.',
  },
}

/** Attributes of the session cookie with which browsers send it across sites or over http.
 *  Facts: @sap/approuter 23.0.0 README, COOKIES and SECURE_SESSION_COOKIE.
 *  Impact: attributes of cookies give nothing by themselves: CSRF, or an attacker on the network path, must come first. */
export const cookieSamesiteNone: Rule = defineRule({
  id: 'approuter/cookie-samesite-none',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [1275, 614],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#additional-cookie-attributes',
  docsByVariant: { insecure: CONFIGURATIONS, insecureCommand: CONFIGURATIONS },
  on: 'approuter',

  *check(approuter) {
    const { environment } = approuter
    for (const setting of environment.settings('SECURE_SESSION_COOKIE')) {
      // local runs have no TLS
      if (setting.deployed && isSet(setting, false))
        yield {
          at: setting.place,
          args: { unset: unsetCommand(setting) },
          variant: isSetByCommand(setting) ? 'insecureCommand' : 'insecure',
        }
    }
    for (const setting of environment.settings('COOKIES')) {
      const node = at(setting.value, 'SameSite')
      if (node === undefined || stringOf(node) !== 'None' || at(setting.value, 'Partitioned') !== undefined) continue
      if (setting.deployed) yield { at: setting.placeOf(node) }
    }
  },

  text: () => ({
    en: {
      title: 'Session cookie with SameSite=None',
      message: 'COOKIES sets "SameSite": "None" without "Partitioned" for the approuter’s cookies.',
      why: 'Browsers can send the session cookie with cross-site requests, so only the CSRF token protects against requests from malicious pages.',
      fix: 'Set COOKIES to {"SameSite": "Lax"}. If the app is embedded in a page of another site, keep "None" and add "Partitioned": { "supportedPartitionAgents": "(.*)", "unsupportedPartitionAgents": "^$" }.',
      variants: {
        insecureCommand: {
          ...INSECURE.en,
          fix: 'Remove this command: behind the Cloud Foundry router, the approuter sets the Secure attribute automatically{unset}.',
        },
        insecure: {
          ...INSECURE.en,
          fix: 'Remove SECURE_SESSION_COOKIE: behind the Cloud Foundry router, the approuter sets the Secure attribute automatically. Elsewhere, set it to true.',
        },
      },
    },
    fr: {
      title: 'Cookie de session avec SameSite=None',
      message: 'COOKIES définit "SameSite": "None" pour les cookies de l’approuter, sans "Partitioned".',
      why: 'Le navigateur peut joindre le cookie de session aux requêtes intersites : seul le jeton CSRF protège encore contre les requêtes de pages malveillantes.',
      fix: 'Donnez à COOKIES la valeur {"SameSite": "Lax"}. Si l’application est intégrée dans une page d’un autre site, conservez "None" et ajoutez "Partitioned": { "supportedPartitionAgents": "(.*)", "unsupportedPartitionAgents": "^$" }.',
      variants: {
        insecureCommand: {
          ...INSECURE.fr,
          fix: 'Supprimez cette commande : derrière le routeur Cloud Foundry, l’approuter active lui-même l’attribut Secure{unset}.',
        },
        insecure: {
          ...INSECURE.fr,
          fix: 'Supprimez SECURE_SESSION_COOKIE : derrière le routeur Cloud Foundry, l’approuter active lui-même l’attribut Secure. Ailleurs, donnez-lui la valeur true.',
        },
      },
    },
  }),
})
