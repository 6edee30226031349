import { isSet } from '../../model/approuter/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Host names that the approuter trusts: those that a proxy forwards, and those that select the tenant.
 *  Facts: @sap/approuter 23.0.0 README, EXTERNAL_REVERSE_PROXY, ENABLE_X_FORWARDED_HOST_VALIDATION, TENANT_HOST_PATTERN; lib/connect/utils.js: the validation checks
 *  letters, lengths and the port, not a list of hosts.
 *  Impact: nothing by itself, requests must bypass the proxy; a host name that selects the tenant gives the data of another one. */
export const forwardedHostUnvalidated: Rule = defineRule({
  id: 'approuter/forwarded-host-unvalidated',
  impact: 'defence',
  reach: 'anyone',
  // a host of the attacker’s choice must be routed to the app
  grades: { tenant: { impact: 'data', reach: 'user', evidence: 'assumed' } },
  confidence: 'high',
  cwe: [644],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#configurations',
  on: 'approuter',

  *check(approuter) {
    const { environment } = approuter
    const isValidated = environment.settings('ENABLE_X_FORWARDED_HOST_VALIDATION').some((setting) => isSet(setting, true))
    for (const setting of environment.settings('EXTERNAL_REVERSE_PROXY')) {
      if (setting.deployed && isSet(setting, true) && !isValidated) yield { at: setting.place, args: { pattern: '' } }
    }
    for (const setting of environment.settings('TENANT_HOST_PATTERN')) {
      const pattern = stringOf(setting.value)
      if (setting.deployed && pattern !== undefined && !hasDomain(pattern))
        yield { at: setting.place, args: { pattern }, variant: 'tenant' }
    }
  },

  text: () => ({
    en: {
      title: 'Forwarded host header not validated',
      message: 'EXTERNAL_REVERSE_PROXY is true, but ENABLE_X_FORWARDED_HOST_VALIDATION is not set to true.',
      why: 'An attacker who bypasses the proxy can send a malformed X-Forwarded-Host header, which the approuter uses and forwards to backends (host header injection).',
      fix: 'Set ENABLE_X_FORWARDED_HOST_VALIDATION to true: the approuter then checks the form of the host name. Allow requests to the approuter from the proxy only.',
      variants: {
        tenant: {
          title: 'Tenant host pattern without a fixed domain',
          message: 'TENANT_HOST_PATTERN is "{pattern}", which extracts a tenant from any host name.',
          why: 'An attacker who can send requests under a host name of their choice can select the tenant in which the request is processed (tenant confusion).',
          fix: 'Include the host name of the app in TENANT_HOST_PATTERN: "^(.*)-${default-uri}$" in mta.yaml, or the name itself elsewhere, as in "^(.*)-app[.]cfapps[.]eu10[.]hana[.]ondemand[.]com$".',
        },
      },
    },
    fr: {
      title: 'En-tête X-Forwarded-Host non validé',
      message: 'EXTERNAL_REVERSE_PROXY vaut true, mais ENABLE_X_FORWARDED_HOST_VALIDATION n’a pas la valeur true.',
      why: 'Un attaquant qui contourne le proxy peut envoyer un en-tête X-Forwarded-Host mal formé, que l’approuter utilise et transmet aux backends (injection d’en-tête Host).',
      fix: 'Donnez la valeur true à ENABLE_X_FORWARDED_HOST_VALIDATION : l’approuter contrôle alors la forme du nom d’hôte. N’acceptez que les requêtes provenant du proxy.',
      variants: {
        tenant: {
          title: 'Motif d’hôte de locataire sans nom de domaine explicite',
          message: 'TENANT_HOST_PATTERN vaut "{pattern}" : l’approuter extrait un locataire de n’importe quel nom d’hôte.',
          why: 'Un attaquant qui peut envoyer des requêtes avec un nom d’hôte de son choix peut choisir le locataire dans lequel la requête est traitée (confusion de locataires).',
          fix: 'Incluez le nom d’hôte de l’application dans TENANT_HOST_PATTERN : écrivez "^(.*)-${default-uri}$" dans mta.yaml ou, ailleurs, le nom complet, par exemple "^(.*)-app[.]cfapps[.]eu10[.]hana[.]ondemand[.]com$".',
        },
      },
    },
  }),
})

/** Some letters of a domain, or a placeholder of the deployment, outside of the groups. */
function hasDomain(pattern: string): boolean {
  const outside = pattern
    .replaceAll(/\([^()]{0,200}\)/g, ' ')
    .replaceAll(/\[[^\]]{0,200}\]/g, ' ')
    .replaceAll(/\\[wdsSWDb]/g, ' ')
  return /[a-z0-9-]{2,}|[$~]\{/i.test(outside)
}
