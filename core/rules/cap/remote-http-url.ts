import { isLoopback, isOpen, readUrl } from '../../model/deployment/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isForProduction, keyIn, remoteCredentials } from '../../model/cap/index.ts'

/** Names that no traffic leaves the platform or the machine for. */
const INSIDE = /(?:^|\.)(?:internal|local|svc)$|\.svc\.cluster\.local$|^[^.]{1,100}$/

/** A remote service that production calls without encryption.
 *  Facts: @sap/cds 9.9.3, libx/_runtime/remote/Service.js: `credentials.url` counts where no destination is named. */
export const remoteHttpUrl: Rule = defineRule({
  id: 'cap/remote-http-url',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/remote-authentication',
  on: 'cap-root',

  *check(root) {
    for (const { service, value } of remoteCredentials(root)) {
      for (const name of ['url', 'uri']) {
        const setting = value(name)
        const url = readUrl(stringOf(setting?.node) ?? '')
        if (setting === undefined || url?.scheme !== 'http') continue
        if (isOpen(url.host) || isLoopback(url.host) || INSIDE.test(url.host)) continue
        const args = { key: keyIn(setting, 'requires', service, 'credentials', name), host: url.host, file: setting.place.file }
        yield { at: setting.place, args, ...(!isForProduction(root, setting) && { severity: 'LOW' as const }) }
        break
      }
    }
  },

  text: {
    en: {
      title: 'A remote service is called over plain HTTP',
      message: '{key} in {file} is http://{host}, and holds in production.',
      why: 'Whoever listens on the way reads and changes all requests and answers, with the tokens and passwords that they carry.',
      fix: 'Write https://, or name a destination: "credentials": { "destination": "…" }.',
    },
    fr: {
      title: 'Un service distant est appelé par HTTP sans chiffrement',
      message: '{key} dans {file} est http://{host}, et vaut en production.',
      why: 'Quiconque écoute le trafic lit et modifie toutes les requêtes et réponses, avec les jetons et mots de passe qu’elles portent.',
      fix: 'Écrivez https://, ou nommez une destination : « "credentials": { "destination": "…" } ».',
    },
  },
})
