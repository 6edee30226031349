import { at, booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Destinations in the environment of the approuter without certificate validation or without TLS.
 *  Facts: @sap/approuter 23.0.0 README, "Destinations" (strictSSL, forwardAuthToken, forwardAuthCertificates).
 *  Severity: an attacker on the network path is needed, MEDIUM; LOW within the platform and through the Cloud Connector. */
export const destinationEnvInsecure: Rule = defineRule({
  id: 'approuter/destination-env-insecure',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [295, 319],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#environment-destinations',
  on: 'approuter',

  *check(approuter) {
    for (const setting of approuter.environment.settings('destinations')) {
      for (const item of itemsOf(setting.value)) {
        const [url, strict] = [setting.textOf(at(item, 'url')) ?? '', at(item, 'strictSSL')]
        const args = { name: stringOf(at(item, 'name')) ?? '', url }
        const key = args.name
        if (strict !== undefined && isFlag(strict, false) && !isLocal(url))
          yield { at: setting.placeOf(strict), args, severity: gradeSetting(setting, 'MEDIUM'), key: `${key} strictSSL` }
        const node = at(item, 'url')
        if (node === undefined || !/^http:\/\//i.test(url) || isLocal(url)) continue
        const verdict = isFlag(at(item, 'forwardAuthToken'), true)
          ? ({ severity: 'MEDIUM', variant: 'token' } as const)
          : isFlag(at(item, 'forwardAuthCertificates'), true)
            ? ({ severity: 'MEDIUM', variant: 'certificate' } as const)
            : ({ severity: isOnPremise(item) ? 'LOW' : 'MEDIUM', variant: 'http' } as const)
        const severity = isInternal(url) ? 'LOW' : gradeSetting(setting, verdict.severity)
        yield { at: setting.placeOf(node), args, variant: verdict.variant, severity, key: `${key} url` }
      }
    }
  },

  text: {
    en: {
      title: 'TLS certificate validation disabled for a destination',
      message: 'Destination {name} has "strictSSL": false: the approuter accepts any certificate of the backend.',
      why: 'An attacker on the network path between approuter and backend can impersonate the backend, and read and change all requests, including user tokens.',
      fix: 'Remove "strictSSL": false from destination {name}. For a backend with a private CA, put the CA certificate into a file and name it in NODE_EXTRA_CA_CERTS.',
      variants: {
        http: {
          title: 'Cleartext HTTP destination',
          message: 'Destination {name} sends requests to {url} without TLS.',
          why: 'An attacker on the network path between approuter and backend can read and change all requests and responses.',
          fix: 'Write "url" of destination {name} with https://.',
        },
        token: {
          title: 'User token sent over cleartext HTTP',
          message: 'Destination {name} has "forwardAuthToken": true and sends the user token to {url} without TLS.',
          why: 'An attacker on the network path can read the token and act as this user in every service that accepts it.',
          fix: 'Write "url" of destination {name} with https://.',
        },
        certificate: {
          title: 'Client certificate for a destination without TLS',
          message: 'Destination {name} has "forwardAuthCertificates": true, but {url} does not use TLS.',
          fix: 'Write "url" of destination {name} with https://.',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS désactivée pour une destination',
      message: 'La destination {name} a "strictSSL": false : l’approuter accepte n’importe quel certificat du backend.',
      why: 'Un attaquant placé sur le réseau entre l’approuter et le backend peut usurper le backend, lire et modifier toutes les requêtes, jetons des utilisateurs compris.',
      fix: 'Supprimez "strictSSL": false de la destination {name}. Si le backend utilise une autorité privée, indiquez le fichier de son certificat dans NODE_EXTRA_CA_CERTS.',
      variants: {
        http: {
          title: 'Destination en HTTP non chiffré',
          message: 'La destination {name} envoie des requêtes à {url} sans TLS.',
          why: 'Un attaquant placé sur le réseau entre l’approuter et le backend peut lire et modifier toutes les requêtes et réponses.',
          fix: 'Écrivez "url" de la destination {name} avec https://.',
        },
        token: {
          title: 'Jeton de l’utilisateur envoyé en HTTP non chiffré',
          message: 'La destination {name} a "forwardAuthToken": true et envoie le jeton de l’utilisateur à {url} sans TLS.',
          why: 'Un attaquant placé sur le réseau peut lire le jeton et agir au nom de cet utilisateur dans tous les services qui l’acceptent.',
          fix: 'Écrivez "url" de la destination {name} avec https://.',
        },
        certificate: {
          title: 'Certificat client pour une destination sans TLS',
          message: 'La destination {name} a "forwardAuthCertificates": true, mais {url} n’utilise pas TLS.',
          fix: 'Écrivez "url" de la destination {name} avec https://.',
        },
      },
    },
  },
})

function isFlag(node: DataNode | undefined, wanted: boolean): boolean {
  return booleanOf(node) === wanted || stringOf(node) === String(wanted)
}

/** Requests to the machine itself cross no network. */
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
