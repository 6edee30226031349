import { inEachLanguage } from '../../arguments.ts'
import { createAppNames, findStartCommands, isForTesting, textOf, variableText } from '../../model/deployment/index.ts'
import { quoteValue, quoteWord } from '../../quote.ts'
import { at, membersOf } from '../../parse/data.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A descriptor that disables the validation of server certificates for a whole process.
 * Facts: Node.js, "Command-line API" (NODE_TLS_REJECT_UNAUTHORIZED); PEP 493; @sap/hana-client, connection property `sslValidateCertificate`.
 * Impact: whoever is on the network path reads credentials and tokens, and answers in the place of the server.
 */
export const tlsOffEnv: Rule = defineRule({
  id: 'btp/tls-off-env',
  impact: 'takeover',
  attacker: 'network',
  // over the internet; which hosts the process calls, and with which credentials, is not in the descriptor
  reach: 'user',
  evidence: 'assumed',
  // the database gets its password with each connection, within the landscape
  grades: { database: { reach: 'privileged', evidence: 'shown' } },
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/cli.html#node_tls_reject_unauthorizedvalue',
  docsByVariant: {
    python: 'https://peps.python.org/pep-0493/',
    java: 'https://docs.oracle.com/en/java/javase/21/security/java-secure-socket-extension-jsse-reference-guide.html',
    database: 'https://help.sap.com/docs/SAP_HANA_CLIENT/f1b440ded6144a54ada97ff95dac7adf/4fe9978ebac44f35b9369ef5a4a26f4c.html',
  },
  on: 'deployment',

  *check(deployment, { files }) {
    const { applications, mtas, placeOf } = deployment
    const appsAt = createAppNames(applications)
    const toMatch = (variable: string, value: string, app: string, place: Place, unset = ''): Match => ({
      at: place,
      args: { variable: quoteWord(variable), value: quoteValue(value), app, trust: trustOf(variable), unset },
      ...variantOf(variable, value),
      ...(isForTesting(place.file) && { usage: 'unused' as const }),
    })
    for (const application of applications) {
      for (const variable of application.variables) {
        const value = switchedOff(variable.name, variableText(variable, application))
        if (value === undefined) continue
        const app = appsAt(variable.place)
        // "cf push" keeps variables that the manifest no longer names
        const isPushed = !mtas.some(({ file }) => file === application.file)
        yield toMatch(variable.name, value, app, variable.place, isPushed ? unsetOf(variable.name, app) : '')
      }
    }
    for (const { app, text, place } of findStartCommands(files, deployment)) {
      const value = /(?<=^|[\s;&])NODE_TLS_REJECT_UNAUTHORIZED=["']?0(?![\d.])/.test(text)
        ? '0'
        : JAVA_PROPERTY.exec(text.slice(0, 5000))?.[0]
      if (value !== undefined) yield toMatch(value === '0' ? 'NODE_TLS_REJECT_UNAUTHORIZED' : 'command', value, app, place)
    }
    // tasks run too: deployers of databases and of content
    const running = new Set(applications.map(({ file, name }) => `${file} ${name}`))
    for (const mta of mtas) {
      for (const { name: app, node } of mta.modules) {
        if (running.has(`${mta.file} ${app}`)) continue
        for (const { key, value: written } of membersOf(at(node, 'properties'))) {
          const text = textOf(written)
          const value = switchedOff(key, text === undefined ? undefined : mta.resolve(text, node))
          if (value !== undefined) yield toMatch(key, value, app, placeOf(written))
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled for an application',
      message: '{variable} is {value} for {app:and}: server certificates are accepted without validation.',
      why: 'An attacker on the network path can impersonate a server, and read and change all traffic with it, including any credentials and tokens.',
      fix: 'Remove {variable} for {app:and}{unset}. For certificates from a private CA, deploy the CA certificate and set {trust} to its path.',
      variants: {
        database: {
          title: 'TLS certificate validation disabled for a database',
          message: '{variable} is {value} for {app:and}: the certificate of the database server is accepted without validation.',
          why: 'An attacker on the network path can impersonate the database, and read and change all traffic with it, including credentials.',
          fix: 'Remove {variable} for {app:and}{unset}. For certificates from a private CA, deploy the CA certificate and, with the driver @sap/hana-client, set {trust} to its path.',
        },
        python: {
          message: '{variable} is {value} for {app:and}: Python 2.7 then accepts server certificates without validation.',
        },
        java: {
          message:
            '{variable} contains {value} for {app:and}. By its name, this property disables the validation of server certificates.',
          fix: 'Remove {value} from {variable} for {app:and}. For certificates from a private CA, import the CA certificate into a copy of the JRE’s cacerts (keytool -importcert) and set -Djavax.net.ssl.trustStore to its path.',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS désactivée pour une application',
      message:
        '{variable} vaut {value} pour {app:et} : les certificats présentés par les serveurs sont acceptés sans validation.',
      why: 'Un attaquant placé sur le réseau peut usurper l’identité d’un serveur et lire ou modifier tout le trafic avec celui-ci, y compris d’éventuels identifiants et jetons.',
      fix: 'Supprimez {variable} pour {app:et}{unset}. Pour des certificats émis par une autorité de certification privée, déployez le certificat de l’autorité et indiquez son chemin dans {trust}.',
      variants: {
        database: {
          title: 'Validation du certificat TLS désactivée pour une base de données',
          message:
            '{variable} vaut {value} pour {app:et} : le certificat du serveur de base de données est accepté sans validation.',
          why: 'Un attaquant placé sur le réseau peut usurper l’identité de la base de données et lire ou modifier tout le trafic avec celle-ci, y compris les identifiants.',
          fix: 'Supprimez {variable} pour {app:et}{unset}. Pour des certificats émis par une autorité de certification privée, déployez le certificat de l’autorité et, avec le pilote @sap/hana-client, indiquez son chemin dans {trust}.',
        },
        python: {
          message:
            '{variable} vaut {value} pour {app:et} : Python 2.7 accepte alors les certificats des serveurs sans validation.',
        },
        java: {
          message:
            '{variable} contient {value} pour {app:et}. D’après son nom, cette propriété désactive la validation des certificats présentés par les serveurs.',
          fix: 'Supprimez {value} de {variable} pour {app:et}. Pour des certificats émis par une autorité de certification privée, importez le certificat de l’autorité dans une copie du truststore cacerts du JRE (keytool -importcert) et indiquez le chemin de cette copie dans -Djavax.net.ssl.trustStore.',
        },
      },
    },
  }),
})

function unsetOf(variable: string, app: string): string {
  const command = `cf unset-env ${app.includes(',') ? '<app>' : app} ${variable}`
  return inEachLanguage({
    en: `, and run "${command}" if the application is already deployed`,
    fr: `, et exécutez "${command}" si l’application est déjà déployée`,
  })
}

/** The setting that names a trusted CA instead. */
function trustOf(variable: string): string {
  if (variable.startsWith('PYTHON')) return 'SSL_CERT_FILE'
  if (/strict_ssl$/i.test(variable)) return 'npm_config_cafile'
  return isOfDatabase(variable) ? variable.replace(/sslValidateCertificate$/i, 'sslTrustStore') : 'NODE_EXTRA_CA_CERTS'
}

function variantOf(variable: string, value: string): Pick<Match, 'variant'> {
  if (value.startsWith('-D')) return { variant: 'java' }
  if (variable.startsWith('PYTHON')) return { variant: 'python' }
  return isOfDatabase(variable) ? { variant: 'database' } : {}
}

/** A property of the driver of SAP HANA. */
function isOfDatabase(variable: string): boolean {
  return /sslValidateCertificate$/i.test(variable)
}

const FALSE = /^\s{0,5}(?:false|0)\s{0,5}$/i

/** Java properties that accept any certificate or any name in it. */
const JAVA_PROPERTY = /-D[\w.]{0,80}(?:trust_?all(?:_?certs?)?|disableHostnameVerification)(?:=true)?(?=["'\s,\]]|$)/i

function switchedOff(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (name === 'NODE_TLS_REJECT_UNAUTHORIZED') return text.trim() === '0' ? text : undefined
  if (name === 'PYTHONHTTPSVERIFY') return text.trim() === '0' ? text : undefined
  if (/^(?:JAVA_OPTS|JAVA_TOOL_OPTIONS|JBP_CONFIG_JAVA_OPTS)$/.test(name)) return JAVA_PROPERTY.exec(text.slice(0, 5000))?.[0]
  if (/(?:^|[._])sslValidateCertificate$/i.test(name) || /^npm_config_strict_ssl$/i.test(name))
    return FALSE.test(text) ? text : undefined
  return undefined
}
