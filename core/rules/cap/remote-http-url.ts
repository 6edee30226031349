import { isInternal, isLoopback, isOpen, readUrl } from '../../model/deployment/index.ts'
import { createDevelopmentReader, isToolFile } from '../../model/script/index.ts'
import { stringOf } from '../../parse/data.ts'
import type { GradeFacts } from '../../types.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { bareBases } from './_routes/bare-bases.ts'
import { bareConnections } from './_routes/bare-drivers.ts'
import { isForProduction, keyIn, remoteCredentials } from '../../model/cap/index.ts'

/** Hosts that are reached within the platform or the machine. A name and a domain below .local are more often the network of a company (`erp.corp.local`), though the search domain of a container or a machine nearby may have such a name too. Facts: Microsoft, "Active Directory domain naming considerations"; RFC 6762, appendix G. */
const INSIDE = /(?:^|\.)(?:internal|svc)$|\.cluster\.local$|^[^.]{1,100}(?:\.local)?$/

/** Loads a driver that encrypts nothing by itself. */
const DRIVERS = /["'](?:mongodb|mongoose|mysql2?(?:\/promise)?|pg|redis|ioredis|basic-ftp|ftp)["']/

/** An address without TLS, a setting of one, and a credential. */
function sendsCredentials(text: string): boolean {
  return (
    /["'`]http:\/\/(?!localhost|127\.|0\.0\.0\.0|\[)[\w.-]{1,200}/.test(text) &&
    /\b(?:base_?)?(?:url|uri)["']?\s{0,4}[:,=]|\bendpoint\b/i.test(text) &&
    /\bauth\b|authorization|passw|\bpwd\b/i.test(text)
  )
}

/**
 * A remote service that production calls without TLS, also by a driver of a database or a client of FTP.
 * Facts: @sap/cds 9.9.3, libx/_runtime/remote/Service.js: `credentials.url` counts where no destination is named.
 * Impact: an attacker on the network path reads and changes requests and responses, with the credentials that are sent along where the configuration has
 * them; what is in no profile and nothing deploys is read by developers.
 */
export const remoteHttpUrl: Rule = defineRule({
  id: 'cap/remote-http-url',
  impact: 'takeover',
  attacker: 'network',
  reach: 'user',
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#outbound',
  // an address without TLS beside what is sent to it; asked before a script is parsed
  keywords: ['http://', 'mongodb', 'mongoose', 'mysql', 'redis', 'basic-ftp', "'ftp'", '"ftp"', "'pg'", '"pg"'],
  prefilter: (text) => DRIVERS.test(text) || sendsCredentials(text),

  checks: {
    *'cap-root'(root) {
      for (const { service, value } of remoteCredentials(root)) {
        for (const name of ['url', 'uri']) {
          const setting = value(name)
          const url = readUrl(stringOf(setting?.node) ?? '')
          if (setting === undefined || url?.scheme !== 'http') continue
          if (isOpen(url.host) || isLoopback(url.host) || INSIDE.test(url.host)) continue
          const args = {
            key: keyIn(setting, 'requires', service, 'credentials', name),
            host: url.host,
            file: setting.place.file,
          }
          yield { at: setting.place, args, ...gradeOf(url.host, value), ...(!isForProduction(root, setting) && LOCAL) }
          break
        }
      }
    },
    *'server-script'({ path, content: { facts }, budget }) {
      const isForDevelopers = createDevelopmentReader(facts)
      for (const { at, key, host, isDefault } of bareBases(facts, (count) => budget.step(count))) {
        if (INSIDE.test(host) || isForDevelopers(at)) continue
        yield {
          at: { file: path, span: at },
          args: { key, host, file: path },
          variant: 'client',
          ...(isDefault && { evidence: 'assumed' as const }),
          ...(isInternal(host) && { reach: 'privileged' as const }),
        }
      }
      for (const { start, end, kind, client, host, ...grade } of bareConnections(facts, (count) => budget.step(count))) {
        if (isForDevelopers({ start, end })) continue
        yield {
          at: { file: path, span: { start, end } },
          args: { key: client, host: quoteWord(host === '' ? 'host' : host), file: path },
          variant: kind,
          ...grade,
          ...(isToolFile(path) && { reach: 'privileged' as const }),
          groupKey: `${path} ${client} ${host}`,
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Cleartext HTTP to a remote service',
      message: '{key} in {file} is an http:// URL ({host}): requests and responses are not encrypted.',
      why: 'An attacker on the network path can read and change all requests and responses, including any tokens and passwords in them.',
      fix: 'Use https:// in {key} ({file}), with the HTTPS port if a port is given. Or remove this setting and configure "credentials": { "destination": "<name>" } for the service, with an https:// URL in that destination.',
      variants: {
        driver: {
          title: 'Database connection without TLS',
          message: '{key} connects to {host} over the internet, and neither the address nor the options switch TLS on.',
          why: 'An attacker on the network path can read and change all data of this connection, and log on in its name where the password is sent along.',
          fix: 'Switch TLS on: "tls": true for mongodb, mongoose and ioredis, rediss:// for redis, "ssl": { "rejectUnauthorized": true } for pg and mysql, with a certificate for {host} on the server.',
        },
        ftp: {
          title: 'Password sent by FTP without TLS',
          message: '{key} connects to {host} without "secure": user, password and files are sent unencrypted.',
          why: 'An attacker on the network path can read the user and password and act with them on the file server, and can read and change all files.',
          fix: 'Set "secure": true for {key}, and leave "rejectUnauthorized" on; or use SFTP (ssh2-sftp-client with a hostVerifier).',
        },
        client: {
          message: '{key} is an http:// URL ({host}), and credentials are sent to it without encryption.',
          why: 'An attacker on the network path can read the user and password or the token, and act with them in {host}, and can read and change all data.',
          fix: 'Use an https:// URL for {key}, with the HTTPS port if a port is given, and no default in the code. Or call the system by a destination (executeHttpRequest of @sap-cloud-sdk/http-client) with an https:// URL.',
        },
      },
    },
    fr: {
      title: 'HTTP en clair vers un service distant',
      message: '{key} dans {file} est une URL http:// ({host}) : les requêtes et les réponses ne sont pas chiffrées.',
      why: 'Un attaquant placé sur le réseau peut lire et modifier toutes les requêtes et réponses, y compris les jetons et mots de passe qu’elles contiennent.',
      fix: 'Utilisez https:// dans {key} ({file}), avec le port HTTPS si un port est indiqué. Ou supprimez cette clé et configurez "credentials": { "destination": "<nom>" } pour le service, avec une URL en https:// dans cette destination.',
      variants: {
        driver: {
          title: 'Connexion à une base de données sans TLS',
          message: '{key} se connecte à {host} par Internet, et ni l’adresse ni les options n’activent TLS.',
          why: 'Un attaquant placé sur le réseau peut lire et modifier toutes les données de cette connexion, et se connecter en son nom si le mot de passe est transmis.',
          fix: 'Activez TLS : "tls": true pour mongodb, mongoose et ioredis, rediss:// pour redis, "ssl": { "rejectUnauthorized": true } pour pg et mysql, avec un certificat pour {host} sur le serveur.',
        },
        ftp: {
          title: 'Mot de passe envoyé par FTP sans TLS',
          message: '{key} se connecte à {host} sans "secure" : utilisateur, mot de passe et fichiers sont transmis en clair.',
          why: 'Un attaquant placé sur le réseau peut lire l’utilisateur et le mot de passe, s’en servir sur le serveur de fichiers, et lire et modifier tous les fichiers.',
          fix: 'Définissez "secure": true pour {key}, et laissez "rejectUnauthorized" actif ; ou passez à SFTP (ssh2-sftp-client avec un hostVerifier).',
        },
        client: {
          message: '{key} est une URL http:// ({host}), et des identifiants lui sont envoyés sans chiffrement.',
          why: 'Un attaquant placé sur le réseau peut lire l’utilisateur et le mot de passe ou le jeton, s’en servir sur {host}, et lire et modifier toutes les données.',
          fix: 'Utilisez une URL en https:// pour {key}, avec le port HTTPS si un port est indiqué, sans valeur par défaut dans le code. Ou appelez le système par une destination (executeHttpRequest de @sap-cloud-sdk/http-client) dont l’URL est en https://.',
        },
      },
    },
  }),
})

const LOCAL = { reach: 'local', evidence: 'shown' } as const

function gradeOf(host: string, value: (name: string) => unknown): GradeFacts {
  const hasCredentials = ['username', 'password', 'authentication'].some((name) => value(name) !== undefined)
  return {
    ...(!hasCredentials && { impact: 'data', evidence: 'assumed' }),
    ...(isInternal(host) && { reach: 'privileged' }),
  }
}
