import { excerptOf, findPart, valuesOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import { findDockerfiles, runningStages } from '../../model/deployment/index.ts'
import { createDevelopmentReader, isToolFile } from '../../model/script/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { FileSubjects, Project } from '../subjects.ts'
import { CREDENTIALS_OFF, findDeclaredFaults } from './_tls/verification-off-data.ts'
import { carriesNothing, reachesNoRequest } from './_tls/bare-requests.ts'
import { startedConfigurations } from './_model/started-configurations.ts'
import { createDatabaseReader } from './_tls/database-hosts.ts'
import { findUncheckedHosts } from './_tls/host-keys.ts'
import { findTlsFaults, isSetVariable, type TlsFault } from './_tls/verification-off-code.ts'
import { isWithin } from '../../facts/span-index.ts'

const PROCESS_DOCS = 'https://nodejs.org/api/cli.html#node_tls_reject_unauthorizedvalue'
const SSH_DOCS = 'https://github.com/mscdex/ssh2#client-methods'
const HANA_DOCS =
  'https://help.sap.com/docs/SAP_HANA_CLIENT/f1b440ded6144a54ada97ff95dac7adf/4fe9978ebac44f35b9369ef5a4a26f4c.html'

/**
 * A server that does not validate the TLS certificates of the servers that it calls. Descriptors of Cloud Foundry, destinations and tools of UI5
 * have rules of their own.
 * Facts: Node.js 24, "tls" (`rejectUnauthorized`, `checkServerIdentity`) and "Command-line API"; @sap/hana-client, connection properties; Dockerfile reference.
 * Impact: an attacker on the network path reads credentials and tokens and acts with them: anybody on the internet, for databases, pipelines and scripts run
 * by hand those inside their networks, for variables of a developer’s machine those on it. Where a database lies whose host only a variable of the environment tells, is assumed. A variable that switches it on, or an address that decides, is
 * assumed to do so. Of answers to requests without a credential, what they decide is not known. What a setting or a variable switches off, and the project does not say whether it does, is a guess.
 */
export const tlsVerificationOff: Rule = defineRule({
  id: 'cap/tls-verification-off',
  impact: 'takeover',
  attacker: 'network',
  reach: 'user',
  grades: {
    plain: { reach: 'privileged' },
    hana: { reach: 'privileged' },
    switch: { evidence: 'guessed' },
    bare: { impact: 'data', evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/tls.html#tlsconnectoptions-callback',
  docsByVariant: { process: PROCESS_DOCS, declared: PROCESS_DOCS, hana: HANA_DOCS, plain: HANA_DOCS, ssh: SSH_DOCS },
  keywords: [
    'rejectUnauthorized',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'strictSSL',
    'checkServerIdentity',
    'sslValidateCertificate',
    'isTrustingAllCertificates',
    'trustServerCertificate',
    'disableTLSCerts',
    'http-proxy',
    'serverNode',
    'encrypt: false',
    'encrypt:false',
    'ssh2',
    'node-ssh',
  ],

  checks: {
    *'server-script'(file) {
      yield* judgeScript(file)
      yield* judgeHostKeys(file)
    },
    *data({ path, kind, content }) {
      for (const { span, where, reach, isOfService } of findDeclaredFaults(path, kind, content.roots))
        yield {
          ...toDeclared(path, where, span, reach),
          ...(isOfService && { variant: where === 'encrypt' ? 'plain' : 'configured' }),
        }
    },
    'cap-root': judgeCredentials,
    deployment: (_, project) => judgeImages(project),
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled',
      message:
        'Because of {setting}, server certificates are not validated here: the connection accepts any certificate, even a self-signed one.',
      why: 'An attacker on the network path can impersonate the server, and read and change all traffic, including credentials and tokens.',
      fix: 'Remove {setting}. For certificates from a private CA, pass ca: fs.readFileSync("<ca>.pem") instead, or start the process with the environment variable NODE_EXTRA_CA_CERTS set to the path of that file.',
      variants: {
        bare: {
          why: 'An attacker on the network path can impersonate the server, and read and change its responses. The requests made here carry no credentials.',
        },
        environment: {
          fix: 'Remove {setting}. For certificates from a private CA, start the process with the environment variable NODE_EXTRA_CA_CERTS set to the path of a PEM file with the CA certificate.',
        },
        hana: {
          fix: 'Set {setting}: true; for certificates from a private CA, also set ca: "<PEM text>".',
        },
        process: {
          title: 'TLS certificate validation disabled for the whole process',
          message: '{setting} is set to 0: certificate validation is disabled for the TLS connections of the process.',
          fix: 'Remove {setting}. For certificates from a private CA, start the process with the environment variable NODE_EXTRA_CA_CERTS set to the path of a PEM file with the CA certificate.',
        },
        identity: {
          title: 'TLS host name verification disabled',
          message: '{setting} never returns an error: a valid certificate for any other host is accepted.',
          fix: 'Remove {setting}. If the certificate was issued for another name, pass that name as servername.',
        },
        switch: {
          title: 'TLS certificate validation disabled by an environment variable',
          message: '{setting} is false if {condition}: where that variable is set, the connection accepts any certificate.',
          fix: 'Remove the condition, so that certificates are always validated. For certificates from a private CA, start the process with the environment variable NODE_EXTRA_CA_CERTS set to the path of a PEM file with the CA certificate.',
        },
        optional: {
          title: 'TLS certificate validation disabled by an environment variable',
          message:
            '{setting} is false if {condition}: where that variable is set, the connection accepts any certificate, even a self-signed one.',
        },
        stage: {
          title: 'TLS certificate validation disabled in production',
          message: '{setting} is {condition}: in production, the connection accepts any certificate, even a self-signed one.',
        },
        unless: {
          title: 'TLS certificate validation disabled by default',
          message:
            '{setting} is true only if {condition}: where that variable is not set, the connection accepts any certificate, even a self-signed one.',
        },
        address: {
          title: 'TLS certificate validation disabled for some hosts',
          message:
            '{setting} depends on the address ({condition}): connections to the hosts that match accept any certificate, even a self-signed one.',
          fix: 'Remove {setting}. If these hosts have certificates from a private CA, start the process with the environment variable NODE_EXTRA_CA_CERTS set to the path of a PEM file with the CA certificate.',
        },
        plain: {
          title: 'Unencrypted connection to SAP HANA',
          message: '"{setting}" is false for SAP HANA: the connection is not encrypted.',
          why: 'An attacker on the network path can read and change all traffic to the database.',
          fix: 'Set encrypt: true and sslValidateCertificate: true; for certificates from a private CA, also set ca: "<PEM text>".',
        },
        ssh: {
          title: 'SSH host key not verified',
          message: 'The connection by {setting} accepts any SSH host key: no hostVerifier compares it with a known one.',
          why: 'An attacker on the network path can impersonate the server, receive a password that the client sends, and read and change all files and commands.',
          fix: 'Set hostHash: "sha256" and a hostVerifier that compares the hash with the known one of the server, for example hostVerifier: (hash) => hash === process.env.SFTP_HOST_HASH.',
        },
        configured: {
          fix: 'Remove {setting} from {file}. For certificates from a private CA, start the process with the environment variable NODE_EXTRA_CA_CERTS set to the path of a PEM file with the CA certificate.',
        },
        declared: {
          title: 'TLS certificate validation disabled for the whole process',
          message:
            '{file} sets NODE_TLS_REJECT_UNAUTHORIZED to 0: certificate validation is disabled for the TLS connections of the process.',
          fix: 'Remove NODE_TLS_REJECT_UNAUTHORIZED from {file}. For certificates from a private CA, start the process with the environment variable NODE_EXTRA_CA_CERTS set to the path of a PEM file with the CA certificate.',
        },
      },
    },
    fr: {
      title: 'Validation des certificats TLS désactivée',
      message:
        'À cause de {setting}, les certificats serveur ne sont pas validés ici : la connexion accepte n’importe quel certificat, même auto-signé.',
      why: 'Un attaquant placé sur le réseau peut usurper l’identité du serveur et lire ou modifier tout le trafic, y compris les identifiants et les jetons.',
      fix: 'Supprimez {setting}. Pour les certificats d’une autorité de certification privée, passez ca: fs.readFileSync("<ca>.pem"), ou démarrez le processus avec la variable d’environnement NODE_EXTRA_CA_CERTS, qui contient le chemin de ce fichier.',
      variants: {
        bare: {
          why: 'Un attaquant placé sur le réseau peut usurper l’identité du serveur, et lire ou modifier ses réponses. Les requêtes émises ici ne portent aucun identifiant.',
        },
        environment: {
          fix: 'Supprimez {setting}. Pour les certificats d’une autorité de certification privée, démarrez le processus avec la variable d’environnement NODE_EXTRA_CA_CERTS, qui contient le chemin d’un fichier PEM avec le certificat de l’autorité.',
        },
        hana: {
          fix: 'Définissez {setting}: true ; pour les certificats d’une autorité de certification privée, définissez aussi ca: "<texte PEM>".',
        },
        process: {
          title: 'Validation des certificats TLS désactivée pour tout le processus',
          message: '{setting} vaut 0 : la validation des certificats est désactivée pour les connexions TLS du processus.',
          fix: 'Supprimez {setting}. Pour les certificats d’une autorité de certification privée, démarrez le processus avec la variable d’environnement NODE_EXTRA_CA_CERTS, qui contient le chemin d’un fichier PEM avec le certificat de l’autorité.',
        },
        identity: {
          title: 'Vérification du nom d’hôte TLS désactivée',
          message: '{setting} ne renvoie jamais d’erreur : un certificat valide pour n’importe quel autre hôte est accepté.',
          fix: 'Supprimez {setting}. Si le certificat est émis pour un autre nom, passez ce nom dans servername.',
        },
        switch: {
          title: 'Validation des certificats TLS désactivée par une variable d’environnement',
          message:
            '{setting} vaut false si {condition} : là où cette variable est définie, la connexion accepte n’importe quel certificat.',
          fix: 'Supprimez la condition : les certificats doivent toujours être validés. Pour les certificats d’une autorité de certification privée, démarrez le processus avec la variable d’environnement NODE_EXTRA_CA_CERTS, qui contient le chemin d’un fichier PEM avec le certificat de l’autorité.',
        },
        optional: {
          title: 'Validation des certificats TLS désactivée par une variable d’environnement',
          message:
            '{setting} vaut false si {condition} : là où cette variable est définie, la connexion accepte n’importe quel certificat, même auto-signé.',
        },
        stage: {
          title: 'Validation des certificats TLS désactivée en production',
          message: '{setting} vaut {condition} : en production, la connexion accepte n’importe quel certificat, même auto-signé.',
        },
        unless: {
          title: 'Validation des certificats TLS désactivée par défaut',
          message:
            '{setting} ne vaut true que si {condition} : là où cette variable n’est pas définie, la connexion accepte n’importe quel certificat, même auto-signé.',
        },
        address: {
          title: 'Validation des certificats TLS désactivée pour certains hôtes',
          message:
            '{setting} dépend de l’adresse ({condition}) : les connexions aux hôtes concernés acceptent n’importe quel certificat, même auto-signé.',
          fix: 'Supprimez {setting}. Si les certificats de ces hôtes viennent d’une autorité de certification privée, démarrez le processus avec la variable d’environnement NODE_EXTRA_CA_CERTS, qui contient le chemin d’un fichier PEM avec le certificat de l’autorité.',
        },
        plain: {
          title: 'Connexion non chiffrée à SAP HANA',
          message: '"{setting}" vaut false pour SAP HANA : la connexion n’est pas chiffrée.',
          why: 'Un attaquant placé sur le réseau peut lire et modifier tout le trafic vers la base de données.',
          fix: 'Définissez encrypt: true et sslValidateCertificate: true ; pour les certificats d’une autorité de certification privée, définissez aussi ca: "<texte PEM>".',
        },
        ssh: {
          title: 'Clé d’hôte SSH non vérifiée',
          message:
            'La connexion par {setting} accepte n’importe quelle clé d’hôte SSH : aucun hostVerifier ne la compare à une clé connue.',
          why: 'Un attaquant placé sur le réseau peut usurper l’identité du serveur, recevoir un mot de passe envoyé par le client, et lire ou modifier tous les fichiers et commandes.',
          fix: 'Définissez hostHash: "sha256" et un hostVerifier qui compare l’empreinte à celle, connue, du serveur, par exemple hostVerifier: (hash) => hash === process.env.SFTP_HOST_HASH.',
        },
        configured: {
          fix: 'Supprimez {setting} dans {file}. Pour les certificats d’une autorité de certification privée, démarrez le processus avec la variable d’environnement NODE_EXTRA_CA_CERTS, qui contient le chemin d’un fichier PEM avec le certificat de l’autorité.',
        },
        declared: {
          title: 'Validation des certificats TLS désactivée pour tout le processus',
          message:
            '{file} donne à NODE_TLS_REJECT_UNAUTHORIZED la valeur 0 : la validation des certificats est désactivée pour les connexions TLS du processus.',
          fix: 'Supprimez NODE_TLS_REJECT_UNAUTHORIZED dans {file}. Pour les certificats d’une autorité de certification privée, démarrez le processus avec la variable d’environnement NODE_EXTRA_CA_CERTS, qui contient le chemin d’un fichier PEM avec le certificat de l’autorité.',
        },
      },
    },
  }),
})

function toDeclared(file: string, setting: string, span: Match['at']['span'], reach?: Match['reach']): Match {
  const at = { file, span: { start: span?.start ?? 0, end: span?.end ?? 0 } }
  return { at, args: { setting, file }, variant: 'declared', ...(reach && { reach }) }
}

/** Clients whose options know no `ca`, and the driver of SAP HANA, which reads no environment variable of Node.js. */
const ADVICE: Readonly<Record<string, string>> = {
  isTrustingAllCertificates: 'environment',
  disableTLSCerts: 'environment',
  secure: 'environment',
  sslValidateCertificate: 'hana',
}

function* judgeScript({ path, text, content: { facts }, budget }: FileSubjects['server-script']): Generator<Match> {
  const isForDevelopers = createDevelopmentReader(facts)
  const variableAround = createVariableReader(facts)
  const hostIn = createDatabaseReader(facts, (count) => budget.step(count))
  for (const fault of findTlsFaults(facts, (count) => budget.step(count))) {
    if (isForDevelopers(fault) || reachesNoRequest(fault, facts, (count) => budget.step(count))) continue
    const asked = fault.condition === undefined ? variableAround(fault) : undefined
    const given = fault.variant ?? ADVICE[fault.setting] ?? variantOf(fault, facts, budget)
    const variant = given ?? (asked && 'optional')
    const { start, end, setting, condition = asked } = fault
    // where such a database lies, and so who is on the path, only the environment knows
    const hosts = hostIn(fault)
    // those inside the network are assumed anyway
    const isUnknown = hosts !== undefined && variant !== 'hana' && !isToolFile(path)
    yield {
      at: { file: path, span: { start, end } },
      args: { setting, file: path, condition: condition === undefined ? '' : excerptOf(text, condition) },
      ...(variant && { variant }),
      ...(hosts && { groupKey: `${path} database ${hosts.join(' ')} ${variant ?? ''}` }),
      ...(isUnknown && { evidence: 'assumed' as const }),
      ...((asked !== undefined || (fault.condition !== undefined && UNSURE.has(fault.variant))) && {
        evidence: 'assumed' as const,
        confidence: 'medium' as const,
      }),
      ...(isToolFile(path) && { reach: 'privileged' as const }),
      ...(isBehindSwitch(fault, facts) && { evidence: 'guessed' as const }),
    }
    budget.step(facts.guards.length)
  }
}

function* judgeHostKeys({ path, text, content: { facts }, budget }: FileSubjects['server-script']): Generator<Match> {
  const isForDevelopers = createDevelopmentReader(facts)
  for (const { start, end, callee, host, ...grade } of findUncheckedHosts(facts, (count) => budget.step(count))) {
    if (isForDevelopers(callee)) continue
    yield {
      at: { file: path, span: { start, end } },
      args: { setting: excerptOf(text, callee), file: path, condition: '' },
      variant: 'ssh',
      ...(host !== undefined && { groupKey: `${path} ${text.slice(host.start, host.end)}` }),
      ...(isToolFile(path) && { reach: 'privileged' as const }),
      ...grade,
    }
  }
}

/** Requests that send no credential. */
function variantOf(fault: TlsFault, facts: ScriptFacts, budget: FileSubjects['server-script']['budget']): 'bare' | undefined {
  return carriesNothing(fault, facts, (count) => budget.step(count)) ? 'bare' : undefined
}

/** The value of the variable, or what the hosts are, is not in the project. */
const UNSURE: ReadonlySet<TlsFault['variant']> = new Set<TlsFault['variant']>(['unless', 'address'])

/** Names of settings about certificates: `skipHostnameValidation`, `ALLOW_SELF_SIGNED`. */
const SWITCH = /skip|insecure|ignore|disable|allow|trust|self_?signed|unauthori[sz]ed|strict_?ssl|verif|validat/i

/** A setting decides, whose value the project does not show: `if (options.skipHostnameValidation)`. */
function isBehindSwitch(connection: Span, { guards }: ScriptFacts): boolean {
  const isSwitch = (part: Value): boolean => (part.kind === 'member' || part.kind === 'reference') && SWITCH.test(part.name ?? '')
  return guards.some(({ test, inside }) => isWithin(connection, inside) && findPart(test, isSwitch) !== undefined)
}

/** Tells the variable of the environment without which a connection is validated or has no TLS: `ssl: process.env.PG_TLS ? { rejectUnauthorized: false } : false`. */
function createVariableReader(facts: ScriptFacts): (connection: Span) => Span | undefined {
  let known: readonly (Value & { readonly kind: 'choice' })[] | undefined
  return (span) => {
    const isInside = (around: Span | undefined): boolean => around !== undefined && isWithin(span, around)
    const guard = facts.guards.find(({ test, inside }) => isInside(inside) && isSetVariable(test))
    if (guard !== undefined) return guard.test
    // options that are all written out have no guard
    known ??= [...valuesOf(facts)].flatMap(({ value }) => ('options' in value ? value : []))
    for (const value of known) {
      if (!isInside(value)) continue
      const [first, second] = value.options
      const test = value.isAnd === true && isInside(second) ? first : isInside(first) ? value.test : undefined
      if (test !== undefined && isSetVariable(test)) return test
    }
    return undefined
  }
}

/** Settings of `cds.env` in production; variables are reported where they are declared. */
function* judgeCredentials(root: CapRoot, project: Project): Generator<Match> {
  const seen = new Set<string>()
  for (const configuration of [...root.productive(), ...startedConfigurations(root, project)]) {
    for (const service of configuration.keys('requires')) {
      for (const [path, isOff] of CREDENTIALS_OFF) {
        const setting = configuration.value('requires', service, 'credentials', ...path)
        const key = path.join('.')
        if (setting === undefined || setting.variable !== undefined || !isOff(setting.node)) continue
        const { place } = setting
        const known = `${place.file} ${place.span?.start}`
        if (!seen.has(known)) yield { at: place, args: { setting: key, file: place.file }, ...gradeOf(key) }
        seen.add(known)
      }
    }
  }
}

/** Options of drivers of databases: these are in the landscape. */
function gradeOf(key: string): Pick<Match, 'variant' | 'reach'> {
  if (key === 'encrypt') return { variant: 'plain' }
  return {
    variant: 'configured',
    ...((key === 'sslValidateCertificate' || key.startsWith('ssl.')) && { reach: 'privileged' as const }),
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
