import type { CapRoot } from '../../model/cap/index.ts'
import { findDockerfiles, runningStages } from '../../model/deployment/index.ts'
import { createDevelopmentReader, isToolFile } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { FileSubjects, Project } from '../subjects.ts'
import { CREDENTIALS_OFF, findDeclaredFaults } from './_tls-verification-off-data.ts'
import { findTlsFaults } from './_tls-verification-off-code.ts'

/** Code or configuration of a server that takes any certificate of the servers that it calls. Descriptors of Cloud Foundry belong to btp/tls-off-env,
 *  destinations to the approuter's and BTP's rules, tools of UI5 to ui5/tooling-tls-off.
 *  Facts: Node.js 24, "tls" (`rejectUnauthorized`, `checkServerIdentity`) and "Command-line API"; @sap/hana-client, connection properties; Dockerfile reference. */
export const tlsVerificationOff: Rule = defineRule({
  id: 'cap/tls-verification-off',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/tls.html#tlsconnectoptions-callback',
  keywords: [
    'rejectUnauthorized',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'strictSSL',
    'checkServerIdentity',
    'sslValidateCertificate',
    'isTrustingAllCertificates',
    'trustServerCertificate',
    'disableTLSCerts',
    'serverNode',
    'encrypt: false',
    'encrypt:false',
  ],

  checks: {
    'server-script': judgeScript,
    *data({ path, kind, content }) {
      for (const { span, where, severity } of findDeclaredFaults(path, kind, content.roots))
        yield toDeclared(path, where, span, severity)
    },
    'cap-root': judgeCredentials,
    deployment: (_, project) => judgeImages(project),
  },

  text: {
    en: {
      title: 'Certificates of other servers are not checked',
      message: '{setting}: with it this connection takes any certificate, also one that somebody just made.',
      why: 'Whoever gets between the application and that server can pose as it: they read and change everything, credentials and tokens included.',
      fix: 'Remove it. Where the server has a certificate of your own authority, hand that authority over: ca: fs.readFileSync(…), or NODE_EXTRA_CA_CERTS.',
      variants: {
        process: {
          title: 'A process stops checking certificates',
          message: '{setting} is 0: no TLS connection of the whole process checks a certificate any more.',
        },
        identity: {
          title: 'The name in a certificate is not checked',
          message: '{setting} never objects: a certificate that was issued for any other host is taken.',
          fix: 'Remove checkServerIdentity; where the host has another name than its certificate, give that one as servername.',
        },
        plain: {
          title: 'The connection to the database is not encrypted',
          message: '{setting} is false for SAP HANA: data and credentials travel as plain text.',
          fix: 'Set encrypt: true and sslValidateCertificate: true, with ca: where the certificate is of your own authority.',
        },
        declared: {
          title: 'A process stops checking certificates',
          message:
            '{setting} in {file} switches the check off (NODE_TLS_REJECT_UNAUTHORIZED is 0): no TLS connection of that process checks a certificate.',
          fix: 'Remove it. Where a server has a certificate of your own authority, hand that authority over: NODE_EXTRA_CA_CERTS.',
        },
      },
    },
    fr: {
      title: 'Les certificats des autres serveurs ne sont pas vérifiés',
      message: '{setting} : cette connexion accepte alors n’importe quel certificat, même fabriqué à l’instant.',
      why: 'Quiconque se place entre l’application et ce serveur peut se faire passer pour lui : il lit et modifie tout, identifiants et jetons compris.',
      fix: 'Supprimez-le. Si le serveur a un certificat de votre propre autorité, fournissez cette autorité : ca: fs.readFileSync(…), ou NODE_EXTRA_CA_CERTS.',
      variants: {
        process: {
          title: 'Un processus cesse de vérifier les certificats',
          message: '{setting} vaut 0 : plus aucune connexion TLS du processus ne vérifie de certificat.',
        },
        identity: {
          title: 'Le nom dans un certificat n’est pas vérifié',
          message: '{setting} n’objecte jamais rien : un certificat émis pour n’importe quel autre hôte est accepté.',
          fix: 'Supprimez checkServerIdentity ; si l’hôte porte un autre nom que son certificat, indiquez celui-ci par servername.',
        },
        plain: {
          title: 'La connexion à la base de données n’est pas chiffrée',
          message: '{setting} vaut false pour SAP HANA : données et identifiants circulent en clair.',
          fix: 'Écrivez encrypt: true et sslValidateCertificate: true, avec ca: si le certificat vient de votre propre autorité.',
        },
        declared: {
          title: 'Un processus cesse de vérifier les certificats',
          message:
            '{setting} dans {file} met NODE_TLS_REJECT_UNAUTHORIZED à 0 : aucune connexion TLS de ce processus ne vérifie de certificat.',
          fix: 'Supprimez-le. Si un serveur a un certificat de votre propre autorité, fournissez cette autorité : NODE_EXTRA_CA_CERTS.',
        },
      },
    },
  },
})

function toDeclared(file: string, setting: string, span: Match['at']['span'], severity?: Match['severity']): Match {
  const at = { file, span: { start: span?.start ?? 0, end: span?.end ?? 0 } }
  return { at, args: { setting, file }, variant: 'declared', ...(severity && { severity }) }
}

function* judgeScript({ path, content: { facts }, budget }: FileSubjects['server-script']): Generator<Match> {
  const isForDevelopers = createDevelopmentReader(facts)
  for (const fault of findTlsFaults(facts, (count) => budget.step(count))) {
    const { start, end, setting, variant } = fault
    if (isForDevelopers(fault)) continue
    yield {
      at: { file: path, span: { start, end } },
      args: { setting, file: path },
      ...(variant && { variant }),
      ...(isToolFile(path) && { severity: 'MEDIUM' as const }),
    }
  }
}

/** What `cds.env` says in production; variables are the business of those who declare them. */
function* judgeCredentials(root: CapRoot): Generator<Match> {
  const seen = new Set<string>()
  for (const configuration of root.productive()) {
    for (const service of configuration.keys('requires')) {
      for (const [key, isOff] of CREDENTIALS_OFF) {
        const setting = configuration.value('requires', service, 'credentials', key)
        if (setting === undefined || setting.variable !== undefined || !isOff(setting.node)) continue
        const { place } = setting
        const known = `${place.file} ${place.span?.start}`
        if (!seen.has(known))
          yield { at: place, args: { setting: key, file: place.file }, ...(key === 'encrypt' && { variant: 'plain' }) }
        seen.add(known)
      }
    }
  }
}

const IN_IMAGE = /\bNODE_TLS_REJECT_UNAUTHORIZED(?:=|[ \t]{1,9})(["']?)0\1(?![\d.])/

function* judgeImages({ files }: Project): Generator<Match> {
  for (const docker of findDockerfiles(files)) {
    for (const { name, arguments: text, argumentStart } of runningStages(docker).flatMap(({ instructions }) => instructions)) {
      const found = name === 'ENV' || name === 'CMD' || name === 'ENTRYPOINT' ? IN_IMAGE.exec(text) : null
      if (found === null) continue
      const start = argumentStart + found.index
      yield toDeclared(docker.file, name, { start, end: start + found[0].length })
    }
  }
}
