import {
  constantOf,
  stringConstantOf,
  fieldOf,
  pathOf,
  resolveValue,
  type ObjectValue,
  type ScriptFacts,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { at, booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { GradeFacts, Localized } from '../../types.ts'
import { usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

const INTERNAL: Localized<string> = {
  en: 'Use "https://" and a TLS port in the URL of destination {name}. For an .apps.internal route, use port 61443, add a network policy for it, and set NODE_EXTRA_CA_CERTS to the path of the platform’s CA certificate in /etc/cf-system-certificates.',
  fr: 'Indiquez "https://" et un port TLS dans l’URL de la destination {name}. Pour une route .apps.internal, utilisez le port 61443, ajoutez une règle réseau (network policy) pour ce port et donnez à NODE_EXTRA_CA_CERTS le chemin du certificat de CA de la plateforme dans /etc/cf-system-certificates.',
}

/** Destinations in the environment of the approuter without certificate validation or without TLS.
 *  Facts: @sap/approuter 23.0.0 README, "Destinations" (strictSSL, forwardAuthToken, forwardAuthCertificates).
 *  Impact: an attacker on the network path reads and changes what travels, and with a forwarded token acts as its user. That somebody else is on a network
 *  within the platform is not in the project. */
export const destinationEnvInsecure: Rule = defineRule({
  id: 'approuter/destination-env-insecure',
  impact: 'takeover',
  attacker: 'network',
  // whoever is on the way over the internet
  reach: 'user',
  confidence: 'high',
  cwe: [295, 319],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#environment-destinations',
  keywords: ['strictSSL'],
  prefilter: (text) => /\benv\b.{0,6}\bdestinations\b/.test(text),

  checks: {
    *approuter(approuter) {
      for (const setting of approuter.environment.settings('destinations')) {
        for (const item of itemsOf(setting.value)) {
          const [url, strict] = [setting.textOf(at(item, 'url')) ?? '', at(item, 'strictSSL')]
          const args = { name: stringOf(at(item, 'name')) ?? '', url }
          const key = args.name
          const forwardsToken = isFlag(at(item, 'forwardAuthToken'), true)
          const isWithin = isInternal(url)
          const facts: GradeFacts = {
            // what is read and written without a token, and who else is on a network within the platform, is not in the project
            ...(!forwardsToken && { impact: 'data', evidence: 'assumed' }),
            // the address of another application of the project: the platform forwards it
            ...(/[~$]\{/.test(url) && { reach: 'privileged' }),
            ...(isWithin && { reach: 'privileged', evidence: 'assumed' }),
            ...usageOf(setting),
          }
          if (strict !== undefined && isFlag(strict, false) && !isLocal(url))
            yield { at: setting.placeOf(strict), args, ...facts, key: `${key} strictSSL` }
          const node = at(item, 'url')
          if (node === undefined || !/^http:\/\//i.test(url) || isLocal(url) || isOnPremise(item)) continue
          const forwardsCertificate = isFlag(at(item, 'forwardAuthCertificates'), true)
          const internal = forwardsToken ? 'internalToken' : 'internal'
          const external = forwardsToken ? 'token' : forwardsCertificate ? 'certificate' : 'http'
          const variant = isWithin ? internal : external
          yield { at: setting.placeOf(node), args, variant, ...facts, key: `${key} url` }
        }
      }
    },
    *'server-script'({ path, content: { facts } }) {
      for (const item of destinationsIn(facts)) {
        const strict = fieldOf(item, 'strictSSL')?.value
        const url = constantTextOf(item, 'url') ?? ''
        if (strict === undefined || constantOf(strict) !== false || isLocal(url)) continue
        const forwardsToken = fieldOf(item, 'forwardAuthToken')?.value
        yield {
          at: { file: path, span: { start: strict.start, end: strict.end } },
          args: { name: constantTextOf(item, 'name') ?? '', url },
          ...((forwardsToken === undefined || constantOf(forwardsToken) !== true) && { impact: 'data', evidence: 'assumed' }),
          // an address of the environment is mostly that of another application of the platform
          ...(url === '' && { reach: 'privileged' }),
          ...(isInternal(url) && { reach: 'privileged', evidence: 'assumed' }),
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled for a destination',
      message: 'Destination {name} sets "strictSSL": false: the approuter accepts any certificate that the backend presents.',
      why: 'An attacker on the network path between approuter and backend can impersonate the backend, and read and change all requests and responses.',
      fix: 'Remove "strictSSL": false from destination {name}. If the backend’s certificate comes from a private CA, save the CA certificate in a file and set the environment variable NODE_EXTRA_CA_CERTS to its path.',
      variants: {
        http: {
          title: 'Cleartext HTTP destination',
          message: 'Destination {name} sends requests to {url} without TLS.',
          why: 'An attacker on the network path between approuter and backend can read and change all requests and responses.',
          fix: 'Change "http://" to "https://" in the URL of destination {name}.',
        },
        internal: {
          title: 'Cleartext HTTP destination within the platform',
          message: 'Destination {name} sends requests to {url} without TLS.',
          why: 'An attacker who gains control of a node on the platform’s internal network can read and change all requests and responses.',
          fix: INTERNAL.en,
        },
        internalToken: {
          title: 'User token sent over cleartext HTTP within the platform',
          message: 'Destination {name} sets "forwardAuthToken": true and sends the user token to {url} without TLS.',
          why: 'An attacker who gains control of a node on the platform’s internal network can read the token and act as this user in every service that accepts the token.',
          fix: INTERNAL.en,
        },
        token: {
          title: 'User token sent over cleartext HTTP',
          message: 'Destination {name} sets "forwardAuthToken": true and sends the user token to {url} without TLS.',
          why: 'An attacker on the network path can read the token and act as this user in every service that accepts the token.',
          fix: 'Change "http://" to "https://" in the URL of destination {name}.',
        },
        certificate: {
          title: 'Client certificate for a destination without TLS',
          message: 'Destination {name} sets "forwardAuthCertificates": true, but {url} does not use TLS.',
          fix: 'Change "http://" to "https://" in the URL of destination {name}.',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS désactivée pour une destination',
      message:
        'La destination {name} définit "strictSSL": false : l’approuter accepte n’importe quel certificat présenté par le backend.',
      why: 'Un attaquant placé sur le réseau entre l’approuter et le backend peut se faire passer pour le backend, et lire ou modifier toutes les requêtes et réponses.',
      fix: 'Supprimez "strictSSL": false de la destination {name}. Si le certificat du backend vient d’une autorité de certification privée, enregistrez le certificat de celle-ci dans un fichier et donnez à la variable d’environnement NODE_EXTRA_CA_CERTS le chemin de ce fichier.',
      variants: {
        http: {
          title: 'Destination en HTTP non chiffré',
          message: 'La destination {name} envoie des requêtes à {url} sans TLS.',
          why: 'Un attaquant placé sur le réseau entre l’approuter et le backend peut lire et modifier toutes les requêtes et réponses.',
          fix: 'Remplacez "http://" par "https://" dans l’URL de la destination {name}.',
        },
        internal: {
          title: 'Destination en HTTP non chiffré au sein de la plateforme',
          message: 'La destination {name} envoie des requêtes à {url} sans TLS.',
          why: 'Un attaquant qui prend le contrôle d’un nœud du réseau interne de la plateforme peut lire et modifier toutes les requêtes et réponses.',
          fix: INTERNAL.fr,
        },
        internalToken: {
          title: 'Jeton de l’utilisateur envoyé en HTTP non chiffré au sein de la plateforme',
          message: 'La destination {name} définit "forwardAuthToken": true et envoie le jeton de l’utilisateur à {url} sans TLS.',
          why: 'Un attaquant qui prend le contrôle d’un nœud du réseau interne de la plateforme peut lire le jeton et agir au nom de cet utilisateur dans tous les services qui acceptent ce jeton.',
          fix: INTERNAL.fr,
        },
        token: {
          title: 'Jeton de l’utilisateur envoyé en HTTP non chiffré',
          message: 'La destination {name} définit "forwardAuthToken": true et envoie le jeton de l’utilisateur à {url} sans TLS.',
          why: 'Un attaquant placé sur le réseau peut lire le jeton et agir au nom de cet utilisateur dans tous les services qui acceptent ce jeton.',
          fix: 'Remplacez "http://" par "https://" dans l’URL de la destination {name}.',
        },
        certificate: {
          title: 'Certificat client pour une destination sans TLS',
          message: 'La destination {name} définit "forwardAuthCertificates": true, mais {url} n’utilise pas TLS.',
          fix: 'Remplacez "http://" par "https://" dans l’URL de la destination {name}.',
        },
      },
    },
  }),
})

/** The destinations that a start script gives the approuter: `process.env.destinations = JSON.stringify([{ … }])`. */
function* destinationsIn({ assignments }: ScriptFacts): Generator<ObjectValue> {
  for (const { target, value } of assignments) {
    if (pathOf(target)?.join(' ') !== 'global:process env destinations') continue
    const made = resolveValue(value)
    const [list] = made.kind === 'call' && lastNameOf(made.callee) === 'stringify' ? made.args : []
    const items = list && resolveValue(list)
    for (const item of items?.kind === 'array' ? items.items : []) {
      const here = resolveValue(item)
      if (here.kind === 'object') yield here
    }
  }
}

function constantTextOf(item: ObjectValue, key: string): string | undefined {
  const value = fieldOf(item, key)?.value
  return stringConstantOf(value)
}

function isFlag(node: DataNode | undefined, wanted: boolean): boolean {
  return booleanOf(node) === wanted || stringOf(node) === String(wanted)
}

/** Requests to the machine itself cross no network. */
function isLocal(url: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?:[:/]|$)/i.test(url)
}

/** Within the platform: routes between containers, services of a cluster. */
function isInternal(url: string): boolean {
  return /^https?:\/\/(?:[a-z0-9-]{1,63}|[^/:]{1,200}\.(?:apps\.internal|svc|svc\.cluster\.local))(?:[:/]|$)/i.test(url)
}

/** The tunnel of the Cloud Connector is encrypted, and its virtual hosts are addressed by http. */
function isOnPremise(item: DataNode): boolean {
  return stringOf(at(item, 'proxyType')) === 'OnPremise'
}
