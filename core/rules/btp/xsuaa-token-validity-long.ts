import { textOf } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Seconds: the default of the service, and what SAP recommends as an example. */
const VALIDITIES = [
  { key: 'token-validity', usual: 43_200, recommended: 1800 },
  { key: 'refresh-token-validity', usual: 604_800, recommended: 43_200 },
]

/**
 * Tokens of XSUAA that live longer than by default.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (`token-validity` 43200 s, at most 86400; `refresh-token-validity`
 * 604800 s).
 * Impact: nothing by itself, a token must be stolen first.
 */
export const xsuaaTokenValidityLong: Rule = defineRule({
  id: 'btp/xsuaa-token-validity-long',
  impact: 'defence',
  reach: 'user',
  confidence: 'high',
  cwe: [613],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config, resolve } of services) {
      if (service !== 'xsuaa') continue
      for (const { key, usual, recommended } of VALIDITIES) {
        const node = at(config, 'oauth2-configuration', key)
        const text = resolve(textOf(node) ?? '').trim()
        if (node === undefined || !/^\d{1,12}$/.test(text)) continue
        const seconds = Number(text)
        if (seconds <= usual) continue
        const place = placeOf(node)
        const args = { key, name, seconds: text, default: String(usual), recommended: String(recommended) }
        yield {
          at: place,
          args: { ...args, descriptor: place.file },
          ...(key === 'refresh-token-validity' && { variant: 'refresh' }),
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Long-lived XSUAA tokens',
      message: '"{key}" of {name} is {seconds} seconds; the default is {default}.',
      why: 'An attacker can use a stolen token until it expires, even after the user has logged out or lost a role.',
      fix: 'Set "{key}": {recommended} in {descriptor}, or the shortest time that works.',
      variants: {
        refresh: {
          title: 'Long-lived XSUAA refresh tokens',
          why: 'An attacker with a stolen refresh token can obtain new access tokens for the user until the refresh token expires.',
        },
      },
    },
    fr: {
      title: 'Jetons XSUAA de longue durée',
      message: '"{key}" dans {name} vaut {seconds} secondes ; la valeur par défaut est {default}.',
      why: 'Un attaquant peut utiliser un jeton volé jusqu’à son expiration, même après la déconnexion de l’utilisateur ou la perte d’un rôle.',
      fix: 'Définissez "{key}": {recommended} dans {descriptor}, ou indiquez la durée la plus courte qui convient.',
      variants: {
        refresh: {
          title: 'Jetons de rafraîchissement XSUAA de longue durée',
          why: 'Un attaquant muni d’un jeton de rafraîchissement volé peut obtenir de nouveaux jetons d’accès pour l’utilisateur jusqu’à l’expiration de ce jeton de rafraîchissement.',
        },
      },
    },
  }),
})
