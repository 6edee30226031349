import { forwardsToken, isLoopback, isOpen, readUrl } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Names that no traffic leaves the platform or the machine for. */
const INSIDE = /(?:^|\.)internal$|\.svc(?:\.cluster\.local)?$|\.local$|^[^.]{1,100}$/

/** A destination that goes through the internet without encryption.
 *  Facts: SAP BTP Connectivity, "HTTP Destinations"; with ProxyType OnPremise the Cloud Connector's tunnel encrypts. */
export const destinationHttpUrl: Rule = defineRule({
  id: 'btp/destination-http-url',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/http-destinations',
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      if (kind !== 'service' || !/^http$/i.test(property('Type')?.text ?? 'HTTP')) continue
      if (!/^internet$/i.test(property('ProxyType')?.text ?? 'Internet')) continue
      for (const key of ['URL', 'tokenServiceURL']) {
        const written = property(key)
        const url = readUrl(written?.text ?? '')
        if (written === undefined || url?.scheme !== 'http') continue
        if (isOpen(url.host) || isLoopback(url.host) || INSIDE.test(url.host)) continue
        // btp/destination-token-to-foreign-host says more about it
        if (key === 'URL' && forwardsToken(destination)) continue
        yield { at: written.place, args: { name, key, host: url.host } }
      }
    }
  },

  text: {
    en: {
      title: 'A destination uses plain HTTP',
      message: '"{key}" of destination {name} is http://{host}, reached through the internet.',
      why: 'Whoever listens on the way reads and changes all requests and answers, with the credentials that they carry.',
      fix: 'Write https:// in "{key}" of {name}.',
    },
    fr: {
      title: 'Une destination utilise HTTP sans chiffrement',
      message: '« {key} » de la destination {name} est http://{host}, joint par Internet.',
      why: 'Quiconque écoute le trafic lit et modifie toutes les requêtes et réponses, avec les identifiants qu’elles portent.',
      fix: 'Écrivez https:// dans « {key} » de {name}.',
    },
  },
})
