import { isLoopback, isSapHost } from '../../model/deployment/index.ts'
import { membersBelow, readRemote, toolingSteps } from '../../model/ui5/index.ts'
import { at, booleanOf, stringOf, type DataMember, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The value with which each setting switches the check off. */
const OFF: ReadonlyMap<string, boolean> = new Map([
  ['ignorecerterrors', true],
  ['ignorecerterror', true],
  ['strictssl', false],
  ['rejectunauthorized', false],
  ['secure', false],
])
/** Whose documentation names the setting. */
const OF_SAP = /^(?:fiori-tools-(?:proxy|servestatic)|backend-proxy-middleware)$/u
const LOCAL = /(?:^|\/)ui5-(?:local|mock|dev|test)[^/]{0,40}\.ya?ml$/iu

/**
 * A tool of the UI5 Tooling that accepts any TLS certificate, or deploys without TLS.
 * Facts: README of @sap/ux-ui5-tooling, @sap-ux/backend-proxy-middleware, @sap-ux/deploy-tooling (`ignoreCertErrors`), ui5-middleware-simpleproxy
 * (`strictSSL`), http-proxy (`secure`).
 * Impact: whoever sits on the path reads the credentials and changes what is sent. The development server is a matter of developers; a deployment sends
 * credentials and the app itself within a landscape, or over the internet to a system of SAP's clouds.
 */
export const toolingTlsOff: Rule = defineRule({
  id: 'ui5/tooling-tls-off',
  impact: 'takeover',
  reach: 'local',
  confidence: 'high',
  cwe: [295, 319],
  since: '0.1.0',
  docs: 'https://github.com/SAP/open-ux-tools/tree/main/packages/backend-proxy-middleware#readme',
  docsByVariant: {
    deploy: 'https://github.com/SAP/open-ux-tools/tree/main/packages/deploy-tooling#readme',
    plain: 'https://github.com/SAP/open-ux-tools/tree/main/packages/deploy-tooling#readme',
    other: 'https://nodejs.org/api/cli.html#node_extra_ca_certsfile',
  },
  on: 'ui5-app',

  *check(app): Generator<Match> {
    for (const { file, kind, name, configuration } of toolingSteps(app)) {
      const url = kind === 'task' ? at(configuration, 'target', 'url') : undefined
      const remote = readRemote(stringOf(url) ?? '')
      if (url !== undefined && remote?.scheme === 'http' && !isLoopback(remote.host))
        yield {
          at: { file, span: url },
          args: { tool: name, host: remote.host },
          variant: 'plain',
          reach: isSapHost(remote.host) ? 'user' : 'privileged',
          groupKey: `${kind} ${name} ${remote.host}`,
        }
      for (const member of membersBelow(configuration)) {
        if (!isOff(member)) continue
        const deploy = kind === 'task'
        yield {
          at: { file, span: member.value },
          args: { setting: member.key, value: String(booleanOf(member.value)), tool: name },
          variant: deploy ? 'deploy' : OF_SAP.test(name) ? undefined : 'other',
          ...(deploy && { reach: isSapHost(hostOf(configuration)) ? 'user' : 'privileged' }),
          // apps of one generator say the same
          groupKey: `${kind} ${name} ${member.key} ${LOCAL.test(file) ? 'local' : ''}`,
        }
      }
    }
  },

  text: {
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
        plain: {
          title: 'Deployment over unencrypted HTTP',
          message: '{tool} deploys the app to {host} over plain HTTP.',
          why: 'An attacker on the network path can read the deployment credentials and replace the app that is deployed.',
          fix: 'Set target.url to the https:// URL of {host}. If its certificate is issued by your company’s internal CA, set the environment variable NODE_EXTRA_CA_CERTS=/path/to/company-ca.pem.',
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
        plain: {
          title: 'Déploiement en HTTP non chiffré',
          message: '{tool} déploie l’application vers {host} en HTTP sans chiffrement.',
          why: 'Un attaquant placé sur le réseau peut lire les identifiants du déploiement et remplacer l’application déployée.',
          fix: 'Donnez à target.url l’URL en https:// de {host}. Si son certificat est émis par l’autorité de certification de votre entreprise, définissez la variable d’environnement NODE_EXTRA_CA_CERTS=/chemin/ac-entreprise.pem.',
        },
      },
    },
  },
})

/** The system that a task deploys to; '': a destination names it. */
function hostOf(configuration: DataNode): string {
  return readRemote(stringOf(at(configuration, 'target', 'url')) ?? '')?.host ?? ''
}

function isOff({ key, value }: DataMember): boolean {
  const off = OFF.get(key.toLowerCase())
  return off !== undefined && booleanOf(value) === off
}
