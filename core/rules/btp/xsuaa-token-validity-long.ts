import { textOf } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import type { Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Seconds: the default and the most of an access token, and the default of a refresh token. */
const DEFAULT_TOKEN = 43_200
const LONGEST_TOKEN = 86_400
const DEFAULT_REFRESH = 604_800

/** Tokens that live longer than they would by default.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (`token-validity` 43200 s, at most 86400; `refresh-token-validity` 604800 s). */
export const xsuaaTokenValidityLong: Rule = defineRule({
  id: 'btp/xsuaa-token-validity-long',
  severity: 'LOW',
  confidence: 'high',
  cwe: [613],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, config, resolve } of services) {
      if (service !== 'xsuaa') continue
      for (const key of ['token-validity', 'refresh-token-validity']) {
        const node = at(config, 'oauth2-configuration', key)
        const text = resolve(textOf(node) ?? '').trim()
        if (node === undefined || !/^\d{1,12}$/.test(text)) continue
        const seconds = Number(text)
        const severity = gradeValidity(key, seconds)
        if (severity === undefined) continue
        const usual = key === 'token-validity' ? DEFAULT_TOKEN : DEFAULT_REFRESH
        const hours = String(Math.round(seconds / 3600))
        yield { at: placeOf(node), args: { key, seconds: text, hours, default: String(usual) }, severity }
      }
    }
  },

  text: {
    en: {
      title: 'Tokens live long',
      message: '"{key}" is {seconds} seconds ({hours} hours); the default is {default}.',
      why: 'A stolen token works until it ends, also after the user has logged out, lost a role or left.',
      fix: 'Write the shortest time that works: "token-validity": 1800 and "refresh-token-validity": 43200.',
    },
    fr: {
      title: 'Les jetons vivent longtemps',
      message: '« {key} » vaut {seconds} secondes ({hours} heures) ; la valeur par défaut est {default}.',
      why: 'Un jeton volé fonctionne jusqu’à son terme, même après que l’utilisateur s’est déconnecté, a perdu un rôle ou est parti.',
      fix: 'Écrivez la durée la plus courte qui convient : « "token-validity": 1800 » et « "refresh-token-validity": 43200 ».',
    },
  },
})

function gradeValidity(key: string, seconds: number): Severity | undefined {
  if (key === 'refresh-token-validity') return seconds > DEFAULT_REFRESH ? 'MEDIUM' : undefined
  if (seconds >= LONGEST_TOKEN) return 'MEDIUM'
  return seconds > DEFAULT_TOKEN ? 'LOW' : undefined
}
