import { membersBelow, toolingSteps } from '../../model/ui5/index.ts'
import { booleanOf, type DataMember } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The value with which each setting switches the check off. */
const OFF: ReadonlyMap<string, boolean> = new Map([
  ['ignorecerterrors', true],
  ['ignorecerterror', true],
  ['strictssl', false],
  ['rejectunauthorized', false],
  ['secure', false],
])
const LOCAL = /(?:^|\/)ui5-(?:local|mock|dev|test)[^/]{0,40}\.ya?ml$/iu

/**
 * A tool of the UI5 Tooling that takes any certificate.
 * Facts: README of @sap/ux-ui5-tooling, @sap-ux/backend-proxy-middleware, @sap-ux/deploy-tooling (`ignoreCertErrors`), ui5-middleware-simpleproxy
 * (`strictSSL`), http-proxy (`secure`).
 */
export const toolingTlsOff: Rule = defineRule({
  id: 'ui5/tooling-tls-off',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://github.com/SAP/open-ux-tools',
  on: 'ui5-app',

  *check(app) {
    for (const { file, kind, name, configuration } of toolingSteps(app)) {
      for (const member of membersBelow(configuration)) {
        if (!isOff(member)) continue
        const deploy = kind === 'task'
        yield {
          at: { file, span: member.value },
          args: { setting: member.key, value: String(booleanOf(member.value)), tool: name },
          variant: deploy ? 'deploy' : undefined,
          severity: LOCAL.test(file) ? 'LOW' : undefined,
          // apps of one generator say the same
          sameAs: `${kind} ${name} ${member.key} ${LOCAL.test(file) ? 'local' : ''}`,
        }
      }
    }
  },

  text: {
    en: {
      title: 'A development proxy takes any certificate',
      message: '{setting}: {value} for {tool}: the certificate of the backend is not checked.',
      why: 'Whoever gets between a developer and the backend can pose as it: the password or session of the developer, who often may do more than a user, is read along.',
      fix: 'Remove {setting}; make the certificate authority of your company known to Node.js by NODE_EXTRA_CA_CERTS.',
      variants: {
        deploy: {
          title: 'A deployment takes any certificate',
          message: '{setting}: {value} for {tool}: the certificate of the target system is not checked.',
          why: 'Whoever gets between the build and the target system can pose as it: it gets the credentials of the deployment, and may exchange the app that is deployed.',
        },
      },
    },
    fr: {
      title: 'Un proxy de développement accepte n’importe quel certificat',
      message: '{setting}: {value} pour {tool} : le certificat du backend n’est pas vérifié.',
      why: 'Quiconque se place entre un développeur et le backend peut se faire passer pour lui : le mot de passe ou la session du développeur, qui a souvent plus de droits qu’un utilisateur, est lu au passage.',
      fix: 'Supprimez {setting} ; faites connaître à Node.js l’autorité de certification de votre entreprise par NODE_EXTRA_CA_CERTS.',
      variants: {
        deploy: {
          title: 'Un déploiement accepte n’importe quel certificat',
          message: '{setting}: {value} pour {tool} : le certificat du système cible n’est pas vérifié.',
          why: 'Quiconque se place entre la construction et le système cible peut se faire passer pour lui : il reçoit les identifiants du déploiement et peut remplacer l’application livrée.',
        },
      },
    },
  },
})

function isOff({ key, value }: DataMember): boolean {
  const off = OFF.get(key.toLowerCase())
  return off !== undefined && booleanOf(value) === off
}
