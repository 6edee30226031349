import { at, booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Destinations in the environment of the approuter that trust any certificate, or send data and tokens in the clear.
 *  Facts: @sap/approuter 23.0.0 README, "Destinations" (strictSSL, forwardAuthToken, forwardAuthCertificates). */
export const destinationEnvInsecure: Rule = defineRule({
  id: 'approuter/destination-env-insecure',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [295, 319],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#destinations',
  on: 'approuter',

  *check(approuter) {
    for (const setting of approuter.environment.settings('destinations')) {
      for (const item of itemsOf(setting.value)) {
        const [url, strict] = [setting.textOf(at(item, 'url')) ?? '', at(item, 'strictSSL')]
        const args = { name: stringOf(at(item, 'name')) ?? '', url }
        const key = args.name
        if (strict !== undefined && isFlag(strict, false) && !isLocal(url))
          yield { at: setting.placeOf(strict), args, severity: gradeSetting(setting, 'HIGH'), key: `${key} strictSSL` }
        const node = at(item, 'url')
        if (node === undefined || !/^http:\/\//i.test(url) || isLocal(url)) continue
        const verdict = isFlag(at(item, 'forwardAuthToken'), true)
          ? ({ severity: 'HIGH', variant: 'token' } as const)
          : isFlag(at(item, 'forwardAuthCertificates'), true)
            ? ({ severity: 'HIGH', variant: 'certificate' } as const)
            : ({ severity: isOnPremise(item) ? 'LOW' : 'MEDIUM', variant: 'http' } as const)
        const severity = isInternal(url) ? 'LOW' : gradeSetting(setting, verdict.severity)
        yield { at: setting.placeOf(node), args, variant: verdict.variant, severity, key: `${key} url` }
      }
    }
  },

  text: {
    en: {
      title: 'The approuter accepts any certificate of a backend',
      message: 'Destination {name} has "strictSSL": false.',
      why: 'Whoever stands between approuter and backend reads and changes everything, the tokens of the users included.',
      fix: 'Remove "strictSSL": false; give the approuter the certificate of the backend\'s authority where it is a private one.',
      variants: {
        http: {
          title: 'A destination sends data in the clear',
          message: 'Destination {name} leads to {url}.',
          why: 'Whoever stands between approuter and backend reads and changes what users send.',
          fix: 'Write the address with https://.',
        },
        token: {
          title: "The user's token is sent in the clear",
          message: 'Destination {name} forwards the token of the user to {url}.',
          why: 'Whoever stands between approuter and backend takes the token and acts as the user, in every service that accepts it.',
          fix: 'Write the address with https://, or remove "forwardAuthToken": true.',
        },
        certificate: {
          title: 'The key of the authentication service is used towards an address without TLS',
          message: 'Destination {name} has "forwardAuthCertificates": true and leads to {url}.',
          fix: 'Write the address with https://, or remove "forwardAuthCertificates": true.',
        },
      },
    },
    fr: {
      title: 'L’approuter accepte n’importe quel certificat d’un backend',
      message: 'La destination {name} a « "strictSSL": false ».',
      why: 'Qui se place entre l’approuter et le backend lit et modifie tout, y compris les jetons des utilisateurs.',
      fix: 'Supprimez « "strictSSL": false » ; si l’autorité du backend est privée, donnez son certificat à l’approuter.',
      variants: {
        http: {
          title: 'Une destination transmet des données en clair',
          message: 'La destination {name} mène à {url}.',
          why: 'Qui se place entre l’approuter et le backend lit et modifie ce que les utilisateurs envoient.',
          fix: 'Écrivez l’adresse avec https://.',
        },
        token: {
          title: 'Le jeton de l’utilisateur est transmis en clair',
          message: 'La destination {name} transmet le jeton de l’utilisateur à {url}.',
          why: 'Qui se place entre l’approuter et le backend prend le jeton et agit au nom de l’utilisateur, dans tous les services qui l’acceptent.',
          fix: 'Écrivez l’adresse avec https://, ou supprimez « "forwardAuthToken": true ».',
        },
        certificate: {
          title: 'La clé du service d’authentification sert vers une adresse sans TLS',
          message: 'La destination {name} a « "forwardAuthCertificates": true » et mène à {url}.',
          fix: 'Écrivez l’adresse avec https://, ou supprimez « "forwardAuthCertificates": true ».',
        },
      },
    },
  },
})

function isFlag(node: DataNode | undefined, wanted: boolean): boolean {
  return booleanOf(node) === wanted || stringOf(node) === String(wanted)
}

/** On the machine itself nobody stands between. */
function isLocal(url: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?:[:/]|$)/i.test(url)
}

/** Within the platform: routes between containers, services of a cluster. */
function isInternal(url: string): boolean {
  return /^http:\/\/(?:[a-z0-9-]{1,63}|[^/:]{1,200}\.(?:apps\.internal|svc|svc\.cluster\.local))(?:[:/]|$)/i.test(url)
}

/** Through the tunnel of the Cloud Connector http is the way to write it. */
function isOnPremise(item: DataNode): boolean {
  return stringOf(at(item, 'proxyType')) === 'OnPremise'
}
