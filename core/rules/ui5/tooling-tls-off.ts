import { classifyHost } from '../../secrets/index.ts'
import { isLoopback, isSapHost } from '../../model/deployment/index.ts'
import { membersBelow, readRemote, toolingSteps } from '../../model/ui5/index.ts'
import { at, booleanOf, membersOf, stringOf, type DataMember, type DataNode } from '../../parse/data.ts'
import type { Match, Reach } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The value with which each setting switches the check off. */
const OFF: ReadonlyMap<string, boolean> = new Map([
  ['ignorecerterrors', true],
  ['ignorecerterror', true],
  ['strictssl', false],
  ['usestrictssl', false],
  ['conn_usestrictssl', false],
  ['rejectunauthorized', false],
  ['secure', false],
])
/** Whose documentation names the setting. */
const OF_SAP = /^(?:fiori-tools-(?:proxy|servestatic)|backend-proxy-middleware)$/u
const LOCAL = /(?:^|\/)ui5-(?:local|mock|dev|test)[^/]{0,40}\.ya?ml$/iu

/**
 * A tool of the UI5 Tooling that accepts any TLS certificate, deploys without TLS, or forwards requests over the internet without it.
 * Facts: README of @sap/ux-ui5-tooling, @sap-ux/backend-proxy-middleware, @sap-ux/deploy-tooling (`ignoreCertErrors`), ui5-middleware-simpleproxy
 * (`strictSSL`), http-proxy (`secure`), ui5-task-nwabap-deployer 2.1.1 (`connection`: `server`, `useStrictSSL`), nwabap-ui5uploader 1.2.0 (.nwabaprc); SAP Fiori tools, "Deployment of application": SAP Business Application Studio deploys by the destination, outside of it by the URL.
 * Impact: whoever sits on the path reads the credentials and changes what is sent. The development server is a matter of developers; a deployment sends
 * credentials and the app itself within a landscape, or over the internet to a system of SAP's clouds.
 */
export const toolingTlsOff: Rule = defineRule({
  id: 'ui5/tooling-tls-off',
  impact: 'takeover',
  attacker: 'network',
  reach: 'local',
  confidence: 'high',
  cwe: [295, 319],
  since: '0.1.0',
  docs: 'https://github.com/SAP/open-ux-tools/tree/main/packages/backend-proxy-middleware#readme',
  // by its own address a host is on the internet; that requests to it carry a login is not in the project
  grades: { proxied: { reach: 'user', evidence: 'assumed' } },
  docsByVariant: {
    deploy: 'https://github.com/SAP/open-ux-tools/tree/main/packages/deploy-tooling#readme',
    plain: 'https://github.com/SAP/open-ux-tools/tree/main/packages/deploy-tooling#readme',
    other: 'https://nodejs.org/api/cli.html#node_extra_ca_certsfile',
  },
  keywords: ['conn_'],
  checks: {
    *data({ path: file, kind, content }): Generator<Match> {
      if (kind.role !== 'nwabaprc') return
      for (const root of content.roots) yield* ofUploader(file, root)
    },

    *'ui5-app'(app): Generator<Match> {
      for (const { file, kind, name, configuration } of toolingSteps(app)) {
        const url = kind === 'task' ? addressOf(configuration) : undefined
        const remote = readRemote(stringOf(url) ?? '')
        if (url !== undefined && remote?.scheme === 'http' && !isLoopback(remote.host))
          yield {
            at: { file, span: url },
            args: { tool: name, host: remote.host, key: keyOfAddress(configuration) },
            variant: 'plain',
            reach: reachOf(remote.host, configuration),
            ...(mayBeTunnelled(configuration, remote.host) && { evidence: 'assumed' as const }),
            groupKey: `${kind} ${name} ${remote.host}`,
          }
        for (const member of membersBelow(configuration)) {
          const host = kind === 'middleware' ? plainHostOf(member) : undefined
          if (host !== undefined)
            yield {
              at: { file, span: member.value },
              args: { tool: name, host },
              variant: 'proxied',
              groupKey: `${kind} plain ${host}`,
            }
          // without TLS there is no certificate
          if (!isOff(member) || remote?.scheme === 'http') continue
          const deploy = kind === 'task'
          yield {
            at: { file, span: member.value },
            args: { setting: member.key, value: String(booleanOf(member.value)), tool: name },
            variant: deploy ? 'deploy' : OF_SAP.test(name) ? undefined : 'other',
            ...(deploy && { reach: reachOf(hostOf(configuration), configuration) }),
            // apps of one generator say the same
            groupKey: `${kind} ${name} ${member.key} ${LOCAL.test(file) ? 'local' : ''}`,
          }
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled for a development proxy',
      message: '"{setting}: {value}" is set for {tool}: the TLS certificate that the backend presents is not validated.',
      why: 'An attacker on the network path can impersonate the backend and read the password or session of the developer, who often has more permissions than ordinary users.',
      fix: 'Remove {setting} from the configuration of {tool}. If the certificate is issued by your company’s internal CA, set the environment variable NODE_EXTRA_CA_CERTS=/path/to/company-ca.pem.',
      variants: {
        other: {},
        deploy: {
          title: 'TLS certificate validation disabled for a deployment',
          message:
            '"{setting}: {value}" is set for {tool}: the TLS certificate that the target system presents is not validated.',
          why: 'An attacker on the network path can impersonate the target system, steal the deployment credentials and replace the app that is deployed.',
        },
        proxied: {
          title: 'Development proxy to a public host over HTTP',
          message: '{tool} forwards requests to {host}, an address of the internet, over plain HTTP.',
          why: 'An attacker on the network path can read the passwords and sessions that developers send through the proxy, and change what the backend answers.',
          fix: 'Use an https:// URL with the host name of the system instead of http://{host}. If it offers no TLS, reach it through a VPN or the Cloud Connector, and not over the internet.',
        },
        plain: {
          title: 'Deployment over unencrypted HTTP',
          message: '{tool} deploys the app to {host} over plain HTTP.',
          why: 'An attacker on the network path can read the deployment credentials and replace the app that is deployed.',
          fix: 'Set {key} to the https:// URL of {host}. If its certificate is issued by your company’s internal CA, set the environment variable NODE_EXTRA_CA_CERTS=/path/to/company-ca.pem.',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS désactivée pour un proxy de développement',
      message: '"{setting}: {value}" est défini pour {tool} : le certificat TLS présenté par le backend n’est pas validé.',
      why: 'Un attaquant placé sur le réseau peut se faire passer pour le backend et lire le mot de passe ou la session du développeur, qui a souvent plus de droits qu’un utilisateur ordinaire.',
      fix: 'Supprimez {setting} de la configuration de {tool}. Si le certificat est émis par l’autorité de certification de votre entreprise, définissez la variable d’environnement NODE_EXTRA_CA_CERTS=/chemin/ac-entreprise.pem.',
      variants: {
        other: {},
        deploy: {
          title: 'Validation du certificat TLS désactivée pour un déploiement',
          message:
            '"{setting}: {value}" est défini pour {tool} : le certificat TLS présenté par le système cible n’est pas validé.',
          why: 'Un attaquant placé sur le réseau peut se faire passer pour le système cible, voler les identifiants du déploiement et remplacer l’application déployée.',
        },
        proxied: {
          title: 'Proxy de développement en HTTP vers un hôte public',
          message: '{tool} transmet les requêtes à {host}, une adresse d’Internet, en HTTP sans chiffrement.',
          why: 'Un attaquant placé sur le réseau peut lire les mots de passe et les sessions que les développeurs envoient par ce proxy, et modifier les réponses du backend.',
          fix: 'Utilisez une URL en https:// avec le nom d’hôte du système au lieu de http://{host}. S’il ne propose pas TLS, passez par un VPN ou le Cloud Connector, et non par Internet.',
        },
        plain: {
          title: 'Déploiement en HTTP non chiffré',
          message: '{tool} déploie l’application vers {host} en HTTP sans chiffrement.',
          why: 'Un attaquant placé sur le réseau peut lire les identifiants du déploiement et remplacer l’application déployée.',
          fix: 'Donnez à {key} l’URL en https:// de {host}. Si son certificat est émis par l’autorité de certification de votre entreprise, définissez la variable d’environnement NODE_EXTRA_CA_CERTS=/chemin/ac-entreprise.pem.',
        },
      },
    },
  }),
})

/**
 * A system of SAP's clouds, and one by an address of the internet, is reached over the internet; any other host may lie in the network of the company, unless its name is
 * one of the internet and whoever uploads to it has his login beside it.
 */
function reachOf(host: string, settings: DataNode): Reach {
  const isOpen = isSapHost(host) || isPublicAddress(host) || (classifyHost(host) === 'public' && holdsLogin(settings))
  return isOpen ? 'user' : 'privileged'
}

const USER = /^(?:conn_)?user(?:name)?$/i
const PASSWORD = /^(?:conn_)?(?:password|pwd|pass)$/i

/** A user and a password as they are sent; the name of a variable is none. */
function holdsLogin(settings: DataNode): boolean {
  const written = [...membersBelow(settings)].filter(({ value }) => /^(?!env:|\$|$)/.test(stringOf(value) ?? ''))
  return written.some(({ key }) => USER.test(key)) && written.some(({ key }) => PASSWORD.test(key))
}

/** With a destination the address may be the virtual host of a Cloud Connector, whose tunnel is encrypted; nobody calls a virtual host by an address of the internet. */
function mayBeTunnelled(configuration: DataNode, host: string): boolean {
  const destination = stringOf(at(configuration, 'target', 'destination')) ?? ''
  return destination !== '' && !isPublicAddress(host)
}

/** What nwabap-ui5uploader uploads with: its settings lie side by side. */
function* ofUploader(file: string, root: DataNode): Generator<Match> {
  const address = at(root, 'conn_server')
  const remote = readRemote(stringOf(address) ?? '')
  const host = remote?.host ?? ''
  if (address !== undefined && remote?.scheme === 'http') {
    const place = { file, span: address }
    const args = { tool: 'nwabap-ui5uploader', host, key: 'conn_server' }
    if (!isLoopback(host))
      yield { at: place, args, variant: 'plain', reach: reachOf(host, root), groupKey: `task uploader ${host}` }
    return
  }
  for (const member of membersOf(root)) {
    if (!isOff(member)) continue
    yield {
      at: { file, span: member.value },
      args: { setting: member.key, value: String(booleanOf(member.value)), tool: 'nwabap-ui5uploader' },
      variant: 'deploy',
      reach: reachOf(host, root),
      groupKey: `task nwabap-ui5uploader ${member.key}`,
    }
  }
}

function addressOf(configuration: DataNode): DataNode | undefined {
  return at(configuration, 'target', 'url') ?? at(configuration, 'connection', 'server')
}

function keyOfAddress(configuration: DataNode): string {
  return at(configuration, 'target', 'url') === undefined ? 'connection.server' : 'target.url'
}

/** The system that a task deploys to; '': a destination names it. */
function hostOf(configuration: DataNode): string {
  return readRemote(stringOf(addressOf(configuration)) ?? '')?.host ?? ''
}

/** An address of the internet over HTTP, where a proxy of the development server sends what it gets. */
function plainHostOf({ value }: DataMember): string | undefined {
  const remote = readRemote(stringOf(value) ?? '')
  const isOpen = remote?.scheme === 'http' && isPublicAddress(remote.host)
  return isOpen ? remote.host : undefined
}

/** An address by numbers that routers of the internet forward. */
function isPublicAddress(host: string): boolean {
  return (
    /^(?:\d{1,3}\.){3}\d{1,3}$/.test(host) &&
    host.split('.').every((part) => Number(part) < 256) &&
    classifyHost(host) === 'public'
  )
}

function isOff({ key, value }: DataMember): boolean {
  const off = OFF.get(key.toLowerCase())
  return off !== undefined && booleanOf(value) === off
}
